// SPDX-License-Identifier: Apache-2.0
// Exact helpers behind the rounding modes: a sum of doubles rounded to odd, and the narrowing of
// such a value to f32. Rounding to odd keeps "not exact" and the order against every shorter
// format, so that one later rounding, in any mode, gives the correctly rounded result
// (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums", 2008).
#pragma once

#include <cmath>

#include "emulator/numerics/bits.h"

namespace lockstep::emulator::num {

// a + b rounded to odd. Exact NaN, infinity and zero of a + b. Needs |a|, |b| below 2^1022, or
// infinite or NaN, and no underflow: true for all values that come from f32 and shorter formats.
LOCKSTEP_NUM double add_odd(double a, double b) {
  const double sum = a + b;
  const double b_part = sum - a;
  const double error = (a - (sum - b_part)) + (b - b_part);
  const uint64_t bits = bits_of(sum);
  const bool inexact = error > 0.0 || error < 0.0;  // NaN (infinite sum): not inexact
  const bool grows = (error > 0.0) == (sum > 0.0);
  const uint64_t step = grows ? uint64_t{1} : ~uint64_t{0};
  return as_f64(inexact && (bits & 1) == 0 ? bits + step : bits);
}

// Corrects `nearest`, an exact value rounded to nearest, to mode R; above and below say on which
// side of the exact value it lies.
template <Round R>
LOCKSTEP_NUM uint32_t direct32(uint32_t nearest, bool above, bool below) {
  const bool negative = (nearest >> 31) != 0;
  if constexpr (R == Round::kNearest) return nearest;
  if constexpr (R == Round::kZero) {
    return (negative ? below : above) ? nearest - 1 : nearest;
  }
  if constexpr (R == Round::kDown) {
    return above ? (negative ? nearest + 1 : nearest - 1) : nearest;
  }
  return below ? (negative ? nearest - 1 : nearest + 1) : nearest;
}

// A double, exact or rounded to odd, to f32.
template <Round R>
LOCKSTEP_NUM float narrow32(double value) {
  const float nearest = static_cast<float>(value);
  if constexpr (R == Round::kNearest) return nearest;
  const double back = nearest;
  return as_f32(direct32<R>(bits_of(nearest), back > value, back < value));
}

// Whether .ftz flushes a result: the exact value, rounded to the format's `Digits` significant
// bits as if exponents had no end, is below the least normal number. (1 - 2^-24) * 2^-126 is
// flushed, though as a subnormal it would round up to 2^-126; 2^-126 less a hair is not.
template <Round R, int Digits>
LOCKSTEP_NUM bool is_flushed(double exact, double least_normal) {
  constexpr double kUnit = Digits == 24 ? 0x1p-24 : 0x1p-11;  // last place, just below 1
  const double size = __builtin_fabs(exact);
  if constexpr (R == Round::kNearest) return size < least_normal * (1.0 - kUnit / 2);
  const bool away = R != Round::kZero && (exact > 0.0) == (R == Round::kUp);
  return away ? size <= least_normal * (1.0 - kUnit) : size < least_normal;
}

// The last steps of an f32 operation from its exact (or rounded to odd) result.
template <Round R, bool Ftz, bool Sat>
LOCKSTEP_NUM uint32_t round32(double exact) {
  const float value = narrow32<R>(exact);
  const bool flushed = Ftz && is_flushed<R, 24>(exact, 0x1p-126);
  return finish32<false, Sat>(flushed ? __builtin_copysignf(0.0f, value) : value);
}

// The zero of a sum of operands of unlike sign is -0 when rounding down, +0 otherwise.
template <Round R>
LOCKSTEP_NUM double zero_sum(double sum, double a, double b) {
  if constexpr (R == Round::kDown) {
    const bool unlike = ((bits_of(a) ^ bits_of(b)) >> 63) != 0;
    return sum == 0.0 && unlike ? -0.0 : sum;
  }
  return sum;
}

}  // namespace lockstep::emulator::num
