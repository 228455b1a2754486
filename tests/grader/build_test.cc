// SPDX-License-Identifier: Apache-2.0
// The compilers asked: which texts hold assembly, foreign files or lies about lines, in spellings
// that the tools understand differently. Skipped where the machine allows no namespaces or has no
// toolkit.
#include "grader/build.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <optional>

#include "common/backend/module_files.h"
#include "common/base/error.h"
#include "grader/assembly.h"
#include "grader/build_steps.h"
#include "runner/confine.h"
#include "tests/grader/killer.h"
#include "tests/grader/temporary.h"

namespace lockstep::grader {
namespace {

constexpr char kAssembly[] = "(\"mov.u32 %0, %%laneid;\" : \"=r\"(*p)); }\n";

class Building : public testing::Test {
 protected:
  void SetUp() override {
    try {
      tools = find_toolchain(find_top());
      sandbox.emplace(SandboxPaths{tools.bwrap, tools.runner, tools.cuda}, Strength::kFull);
    } catch (const Error& e) {
      GTEST_SKIP() << e.what();
    }
    tools.arch = "sm_90";
    tools.top = folder.path("top");
    folder.write("top/h/instances.cu", "#include STUDENT_FILE\n");
    rubric.homework = "h";
    rubric.file = "s.cu";
    rubric.runs.emplace_back().kernels = {"k"};
    rubric.policy.inline_asm = false;
    rubric.policy.headers = {"cuda_fp16.h"};
    rubric.policy.global_bytes = 4096;
  }
  BuildResult build(const std::string& contents) {
    std::string place = folder.path("build-" + std::to_string(++builds));
    std::filesystem::create_directories(place);
    BuildRequest request;
    request.contents = contents;
    request.folder = place;
    request.flags = flags;
    return build_module(request, rubric, tools, *sandbox);
  }
  std::string problem(const std::string& contents) { return build(contents).problem; }

  TemporaryFolder folder;
  Toolchain tools;
  std::optional<Sandbox> sandbox;
  Rubric rubric;
  std::vector<std::string> flags;
  int builds = 0;
};

// Whether another user of this machine could read something below a folder that is open to all.
bool is_open_to_others(const std::filesystem::path& path) {
  using std::filesystem::perms;
  const perms rights = std::filesystem::symlink_status(path).permissions();
  if (!std::filesystem::is_directory(path)) return (rights & perms::others_all) != perms::none;
  if ((rights & (perms::others_read | perms::others_write)) != perms::none) return true;
  if ((rights & perms::others_exec) == perms::none) return false;
  for (const auto& entry : std::filesystem::directory_iterator(path))
    if (is_open_to_others(entry.path())) return true;
  return false;
}

const std::string kKernel = "__global__ void k(int* p) { ";

// Killed, no tool has said anything, whichever it was and whatever it was asked.
TEST_F(Building, AKilledToolHasRefusedNothing) {
  const std::string good = kKernel + "*p = 1; }\n";
  ASSERT_EQ(problem(good), "");
  for (const char* tool : {"cc1plus", "cicc", "ptxas"}) {
    Killer killer(tool, 1);
    const BuildResult result = build(good);
    EXPECT_EQ(result.problem, "killed") << tool << result.log;
    EXPECT_EQ(killer.killed(), 1) << tool;
    EXPECT_TRUE(result.unanswered());
  }
  // The questions: an answer that was not given is none in the text's favour, either.
  const std::string lines = good + "/*\n#line 7\n*/\n";
  const std::string refused = kKernel + "asm(\"exit;\"); *p = 1; }\n";
  for (const auto& [text, tool] :
       {std::pair{lines, "cc1plus"}, {refused, "cicc"}, {good + "int x = ;\n", "cicc"}}) {
    Killer killer(tool, 1, /*passed=*/1);
    EXPECT_EQ(problem(text), "killed") << text;
  }
  EXPECT_EQ(problem(lines), "");
  EXPECT_EQ(problem(refused), "forbidden");
}

// gcc's driver has failures of its own, which are no text's.
TEST_F(Building, ADriverThatStartsNothingHasRefusedNothing) {
  flags = {"-Xcompiler", "-no-such-option"};
  EXPECT_EQ(problem(kKernel + "*p = 1; }\n"), "infrastructure");
  EXPECT_EQ(problem("#error\n"), "infrastructure");
  flags.clear();
  EXPECT_EQ(problem("#error\n"), "compile");
}

TEST_F(Building, WhatIsBuiltIsReadByNobodyElse) {
  ASSERT_EQ(problem(kKernel + "*p = 1; }\n"), "");
  const std::filesystem::path place = folder.path("build-1");
  EXPECT_FALSE(is_open_to_others(place));
  EXPECT_FALSE(is_open_to_others(place / "src"));
  EXPECT_FALSE(is_open_to_others(place / "src/h/s.cu"));
  EXPECT_FALSE(is_open_to_others(place / "out"));
  EXPECT_FALSE(is_open_to_others(place / "h.ptx"));
}

TEST_F(Building, AssemblyIsRefusedInEverySpelling) {
  for (const char* word :
       {"asm", "__asm__", "__asm volatile", "PASTE(as, m)", "a\\/**/\nsm", "a\\/**/   \nsm"})
    EXPECT_EQ(problem("#define PASTE(a, b) a##b\n" + kKernel + word + kAssembly), "forbidden")
        << word;
  // Through a macro of the C library, and as another name of a function.
  EXPECT_EQ(problem(kKernel + "__REDIRECT(,, exit;) ; *p = 1; }\n"), "forbidden");
  EXPECT_EQ(problem("__device__ int f() __asm__(\"g\");\n" + kKernel + "*p = 1; }\n"), "forbidden");
  EXPECT_NE(problem(kKernel + "\\u0061sm" + kAssembly), "");
  EXPECT_NE(problem("\nasm(\"exit;\");\n" + kKernel + "*p = 1; }\n"), "");
}

TEST_F(Building, AssemblyIsRefusedWhateverIsDeclared) {
  const std::string end = kKernel + "asm(\"exit;\"); *p = 1; }\n";
  for (const char* name : {"inline_assembly_is_not_allowed_in_this_homework", "lockstep_parameter",
                           "lockstep_probe", "asm"})
    EXPECT_NE(problem("__device__ void " + std::string(name) + "(const char*) {}\n" + end), "")
        << name;
  EXPECT_EQ(problem("__device__ void lockstep_parameter(const char*) {}\n" + end), "forbidden");
}

TEST_F(Building, LiteralsMayLookLikeAnything) {
  const std::string end = "static_assert(sizeof s > 1);\n" + kKernel + "*p = 1; }\n";
  for (const char* text :
       {"constexpr char s[] = R\"#(\n# Heading\n#define A \\\n)#\";\n",
        "constexpr char s[] = R\"=#=(\n  %: a\n## b ##\n)=#=\" \"#\";\n",
        "#pragma message(\"BY VECTOR\")\nconstexpr char s[] = \"/*\";\n",
        "#pragma message(\"a /* b\") /* c */\n#ident \"VECTOR\"\nconstexpr char s[] = \"R\";\n",
        "#include <cuda_fp16.h>\nconstexpr char s[] = R\"(\n# 1 \"/home/ada/sizes.h\" 1\nint a;\n"
        "# 2 \"/home/ada/s.cu\" 2\n)\";\n#include <setjmp.h>\n"}) {
    const BuildResult result = build(text + end);
    EXPECT_EQ(result.problem, "") << text << result.log;
  }
}

TEST_F(Building, LiteralsMayLookLikeAnythingBesideAllHeaders) {
  // The standard library uses a name that is a macro of the compiler's own.
  const BuildResult result = build(
      "#include <bits/stdc++.h>\n#pragma message(\"all of \\\"v/*.cu\\\"\")\n"
      "constexpr char s[] = R\"n(\n# f(x)\\\n\"a\")n\\ \n# b \\\n#pragma c\r\n %: \t\f )x\\\n n\"\n"
      "__noinline__ asm\n)n\" \"/#\";\nstatic_assert(s[1] == '#' && sizeof s > 20);\n" +
      kKernel + "*p = 1; }\n");
  EXPECT_EQ(result.problem, "") << result.log;
}

TEST_F(Building, RawStringsThatOnlyTheSecondPreprocessorEndsHideNothing) {
  const std::string end = "constexpr char b[] = R\"not()not\";\n" + kKernel;
  const std::string begin = "constexpr char a[] = R\"not(\n";
  auto refused = [&](const std::string& joined, const std::string& hidden) {
    const BuildResult result = build(begin + joined + ";\n" + hidden + end + "*p = 1; }\n");
    EXPECT_EQ(result.problem, "forbidden") << joined << hidden << result.log;
    EXPECT_NE(result.log.find("reads otherwise"), std::string::npos) << hidden << result.log;
  };
  for (const char* joined : {")not\\ \t\n\"", ")not\\\n\\\n\""}) refused(joined, "#undef asm\n");
  for (const char* hidden :
       {"#undef asm\n", "#line 7\n", "#include \"/usr/include/stdc-predef.h\"\n", "/* c */\n",
        "# 7 \"other.cu\"\n", "\\\n  %: define Q\n", "int \\\n q;\n",
        "constexpr char c[] = R\"y(\n)not\";\n#include <cuda_fp16.h>\nconstexpr char d[] = "
        "\")y\";\n"})
    refused(")not\\\n\"", hidden);
  // In these it reads on.
  EXPECT_EQ(problem(begin + ")no\\\nt\";\n#undef asm\n /* c */)\\\nnot\"" + end + "*p = 1; }\n"),
            "");
  EXPECT_EQ(build("constexpr char a[] = R\"not(\n)not\\\n\";\n#undef asm\n" + end + "*p = 1; }\n")
                .log.rfind("h/s.cu:4:", 0),
            0u);
  // Code there has no more rights than elsewhere.
  EXPECT_EQ(
      problem("constexpr char a[] = R\"not(\n)not\\\n\";\n__attribute__((device)) void f() {\n"
              "asm(\"exit;\"); }\n" +
              end + "*p = 1; }\n"),
      "forbidden");
}

TEST_F(Building, SaysWhyAHeadersAssemblyIsNotKnownToBeItsOwn) {
  const BuildResult result =
      build("#define _SIGNAL_H\n#include <bits/ss_flags.h>\n#include <cuda_fp16.h>\n" + kKernel +
            "*p = 1; }\n");
  EXPECT_EQ(result.problem, "forbidden");
  EXPECT_NE(result.log.find("cannot be read without"), std::string::npos) << result.log;
  EXPECT_NE(result.log.find("ss_flags.h:23"), std::string::npos) << result.log;
}

TEST_F(Building, AssemblyIsRefusedAlthoughMacrosMakeDirectives) {
  const std::string hash = "#define HASH #\n";
  EXPECT_EQ(problem(hash + "HASH undef asm\n" + kKernel + "asm" + kAssembly), "forbidden");
  EXPECT_EQ(problem("#define HASH %:\nHASH undef asm\n" + kKernel + "asm" + kAssembly),
            "forbidden");
  EXPECT_EQ(problem("#pragma push_macro(\"asm\")\n" + hash + "HASH undef asm\n" + kKernel + "asm" +
                    kAssembly + "#pragma pop_macro(\"asm\")\n"),
            "forbidden");
  EXPECT_EQ(problem(hash + "HASH define JOIN(a, b) a##b\n" + kKernel + "JOIN(as, m)" + kAssembly),
            "forbidden");
  EXPECT_EQ(
      problem(hash + "HASH include \"/usr/include/stdc-predef.h\"\n" + kKernel + "*p = 1; }\n"),
      "forbidden");
  EXPECT_EQ(problem(hash + "HASH 7 \"other.cu\"\n" + kKernel + "*p = 1; }\n"), "forbidden");
  EXPECT_EQ(
      problem("/\\/**/\n* \"\n\" */ HASH define y 3\n#define HASH #\n" + kKernel + "*p = 1; }\n")
          .empty(),
      false);
}

TEST_F(Building, HeadersThatArePermittedMayHoldAssembly) {
  const std::string use =
      "#include <cuda_fp16.h>\n" + kKernel + "*p = __hadd(__int2half_rn(*p), __half(1)); }\n";
  EXPECT_EQ(build(use).problem, "") << build(use).log;
  rubric.policy.headers = {"none.h"};
  EXPECT_EQ(problem(use), "forbidden");
  rubric.policy.inline_asm = true;
  EXPECT_EQ(problem(use), "");
  EXPECT_EQ(problem(kKernel + "asm" + kAssembly), "");
}

TEST_F(Building, HeadersAreReadWhereAndAsTheSubmissionReadsThem) {
  rubric.policy.headers = default_headers();
  rubric.policy.global_bytes = 1 << 20;  // curand has tables
  const std::string end = kKernel + "*p = 1; }\n";
  for (const std::string text :
       {"#if __has_include(<no_such_header>)\n#include <no_such_header>\n#endif\n// <format>\n"
        "#include <bits/stdc++.h>\n#include <curand_kernel.h>\n",
        "#define __CUDA_NO_HALF_OPERATORS__\n#include <cuda_fp16.h>\n"
        "__device__ __half operator+(const __half& a, const __half& b) { return __hadd(a, b); }\n",
        "#define NDEBUG\n#include <cuda/std/array>\n#include <cuda_bf16.h>\n#include <cassert>\n",
        "#include \"cuda_fp16.h\"\n#include <cuda_fp16.h>\n#include "
        "<cooperative_groups/reduce.h>\n"}) {
    const BuildResult result = build(text + end);
    EXPECT_EQ(result.problem, "") << text << result.log;
  }
}

// The time of compilation tells neither the cage nor when the file was saved.
TEST_F(Building, WasNotSavedAsItWasCompiled) {
  const std::string asked =
      "constexpr bool saved_as_it_was_compiled() {\n"
      "  for (int i = 0; i < 8; ++i) if (__TIMESTAMP__[11 + i] != __TIME__[i]) return false;\n"
      "  return true;\n}\nstatic_assert(!saved_as_it_was_compiled());\n";
  EXPECT_EQ(problem(asked + kKernel + "*p = 1; }\n"), "");
}

// Each question is refused by what it asks of the system, however it is written and answered.
TEST_F(Building, WhatLiesAroundCannotBeAskedFor) {
  const std::string end = "#endif\n" + kKernel + "*p = 1; }\n";
  for (const char* question :
       {"#if __has_include(\"README.md\")\n", "#if __has_include(\"../common/error.h\")\n",
        "#if __has_include(\"/etc/passwd\")\n", "#if __has_include(</proc/version>)\n",
        "#if __has_include(</usr/bin/sh>)\n", "#if __has_include(\"/src/h/s.cu\")\n",
        "#if __has_include(\"instances.cu\")\n", "#if __has_include(\"../h/s.cu\")\n",
        "#if __has_include(\"sys\")\n", "#if __has_include(\"crt/../other.h\")\n",
        "#if __has_include(<../../etc/passwd>)\n", "#if __has_include(<sys/../../../etc/passwd>)\n",
        "#if __has_include_next(\"/etc/passwd\")\n", "#if __has_include(\"/out/dependencies\")\n",
        "#if !__has_include(<format>) && __has_include(\"/dev/nvidia0\")\n",
        "#define A __has_inc\\\nlude\n#define B <../../etc/passwd>\n#if A(B)\n",
        "#define S(x) #x\n#if __has_include(S(Makefile))\n#endif\n#if 1\n"}) {
    const BuildResult result = build(question + end);
    EXPECT_EQ(result.problem, "forbidden") << question << result.log;
    EXPECT_NE(result.log.find("h/s.cu: not allowed: asking (__has_include)"), std::string::npos)
        << question << result.log;
  }
  EXPECT_EQ(
      build("#if __has_include(\"README.md\")\n" + end).log,
      "h/s.cu: not allowed: asking (__has_include) whether there is a file that is not of the "
      "compiler's own headers: README.md\n");
}

TEST_F(Building, TheCompilersHeadersCanBeAskedFor) {
  const std::string end = kKernel + "*p = 1; }\n";
  for (const char* text :
       {"#if __has_include(<Makefile>)\n#error in no folder of the compiler's\n#endif\n",
        "#if !__has_include(\"s.cu\")\n#error the file itself is there\n#endif\n",
        "#include \"cuda_fp16.h\"\n#if !__has_include(\"cuda_bf16.h\")\n#error\n#endif\n",
        "#if __has_include(<crt/no_such.h>) || __has_include(<../include/no_such.h>)\n#endif\n",
        "#if !__has_include_next(<vector>) || !__has_include(\"/usr/include/stdio.h\")\n"
        "#error\n#endif\n",
        "#if 0\n#if __has_include(\"/etc/passwd\")\n#endif\n#endif\n"
        "// __has_include(\"/etc/passwd\")\n"}) {
    const BuildResult result = build(text + end);
    EXPECT_EQ(result.problem, "") << text << result.log;
  }
  EXPECT_EQ(problem("#include \"Makefile\"\n" + end), "compile");
}

// There are more files where there are no namespaces, and some of them may not be read.
TEST_F(Building, WithoutNamespacesTheSameCanBeAskedFor) {
  if (landlock_version() == 0) GTEST_SKIP() << "no Landlock";
  chmod(folder.path("").c_str(), 0755);  // for the cage's user
  sandbox.emplace(SandboxPaths{"", tools.runner, tools.cuda}, Strength::kMiddle);
  const std::string end = "#endif\n" + kKernel + "*p = 1; }\n";
  EXPECT_EQ(problem("#if __has_include(<format>) && !__has_include(<no_such.h>)\n" + end), "");
  for (const char* file : {"/etc/passwd", "/proc/version", "README.md"})
    EXPECT_EQ(problem("#if __has_include(\"" + std::string(file) + "\")\n" + end), "forbidden")
        << file;
}

// A compiler into which nothing can be loaded.
TEST_F(Building, WithoutAListOfWhatIsAskedForThereIsNoResult) {
  const std::string runner = folder.path("lockstep-runner");
  std::filesystem::copy_file(tools.runner, runner);
  folder.write("asked.so", "");
  chmod(folder.path("asked.so").c_str(), 0755);
  sandbox.emplace(SandboxPaths{tools.bwrap, runner, tools.cuda}, Strength::kFull);
  const BuildResult result = build(kKernel + "*p = 1; }\n");
  EXPECT_EQ(result.problem, "infrastructure");
  EXPECT_EQ(result.log, "the compiler left no asked");
}

// The time is the same for all who build: what hangs on it is what everybody has.
TEST_F(Building, IsToldOneTime) {
  const std::string body = "if constexpr (is_it) *p = 1; else *p = *p * p[threadIdx.x]; }\n";
  const auto built_when = [&](const std::string& text) {
    const BuildResult result = build(text);
    EXPECT_EQ(result.problem, "") << result.log;
    std::ifstream ptx(result.module);
    return std::string(std::istreambuf_iterator<char>(ptx), {});
  };
  const std::string as_then = built_when(
      "constexpr bool is_it = __DATE__[10] == '1' && __TIME__[0] == '1' &&"
      " __TIMESTAMP__[23] == '0';\n" +
      std::string(kKernel) + body);
  EXPECT_NE(as_then.find("st.global"), std::string::npos);
  EXPECT_EQ(as_then.find("mul.lo"), std::string::npos);
  // Nor is it had in another way.
  for (const char* word : {"__DATE__", "__TIME__", "__TIMESTAMP__"}) {
    const std::string name = word, text = "__device__ const char t[] = " + name + ";\n" +
                                          std::string(kKernel) + "*p = t[*p & 7]; }\n";
    EXPECT_EQ(problem("#undef " + name + "\n" + text), "compile") << name;
    EXPECT_EQ(problem("#pragma push_macro(\"" + name + " \")\n#pragma pop_macro(\"" + name +
                      " \")\n" + text),
              "")
        << name;
    EXPECT_EQ(
        problem("#pragma push_macro(\"" + name + "\")\n#undef " + name + "\n#pragma pop_macro(\"" +
                name + "\")\nstatic_assert(" + name + "[sizeof(" + name + ") - 2] == '" +
                (name == "__DATE__"   ? "1"
                 : name == "__TIME__" ? "6"
                                      : "0") +
                "');\n" + text),
        "")
        << name;
  }
  std::ifstream rules("make/modules.mk");
  const std::string made(std::istreambuf_iterator<char>(rules), {});
  for (const char* said : {"-D__DATE__='\"Feb  3 2001\"'", "-D__TIME__='\"12:34:56\"'",
                           "-D__TIMESTAMP__='\"Sat Jan  1 10:20:30 2000\"'"})
    EXPECT_NE(made.find(said), std::string::npos) << said;
}

TEST_F(Building, AHeadersAssemblyIsNobodyElses) {
  const std::string fp16 = "#include <cuda_fp16.h>\n", end = kKernel + "*p = 1; }\n";
  EXPECT_EQ(problem(fp16 + end), "");
  // Macros that would have the header's text hold the submission's.
  for (const char* macro :
       {"#define asm(...) asm(\"exit;\")\n", "#define val val; asm(\"exit;\")\n",
        "#define reinterpret_cast (asm(\"exit;\"), 0), reinterpret_cast\n",
        "#define __half __half __asm__(\"x\")\n"})
    EXPECT_NE(problem(macro + fp16 + end), "") << macro;
  EXPECT_EQ(
      problem("#define return asm volatile(\"exit;\"); return\n" + fp16 + "#undef return\n" + end),
      "forbidden");
  // The header's own words, but not in the header.
  EXPECT_EQ(problem(fp16 + kKernel + "short s; float f = *p;\n" +
                    "asm(\"{  cvt.rn.f16.f32 %0, %1;}\\n\" : \"=h\"(s) : \"f\"(f));\n*p = s; }\n"),
            "forbidden");
  // What it leaves behind for later use.
  EXPECT_EQ(problem("#pragma push_macro(\"asm\")\n" + fp16 + "#pragma pop_macro(\"asm\")\n" +
                    kKernel + "asm" + kAssembly),
            "forbidden");
}

TEST_F(Building, LinesThatOnlyTheSecondPreprocessorJoinsAreRefusedOutOfLiterals) {
  const std::string gap(40, '\n'), end = kKernel + "*p = 1; }\n";
  for (const char* begin : {"#pragma note \\/**/\n", "#pragma note \\/**/ \t\f\r\n",
                            "_Pragma(\"note \\\\\")\n", "#pragma note \"\\/**/\n"})
    EXPECT_EQ(problem(begin + gap + end), "forbidden") << begin;
  // A comment that only the second preprocessor sees.
  EXPECT_EQ(problem("__device__ void f() {\n/\\/**/\n*\n" + gap + "\"*/ \";\"\n;\n}\n" + end),
            "forbidden");
  for (const char* begin : {"#pragma note ?\?/\n#define X \\\n  7\n#pragma unroll \\\n 4\n",
                            "const char* s = R\"(#define X \\\n#pragma unroll \\ \n 7)\";\n"})
    EXPECT_EQ(problem(begin + gap + end), "") << begin;
}

TEST_F(Building, FilesThatAreNotTheirsAreRefused) {
  for (const char* file :
       {"\"/etc/passwd\"", "</dev/null>", "\"../x.cu\"", "\"/usr/bin/../lib/os-release\"",
        "\"/out/dependencies\"", "\"h/instances.cu\"", "\"/usr/lib/os-release\""})
    EXPECT_EQ(problem(std::string("#ifndef ONCE\n#define ONCE\n#include ") + file + "\n#endif\n" +
                      kKernel + "*p = 1; }\n"),
              "forbidden")
        << file;
  EXPECT_EQ(problem("#ifndef ONCE\n#define ONCE\n#include \"h/s.cu\"\n#else\n" + kKernel +
                    "*p = 1; }\n#endif\n"),
            "forbidden");
  EXPECT_EQ(problem("#include \"mine.h\"\n"), "compile");
  EXPECT_EQ(problem("#include <vector>\n#include <type_traits>\n#include <iostream>\n" + kKernel +
                    "*p = 1; }\n"),
            "");
}

TEST_F(Building, LiesAboutLinesAreRefusedAndOnlyThey) {
  for (const char* lie : {"#line 7", "#line 7 \"x.cu\"", "# 7 \"x.cu\" 1", "#/* \" */li\\\nne 7",
                          "%:line __LINE__", "\f#line 3", "#define X \"/*\"\n#line 9\n// */"}) {
    const BuildResult result = build(std::string(lie) + "\n" + kKernel + "*p = 1; }\n");
    EXPECT_EQ(result.problem, "forbidden") << lie;
    EXPECT_NE(result.log.find("line numbers"), std::string::npos) << result.log;
  }
  const BuildResult good = build(
      "// #line 7\n/*\n# 7 \"x.cu\"\n#line 3 */\nconst char* s = R\"(\n#line 5 \"x\"\n"
      "#include \"/etc/passwd\"\n # define asm\n# 9 \"y\"\n)\";\n#if 0\n#line 3\n#endif\n"
      "#define S(line) #line\n" +
      kKernel + "*p = 1; }\n");
  EXPECT_EQ(good.problem, "") << good.log;
  EXPECT_EQ(problem("#define S(line) \"a\" /**/ #line\n#define T(x) #x\nconst char* s = S(b) "
                    "T(\\\n/**/ # 7);\nstatic_assert(sizeof(S(b)) == 3);\n" +
                    kKernel + "*p = 1; }\n"),
            "");
}

TEST_F(Building, TextThatReadsItsOwnSpellingHidesNoLieAboutLines) {
  const std::string end = kKernel + "*p = 1; }\n";
  for (const char* lie :
       {"#define TRUE(line, qzxj) /**/ #line\n#if __has_include(TRUE(h/s.cu, no))\n#line 1000\n"
        "#endif\n",
        "#define DROP(x)\nDROP(R\"/#qzxj( one )/#line\" R\"zz( two )/#qzxj\")\n#line 2000\n"
        "DROP(R\"zz( three )zz\")\n",
        // A string's beginning in a place, its end in none: the trial has the marker in a string.
        "const char* a = \"/#/*\" R\"*/line( )*/line\";\n# 1000 \"h/s.cu\"\n"
        "const char* b = R\"zz( )*/qzxj\" )zz\";\n"})
    EXPECT_EQ(problem(lie + end), "forbidden") << lie;
  // What macros made, hidden in a string once a hash of its delimiter is another character.
  EXPECT_EQ(problem("#define HASH #\nconst char* a = R\"/#x( )/#x\" R\"y( )/@x\" )y\";\n"
                    "HASH line 7\n" +
                    end),
            "forbidden");
  EXPECT_EQ(problem("#define HASH #\n[[lockstep::unknown(\nHASH line 7\n)]] int q;\n" + end),
            "forbidden");
  EXPECT_EQ(
      problem("const char* a = R\"x(\n#line 7\n @ %: )x\";\nstatic_assert('#' != '@');\n" + end),
      "");
}

TEST_F(Building, TheLineOfALieIsFoundAmongOthers) {
  std::string text;
  for (int i = 0; i < 5; ++i) text += "// #line 7\n";
  EXPECT_EQ(build(text + "#line 7\n" + kKernel + "*p = 1; }\n").log.rfind("h/s.cu:6:", 0), 0u);
}

TEST_F(Building, VariablesThatAreNotUnderstoodAreRefused) {
  const std::string use = kKernel + "*p = kept[*p]; }\n";
  EXPECT_EQ(problem("__device__ __align__(2097152) unsigned char kept[5000];\n" + use),
            "forbidden");
  EXPECT_EQ(problem("__device__ __align__(2097152) unsigned char kept[500];\n" + use), "");
  EXPECT_EQ(problem("__device__ char kept[2147483648];\n" + use), "forbidden");
}

TEST_F(Building, PoliciesLookAtWhatThePtxSays) {
  rubric.policy.inline_asm = true;
  rubric.policy.forbidden = {"prefetch", "malloc"};
  EXPECT_EQ(problem(kKernel + "asm(\"{ prefetch.global.L2 [%0]; }\" :: \"l\"(p)); }\n"),
            "forbidden");
  EXPECT_EQ(problem(kKernel + "asm(\"{ .global .b8 kept[5000]; st.global.u8 [kept], 1; }\"); }\n"),
            "forbidden");
  const BuildResult result = build("\n" + kKernel + "*p = *(int*)malloc(4); }\n");
  EXPECT_EQ(result.problem, "forbidden");
  EXPECT_EQ(result.log.rfind("h/s.cu:2: not allowed: the operation malloc", 0), 0u) << result.log;
  EXPECT_EQ(problem(kKernel + "asm(\"{ .global .b8 kept[500]; st.global.u8 [kept], 1; }\"); }\n"),
            "");
}

TEST_F(Building, WhatNoLaunchReachesIsNotInTheModule) {
  rubric.policy.forbidden = {"malloc"};
  const std::string other =
      "__device__ int table[5000];\n__device__ __noinline__ int f(int i) {\n"
      "int now = clock(); return table[i] + *(int*)malloc(4) + now; }\n"
      "__global__ void other(int* p) { *p = f(*p); }\n";
  const BuildResult good = build(other + kKernel + "*p = 1; }\n");
  ASSERT_EQ(good.problem, "") << good.log;
  const std::string ptx = read_file(good.module, 1 << 20);
  for (const char* name : {"malloc", "table", "other", "clock"})
    EXPECT_EQ(ptx.find(name), std::string::npos) << name;
  EXPECT_EQ(problem(other + kKernel + "*p = f(*p); }\n"), "forbidden");
  EXPECT_EQ(problem(other + "typedef int call(int); __device__ call* g[] = {f};\n" + kKernel +
                    "*p = g[*p](1); }\n"),
            "forbidden");
}

TEST_F(Building, TextOfTheStudentClassifiesNothing) {
  for (const char* text : {"bwrap: cannot", "lockstep-runner: x", "signal 24", "out of memory",
                           "bad_alloc", "signal 9"})
    for (const char* way : {"#error ", "#pragma GCC error \""}) {
      const std::string end = way[1] == 'p' ? "\"\n" : "\n";
      EXPECT_EQ(problem(way + std::string(text) + end), "compile") << way << text;
    }
  EXPECT_EQ(problem("static_assert(false, \"signal 24\");\n"), "compile");
}

TEST_F(Building, AQuestionThatTakesTooLongIsToldWithItsReason) {
  ASSERT_EQ(problem(kKernel + "*p = 1; }\n"), "") << "what nvcc does is known from here on";
  rubric.limits.compile_s = 0;
  BuildRequest request;
  request.folder = folder.path("question");
  std::filesystem::create_directories(request.folder);
  BuildSteps steps(request, rubric, tools, *sandbox);
  ASSERT_TRUE(steps.lay_out());
  EXPECT_FALSE(steps.preprocess_instead("", "h/s.cu:7: text that could be a directive"));
  EXPECT_EQ(steps.result().problem, "compile_timeout");
  EXPECT_EQ(steps.result().log,
            "h/s.cu:7: text that could be a directive has the preprocessor asked once more, and it "
            "takes more than 0 s\n");
}

TEST_F(Building, AllStepsShareOneLimitAndAllQuestionsAnother) {
  std::string slow = "#define A0 +1\n";
  for (int i = 1; i < 8; ++i) {
    const std::string before = " A" + std::to_string(i - 1);
    slow += "#define A" + std::to_string(i);
    for (int k = 0; k < 8; ++k) slow += before;
    slow += "\n";
  }
  for (int i = 0; i < 3; ++i) slow += "#if 0 A7\n#endif\n// #line 7\n";
  rubric.limits.compile_s = 3;
  const BuildResult result = build(slow + slow + "#line 7\n" + kKernel + "*p = 1; }\n");
  EXPECT_TRUE(result.problem == "forbidden" || result.problem == "compile_timeout") << result.log;
  EXPECT_LT(result.seconds, 4 * (rubric.limits.compile_s + 2));
}

TEST_F(Building, LimitsAreToldApart) {
  rubric.limits.compile_s = 1;
  EXPECT_EQ(problem(kKernel +
                    "int s = *p;\n#pragma unroll\nfor (int i = 0; i < 4000; ++i)\n#pragma unroll\n"
                    "for (int k = 0; k < 400; ++k) s = s * p[s & 7] + i;\n*p = s; }\n"),
            "compile_timeout");
  rubric.limits.compile_s = 60;
  rubric.limits.memory_mib = 60;
  EXPECT_EQ(problem(kKernel + "*p = 1; }\n#include <vector>\n"), "compile_memory");
}

}  // namespace
}  // namespace lockstep::grader
