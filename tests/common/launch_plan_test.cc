// SPDX-License-Identifier: Apache-2.0
// The launch plan: blocks, block sizes, input size, memory, and the selection of kernels.
#include "common/harness/launch_plan.h"

#include <gtest/gtest.h>

#include "common/base/error.h"
#include "problems/norm_problem.h"
#include "tests/common/fake_backend.h"
#include "tests/common/test_homework.h"

namespace lockstep {
namespace {

using harness_test::rtx4090;
using harness_test::TestHomework;

LaunchPlan plan(const std::vector<std::string>& arguments, bool emulated = false) {
  return plan_launches(parse_command_line(arguments), rtx4090(), TestHomework(), emulated);
}

std::string error_of(const std::vector<std::string>& arguments) {
  try {
    plan(arguments);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), kExitUsage);
    return error.what();
  }
  return "";
}

TEST(LaunchPlan, BlocksAreOneAnSmOrSoManyAnSmOrSoMany) {
  EXPECT_EQ(plan({}).blocks, 128);
  EXPECT_EQ(plan({"0"}).blocks, 128);
  EXPECT_EQ(plan({"5"}).blocks, 5);
  EXPECT_EQ(plan({"-5"}).blocks, 640);
  EXPECT_NE(error_of({"-2147483647"}).find("NBLOCKS"), std::string::npos);
}

TEST(LaunchPlan, ResidentWarpsAreShownOnlyWhereTheyTellSomething) {
  EXPECT_FALSE(plan({}).shows_resident);
  EXPECT_FALSE(plan({"100"}).shows_resident);
  EXPECT_TRUE(plan({"129"}).shows_resident);
  EXPECT_TRUE(plan({"-2"}).shows_resident);
}

TEST(LaunchPlan, WarpsSweepOrNot) {
  EXPECT_EQ(plan({}).warps, (std::vector<int>{4, 8, 32}));
  EXPECT_EQ(plan({"0", "0"}).max_threads(), 1024);
  EXPECT_EQ(plan({"0", "7"}).warps, std::vector<int>{7});
  DeviceInfo small = rtx4090();
  small.max_threads_per_block = 256;
  const TestHomework homework;
  EXPECT_EQ(plan_launches(Options(), small, homework, false).warps, (std::vector<int>{4, 8}));
  Options nine;
  nine.warps = 9;
  EXPECT_THROW(plan_launches(nine, small, homework, false), Error);
}

TEST(LaunchPlan, SizeIsMebibytesOrCachesOrTheDefault) {
  EXPECT_EQ(plan({}).size.bytes, int64_t{18} << 20) << "a quarter of the L2";
  EXPECT_EQ(plan({"0", "0", "3.5"}).size.bytes, 3670016);
  EXPECT_EQ(plan({"0", "0", "-0.5"}).size.bytes, int64_t{36} << 20);
  EXPECT_EQ(plan({"--vectors", "1001"}).size.vectors, 1001);
  EXPECT_EQ(plan({}, true).size.bytes, 128 * 1024 * 8 * 4) << "small for the emulator";
  EXPECT_NE(error_of({"0", "0", "1e300"}).find("SIZE"), std::string::npos);
  EXPECT_NE(error_of({"0", "0", "1e-9"}).find("SIZE"), std::string::npos);
}

TEST(LaunchPlan, SizesThatKernelsCannotTakeAreRefused) {
  const TestHomework homework;
  EXPECT_THROW(homework.cases({16, {}}), Error) << "less than a vector";
  EXPECT_THROW(homework.cases({int64_t{1} << 36, {}}), Error) << "n_l overflows";
  EXPECT_EQ(homework.cases({1000, {}}).at(0).parameter("n_l"), 31);
  EXPECT_EQ(homework.cases({0, 7}).at(0).parameter("n_l"), 7);
}

TEST(LaunchPlan, MoreMemoryThanThereIsIsRefusedBeforeAllocating) {
  const std::vector<ArraySpec> arrays = {{"l_out", 1 << 20, Role::kOutput}, {"l_in", 1 << 20}};
  EXPECT_NO_THROW(check_memory(arrays, "k", int64_t{1} << 30, false));
  EXPECT_NO_THROW(check_memory(arrays, "k", std::nullopt, false));
  EXPECT_THROW(check_memory(arrays, "k", int64_t{8} << 20, false), Error);
  const std::vector<ArraySpec> large = {{"l_in", size_t{1} << 29}};
  EXPECT_THROW(check_memory(large, "k", std::nullopt, true), Error);
}

TEST(LaunchPlan, KernelsAreSelectedByPattern) {
  const std::vector<Case> all = TestHomework().cases({1 << 20, {}});
  const auto names = [&](const std::vector<std::string>& patterns) {
    Options options;
    options.kernels = patterns;
    std::string text;
    for (const Case& c : select_cases(options, all)) text += c.kernel + " ";
    return text;
  };
  EXPECT_EQ(names({}), "norm_group<8,8> norm_group_u<8,8,4> ") << "the default ones";
  EXPECT_EQ(names({"*"}), "norm_group<8,8> norm_group_u<8,8,4> norm_base<8> ");
  EXPECT_EQ(names({"base"}), "norm_base<8> ");
  EXPECT_EQ(names({"_u", "norm_group<"}), "norm_group<8,8> norm_group_u<8,8,4> ");
  try {
    names({"base", "nothing"});
    FAIL() << "a pattern without a kernel";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("'nothing'"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("norm_base<8>"), std::string::npos);
  }
}

TEST(ResidentWarps, AreLimitedByBlocksAndByOccupancy) {
  EXPECT_EQ(resident_warps(128, 8, 128, 3), 8);
  EXPECT_EQ(resident_warps(640, 8, 128, 3), 24);
  EXPECT_EQ(resident_warps(129, 8, 128, 3), 16) << "some SMs have two";
  EXPECT_EQ(resident_warps(640, 8, 128, 16), 40);
}

}  // namespace
}  // namespace lockstep
