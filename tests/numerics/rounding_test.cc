// SPDX-License-Identifier: Apache-2.0
// f32 and f64 arithmetic in the four modes against the host's own rounding (fesetround), which
// the library never uses, and the two ways to an f32 fma against each other.
#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>

#include "emulator/numerics/float32.h"
#include "emulator/numerics/float64.h"
#include "tests/numerics/op_table.h"

namespace lockstep::emulator::num {
namespace {

constexpr int kHostModes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};

// Runs f in the host's mode for R. Operands pass through volatile, so that nothing is computed
// at compile time or moved out of the scope of the mode.
template <Round R, class F, class... Floats>
auto on_host(F f, Floats... values) {
  const auto at_run_time = [](auto value) {
    volatile auto hidden = value;
    return hidden;
  };
  std::fesetround(kHostModes[static_cast<int>(R)]);
  volatile auto result = f(at_run_time(values)...);
  std::fesetround(FE_TONEAREST);
  return result;
}

template <class F>
void for_tuples(Kind kind, F f) {
  for (int i = 0; i < 8192; ++i) {
    f(operand(kind, 0, 3, i), operand(kind, 1, 3, i), operand(kind, 2, 3, i));
    f(operand(kind, 0, 2, i), operand(kind, 1, 2, i), operand(kind, 0, 1, i));
  }
}

// NaN payloads are the card's, so a NaN only has to be one.
void expect_same(uint32_t ours, float host, const char* what) {
  if (host != host) {
    EXPECT_EQ(ours, kNan32) << what;
  } else {
    EXPECT_EQ(ours, bits_of(host)) << what;
  }
}
void expect_same(uint64_t ours, double host, const char* what) {
  if (host != host) {
    EXPECT_TRUE(is_nan64(ours)) << what;
  } else {
    EXPECT_EQ(ours, bits_of(host)) << what;
  }
}

template <Round R>
void check_f32(uint32_t a, uint32_t b, uint32_t c) {
  const float x = as_f32(a), y = as_f32(b), z = as_f32(c);
  using F = float;
  expect_same(add_f32<R>(a, b), on_host<R>([](F p, F q) { return p + q; }, x, y), "add");
  expect_same(sub_f32<R>(a, b), on_host<R>([](F p, F q) { return p - q; }, x, y), "sub");
  expect_same(mul_f32<R>(a, b), on_host<R>([](F p, F q) { return p * q; }, x, y), "mul");
  expect_same(div_f32<R>(a, b), on_host<R>([](F p, F q) { return p / q; }, x, y), "div");
  expect_same(rcp_f32<R>(a), on_host<R>([](F p) { return 1.0f / p; }, x), "rcp");
  expect_same(sqrt_f32<R>(a), on_host<R>([](F p) { return std::sqrt(p); }, x), "sqrt");
  const auto fma = [](F p, F q, F r) { return std::fma(p, q, r); };
  expect_same(fma_f32<R, false, false, false>(a, b, c), on_host<R>(fma, x, y, z), "fma");
}

template <Round R>
void check_f64(uint64_t a, uint64_t b, uint64_t c) {
  const double x = as_f64(a), y = as_f64(b), z = as_f64(c);
  using F = double;
  expect_same(add_f64<R>(a, b), on_host<R>([](F p, F q) { return p + q; }, x, y), "add");
  expect_same(sub_f64<R>(a, b), on_host<R>([](F p, F q) { return p - q; }, x, y), "sub");
  expect_same(mul_f64<R>(a, b), on_host<R>([](F p, F q) { return p * q; }, x, y), "mul");
  expect_same(div_f64<R>(a, b), on_host<R>([](F p, F q) { return p / q; }, x, y), "div");
  expect_same(rcp_f64<R>(a), on_host<R>([](F p) { return 1.0 / p; }, x), "rcp");
  expect_same(sqrt_f64<R>(a), on_host<R>([](F p) { return std::sqrt(p); }, x), "sqrt");
  const auto fma = [](F p, F q, F r) { return std::fma(p, q, r); };
  expect_same(fma_f64<R>(a, b, c), on_host<R>(fma, x, y, z), "fma");
}

TEST(Rounding, F32NearestEqualsTheHost) { for_tuples(Kind::kF32, check_f32<Round::kNearest>); }
TEST(Rounding, F32TowardsZeroEqualsTheHost) { for_tuples(Kind::kF32, check_f32<Round::kZero>); }
TEST(Rounding, F32DownEqualsTheHost) { for_tuples(Kind::kF32, check_f32<Round::kDown>); }
TEST(Rounding, F32UpEqualsTheHost) { for_tuples(Kind::kF32, check_f32<Round::kUp>); }
TEST(Rounding, F64NearestEqualsTheHost) { for_tuples(Kind::kF64, check_f64<Round::kNearest>); }
TEST(Rounding, F64TowardsZeroEqualsTheHost) { for_tuples(Kind::kF64, check_f64<Round::kZero>); }
TEST(Rounding, F64DownEqualsTheHost) { for_tuples(Kind::kF64, check_f64<Round::kDown>); }
TEST(Rounding, F64UpEqualsTheHost) { for_tuples(Kind::kF64, check_f64<Round::kUp>); }

// With and without fused instructions the same bits: what a baseline build computes.
TEST(Rounding, BothRoadsToFmaAgree) {
  for_tuples(Kind::kF32, [](uint64_t a, uint64_t b, uint64_t c) {
    constexpr Round kRn = Round::kNearest;
    EXPECT_EQ((fma_f32<kRn, false, false, true>(a, b, c)),
              (fma_f32<kRn, false, false, false>(a, b, c)));
  });
}

// If the compiler fused products and sums, every exact trick here would be void.
TEST(Rounding, TheCompilerDoesNotContract) {
  volatile float a = 0x1.000002p0f, b = 0x1.fffffep-1f;
  const float x = a, y = b;
  EXPECT_EQ(x * y - 1.0f, 0.0f);  // a fused one would leave -2^-46
  volatile double c = 0x1.0000000000001p0, d = 0x1.fffffffffffffp-1;
  const double p = c, q = d;
  EXPECT_EQ(p * q - 1.0, 0.0);
}

}  // namespace
}  // namespace lockstep::emulator::num
