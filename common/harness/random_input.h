// SPDX-License-Identifier: Apache-2.0
// Pseudo-random floats that are the same everywhere: a function of seed, stream and index alone,
// so that any part of an input can be made by itself and in any order.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace lockstep {

// 64 well mixed bits.
inline uint64_t random_bits(uint64_t seed, uint64_t stream, uint64_t index) {
  const auto mix = [](uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  };
  constexpr uint64_t kStep = 0x9e3779b97f4a7c15ull;
  return mix(mix(seed + kStep * (stream + 1)) + kStep * (index + 1));
}

// A number from least (1 or more) to most that follows from bits, magnitudes alike: 10 to 20 is as
// likely as 1000 to 2000. Of roots and products alone, which are the same everywhere.
inline int64_t random_magnitude(uint64_t bits, int64_t least, int64_t most) {
  double number = static_cast<double>(least);
  double factor = static_cast<double>(most + 1) / number;
  for (int i = 63; i >= 32; i--) {
    factor = std::sqrt(factor);
    if (bits >> i & 1) number *= factor;
  }
  return std::clamp(static_cast<int64_t>(number), least, std::max(least, most));
}

// In [-1, 1), a multiple of 2^-23: exact in float, whatever the compiler and the machine.
inline float random_float(uint64_t seed, uint64_t stream, uint64_t index) {
  const int64_t bits = static_cast<int64_t>(random_bits(seed, stream, index) >> 40);
  return static_cast<float>(bits - (int64_t{1} << 23)) * 0x1p-23f;
}

}  // namespace lockstep
