// SPDX-License-Identifier: Apache-2.0
// Starter and solution come from one source, agree, and compile without a warning.
#include <gtest/gtest.h>

#include <filesystem>
#include <vector>

#include "tests/build/tree.h"

namespace lockstep::build_test {
namespace {

std::vector<std::string> homeworks() {
  std::vector<std::string> names;
  if (!std::filesystem::exists("solutions")) return names;
  for (const auto& entry : std::filesystem::directory_iterator("solutions")) {
    names.push_back(entry.path().filename().string());
  }
  return names;
}

Outcome starter_of(const std::string& text) {
  TemporaryFolder folder;
  write_file(folder.path() + "/a.cu", text);
  return run(top(), "make/starter.sh '" + folder.path() + "/a.cu'");
}

TEST(Starter, IsWhatItsSourceGenerates) {
  const auto names = homeworks();
  if (names.empty()) GTEST_SKIP() << "no solutions in this tree";
  for (const std::string& name : names) {
    const Outcome generated = run(top(), "make/starter.sh solutions/" + name + "/" + name + ".cu");
    ASSERT_EQ(generated.status, 0) << generated.output;
    EXPECT_EQ(generated.output, read_file(name + "/" + name + ".cu"))
        << name << ": edit solutions/" << name << "/" << name << ".cu, then `make starters`";
    EXPECT_FALSE(generated.has("SOLUTION")) << name;
  }
}

TEST(Starter, AndSolutionCompileWithoutWarnings) {
  if (!has_nvcc()) GTEST_SKIP() << "no nvcc";
  SmallTree tree;
  for (const std::string& name : homeworks()) {
    const std::string solution = "solutions/" + name + "/" + name + "-sol";
    for (const std::string& file : {name + "/" + name, solution}) {
      const Outcome outcome = tree.make(
          file + ".cubin NVCCFLAGS='-std=c++20 -Xcompiler -iquote,. -Werror=all-warnings'");
      EXPECT_EQ(outcome.status, 0) << outcome.output;
      EXPECT_FALSE(outcome.has("warning")) << outcome.output;
    }
  }
}

TEST(Starter, KeepsOtherConditionals) {
  const Outcome outcome = starter_of(
      "a\n#if SOLUTION\nsolved\n#ifdef X\nx\n#else\ny\n#endif\n#else\nopen\n#if Y\nz\n#endif\n"
      "#endif\n#if !SOLUTION\nhint\n#endif\nb\n");
  EXPECT_EQ(outcome.output, "a\nopen\n#if Y\nz\n#endif\nhint\nb\n");
  EXPECT_EQ(outcome.status, 0);
}

TEST(Starter, RefusesWhatItCannotSplit) {
  EXPECT_TRUE(starter_of("#if SOLUTION\nx\n").has("a.cu:1: error: #if without #endif"));
  EXPECT_TRUE(starter_of("x\n#endif\n").has("a.cu:2: error: #endif without #if"));
  EXPECT_TRUE(starter_of("#if SOLUTION && 1\n#endif\n").has("a.cu:1: error: write"));
  EXPECT_TRUE(starter_of("#ifdef SOLUTION\n#endif\n").has("a.cu:1: error: write"));
  EXPECT_NE(starter_of("#if SOLUTION\nx\n").status, 0);
}

}  // namespace
}  // namespace lockstep::build_test
