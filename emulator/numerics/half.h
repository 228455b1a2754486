// SPDX-License-Identifier: Apache-2.0
// f16 and bf16: exact widening, one-step narrowing from double in any mode, add, sub, mul, fma,
// min, max, neg, abs, comparisons, and pairs (.f16x2, .bf16x2). Every operation rounds once.
#pragma once

#include "emulator/numerics/compare.h"
#include "emulator/numerics/exact.h"

namespace lockstep::emulator::num {

// The two 16-bit formats, as template arguments.
struct F16 {
  static constexpr int kFraction = 10, kExponent = 5;
  static constexpr uint16_t kInfinity = 0x7c00, kOne = 0x3c00, kLargest = 0x7bff;
};
struct Bf16 {
  static constexpr int kFraction = 7, kExponent = 8;
  static constexpr uint16_t kInfinity = 0x7f80, kOne = 0x3f80, kLargest = 0x7f7f;
};

// The exact f32 of a half; a NaN keeps its sign and payload in the higher bits.
template <class Format>
LOCKSTEP_NUM uint32_t widen_half(uint16_t half) {
  constexpr int kShift = 23 - Format::kFraction;
  const uint32_t sign = static_cast<uint32_t>(half & 0x8000u) << 16;
  const uint32_t magnitude = static_cast<uint32_t>(half & 0x7fffu) << kShift;
  if constexpr (Format::kExponent == 8) return sign | magnitude;
  // Scaling by 2^112 moves the exponent and normalises subnormals in one exact product.
  const uint32_t scaled = bits_of(as_f32(magnitude) * 0x1p112f);
  const bool special = (half & 0x7c00u) == 0x7c00u;
  return sign | (special ? magnitude | 0x7f800000u : scaled);
}
template <class Format>
LOCKSTEP_NUM double half_value(uint16_t half) {
  return as_f32(widen_half<Format>(half));
}

// Nearest, without branches: adding 2^42 (f16) or 2^45 (bf16) times the value's power of two
// leaves as many bits as the format has; scaled by 2^-112 the result's f32 has an f16's exponent.
template <class Format>
LOCKSTEP_NUM uint16_t nearest_half(double value) {
  constexpr bool kF16 = Format::kExponent == 5;
  constexpr uint64_t kLeast = uint64_t{kF16 ? 1023 - 14 : 1023 - 126} << 52;
  constexpr uint64_t kMost = uint64_t{1023 + 129} << 52;
  const uint64_t bits = bits_of(value);
  const uint32_t sign = static_cast<uint32_t>(bits >> 48) & 0x8000u;
  const double size = as_f64(bits & 0x7fffffffffffffffull);
  const uint64_t power = bits & 0x7ff0000000000000ull;
  const uint64_t at_least = power > kLeast ? power : kLeast;
  const uint64_t bounded = at_least < kMost ? at_least : kMost;
  const double shifter = as_f64(bounded + (uint64_t{52 - Format::kFraction} << 52));
  const double rounded = (size + shifter) - shifter;
  uint32_t half;
  if constexpr (kF16) {
    const uint32_t scaled = bits_of(static_cast<float>(rounded * 0x1p-112)) >> 13;
    half = rounded >= 0x1p16 ? Format::kInfinity : scaled;
  } else {
    half = rounded >= 0x1p128 ? Format::kInfinity : bits_of(static_cast<float>(rounded)) >> 16;
  }
  return static_cast<uint16_t>(value != value ? kNan16 : sign | half);
}

// A double, exact or rounded to odd, to a half. NaN becomes kNan16.
template <class Format, Round R = Round::kNearest>
LOCKSTEP_NUM uint16_t narrow_half(double value) {
  if constexpr (R == Round::kNearest) return nearest_half<Format>(value);
  constexpr int kBias = (1 << (Format::kExponent - 1)) - 1;
  const uint64_t bits = bits_of(value);
  const bool negative = bits >> 63 != 0;
  const uint16_t sign = negative ? 0x8000 : 0;
  const uint64_t magnitude = bits & 0x7fffffffffffffffull;
  if (magnitude > 0x7ff0000000000000ull) return kNan16;
  if (magnitude == 0x7ff0000000000000ull) return sign | Format::kInfinity;
  const int exponent = static_cast<int>(magnitude >> 52) - 1023;
  const uint64_t significand =
      exponent == -1023 ? magnitude : (magnitude & 0xfffffffffffffull) | (uint64_t{1} << 52);
  const int below = exponent < 1 - kBias ? 1 - kBias - exponent : 0;
  constexpr int kMostBelow = Format::kFraction + 11;  // leaves nothing, nor half of a unit
  const int drop = 52 - Format::kFraction + (below < kMostBelow ? below : kMostBelow);
  const uint64_t unit = uint64_t{1} << drop, rest = significand & (unit - 1);
  uint64_t kept = significand >> drop;
  if constexpr (R != Round::kZero) {
    kept += rest != 0 && negative == (R == Round::kDown);
  }
  const int steps = below > 0 ? 0 : exponent + kBias - 1;
  const bool clamps =
      R == Round::kZero || (R == Round::kDown && !negative) || (R == Round::kUp && negative);
  if (steps > 2 * kBias || (uint64_t(steps) << Format::kFraction) + kept >= Format::kInfinity) {
    return sign | (clamps ? Format::kLargest : Format::kInfinity);
  }
  return static_cast<uint16_t>(sign | ((steps << Format::kFraction) + static_cast<int>(kept)));
}

template <class Format, bool Ftz>
LOCKSTEP_NUM uint16_t flush_half(uint16_t half) {
  return Ftz && (half & Format::kInfinity) == 0 ? half & 0x8000u : half;
}

// .sat: [0, 1], NaN to +0. .relu: negatives to +0, NaN kept.
template <class Format, bool Sat, bool Relu>
LOCKSTEP_NUM uint16_t finish_half(uint16_t half) {
  const bool nan = (half & 0x7fffu) > Format::kInfinity;
  const bool negative = (half & 0x8000u) != 0;
  if constexpr (Sat) return nan || negative ? 0 : half < Format::kOne ? half : Format::kOne;
  if constexpr (Relu) return !nan && negative ? 0 : half;
  return half;
}

// The last steps of an f16 or bf16 operation from its exact (or rounded to odd) result. PTX
// has no .ftz on bf16 arithmetic.
template <class Format, bool Ftz, bool Sat, bool Relu>
LOCKSTEP_NUM uint16_t round_half(double exact) {
  const bool tiny =
      Ftz && Format::kExponent == 5 && is_flushed<Round::kNearest, 11>(exact, 0x1p-14);
  return finish_half<Format, Sat, Relu>(
      narrow_half<Format>(tiny ? __builtin_copysign(0.0, exact) : exact));
}

template <class Format, bool Ftz = false, bool Sat = false, bool Relu = false>
LOCKSTEP_NUM uint16_t fma_half(uint16_t a, uint16_t b, uint16_t c) {
  const double x = half_value<Format>(flush_half<Format, Ftz>(a));
  const double y = half_value<Format>(flush_half<Format, Ftz>(b));
  const double z = half_value<Format>(flush_half<Format, Ftz>(c));
  return round_half<Format, Ftz, Sat, Relu>(add_odd(x * y, z));
}
template <class Format, bool Ftz = false, bool Sat = false>
LOCKSTEP_NUM uint16_t add_half(uint16_t a, uint16_t b) {
  const double x = half_value<Format>(flush_half<Format, Ftz>(a));
  const double y = half_value<Format>(flush_half<Format, Ftz>(b));
  return round_half<Format, Ftz, Sat, false>(add_odd(x, y));
}
template <class Format, bool Ftz = false, bool Sat = false>
LOCKSTEP_NUM uint16_t sub_half(uint16_t a, uint16_t b) {
  return add_half<Format, Ftz, Sat>(a, b ^ 0x8000u);
}
template <class Format, bool Ftz = false, bool Sat = false>
LOCKSTEP_NUM uint16_t mul_half(uint16_t a, uint16_t b) {
  const double x = half_value<Format>(flush_half<Format, Ftz>(a));
  const double y = half_value<Format>(flush_half<Format, Ftz>(b));
  return round_half<Format, Ftz, Sat, false>(x * y);
}

template <class Format, bool Max, bool Ftz = false, bool PropagateNan = false, bool XorSign = false>
LOCKSTEP_NUM uint16_t minmax_half(uint16_t a, uint16_t b) {
  return minmax_bits<uint16_t, Max, PropagateNan, XorSign>(
      flush_half<Format, Ftz>(a), flush_half<Format, Ftz>(b), Format::kInfinity, kNan16);
}

template <class Format, bool Ftz = false>
LOCKSTEP_NUM uint16_t neg_half(uint16_t a) {
  return (a & 0x7fffu) > Format::kInfinity ? kNan16 : flush_half<Format, Ftz>(a) ^ 0x8000u;
}
template <class Format, bool Ftz = false>
LOCKSTEP_NUM uint16_t abs_half(uint16_t a) {
  return (a & 0x7fffu) > Format::kInfinity ? kNan16 : flush_half<Format, Ftz>(a) & 0x7fffu;
}

template <class Format, Compare C, bool Ftz = false>
LOCKSTEP_NUM bool compare_half(uint16_t a, uint16_t b) {
  return compare<C>(as_f32(widen_half<Format>(flush_half<Format, Ftz>(a))),
                    as_f32(widen_half<Format>(flush_half<Format, Ftz>(b))));
}

// A scalar operation on both halves of packed registers:
//   pair(add_half<F16>, a, b), pair(fma_half<Bf16>, a, b, c)
template <class Operation, class... Words>
LOCKSTEP_NUM uint32_t pair(Operation operation, Words... words) {
  const uint32_t low = operation(static_cast<uint16_t>(words)...);
  const uint32_t high = operation(static_cast<uint16_t>(words >> 16)...);
  return (low & 0xffffu) | high << 16;
}

}  // namespace lockstep::emulator::num
