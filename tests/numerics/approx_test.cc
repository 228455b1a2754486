// SPDX-License-Identifier: Apache-2.0
// The approximate functions: special values as the manual's tables have them, and the documented
// error against the host's long double functions.
#include "emulator/numerics/approx.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace lockstep::emulator::num {
namespace {

constexpr uint32_t kInf = 0x7f800000, kMinusInf = 0xff800000, kMinusZero = 0x80000000;
constexpr uint32_t kOne = 0x3f800000, kLeast = 1;

TEST(Approx, SpecialValues) {
  EXPECT_EQ(rcp_approx(0), kInf);
  EXPECT_EQ(rcp_approx(kMinusZero), kMinusInf);
  EXPECT_EQ(rcp_approx(kMinusInf), kMinusZero);
  EXPECT_EQ(rsqrt_approx(kMinusZero), kMinusInf);
  EXPECT_EQ(rsqrt_approx(kInf), 0u);
  EXPECT_EQ(rsqrt_approx(0xbf800000), kNan32);
  EXPECT_EQ(sqrt_approx(kMinusZero), kMinusZero);
  EXPECT_EQ(sqrt_approx(0xbf800000), kNan32);
  EXPECT_EQ(ex2_approx(kMinusInf), 0u);
  EXPECT_EQ(ex2_approx(kInf), kInf);
  EXPECT_EQ(ex2_approx(kMinusZero), kOne);
  EXPECT_EQ(ex2_approx<true>(bits_of(-127.0f)), 0u);
  EXPECT_EQ(ex2_approx<false>(bits_of(-127.0f)), 0x00400000u);
  EXPECT_EQ(lg2_approx(0), kMinusInf);
  EXPECT_EQ(lg2_approx(kMinusZero), kMinusInf);
  EXPECT_EQ(lg2_approx(kInf), kInf);
  EXPECT_EQ(lg2_approx(0xbf800000), kNan32);
  EXPECT_EQ(lg2_approx<true>(kLeast), kMinusInf);
  EXPECT_EQ(lg2_approx<false>(kLeast), bits_of(-149.0f));
  EXPECT_EQ(sin_approx(kInf), kNan32);
  EXPECT_EQ(sin_approx(kMinusZero), kMinusZero);
  EXPECT_EQ(cos_approx(0), kOne);
  EXPECT_EQ(tanh_approx(kInf), kOne);
  EXPECT_EQ(tanh_approx(kMinusZero), kMinusZero);
  EXPECT_EQ(tanh_approx(0x7fc00000), kNan32);
  EXPECT_EQ(div_approx(kOne, bits_of(0x1p127f)), 0u);
  EXPECT_EQ(div_approx(kInf, bits_of(0x1p127f)), kNan32);
  EXPECT_EQ(div_full(kOne, bits_of(0x1p127f)), bits_of(0x1p-127f));
}

// The largest error in units of the last place over random arguments in [low, high).
double largest_ulp(uint32_t (*f)(uint32_t), long double (*truth)(long double), float low,
                   float high) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> argument(low, high);
  double worst = 0;
  for (int i = 0; i < 200000; ++i) {
    const float x = argument(random);
    const long double expected = truth(x);
    const float nearest = static_cast<float>(expected);
    const double ulp = std::nextafter(std::fabs(nearest), INFINITY) - std::fabs(nearest);
    const double error = std::fabs(static_cast<double>(as_f32(f(bits_of(x))) - expected)) / ulp;
    worst = !(error <= worst) ? error : worst;
  }
  return worst;
}

TEST(Approx, IsTheTrueValueRounded) {
  constexpr double kHalf = 0.5001;
  EXPECT_LE(largest_ulp(ex2_approx<false>, exp2l, -126, 127), kHalf);
  EXPECT_LE(largest_ulp(lg2_approx<false>, log2l, 0.001f, 1000), kHalf);
  EXPECT_LE(largest_ulp(
                rcp_approx<false>, [](long double x) { return 1 / x; }, 0.01f, 100),
            kHalf);
  EXPECT_LE(largest_ulp(
                rsqrt_approx<false>, [](long double x) { return 1 / sqrtl(x); }, 0.01f, 9),
            kHalf);
  EXPECT_LE(largest_ulp(tanh_approx, tanhl, -9, 9), kHalf);
}

// Within the manual's 2^-20.5 over one turn (the argument's own scaling is most of it).
TEST(Approx, SineAndCosineLieWithinTheDocumentedError) {
  for (float x = -6.28f; x < 6.28f; x += 1e-4f) {
    EXPECT_NEAR(as_f32(sin_approx(bits_of(x))), std::sin(static_cast<double>(x)), 0x1p-20);
    EXPECT_NEAR(as_f32(cos_approx(bits_of(x))), std::cos(static_cast<double>(x)), 0x1p-20);
  }
}

}  // namespace
}  // namespace lockstep::emulator::num
