// SPDX-License-Identifier: Apache-2.0
// Who is alike by machine code: names and layout change nothing, what was given does not count, and
// those who thought for themselves are not alike.
#include "grader/similar.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace lockstep::grader {
namespace {

MachineCode one(const std::vector<std::string>& code) {
  MachineCode all;
  all.functions.push_back({"f", 0, code, {}});
  return all;
}

std::vector<std::string> long_code(const std::string& load, const std::string& prefix) {
  std::vector<std::string> code;
  for (int i = 0; i < 100; ++i) code.push_back(i % 7 == 0 ? load : prefix + std::to_string(i % 5));
  return code;
}

TEST(Similar, RegistersConstantsAndAddressesDoNotCount) {
  const Fingerprint a =
      fingerprint(one({"LDG.E R4, desc[UR4][R2.64+0x10]", "IADD3 R1, R2, 0x7, RZ", "@!P0 BRA 0x120",
                       "FFMA R1, R2, c[0x0][0x160], -R3", "ISETP.GE.AND P0, PT, R0, R9, PT",
                       "MOV R1, UR4", "STS [R1], R2", "EXIT"}));
  const Fingerprint b = fingerprint(
      one({"LDG.E R9, desc[UR8][R20.64]", "IADD3 R7, -R2, -0x70, RZ", "@P3 BRA 0x550",
           "FFMA R0, R0, c[0x0][0x210], R5.reuse", "NOP", "ISETP.GE.AND P5, PT, R7, R0, PT",
           "MOV R20, UR7", "STS [R1+UR4+0x30], R2", "EXIT"}));
  ASSERT_EQ(a.size(), 1u);
  EXPECT_EQ(a, b);
  for (const char* other : {"LDG.E.64 R4, desc[UR4][R2.64]", "LDS R4, [R2]"}) {
    auto code = long_code("LDG.E R4, desc[UR4][R2.64]", "OP."), changed = long_code(other, "OP.");
    EXPECT_NE(fingerprint(one(code)), fingerprint(one(changed))) << other;
  }
}

TEST(Similar, ShortCodeIsNotCompared) {
  const Fingerprint few(kLeastRuns - 1, 7);
  EXPECT_EQ(likeness(few, few), 0);
  EXPECT_TRUE(similar_groups({few, few, {}, {}}).empty());
}

TEST(Similar, GroupsHangTogetherAndSayHowMuch) {
  const auto from = [](uint64_t first, uint64_t last) {
    Fingerprint f;
    for (uint64_t i = first; i < last; ++i) f.push_back(i);
    return f;
  };
  // 90 of 110 are in both: 0.818; 1 and 3 have 80 of 120.
  const std::vector<Fingerprint> all = {from(1000, 1100), from(0, 100), from(10, 110),
                                        from(2000, 2100), from(20, 120)};
  EXPECT_DOUBLE_EQ(likeness(all[1], all[2]), 90.0 / 110);
  EXPECT_DOUBLE_EQ(likeness(all[1], all[4]), 80.0 / 120);
  const auto groups = similar_groups(all);
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].members, (std::vector<size_t>{1, 2, 4}));
  EXPECT_DOUBLE_EQ(groups[0].least, 90.0 / 110);
  EXPECT_DOUBLE_EQ(groups[0].most, 90.0 / 110);
}

// Compiled by the toolkit.
TEST(Similar, RenamedAndReformattedIsTheSameAndThoughtOtherwiseIsNot) {
  const auto of = [](const char* name) {
    const std::string cubin = std::string("build/modules/tests/page/kernels/") + name + ".cubin";
    return fingerprint(list_machine_code(cubin));
  };
  if (!std::filesystem::exists("build/modules/tests/page/kernels/sums.cubin"))
    GTEST_SKIP() << "no CUDA toolkit";
  const Fingerprint given = of("sums_given");
  const Fingerprint sums = without(of("sums"), given), renamed = without(of("sums_renamed"), given);
  const Fingerprint otherwise = without(of("sums_otherwise"), given);
  ASSERT_GE(sums.size(), kLeastRuns);
  ASSERT_GE(otherwise.size(), kLeastRuns);
  EXPECT_EQ(likeness(sums, renamed), 1.0);
  EXPECT_LT(likeness(sums, otherwise), 0.5);
  // Who hands in what was given has nothing of his own.
  EXPECT_TRUE(without(given, given).empty());
  EXPECT_GT(given.size(), 10u);
}

}  // namespace
}  // namespace lockstep::grader
