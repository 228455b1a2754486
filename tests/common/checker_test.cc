// SPDX-License-Identifier: Apache-2.0
// The checker: nothing wrong passes, and what is said about it is true.
#include "common/harness/checker.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "common/harness/random_input.h"
#include "problems/norm_problem.h"
#include "tests/common/test_homework.h"

namespace lockstep {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

struct Fixture {
  Assignment::Expected expected;
  std::vector<float> got;
  explicit Fixture(size_t n) : got(n) {
    for (size_t i = 0; i < n; i++) {
      got[i] = 0.5f * static_cast<float>(i % 97);
      expected.values.push_back(got[i]);
      expected.tolerance.push_back(1e-6);
    }
  }
  CheckResult check() {
    CheckedArray array;
    array.name = "l_out";
    array.expected = &expected;
    const HostArray held = HostArray::of(got);
    array.got = &held;
    array.poison = kPoison[1];
    array.describe = [](int64_t i) { return "vector " + std::to_string(i / 8); };
    return check_outputs({array});
  }
};

TEST(Checker, PassesWhatIsWithinTheTolerance) {
  Fixture f(1000);
  f.got[7] += 5e-7f;
  const CheckResult result = f.check();
  EXPECT_EQ(result.status, "correct");
  EXPECT_EQ(result.checked, 1000);
  EXPECT_EQ(result.errors, 0);
}

TEST(Checker, NothingThatIsNoNumberPasses) {
  for (const float bad : {kNan, -kNan, kInf, -kInf, std::bit_cast<float>(kPoison[0]),
                          std::bit_cast<float>(kPoison[1])}) {
    Fixture f(10);
    f.got[3] = bad;
    EXPECT_EQ(f.check().status, "wrong") << bad;
  }
}

TEST(Checker, NanPassesNotEvenWhereNanOrAnyToleranceIsExpected) {
  Fixture f(10);
  f.got[3] = kNan;
  f.expected.values[3] = kNan;
  EXPECT_EQ(f.check().status, "wrong");
  f.expected.tolerance[3] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(f.check().status, "wrong");
  f.got[3] = 0;
  f.expected.values[3] = 0;
  f.expected.tolerance[3] = kNan;
  EXPECT_EQ(f.check().status, "wrong") << "a tolerance that is no number";
}

TEST(Checker, CountsAllAndShowsTheFirstFive) {
  Fixture f(300000);  // large enough for several threads
  for (size_t i = 10; i < f.got.size(); i += 1000) f.got[i] += 1;
  const CheckResult result = f.check();
  EXPECT_EQ(result.errors, 300);
  ASSERT_EQ(result.first.size(), 5u);
  for (int i = 0; i < 5; i++) EXPECT_EQ(result.first[i].index, 10 + 1000 * i);
  EXPECT_EQ(result.first[0].expected, 5);
  EXPECT_EQ(result.first[0].got, 6);
  EXPECT_NE(result.message.find("300 of 300000 elements of l_out are wrong; the first:\n"
                                "  l_out[10] (vector 1): expected 5, got 6\n"),
            std::string::npos)
      << result.message;
}

TEST(Checker, TellsWhatWasNotWritten) {
  Fixture f(16);
  f.got[2] = std::bit_cast<float>(kPoison[1]);
  const CheckResult result = f.check();
  EXPECT_NE(result.message.find("is wrong, 1 was not written; the first:"), std::string::npos);
  EXPECT_NE(result.message.find("got nothing, it was not written"), std::string::npos);
}

TEST(Checker, OutputThatIsTooShortIsWrong) {
  Fixture f(16);
  f.got.resize(12);
  const CheckResult result = f.check();
  EXPECT_EQ(result.status, "wrong");
  EXPECT_EQ(result.errors, 4);
  EXPECT_NE(result.message.find("ends after 12"), std::string::npos);
}

TEST(Checker, GuardsOnBothSides) {
  std::vector<uint8_t> guards(128, 0xC5);
  EXPECT_EQ(check_guards("l_out", guards, 0xC5).status, "correct");
  guards[63] = 0;
  CheckResult below = check_guards("l_out", guards, 0xC5);
  EXPECT_EQ(below.status, "guard");
  EXPECT_NE(below.message.find("1 bytes before its start"), std::string::npos) << below.message;
  guards[63] = 0xC5;
  guards[72] = 1;
  CheckResult above = check_guards("l_out", guards, 0xC5);
  EXPECT_EQ(above.errors, 1);
  EXPECT_NE(above.message.find("8 bytes past its end"), std::string::npos) << above.message;
}

TEST(Checker, InputThatChangedBitsIsSeenEvenIfItComparesEqual) {
  const auto check_input = [](const char* name, const std::vector<float>& before,
                              const std::vector<float>& after) {
    return lockstep::check_input(name, HostArray::of(before), HostArray::of(after));
  };
  EXPECT_EQ(check_input("l_in", {0.0f, 1, 2}, {0.0f, 1, 2}).status, "correct");
  const CheckResult changed = check_input("l_in", {0.0f, 1, 2}, {-0.0f, 1, 2});
  EXPECT_EQ(changed.status, "input_changed");
  EXPECT_EQ(changed.errors, 1);
  EXPECT_EQ(check_input("l_in", {kNan}, {kNan}).status, "correct");
  EXPECT_EQ(check_input("l_in", {1, 2}, {1}).status, "input_changed");
}

TEST(Poison, PatternsDifferAndOneIsANumber) {
  EXPECT_NE(kPoison[0], kPoison[1]);
  EXPECT_TRUE(std::isnan(std::bit_cast<float>(kPoison[0])));
  EXPECT_TRUE(std::isfinite(std::bit_cast<float>(kPoison[1])));
  EXPECT_GT(std::fabs(std::bit_cast<float>(kPoison[1])), 100) << "beyond what inputs lead to";
}

TEST(RandomInput, IsTheSameEverywhere) {
  EXPECT_EQ(random_bits(1, 0, 0), random_bits(1, 0, 0));
  EXPECT_NE(random_bits(1, 0, 0), random_bits(2, 0, 0));
  EXPECT_NE(random_bits(1, 0, 0), random_bits(1, 1, 0));
  EXPECT_NE(random_bits(1, 0, 0), random_bits(1, 0, 1));
  // Computed by another program from the definition; a change would make old seeds useless.
  EXPECT_EQ(random_bits(1, 0, 0), 0x5e41ab087439611eull);
  double sum = 0;
  for (int i = 0; i < 100000; i++) {
    const float x = random_float(7, 0, i);
    ASSERT_TRUE(x >= -1 && x < 1);
    sum += x;
  }
  EXPECT_NEAR(sum / 100000, 0, 0.01);
}

// A vector's mean summed in float, in several orders, must pass; half precision must not.
TEST(NormTolerance, SeparatesFloatFromHalf) {
  const harness_test::TestHomework homework;
  const Case c = homework.cases({0, 1000}).at(0);
  const auto inputs = homework.make_inputs(c, 3);
  const auto expected = homework.reference(c, inputs);
  const std::span<const float> in = inputs[0].as<float>();
  std::vector<float> tree(8000), half(8000), copy(in.begin(), in.end());
  const auto as_half = [](float x) {
    return std::ldexp(std::round(std::ldexp(x, 10 - std::ilogb(x))), std::ilogb(x) - 10);
  };
  for (int h = 0; h < 1000; h++) {
    const float* x = &in[8 * h];
    const float sum = ((x[0] + x[4]) + (x[2] + x[6])) + ((x[1] + x[5]) + (x[3] + x[7]));
    for (int i = 0; i < 8; i++) {
      tree[8 * h + i] = x[i] - sum / 8;
      half[8 * h + i] = as_half(x[i]) - as_half(sum / 8);
    }
  }
  const auto errors = [&](const std::vector<float>& got) {
    CheckedArray array;
    array.expected = &expected[0];
    const HostArray held = HostArray::of(got);
    array.got = &held;
    return check_outputs({array}).errors;
  };
  EXPECT_EQ(errors(tree), 0);
  EXPECT_GT(errors(half), 7000);
  EXPECT_GT(errors(copy), 7900) << "the average matters";
}

}  // namespace
}  // namespace lockstep
