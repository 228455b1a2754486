// SPDX-License-Identifier: Apache-2.0
// What a look at source, preprocessed text and PTX finds, and what it must not take for it.
#include "grader/inspect.h"

#include <gtest/gtest.h>

#include "grader/strip_source.h"

namespace lockstep::grader {
namespace {

std::vector<int> lines(const std::vector<Breach>& breaches) {
  std::vector<int> out;
  for (const Breach& b : breaches) out.push_back(b.line);
  return out;
}

TEST(InspectSource, FindsWhatReachesOutOrLiesAboutLines) {
  for (const char* bad : {"#include \"/etc/passwd\"", "#include </dev/urandom>",
                          "#include \"../x.cu\"", "  #  include \"a/../../b\"", "#include NAME",
                          "#line 5 \"x.h\"", "# 7 \"x.h\"", "%:include \"/etc/passwd\"",
                          "#inc\\\nlude \"/etc/passwd\"", "#embed \"x\"", "/* c */ #include \"/x\"",
                          "#include_next <x>", "#include \"~/x\"", "?\?=line 3", "#/**/line 3"})
    EXPECT_FALSE(inspect_source(std::string("int a;\n") + bad + "\n").empty()) << bad;
}

TEST(InspectSource, LooksBehindAByteOrderMark) {
  EXPECT_FALSE(inspect_source("\xef\xbb\xbf#include \"/etc/passwd\"").empty());
}

TEST(InspectSource, LetsHonestTextPass) {
  for (const char* good :
       {"#include <cuda_fp16.h>\n#include \"mine.h\"", "// #include \"/etc/passwd\"",
        "/* \n#line 3 \n*/", "const char* s = \"\\\"\\n#line 3\";", "#pragma unroll 4",
        "R\"x(\n#include \"/etc/passwd\"\n)x\"", "int n = 1'000'000; // '\n#define X '\\''",
        "#define STR(x) #x", "#if 0\n#else\n#endif", "#", "#error don't\n#warning 'x",
        "char c = '#';", "\xef\xbb\xbf#include <cstdio>"})
    EXPECT_TRUE(inspect_source(good).empty()) << good << inspect_source(good)[0].what;
}

TEST(InspectSource, CountsLinesThroughCommentsLiteralsAndSplices) {
  EXPECT_EQ(lines(inspect_source("/* 1\n2 */\nR\"(4\n5)\" \\\n 6\n#line 9\n")),
            std::vector<int>{6});
}

TEST(InspectSource, EndsOnAnythingAtAll) {
  std::string bytes;
  for (int i = 0; i < 200000; ++i) bytes += static_cast<char>((i * 7919 + i / 13) & 0xff);
  inspect_source(bytes);
  for (const char* open : {"\"", "'", "/*", "R\"(", "R\"", "\\", "#include \"", "//", "\\\n"})
    inspect_source(std::string(open));
  EXPECT_EQ(strip_source("").size(), 0u);
}

TEST(InspectPreprocessed, FindsAssemblyOfTheStudentAlone) {
  std::string text =
      "# 1 \"hw02/instances.cu\"\n"
      "# 1 \"/opt/cuda/include/x.h\" 1 3\n"
      "asm(\"header\");\n"
      "# 1 \"./hw02/hw02.cu\" 1\n"
      "int asmx, x_asm; const char* s = \"asm\";\n"
      "void f() { asm volatile(\"x\"); }\n"
      "# 10 \"./hw02/hw02.cu\"\n"
      "__asm__(\"y\");\n"
      "# 1 \"/usr/include/stdio.h\" 1 3 4\n"
      "int g() __asm__(\"z\");\n";
  EXPECT_EQ(lines(inspect_preprocessed(text, "hw02/hw02.cu", "/opt/cuda")),
            (std::vector<int>{2, 10}));
}

TEST(InspectPreprocessed, IsNotFooledByAMarkerInALiteral) {
  std::string text =
      "# 1 \"./hw02/hw02.cu\" 1\n"
      "auto s = R\"(\n# 1 \"/usr/include/x.h\"\n)\";\n"
      "void f() { asm(\"x\"); }\n";
  EXPECT_EQ(inspect_preprocessed(text, "hw02/hw02.cu", "/opt/cuda").size(), 1u);
}

TEST(InspectPtx, FindsForbiddenOperationsWithTheirLine) {
  Policy policy;
  policy.forbidden = {"cp", "tex", "malloc"};
  std::string ptx =
      ".visible .entry f()\n{\n\t.loc\t1 42 3\n\t@%p1 cp.async.ca.shared.global [%r1], [%r2], 4;\n"
      "\t.loc\t2 9 1\n\tcall.uni (retval0), \n\tmalloc, \n\t(\n\tparam0\n\t);\n\tcpx.b32 a;\n}\n"
      "\t.file\t1 \"/src/./hw02/hw02.cu\"\n\t.file\t2 \"/x/y.h\"\n";
  auto found = inspect_ptx(ptx, policy, "hw02/hw02.cu");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].line, 42);
  EXPECT_NE(found[0].what.find("cp"), std::string::npos);
  EXPECT_EQ(found[1].line, 0);
}

TEST(InspectPtx, AddsUpVariables) {
  Policy policy;
  policy.global_bytes = 100;
  EXPECT_TRUE(inspect_ptx(".global .align 4 .f32 a[25];\n", policy, "x").empty());
  EXPECT_FALSE(inspect_ptx(".global .align 4 .f32 a[26];\n", policy, "x").empty());
  EXPECT_FALSE(
      inspect_ptx(".visible .const .align 8 .b8 t[60] = {1};\n.global .u64 b[6];\n", policy, "x")
          .empty());
  EXPECT_FALSE(inspect_ptx(".global .b8 z[99999999999999999999];\n", policy, "x").empty());
}

}  // namespace
}  // namespace lockstep::grader
