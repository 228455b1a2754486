// SPDX-License-Identifier: Apache-2.0
// Values that follow from the PTX manual's descriptions and pseudo-code, family by family.
#include <gtest/gtest.h>

#include "emulator/numerics/numerics.h"

namespace lockstep::emulator::num {
namespace {

constexpr uint32_t kInf = 0x7f800000, kQuietNan = 0x7fc00001, kOne = 0x3f800000;
constexpr uint32_t kLeast = 0x00000001, kMinusZero = 0x80000000;

TEST(Manual, MulHiLoWide) {
  EXPECT_EQ(mul_hi<uint32_t>(0xffffffff, 0xffffffff), 0xfffffffeu);
  EXPECT_EQ(mul_lo<uint32_t>(0xffffffff, 0xffffffff), 1u);
  EXPECT_EQ(mul_hi<int32_t>(-1, -1), 0);
  EXPECT_EQ(mul_wide<int16_t>(-32768, -32768), 1 << 30);
  EXPECT_EQ(mul_hi<int64_t>(INT64_MIN, 2), -1);
  EXPECT_EQ(mul_hi<uint64_t>(~0ull, ~0ull), ~0ull - 1);
  EXPECT_EQ(mad_wide<uint32_t>(0xffffffff, 0xffffffff, 1), 0xfffffffe00000002ull);
  EXPECT_EQ(mad_hi_sat(INT32_MAX, INT32_MAX, INT32_MAX), INT32_MAX);
}

TEST(Manual, Mul24UsesTheLow24Bits) {
  EXPECT_EQ(mul24_lo<uint32_t>(0xff000003, 0xff000005), 15u);
  EXPECT_EQ(mul24_lo<int32_t>(0x00ffffff, 5), -5);
  EXPECT_EQ(mul24_hi<uint32_t>(0xffffff, 0xffffff), 0xfffffe00u);
}

TEST(Manual, CarryChainsAddWideNumbers) {
  const auto low = add_carry<uint32_t>(0xffffffff, 1, false);
  EXPECT_EQ(low.value, 0u);
  EXPECT_TRUE(low.carry);
  EXPECT_TRUE(add_carry<uint32_t>(0xffffffff, 0, true).carry);
  EXPECT_FALSE(sub_carry<uint32_t>(0, 0, false).carry);
  EXPECT_EQ(sub_carry<uint32_t>(0, 0, false).value, 0xffffffffu);
  EXPECT_TRUE(sub_carry<uint32_t>(5, 3, false).carry);
  EXPECT_FALSE(sub_carry<uint32_t>(0x627adf75, 0x864ccef5, true).carry);  // an H200's
}

TEST(Manual, DivisionByZeroGivesAllOnes) {
  EXPECT_EQ(div_int<uint32_t>(7, 0), 0xffffffffu);
  EXPECT_EQ(div_int<int64_t>(7, 0), -1);
  EXPECT_EQ(rem_int<uint16_t>(7, 0), 0xffff);
  EXPECT_EQ(div_int<int32_t>(INT32_MIN, -1), INT32_MIN);
  EXPECT_EQ(rem_int<int64_t>(INT64_MIN, -1), 0);
  EXPECT_EQ(rem_int<int32_t>(-7, 3), -1);
}

TEST(Manual, ShiftsClamp) {
  EXPECT_EQ(shl<uint32_t>(1, 32), 0u);
  EXPECT_EQ(shl<uint32_t>(1, ~0u), 0u);
  EXPECT_EQ(shl<uint16_t>(1, 15), 0x8000);
  EXPECT_EQ(shr<int32_t>(-5, 99), -1);
  EXPECT_EQ(shr<uint64_t>(~0ull, 64), 0u);
  EXPECT_EQ(shf_l<false>(0x80000000, 1, 1), 3u);
  EXPECT_EQ(shf_l<false>(7, 1, 40), 7u);
  EXPECT_EQ(shf_l<true>(7, 1, 32), 1u);
  EXPECT_EQ(shf_r<false>(7, 1, 40), 1u);
  EXPECT_EQ(shf_r<true>(0x10, 1, 36), 0x10000001u);
}

TEST(Manual, SaturatingSums) {
  EXPECT_EQ(add_sat(INT32_MAX, 1), INT32_MAX);
  EXPECT_EQ(sub_sat(INT32_MIN, 1), INT32_MIN);
  EXPECT_EQ(sad<int32_t>(-3, 4, 10), 17);
  EXPECT_EQ(sad<uint32_t>(3, 4, 10), 11u);
  EXPECT_EQ(abs_int<int32_t>(INT32_MIN), INT32_MIN);
}

TEST(Manual, DotProducts) {
  EXPECT_EQ((dp4a<false, false>(0x01020304, 0x01010101, 5)), 15u);
  EXPECT_EQ((dp4a<true, true>(0xffffffff, 0x02020202, 0)), static_cast<uint32_t>(-8));
  EXPECT_EQ((dp4a<true, false>(0xff000000, 0xff000000, 0)), static_cast<uint32_t>(-255));
  EXPECT_EQ((dp2a<false, false, false>(0x00020003, 0x07060504, 1)), 3u * 4 + 2 * 5 + 1);
  EXPECT_EQ((dp2a<false, false, true>(0x00020003, 0x07060504, 1)), 3u * 6 + 2 * 7 + 1);
}

TEST(Manual, CountsAndSearches) {
  EXPECT_EQ(clz<uint32_t>(0), 32u);
  EXPECT_EQ(clz<uint64_t>(1), 63u);
  EXPECT_EQ(popc<uint64_t>(~0ull), 64u);
  EXPECT_EQ(bfind<uint32_t>(0), ~0u);
  EXPECT_EQ(bfind<int32_t>(-1), ~0u);
  EXPECT_EQ(bfind<int32_t>(-9), 3u);
  EXPECT_EQ((bfind<uint32_t, true>(0x10000000)), 3u);
  EXPECT_EQ(brev(uint32_t{1}), 0x80000000u);
  EXPECT_EQ(fns(0xaaaaaaaa, 3, 1), 3u);
  EXPECT_EQ(fns(0xaaaaaaaa, 3, -1), 3u);
  EXPECT_EQ(fns(0xaaaaaaaa, 2, 1), 3u);
  EXPECT_EQ(fns(0xaaaaaaaa, 2, -1), 1u);
  EXPECT_EQ(fns(0, 0, 1), ~0u);
  EXPECT_EQ(fns(1u << 31, 0, 2), ~0u);
}

TEST(Manual, BitFields) {
  EXPECT_EQ(bfe<uint32_t>(0x12345678, 8, 8), 0x56u);
  EXPECT_EQ(bfe<int32_t>(0x0000f000, 12, 4), -1);
  EXPECT_EQ(bfe<int32_t>(INT32_MIN, 40, 4), -1);
  EXPECT_EQ(bfe<uint32_t>(~0u, 0, 0), 0u);
  EXPECT_EQ(bfi<uint32_t>(0xff, 0, 8, 4), 0xf00u);
  EXPECT_EQ(bfi<uint64_t>(1, 0, 63, 8), 1ull << 63);
  EXPECT_EQ(bfi<uint32_t>(0xff, 7, 32, 4), 7u);
  EXPECT_EQ((bmsk<false>(4, 8)), 0xff0u);
  EXPECT_EQ((bmsk<false>(0, 99)), 0xffffffffu);
  EXPECT_EQ((bmsk<true>(0, 33)), 1u);
  EXPECT_EQ((szext<true, false>(0x80, 8)), 0xffffff80u);
  EXPECT_EQ((szext<false, true>(0x1ff, 40)), 0xffu);
}

TEST(Manual, PermuteModes) {
  const uint32_t a = 0x33221100, b = 0x77665544;
  EXPECT_EQ(prmt(a, b, 0x3210), a);
  EXPECT_EQ(prmt(a, b, 0x7654), b);
  EXPECT_EQ(prmt(0x00008000, 0, 0x9999), 0xffffffffu);
  EXPECT_EQ(prmt(a, b, prmt_selector(PrmtMode::kF4e, 1)), 0x44332211u);
  EXPECT_EQ(prmt(a, b, prmt_selector(PrmtMode::kB4e, 1)), 0x66770011u);
  EXPECT_EQ(prmt(a, b, prmt_selector(PrmtMode::kRc8, 2)), 0x22222222u);
  EXPECT_EQ(prmt(a, b, prmt_selector(PrmtMode::kEcl, 2)), 0x33222222u);
  EXPECT_EQ(prmt(a, b, prmt_selector(PrmtMode::kEcr, 1)), 0x11111100u);
  EXPECT_EQ(prmt(a, b, prmt_selector(PrmtMode::kRc16, 1)), 0x33223322u);
}

// The manual computes a table by applying the function to these three constants.
TEST(Manual, Lop3TablesAreTheFunctionOfThreeConstants) {
  constexpr uint32_t kA = 0xf0, kB = 0xcc, kC = 0xaa;
  const uint32_t a = 0x12345678, b = 0x9abcdef0, c = 0x0f1e2d3c;
  EXPECT_EQ(lop3(a, b, c, kA & kB & kC), a & b & c);
  EXPECT_EQ(lop3(a, b, c, kA | kB | kC), a | b | c);
  EXPECT_EQ(lop3(a, b, c, kA ^ kB ^ kC), a ^ b ^ c);
  EXPECT_EQ(lop3(a, b, c, (kA & kB) | (~kA & kC & 0xff)), (a & b) | (~a & c));
}

TEST(Manual, MinMaxPreferNumbersAndOrderZeros) {
  EXPECT_EQ(min_f32(kQuietNan, kOne), kOne);
  EXPECT_EQ(max_f32(kOne, kQuietNan), kOne);
  EXPECT_EQ(min_f32(kQuietNan, kQuietNan), kNan32);
  EXPECT_EQ((min_f32<false, true>(kQuietNan, kOne)), kNan32);
  EXPECT_EQ(min_f32(0, kMinusZero), kMinusZero);
  EXPECT_EQ(max_f32(kMinusZero, 0), 0u);
  EXPECT_EQ((min_f32<false, false, true>(0xc0000000, kOne)), 0xbf800000u);  // min(2, 1), sign -
}

TEST(Manual, ComparisonsWithNan) {
  EXPECT_FALSE(compare_f32<Compare::kEq>(kQuietNan, kQuietNan));
  EXPECT_FALSE(compare_f32<Compare::kNe>(kQuietNan, kOne));
  EXPECT_TRUE(compare_f32<Compare::kNeu>(kQuietNan, kOne));
  EXPECT_TRUE(compare_f32<Compare::kLtu>(kOne, kQuietNan));
  EXPECT_TRUE(compare_f32<Compare::kNan>(kOne, kQuietNan));
  EXPECT_TRUE(compare_f32<Compare::kNum>(kOne, kInf));
  EXPECT_TRUE((compare_f32<Compare::kEq, true>(kLeast, kMinusZero)));
  EXPECT_FALSE((compare_f32<Compare::kEq, false>(kLeast, kMinusZero)));
}

TEST(Manual, FlushAndSaturate) {
  EXPECT_EQ((add_f32<Round::kNearest, true>(kLeast, 0)), 0u);
  EXPECT_EQ((mul_f32<Round::kNearest, true>(0x80800000, 0x3f000000)), kMinusZero);
  EXPECT_EQ((add_f32<Round::kNearest, false, true>(kOne, kOne)), kOne);
  EXPECT_EQ((add_f32<Round::kNearest, false, true>(kQuietNan, kOne)), 0u);
  EXPECT_EQ((add_f32<Round::kNearest, false, true>(kMinusZero, kMinusZero)), 0u);
  EXPECT_EQ(add_f32(kInf, kInf | kMinusZero), kNan32);
  EXPECT_EQ(add_f32<Round::kDown>(kOne, 0xbf800000), kMinusZero);
}

TEST(Manual, FloatToIntegerClampsAndNanIsZeroOrTheTopBit) {
  EXPECT_EQ(int_from_f32<int32_t>(bits_of(3e9f)), INT32_MAX);
  EXPECT_EQ(int_from_f32<uint32_t>(bits_of(-1.0f)), 0u);
  EXPECT_EQ(int_from_f32<uint8_t>(bits_of(300.0f)), 255);
  EXPECT_EQ(int_from_f32<int32_t>(kQuietNan), 0);
  EXPECT_EQ(int_from_f32<int64_t>(kQuietNan), INT64_MIN);
  EXPECT_EQ(int_from_f64<int32_t>(kNan64), INT32_MIN);
  EXPECT_EQ((int_from_f32<int32_t, Round::kNearest>(bits_of(2.5f))), 2);
  EXPECT_EQ((int_from_f32<int32_t, Round::kUp>(bits_of(2.1f))), 3);
  EXPECT_EQ((int_from_f32<int32_t, Round::kDown>(bits_of(-2.1f))), -3);
  EXPECT_EQ((integral_f32<Round::kUp>(bits_of(-0.5f))), kMinusZero);
}

TEST(Manual, IntegerConversionsTruncateOrClamp) {
  EXPECT_EQ((int_from_int<uint8_t, int32_t>(-1)), 255);
  EXPECT_EQ((int_from_int<uint8_t, int32_t, true>(-1)), 0);
  EXPECT_EQ((int_from_int<int8_t, uint64_t, true>(~0ull)), 127);
  EXPECT_EQ((f32_from_int<uint64_t, Round::kUp>(0x1000001)), bits_of(0x1.000002p24f));
  EXPECT_EQ((f32_from_int<int64_t, Round::kDown>(-0x1000001)), bits_of(-0x1.000002p24f));
  EXPECT_EQ((half_from_int<F16, uint32_t, Round::kNearest>(65520)), 0x7c00);
  EXPECT_EQ(tf32_rna(0x3f801000), 0x3f802000u);
  EXPECT_EQ((tf32_from_f32<Round::kNearest>(0x3f801000)), 0x3f800000u);
}

TEST(Manual, SignsAndClasses) {
  EXPECT_EQ(copysign<uint32_t>(kMinusZero, kOne), 0xbf800000u);
  EXPECT_TRUE(testp<uint32_t>(num::Test::kNormal, 0));
  EXPECT_TRUE(testp<uint32_t>(num::Test::kSubnormal, kLeast));
  EXPECT_FALSE(testp<uint32_t>(num::Test::kFinite, kInf));
  EXPECT_TRUE(testp<uint64_t>(num::Test::kNotANumber, kNan64));
  EXPECT_EQ((slct_f32<false, uint32_t>(1, 2, kMinusZero)), 1u);
  EXPECT_EQ((slct_f32<false, uint32_t>(1, 2, kQuietNan)), 2u);
}

}  // namespace
}  // namespace lockstep::emulator::num
