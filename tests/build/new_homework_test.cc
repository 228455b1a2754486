// SPDX-License-Identifier: Apache-2.0
// grader new: what it writes builds, runs, and is fit to be given out, for every template and type;
// and it writes over nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "tests/build/tree.h"

namespace lockstep::build_test {
namespace {

namespace fs = std::filesystem;

class NewHomework : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_nvcc()) GTEST_SKIP() << "no nvcc";
  }
  // In a tree of its own: written, built, run, recorded, checked.
  static void expect_fit(const std::string& options) {
    const WholeTree tree;
    Outcome outcome = tree.in("grader/grader new hw98 " + options);
    ASSERT_EQ(outcome.status, 0) << outcome.output;
    outcome = tree.in("grep -rnE '@[A-Z]+@|hwNN' hw98 solutions/hw98 tests/*/hw98");
    EXPECT_EQ(outcome.status, 1) << outcome.output;
    outcome = tree.in("make hw98/hw98 hw98/hw98.cubin solutions/hw98/hw98-sol.cubin");
    ASSERT_EQ(outcome.status, 0) << outcome.output;
    EXPECT_FALSE(outcome.has("warning")) << outcome.output;
    outcome = tree.in("hw98/hw98 --backend emulator");
    EXPECT_EQ(outcome.status, 0) << outcome.output;
    outcome = tree.in("hw98/hw98 --backend emulator --module solutions/hw98/hw98-sol.cubin");
    EXPECT_EQ(outcome.status, 0) << outcome.output;
    outcome = tree.in(
        "grader/grader selfcheck hw98 --record --backend emulator && "
        "grader/grader selfcheck hw98 --backend emulator --draws 2");
    EXPECT_EQ(outcome.status, 0) << outcome.output;
    outcome = tree.in("grader/grader check hw98 hw98/hw98.cu --backend emulator");
    EXPECT_TRUE(outcome.has("40 / 100")) << outcome.output;
  }
};

TEST_F(NewHomework, OfElementsIsFitToBeGivenOut) {
  expect_fit("--title 'Side by side' --kernel triple");
}
TEST_F(NewHomework, OfElementsOfAnotherTypeIsToo) { expect_fit("--kind elements --element int"); }
TEST_F(NewHomework, OfTilesIsFitToBeGivenOut) {
  expect_fit("--kind tiles --kernel transpose --element double");
}

TEST_F(NewHomework, WritesOverNothingAndNothingThatMakesNoSense) {
  TemporaryFolder folder;
  ASSERT_EQ(run(top(), "cp -r templates make Makefile '" + folder.path() + "'").status, 0);
  const auto made = [&](const std::string& arguments) {
    return run(top(), "LOCKSTEP_TOP='" + folder.path() + "' grader/grader new " + arguments);
  };
  for (const char* bad : {"hw7", "hw007", "../hw", "hw98 --kind none", "hw98 --kind ../elements",
                          "hw98 --kernel 'a b'", "hw98 --title 'a\"b'", "hw98 --title $'a\\nb'",
                          "hw98 --element half", "hw98 --kernel @TYPE@"}) {
    const Outcome outcome = made(bad);
    EXPECT_EQ(outcome.status, 2) << bad << "\n" << outcome.output;
  }
  EXPECT_FALSE(fs::exists(folder.path() + "/hw98"));
  fs::create_directories(folder.path() + "/tests/honest/hw98");
  write_file(folder.path() + "/tests/honest/hw98/pointers.cu", "mine");
  const Outcome outcome = made("hw98");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_TRUE(outcome.has("tests/honest/hw98/pointers.cu is there already")) << outcome.output;
  EXPECT_FALSE(fs::exists(folder.path() + "/hw98"));
  EXPECT_EQ(read_file(folder.path() + "/tests/honest/hw98/pointers.cu"), "mine");
}

}  // namespace
}  // namespace lockstep::build_test
