// SPDX-License-Identifier: Apache-2.0
// The multi-function unit of a card (MUFU): reciprocal, roots, 2^x, log2, sine, cosine, tanh. It
// has coefficients of a quadratic function for each of some stretches of the operand, and a
// multiplier that leaves out the lower columns of the square. What is left out, and the
// coefficients, follow from its answers: these functions give all of them, bit for bit
// (docs/arithmetic.md). Subnormal operands and results are zeros.
#pragma once

#include <algorithm>
#include <bit>

#include "emulator/numerics/bits.h"
#include "emulator/numerics/multifunction_tables.h"

namespace lockstep::emulator::num {

inline constexpr uint32_t kSign32 = 0x80000000u, kInfinity32 = 0x7f800000u, kOne32 = 0x3f800000u;

// The distance from the beginning of a stretch has 17 bits. Of its square, the sum of products of
// two bits each, those are left out that stand below 2^19. In units of 2^19 the rest is half the
// square of the upper 8 bits, and of each of these but the lowest, bit j, the lower bits, shifted
// by 9 - j; of these sums those for the upper three and four are kept here.
struct KeptProducts {
  uint16_t of_three[8][128] = {}, of_four[16][128] = {};
  constexpr KeptProducts() {
    for (uint32_t low = 0; low < 128; ++low) {
      for (uint32_t bits = 0; bits < 8; ++bits)
        for (uint32_t j = 1; j < 4; ++j)
          of_three[bits][low] += (bits >> (j - 1) & 1) * (low >> (7 - j));
      for (uint32_t bits = 0; bits < 16; ++bits)
        for (uint32_t j = 4; j < 8; ++j)
          of_four[bits][low] += (bits >> (j - 4) & 1) * (low >> (7 - j));
    }
  }
};
inline constexpr KeptProducts kKeptProducts;
LOCKSTEP_NUM uint32_t truncated_square(uint32_t distance) {
  const uint32_t high = distance >> 9, low = distance >> 2 & 127;
  return (high * high >> 1) + kKeptProducts.of_three[high >> 1 & 7][low] +
         kKeptProducts.of_four[high >> 4][low];
}

// In units of 2^-40.
LOCKSTEP_NUM int64_t value_in(const Stretch& stretch, uint32_t distance) {
  return stretch.constant + int64_t{stretch.linear} * distance +
         int64_t{stretch.square} * truncated_square(distance);
}
// Of a table whose stretches are 2^17 steps long.
LOCKSTEP_NUM int64_t value_of(const Stretch* table, uint32_t step) {
  return value_in(table[step >> 17], step & 0x1ffff);
}

// Bits of `fraction` units of 2^-23 above 1, times 2^exponent; below the least normal number, 0.
LOCKSTEP_NUM uint32_t packed32(int32_t exponent, int64_t fraction) {
  const int32_t bits = ((exponent + 127) << 23) + static_cast<int32_t>(fraction);
  return bits < 0x00800000 ? 0 : static_cast<uint32_t>(bits);
}
// value * 2^unit, not negative, cut to 24 bits.
LOCKSTEP_NUM uint32_t truncated32(uint64_t value, int32_t unit) {
  if (value == 0) return 0;
  const int32_t top = 63 - std::countl_zero(value), shift = top - 23;
  const uint64_t bits = shift >= 0 ? value >> shift : value << -shift;
  return packed32(top + unit, static_cast<int64_t>(bits) - (1 << 23));
}

LOCKSTEP_NUM bool is_zero32(uint32_t a) { return (a & kInfinity32) == 0; }
LOCKSTEP_NUM int32_t exponent32(uint32_t a) { return static_cast<int32_t>(a >> 23 & 255) - 127; }

LOCKSTEP_NUM uint32_t mufu_rcp(uint32_t a) {
  const uint32_t sign = a & kSign32, fraction = a & 0x7fffff;
  if (is_nan32(a)) return kNan32;
  if (is_zero32(a)) return sign | kInfinity32;
  if ((a & ~kSign32) == kInfinity32) return sign;
  // From 1/2 to 1.
  const int64_t value = value_in(kReciprocal[fraction >> 16], fraction << 1 & 0x1ffff) >> 16;
  return sign | packed32(-1 - exponent32(a), value - (1 << 23));
}

// Where the operand lies among the roots' stretches: between 1 and 4, an even power of two below.
LOCKSTEP_NUM uint32_t step_of_root(int32_t exponent, uint32_t fraction) {
  return static_cast<uint32_t>(exponent & 1) << 23 | fraction;
}
LOCKSTEP_NUM uint32_t mufu_rsq(uint32_t a) {
  if (is_nan32(a)) return kNan32;
  if (is_zero32(a)) return (a & kSign32) | kInfinity32;
  if ((a & kSign32) != 0) return kNan32;
  if (a == kInfinity32) return 0;
  const uint32_t step = step_of_root(exponent32(a), a & 0x7fffff);
  const int64_t value = step == 0 ? 1 << 24 : value_of(kInverseRoot, step) >> 16;
  return packed32(-1 - (exponent32(a) >> 1), value - (1 << 23));
}
LOCKSTEP_NUM uint32_t mufu_sqrt(uint32_t a) {
  if (is_nan32(a)) return kNan32;
  if (is_zero32(a)) return a & kSign32;
  if ((a & kSign32) != 0) return kNan32;
  if (a == kInfinity32) return a;
  const int64_t value = value_of(kRoot, step_of_root(exponent32(a), a & 0x7fffff)) >> 17;
  return packed32(exponent32(a) >> 1, value - (1 << 23));
}

// The size of a number below 2^bound in units of 2^-unit, cut.
LOCKSTEP_NUM uint64_t fixed_point(uint32_t a, int32_t unit) {
  const uint64_t digits = (a & 0x7fffff) | 0x800000;
  const int32_t shift = exponent32(a) - 23 + unit;
  return is_zero32(a) || shift <= -24 ? 0 : shift >= 0 ? digits << shift : digits >> -shift;
}

// 2^x where that has no more than its exponent's bits to be cut; of what is negative the digits
// behind the point are inverted, where there are any.
struct Power {
  int32_t exponent = 0;
  int64_t value = 0;  // from 1 to 2, in units of 2^-23
};
LOCKSTEP_NUM Power power_of(uint32_t a) {
  const uint64_t size = fixed_point(a, 23);
  uint32_t step = size & 0x7fffff;
  auto exponent = static_cast<int32_t>(size >> 23);
  if ((a & kSign32) != 0) {
    exponent = step == 0 ? -exponent : -exponent - 1;
    step = step == 0 ? 0 : 0x7fffff - step;
  }
  return {exponent, value_of(kPower, step) >> 17};
}
LOCKSTEP_NUM uint32_t mufu_ex2(uint32_t a) {
  if (is_nan32(a)) return kNan32;
  if (exponent32(a) >= 8) return (a & kSign32) != 0 ? 0 : kInfinity32;
  const Power power = power_of(a);
  if (power.exponent > 127) return kInfinity32;
  return packed32(power.exponent, power.value - (1 << 23));
}

LOCKSTEP_NUM uint32_t mufu_lg2(uint32_t a) {
  if (is_nan32(a)) return kNan32;
  if (is_zero32(a)) return kSign32 | kInfinity32;
  if ((a & kSign32) != 0) return kNan32;
  if (a == kInfinity32) return a;
  if (a == kOne32) return 0;
  const int64_t value = (value_of(kLogarithm, a & 0x7fffff) >> 4) + (int64_t{exponent32(a)} << 36);
  const uint32_t sign = value < 0 ? kSign32 : 0;
  return sign | truncated32(static_cast<uint64_t>(value < 0 ? ~value : value), -36);
}

// Of so many quarters of a turn, and the way into the quarter in 2^23 steps.
LOCKSTEP_NUM uint32_t sine_of(uint32_t quarters, uint32_t step) {
  const uint32_t sign = (quarters & 2) << 30;
  const uint32_t from_zero = (quarters & 1) != 0 ? 0x7fffff - step : step;
  return sign | truncated32(static_cast<uint64_t>(value_of(kSine, from_zero)), -40);
}
// Operands of sine and cosine are turns.
LOCKSTEP_NUM uint32_t mufu_sin(uint32_t turns) {
  if ((turns & kInfinity32) == kInfinity32) return kNan32;
  const uint64_t steps = exponent32(turns) < 32 ? fixed_point(turns, 25) : 0;
  return (turns & kSign32) ^ sine_of(steps >> 23 & 3, steps & 0x7fffff);
}
LOCKSTEP_NUM uint32_t mufu_cos(uint32_t turns) {
  if ((turns & kInfinity32) == kInfinity32) return kNan32;
  const uint64_t steps = exponent32(turns) < 32 ? fixed_point(turns, 25) : 0;
  return sine_of(((steps >> 23) + 1) & 3, steps & 0x7fffff);
}

// Each power of two has stretches of its own, the fewer the smaller it is.
LOCKSTEP_NUM uint32_t mufu_tanh(uint32_t a) {
  constexpr int32_t kLeast = -8, kEnd = 3;
  constexpr uint8_t kBits[] = {0, 0, 0, 1, 1, 2, 2, 2, 3, 4, 3},
                    kBefore[] = {0, 1, 2, 3, 5, 7, 11, 15, 19, 27, 43};
  const uint32_t sign = a & kSign32, fraction = a & 0x7fffff;
  if (is_nan32(a)) return kNan32;
  if (exponent32(a) < kLeast) return a;
  if (exponent32(a) >= kEnd) return sign | kOne32;
  const auto power = static_cast<size_t>(exponent32(a) - kLeast);
  const uint32_t bits = kBits[power], step = fraction >> (6 - bits);
  return sign | truncated32(static_cast<uint64_t>(
                                value_in(kTangent[kBefore[power] + (step >> 17)], step & 0x1ffff)),
                            -40);
}

// Of the upper words of doubles.
LOCKSTEP_NUM uint32_t packed_upper(int32_t exponent, int64_t fraction) {
  const int32_t bits = ((exponent + 1023) << 20) + static_cast<int32_t>(fraction);
  return bits < 0x00100000 ? 0 : static_cast<uint32_t>(bits);
}
LOCKSTEP_NUM uint32_t mufu_rcp64h(uint32_t a) {
  const uint32_t sign = a & kSign32, size = a & ~kSign32, fraction = (a & 0xfffff) << 3;
  if (size > 0x7ff00000u) return kNan32;
  if (size < 0x00100000u) return sign | 0x7ff00000u;
  if (size == 0x7ff00000u) return sign;
  const int32_t exponent = static_cast<int32_t>(size >> 20) - 1023;
  const int64_t value = value_in(kReciprocal[fraction >> 16], fraction << 1 & 0x1ffff) >> 19;
  return sign | packed_upper(-1 - exponent, value - (1 << 20));
}
LOCKSTEP_NUM uint32_t mufu_rsq64h(uint32_t a) {
  const uint32_t sign = a & kSign32, size = a & ~kSign32;
  if (size > 0x7ff00000u) return kNan32;
  if (size < 0x00100000u) return sign | 0x7ff00000u;
  if (sign != 0) return kNan32;
  if (size == 0x7ff00000u) return 0;
  const int32_t exponent = static_cast<int32_t>(size >> 20) - 1023;
  const uint32_t step = step_of_root(exponent, (a & 0xfffff) << 3);
  const int64_t value = step == 0 ? 1 << 21 : value_of(kInverseRoot, step) >> 19;
  return packed_upper(-1 - (exponent >> 1), value - (1 << 20));
}

}  // namespace lockstep::emulator::num
