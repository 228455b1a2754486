// SPDX-License-Identifier: Apache-2.0
// The approximate functions: special values as the manual's tables have them, the documented error,
// and a card's own answers, over whole stretches of operands.
#include "emulator/numerics/approx.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

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
  EXPECT_EQ(ex2_approx<false>(bits_of(-127.0f)), 0x003fffffu);  // a square of 2^-63.5
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

// Within the manual's 2^-20.5 over one turn (the argument's own scaling is most of it).
TEST(Approx, SineAndCosineLieWithinTheDocumentedError) {
  for (float x = -6.28f; x < 6.28f; x += 1e-4f) {
    EXPECT_NEAR(as_f32(sin_approx(bits_of(x))), std::sin(static_cast<double>(x)), 0x1p-20);
    EXPECT_NEAR(as_f32(cos_approx(bits_of(x))), std::cos(static_cast<double>(x)), 0x1p-20);
  }
}

struct Asked {
  std::string op;
  uint32_t first = 0, distance = 0, number = 0;
  uint64_t sum = 0;  // FNV-1a of the answers, a word at a time
};

std::vector<Asked> what_was_asked() {
  std::ifstream file("tests/data/numerics_h200/multifunction.tsv");
  std::vector<Asked> all;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("#")) continue;
    Asked one;
    std::istringstream in(line);
    in >> one.op >> std::hex >> one.first >> std::dec >> one.distance >> one.number >> std::hex >>
        one.sum;
    EXPECT_TRUE(in) << line;
    all.push_back(one);
  }
  return all;
}

// Of every number in a power of two, or two of them, and of some from everywhere.
TEST(Approx, AnswersAsACardDoes) {
  const std::map<std::string, uint32_t (*)(uint32_t)> functions = {
      {"rcp.approx.ftz.f32", rcp_approx<true>},   {"rsqrt.approx.ftz.f32", rsqrt_approx<true>},
      {"sqrt.approx.ftz.f32", sqrt_approx<true>}, {"ex2.approx.ftz.f32", ex2_approx<true>},
      {"lg2.approx.ftz.f32", lg2_approx<true>},   {"sin.approx.ftz.f32", sin_approx<true>},
      {"cos.approx.ftz.f32", cos_approx<true>},   {"tanh.approx.f32", tanh_approx},
      {"rcp.approx.ftz.f64", mufu_rcp64h},        {"rsqrt.approx.ftz.f64", mufu_rsq64h}};
  const std::vector<Asked> asked = what_was_asked();
  EXPECT_EQ(asked.size(), 45u);
  for (const Asked& one : asked) {
    const auto function = functions.at(one.op);
    uint64_t sum = 0xcbf29ce484222325u;
    for (uint32_t i = 0; i < one.number; ++i)
      sum = (sum ^ function(one.first + i * one.distance)) * 0x100000001b3u;
    EXPECT_EQ(sum, one.sum) << one.op << " of " << std::hex << one.first;
  }
}

}  // namespace
}  // namespace lockstep::emulator::num
