// SPDX-License-Identifier: Apache-2.0
// What the survey says of PTX: bytes of variables, each counted once, and uses of names, all this
// of what launches of some kernels can reach.
#include "runner/survey.h"

#include <gtest/gtest.h>

#include <iterator>
#include <sstream>

#include "common/backend/module_files.h"
#include "emulator/ptx/parser.h"
#include "grader/inspect.h"
#include "runner/launched.h"
#include "tests/grader/temporary.h"

namespace lockstep::grader {
namespace {

const std::string kHead = ".version 8.0\n.target sm_90\n.address_size 64\n";

Survey survey(const std::string& text, const std::vector<std::string>& names = {}) {
  TemporaryFolder folder;
  folder.write("m.ptx", kHead + text);
  return parse_survey(
      survey_ptx(folder.path("m.ptx"), {"k", "t<4>"}, names, folder.path("launched.ptx")));
}

std::vector<std::string> words(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

// The part that launches of k and t<4> can reach; empty: all of it.
std::string launched(const std::string& text) {
  return launched_part(emulator::parse_ptx(kHead + text), {"k", "t<4>"}).value_or("");
}

TEST(SurveyTest, CountsEachVariableOnce) {
  EXPECT_EQ(survey(".global .align 4 .u32 a[3];\n.const .f64 b = 1.0;\n"
                   ".entry k() { .reg .b64 %r; mov.b64 %r, a; mov.b64 %r, b; ret; }")
                .bytes,
            20);
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
        elsewhere + ".global .u64 p = g;\n.entry k() { .reg .b64 %r; mov.b64 %r, p; ret; }",
        std::string(".entry k() { call g; ret; }"),
        std::string(".entry k() { .reg .b64 %r; g.b64 %r, 1; ret; }")})
    EXPECT_EQ(survey(use, {"g"}).uses.size(), 1u) << use;
  for (const char* use :
       {".const .f32 g = 1.0;\n.entry k() { .reg .f32 %f; ld.const.f32 %f, [g]; ret; }",
        ".entry k() { .reg .f32 g; mov.f32 g, g; bra g; g: ret; }",
        ".entry k() { .reg .b64 %r; .shared .u32 g[8]; mov.b64 %r, g; ret; }",
        ".global .u32 g;\n.global .u64 p = g;\n.entry k() { .reg .b64 %r; mov.b64 %r, p; }",
        ".entry k() { gg.b64 1; ret; }", ".func g() { ret; }\n.entry k() { call g; ret; }"})
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

// f holds what is looked for.
const std::string kFunction = ".func f() { cp.async.wait_all; ret; }\n";

TEST(SurveyTest, LooksAtWhatLaunchedKernelsName) {
  for (const std::string& reached :
       {kFunction + ".entry k() { call f; ret; }",
        ".func f();\n.entry k() { call f; ret; }\n" + kFunction,
        kFunction + ".func g() { call f; ret; }\n.entry k() { { call g; } ret; }",
        kFunction + ".entry k() { .reg .b64 %r; mov.b64 %r, f; call %r, (), p; ret; }",
        kFunction + ".global .u64 a[2] = {0, generic(f)};\n.global .u64 b = a;\n"
                    ".entry k() { .reg .b64 %r; ld.global.b64 %r, [b+8]; ret; }",
        kFunction + ".alias g, f;\n.entry k() { call g; ret; }",
        kFunction + ".entry k() { nobody knows |[this!]| f {; ret; } }",
        kFunction + ".entry k() { l: .calltargets f; ret; }",
        kFunction + ".entry k() { { .global .u64 a = f; } ret; }",
        kFunction + ".entry _Z1tILi4EEvPf(.param .u64 p) { call f; ret; }",
        std::string(".entry other() { cp.async.wait_all; ret; }\n"
                    ".entry k() { .reg .b64 %r; mov.b64 %r, other; ret; }")}) {
    const Survey found = survey(reached, {"cp"});
    EXPECT_EQ(found.error, "") << reached;
    EXPECT_TRUE(found.whole) << reached;
    EXPECT_EQ(found.uses.size(), 1u) << reached;
  }
}

TEST(SurveyTest, WhatLaunchedKernelsCannotNameIsLeftOut) {
  const std::string kernel = ".entry k() { .reg .u32 f; mov.u32 f, 1; ret; }\n";
  for (const std::string other :
       {".entry other() { cp.async.wait_all; ret; }\n",
        ".entry other() { .reg .u32 %r; mov.u32 %r, %smid; ret; }\n",
        ".global .b8 table[100000];\n", ".const .f32 a = 1.0, b[2];\n",
        ".entry _Z1tILi8EEvPf(.param .u64 p) { cp.async.wait_all; ret; }\n",
        ".entry other() { { .global .b8 table[100000]; } ret; }\n",
        ".func h() { cp.async.wait_all; ret; }\n.entry other() { call h; call k; ret; }\n"
        ".global .u64 p = h;\n.alias hh, h;\n"}) {
    const Survey found = survey(other + kernel, {"cp"});
    EXPECT_EQ(found.error, "") << other;
    EXPECT_FALSE(found.whole) << other;
    EXPECT_TRUE(found.uses.empty()) << other;
    EXPECT_EQ(found.bytes, 0) << other;
    EXPECT_EQ(words(launched(other + kernel)), words(kHead + kernel)) << other;
    EXPECT_EQ(launched(kernel), "");
  }
  // What stood apart stays apart.
  EXPECT_EQ(launched(".con.global .u32 a;st .u32 c;").find("const"), std::string::npos);
}

TEST(SurveyTest, NoTwoKernelsHaveOneName) {
  const std::string own = ".entry _Z1tILi4EEvPf(.param .u64 p) { ret; }\n";
  EXPECT_EQ(survey(own + ".entry _Z1tILi4EEvPi(.param .u64 p) { ret; }").error, "");
  const Survey found = survey(".entry _ZN1tILi4EEEvPf(.param .u64 p) { ret; }\n" + own);
  EXPECT_NE(found.error.find("two kernels are called t<4>(float*)"), std::string::npos)
      << found.error;
}

TEST(SurveyTest, WritesThePartThatItWasMadeOf) {
  TemporaryFolder folder;
  folder.write("m.ptx", kHead + ".global .u32 a, b;\n.entry k() { ret; }\n");
  const std::vector<std::string> kernels = {"k"};
  EXPECT_FALSE(
      parse_survey(survey_ptx(folder.path("m.ptx"), kernels, {}, folder.path("part.ptx"))).whole);
  EXPECT_EQ(words(read_file(folder.path("part.ptx"))), words(kHead + ".entry k() { ret; }"));
  EXPECT_THROW(survey_ptx(folder.path("m.ptx"), kernels, {}, folder.path("none/part.ptx")), Error);
}

TEST(SurveyTest, SaysWhyAModuleCannotBeRead) {
  EXPECT_FALSE(survey(".global .whatever x;").error.empty());
  EXPECT_TRUE(survey(".global .u32 x;").error.empty());
}

}  // namespace
}  // namespace lockstep::grader
