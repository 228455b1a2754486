// SPDX-License-Identifier: Apache-2.0
// Pseudo-random floats that are the same everywhere: a function of seed, stream and index alone,
// so that any part of an input can be made by itself and in any order.
#pragma once

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

// In [-1, 1), a multiple of 2^-23: exact in float, whatever the compiler and the machine.
inline float random_float(uint64_t seed, uint64_t stream, uint64_t index) {
  const int64_t bits = static_cast<int64_t>(random_bits(seed, stream, index) >> 40);
  return static_cast<float>(bits - (int64_t{1} << 23)) * 0x1p-23f;
}

}  // namespace lockstep
