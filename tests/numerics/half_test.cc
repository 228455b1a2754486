// SPDX-License-Identifier: Apache-2.0
// f16 and bf16: every value there is, against the definition of the format and against brute
// force (the nearest of all values).
#include "emulator/numerics/half.h"

#include <gtest/gtest.h>

#include <cmath>

#include "emulator/numerics/convert.h"
#include "tests/numerics/op_table.h"

namespace lockstep::emulator::num {
namespace {

// The value of a half by the definition of the format.
template <class Format>
double by_definition(uint32_t half) {
  constexpr int kBias = (1 << (Format::kExponent - 1)) - 1;
  const int field = (half >> Format::kFraction) & ((1 << Format::kExponent) - 1);
  const double fraction = half & ((1u << Format::kFraction) - 1);
  const double sign = (half & 0x8000) != 0 ? -1.0 : 1.0;
  if (field == (1 << Format::kExponent) - 1) return fraction == 0 ? sign * INFINITY : NAN;
  const double unit = std::ldexp(1.0, (field == 0 ? 1 : field) - kBias - Format::kFraction);
  const double hidden = field == 0 ? 0.0 : std::ldexp(1.0, Format::kFraction);
  return sign * (hidden + fraction) * unit;
}

template <class Format>
void check_widening() {
  for (uint32_t half = 0; half < 65536; ++half) {
    const double value = half_value<Format>(half), expected = by_definition<Format>(half);
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(value)) << half;
    } else {
      EXPECT_EQ(bits_of(value), bits_of(expected)) << half;
      EXPECT_EQ((narrow_half<Format, Round::kNearest>(value)), half);
      EXPECT_EQ((narrow_half<Format, Round::kUp>(value)), half);
    }
  }
}
TEST(Half, EveryF16IsItsDefinitionAndComesBack) { check_widening<F16>(); }
TEST(Half, EveryBf16IsItsDefinitionAndComesBack) { check_widening<Bf16>(); }

// Between each two neighbours: just above the lower, the middle, just below the upper.
template <class Format>
void check_between() {
  constexpr Round kRn = Round::kNearest, kRz = Round::kZero;
  for (uint32_t low = 0; low < Format::kInfinity - 1u; ++low) {
    const double below = by_definition<Format>(low), above = by_definition<Format>(low + 1);
    const double middle = (below + above) / 2;
    const uint32_t even = (low & 1) == 0 ? low : low + 1;
    EXPECT_EQ((narrow_half<Format, kRn>(middle)), even) << low;
    EXPECT_EQ((narrow_half<Format, kRn>(std::nextafter(middle, 1e300))), low + 1) << low;
    EXPECT_EQ((narrow_half<Format, kRn>(std::nextafter(middle, 0.0))), low) << low;
    EXPECT_EQ((narrow_half<Format, kRz>(std::nextafter(above, 0.0))), low) << low;
    EXPECT_EQ((narrow_half<Format, Round::kDown>(-middle)), 0x8000u + low + 1) << low;
    EXPECT_EQ((narrow_half<Format, Round::kUp>(-middle)), 0x8000u + low) << low;
    EXPECT_EQ((narrow_half<Format, Round::kUp>(std::nextafter(below, 1e300))), low + 1) << low;
  }
}
TEST(Half, F16RoundsBetweenNeighboursInEveryMode) { check_between<F16>(); }
TEST(Half, Bf16RoundsBetweenNeighboursInEveryMode) { check_between<Bf16>(); }

TEST(Half, OverflowFollowsTheMode) {
  EXPECT_EQ((narrow_half<F16, Round::kNearest>(65519.99)), 0x7bff);
  EXPECT_EQ((narrow_half<F16, Round::kNearest>(65520.0)), 0x7c00);
  EXPECT_EQ((narrow_half<F16, Round::kZero>(1e300)), 0x7bff);
  EXPECT_EQ((narrow_half<F16, Round::kDown>(1e300)), 0x7bff);
  EXPECT_EQ((narrow_half<F16, Round::kUp>(1e300)), 0x7c00);
  EXPECT_EQ((narrow_half<F16, Round::kDown>(-1e300)), 0xfc00);
  EXPECT_EQ((narrow_half<F16, Round::kUp>(-1e300)), 0xfbff);
  EXPECT_EQ((narrow_half<F16, Round::kUp>(1e-300)), 0x0001);
  EXPECT_EQ((narrow_half<F16, Round::kNearest>(-1e-300)), 0x8000);
  EXPECT_EQ((narrow_half<Bf16, Round::kNearest>(3.4e38)), 0x7f80);
  EXPECT_EQ((half_from_f32<F16, Round::kNearest, false, false, true>(0x7f800000)), 0x7bff);
  EXPECT_EQ((half_from_f32<F16, Round::kNearest, false, true>(0xc0000000)), 0);
}

// One rounding: in 2^-11 * (1 + 2^-10) + 1 two roundings would go wrong.
TEST(Half, FmaRoundsOnce) {
  EXPECT_EQ(fma_half<F16>(0x1000, 0x3c01, 0x3c00), 0x3c01);  // just above the middle
  EXPECT_EQ(fma_half<F16>(0x1000, 0x3c00, 0x3c00), 0x3c00);  // the middle, to even
  EXPECT_EQ(fma_half<F16>(0x7bff, 0x4000, 0xfbff), 0x7bff);  // the product alone overflows
  EXPECT_EQ((fma_half<F16, false, false, true>(0x3c00, 0xbc00, 0x0000)), 0);
  EXPECT_EQ((fma_half<F16, false, true>(0x4000, 0x3c00, 0x0000)), 0x3c00);
}

// Sums and products of f16 rounded to f32 first are still right (24 >= 2 * 11 + 2 bits).
TEST(Half, SumsAndProductsEqualRoundedF32) {
  for (int i = 0; i < 8192; ++i) {
    const auto a = static_cast<uint16_t>(operand(Kind::kF16, 0, 2, i));
    const auto b = static_cast<uint16_t>(operand(Kind::kF16, 1, 2, i));
    const float x = as_f32(widen_half<F16>(a)), y = as_f32(widen_half<F16>(b));
    EXPECT_EQ(add_half<F16>(a, b), narrow_half<F16>(x + y));
    EXPECT_EQ(sub_half<F16>(a, b), narrow_half<F16>(x - y));
    EXPECT_EQ(mul_half<F16>(a, b), narrow_half<F16>(x * y));
  }
}

TEST(Half, PairsWorkOnEachHalf) {
  const uint32_t one_two = 0x3c004000, three = 0x42004200;
  EXPECT_EQ(pair(add_half<F16>, one_two, three), 0x44004500u);
  EXPECT_EQ(pair(fma_half<F16>, one_two, three, one_two), 0x44004800u);
  EXPECT_EQ(pair(neg_half<Bf16>, 0x3f80c000u), 0xbf804000u);
}

}  // namespace
}  // namespace lockstep::emulator::num
