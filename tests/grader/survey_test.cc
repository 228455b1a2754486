// SPDX-License-Identifier: Apache-2.0
// What the survey says of PTX: bytes of variables, each counted once, and uses of names.
#include "runner/survey.h"

#include <gtest/gtest.h>

#include "grader/inspect.h"
#include "tests/grader/temporary.h"

namespace lockstep::grader {
namespace {

Survey survey(const std::string& text, const std::vector<std::string>& names = {}) {
  TemporaryFolder folder;
  folder.write("m.ptx", ".version 8.0\n.target sm_90\n.address_size 64\n" + text);
  return parse_survey(survey_ptx(folder.path("m.ptx"), names));
}

TEST(SurveyTest, CountsEachVariableOnce) {
  EXPECT_EQ(survey(".global .align 4 .u32 a[3];\n.const .f64 b = 1.0;\n").bytes, 20);
  EXPECT_EQ(survey(".entry k() { .global .u32 a; { .const .u32 b[2]; } ret; }").bytes, 12);
  EXPECT_EQ(survey(".func f() { .global .b8 t[100] = {1}; ret; }\n"
                   ".entry k() { call f; ret; }")
                .bytes,
            100);
  EXPECT_EQ(survey(".entry k() { .shared .u32 s[8]; .local .u32 l[8]; ret; }").bytes, 0);
}

TEST(SurveyTest, FindsNamesInInitialValuesOfFunctionsVariablesOnce) {
  const Survey found =
      survey(".extern .func g();\n.entry k() { .global .u64 t[1] = {g}; ret; }", {"g", "cp"});
  ASSERT_EQ(found.uses.size(), 1u);
  EXPECT_EQ(found.uses[0].name, "g");
}

TEST(SurveyTest, KnowsAnOperationByItsOpcodeAndAFunctionByBeingElsewhere) {
  const std::string elsewhere = ".extern .func g();\n";
  for (const std::string& use :
       {elsewhere + ".entry k() { call g; ret; }",
        elsewhere + ".entry k() { .reg .b64 %r; mov.b64 %r, g; ret; }",
        elsewhere + ".entry k() { { .local .b8 g[4]; } call.uni g; ret; }",
        elsewhere + ".global .u64 p = g;\n", std::string(".entry k() { call g; ret; }"),
        std::string(".entry k() { .reg .b64 %r; g.b64 %r, 1; ret; }")})
    EXPECT_EQ(survey(use, {"g"}).uses.size(), 1u) << use;
  for (const char* use :
       {".const .f32 g = 1.0;\n.entry k() { .reg .f32 %f; ld.const.f32 %f, [g]; ret; }",
        ".entry k() { .reg .f32 g; mov.f32 g, g; bra g; g: ret; }",
        ".entry k() { .reg .b64 %r; .shared .u32 g[8]; mov.b64 %r, g; ret; }",
        ".global .u32 g;\n.global .u64 p = g;\n", ".entry k() { gg.b64 1; ret; }",
        ".func g() { ret; }\n.entry k() { call g; ret; }"})
    EXPECT_TRUE(survey(use, {"g"}).uses.empty()) << use;
}

TEST(SurveyTest, TellsRegistersThatDoNotFollowFromTheLaunch) {
  const Survey found = survey(
      ".entry k() { .reg .b32 %r<4>; .reg .b64 %d; mov.u32 %r1, %tid.x; mov.u32 %r2, %smid;\n"
      "mov.u64 %d, %clock64; add.u32 %r3, %laneid, %lanemask_lt; ret; }");
  ASSERT_EQ(found.uses.size(), 2u);
  EXPECT_EQ(found.uses[0].name, "%smid");
  EXPECT_EQ(found.uses[1].name, "%clock64");
  Policy policy;
  const auto known = [](const std::string&) { return true; };
  EXPECT_EQ(inspect_survey(found, policy, known, known).size(), 2u);
  policy.machine_registers = true;
  EXPECT_TRUE(inspect_survey(found, policy, known, known).empty());
}

TEST(SurveyTest, SaysWhyAModuleCannotBeRead) {
  EXPECT_FALSE(survey(".global .whatever x;").error.empty());
  EXPECT_TRUE(survey(".global .u32 x;").error.empty());
}

}  // namespace
}  // namespace lockstep::grader
