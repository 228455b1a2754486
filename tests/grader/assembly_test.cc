// SPDX-License-Identifier: Apache-2.0
// Which statements are a header's own, and which files may hold any. What the compiler makes of it
// is in build_test.cc.
#include "grader/assembly.h"

#include <gtest/gtest.h>

namespace lockstep::grader {
namespace {

const std::string kHead = "# 1 \"h/i.cu\"\nint before;\n# 1 \"./h/s.cu\" 1\n";
const std::string kEnter = "# 1 \"/t/a.h\" 1 3\n", kLeave = "# 2 \"./h/s.cu\" 2\n";

bool is_student(const std::string& name) { return name == "./h/s.cu"; }
bool may_hold(const std::string& name) { return name == "/t/a.h"; }

bool is_known(const std::string& name) { return is_student(name) || name.rfind("/t/", 0) == 0; }

Preprocessed output(const std::string& text) {
  return Preprocessed(kHead + text, is_student, is_known);
}

// How often words are given back in a text whose header, read alone, holds `alone`.
int kept(const std::string& text, const std::string& alone) {
  const Preprocessed submission = output(text), clean = output(alone);
  const std::string out = refuse_assembly(submission, &clean, may_hold);
  int found = -1;  // once before the submission
  for (size_t at = 0; (at = out.find("#undef asm\n", at)) != std::string::npos; ++at) ++found;
  return found;
}

TEST(Assembly, ItsWordsAreTakenBeforeTheSubmission) {
  const Preprocessed text = output("asm;\n");
  const std::string out = refuse_assembly(text, nullptr, may_hold);
  const size_t defined = out.find("#define __asm__ @\n");
  EXPECT_LT(out.find("int before;"), defined);
  EXPECT_LT(defined, out.find("# 1 \"./h/s.cu\" 1\nasm;"));
  EXPECT_EQ(out.find("#undef", defined), std::string::npos);
}

TEST(Assembly, OfAHeaderIsLeftWhereItStandsAsItDoesAlone) {
  const std::string text = kEnter + "f();\nasm(\"a\"\n  : \"=r\"(x));\ng();\n" + kLeave;
  const Preprocessed clean = output(text), submission = output("int a;\n" + text + "asm(\"a\"\n");
  const std::string out = refuse_assembly(submission, &clean, may_hold);
  EXPECT_NE(out.find("f();\n#undef asm\n#undef __asm\n#undef __asm__\n# 2 \"/t/a.h\" 3\nasm(\"a\"\n"
                     "  : \"=r\"(x));\n#define asm "),
            std::string::npos)
      << out;
  EXPECT_NE(out.find("\n# 4 \"/t/a.h\" 3\ng();\n# 2 \"./h/s.cu\" 2\nasm(\"a\"\n"),
            std::string::npos)
      << out;
}

TEST(Assembly, OfAHeaderIsItsOwnOnlyIfNoByteOfTheStatementIsAnother) {
  const std::string alone = kEnter + "h(); asm(\"a)\"\n  : \"=r\"(x)\n);\nasm (\"b\");\n" + kLeave;
  EXPECT_EQ(kept(alone, alone), 2);
  EXPECT_EQ(kept("asm (\"b\");\n" + alone, alone), 2);
  for (const char* other : {"h(); asm(\"a)\"\n  : \"=r\"(y)\n);\nasm (\"b\");\n",
                            "h(); asm(\"a)\"\n\n);\nasm (\"b\");\n",
                            "H(); asm(\"a)\"\n  : \"=r\"(x)\n);\nasm (\"b\");\n",
                            "h(); asm(\"a)\"\n  : \"=r\"(x)\n, 1);\nasm (\"b\");\n",
                            "h(); asm(\"a)\"\n#pragma x\n);\nasm (\"b\");\n"})
    EXPECT_EQ(kept(kEnter + other + kLeave, alone), 1) << other;
  EXPECT_EQ(kept(kEnter + "\nh(); asm(\"a)\"\n  : \"=r\"(x)\n);\n" + kLeave, alone), 0);
  // Lines that are skipped elsewhere in the header change nothing.
  EXPECT_EQ(kept(kEnter + "\n\n\nasm (\"b\");\n" + kLeave, alone), 1);
}

TEST(Assembly, OfAHeaderThatIsReadOftenTakesTimeThatGrowsWithTheTextAlone) {
  constexpr int kTimes = 30000;
  std::string alone, other;
  for (int i = 0; i < kTimes; ++i) {
    alone += kEnter + "asm(\"a\"\n: \"=r\"(x));\n" + kLeave;
    other += kEnter + "asm(\"a\"\n: \"=r\"(y));\n" + kLeave;
  }
  EXPECT_EQ(kept(other, alone), 0);
  EXPECT_EQ(kept(alone, alone), kTimes);
}

TEST(Assembly, IsNobodysInAHeaderThatMayHoldNone) {
  const std::string text = "# 1 \"/t/b.h\" 1\nasm(\"a\");\n" + kLeave;
  EXPECT_EQ(kept(text, text), 0);
  const std::string nested = kEnter + "# 1 \"/t/b.h\" 1\nasm(\"a\");\n# 2 \"/t/a.h\" 2\n" + kLeave;
  EXPECT_EQ(kept(nested, nested), 1);  // what a permitted header includes
}

TEST(Assembly, AStatementEndsWhereItsParenthesesAreClosed) {
  for (const char* statement : {"asm(\")\"\n \"(\"\n);", "m(asm(\"a\"); asm\n (\"b\"\n));",
                                "asm volatile\n(\"\\\")\"\n: (1)\n);", "asm(R\"(\n)\"\n);"}) {
    const std::string alone = kEnter + statement + "\nx;\n" + kLeave;
    EXPECT_EQ(kept(alone, alone), 1) << statement;
    std::string other = alone;
    other.replace(other.rfind(");\nx"), 1, "]");
    EXPECT_EQ(kept(other, alone), 0) << statement;
    other = alone;
    other.replace(other.rfind("x;"), 1, "y");
    EXPECT_EQ(kept(other, alone), 1) << statement;
  }
}

TEST(Assembly, IsAWordOfItsOwn) {
  for (const char* line :
       {"int dasm;", "int asm_;", "int __asm__x;", "int ___asm__;", "int $asm;"}) {
    const std::string text = kEnter + line + "\nf();\n" + kLeave;
    EXPECT_EQ(headers_alone(output(text)), "") << line;
    EXPECT_EQ(kept(text, text), 0) << line;
  }
  for (const char* line : {"{asm(\"a\");", "x __asm__(\"a\");", "dasm; __asm(\"a\");"}) {
    const std::string text = kEnter + line + "\nf();\n" + kLeave;
    EXPECT_EQ(kept(text, text), 1) << line;
  }
}

TEST(Assembly, OfAHeaderNeverLeavesTheFileThatItBeganIn) {
  const std::string left_open = kEnter + "asm\nx;\n" + kLeave, more = kEnter + "f();\n" + kLeave;
  for (const std::string& text : {left_open + more, left_open + "asm(\"a\");\n" + more,
                                  left_open + "# 1 \"/t/b.h\" 1\ny\n# 2 \"./h/s.cu\" 2\n" + more})
    EXPECT_EQ(kept(text, left_open + more), 0) << text;
  // Neither where it did so alone nor where it does so here.
  const std::string whole = kEnter + "asm\n(1);\n" + kLeave;
  EXPECT_EQ(kept(whole, whole), 1);
  EXPECT_EQ(kept(kEnter + "asm\n" + kLeave + "asm(2);\n# 2 \"/t/a.h\" 1\n(1);\n" + kLeave, whole),
            0);
  EXPECT_EQ(kept(kEnter + "asm\n# 2 \"/t/a.h\" 3\n(1);\n" + kLeave, whole), 1);
}

TEST(Assembly, HeadersAreAskedAboutWhereAWordForItIsThere) {
  EXPECT_EQ(headers_alone(output("asm(\"a\");\n")), "");
  EXPECT_EQ(headers_alone(output(kEnter + "f();\n" + kLeave)), "");
  EXPECT_EQ(headers_alone(output(kEnter + "asm;\n" + kLeave + "# 1 \"/x.h\" 1\n" +
                                 "# 1 \"/t/c\" 1\n# 1 \"/t/d\" 1\n")),
            "#include \"/t/a.h\"\n#include \"/t/c\"\n");
}

TEST(Assembly, MayBeInWhatTheRubricPermitsOfTheToolkitAndInAllElse) {
  const std::vector<std::string> toolkit = {"/t/include", "/t/include/cccl"};
  const std::vector<std::string> permitted = {"cuda_fp16.h", "cuda/std/*"};
  for (const char* file : {"/t/include/cuda_fp16.h", "/t/include/cccl/cuda/std/array",
                           "/usr/include/signal.h", "/t/includes/mma.h"})
    EXPECT_TRUE(may_hold_assembly(file, toolkit, permitted)) << file;
  for (const char* file : {"/t/include/cuda_fp16.hpp", "/t/include/mma.h",
                           "/t/include/cccl/cuda/ptx", "/t/include/x/cuda_fp16.h"})
    EXPECT_FALSE(may_hold_assembly(file, toolkit, permitted)) << file;
  EXPECT_TRUE(may_hold_assembly("/t/include/cub/cub.cuh", toolkit, default_headers()));
}

}  // namespace
}  // namespace lockstep::grader
