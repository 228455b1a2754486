// SPDX-License-Identifier: Apache-2.0
// make does what has to be done and no more; every test works on one small, fully built tree.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>

#include "tests/build/tree.h"

namespace lockstep::build_test {
namespace {

class Laziness : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (!has_nvcc()) return;
    tree_ = new SmallTree;
    built_ = tree_->make("hw01 hw02");
  }
  static void TearDownTestSuite() {
    delete tree_;
    tree_ = nullptr;
  }
  void SetUp() override {
    if (tree_ == nullptr) GTEST_SKIP() << "no nvcc";
    ASSERT_EQ(built_.status, 0) << built_.output;
  }
  static Outcome touch_and_make(const std::string& file) {
    run(tree_->path(), "touch '" + file + "'");
    return tree_->make("hw01 hw02");
  }

  static SmallTree* tree_;
  static Outcome built_;
};
SmallTree* Laziness::tree_ = nullptr;
Outcome Laziness::built_;

TEST_F(Laziness, NothingToDoRunsNothing) {
  const Outcome outcome = tree_->make("hw01 hw02");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.lines_with("Nothing to be done"), 2) << outcome.output;
  EXPECT_EQ(outcome.lines_with(""), 2) << outcome.output;
  const Outcome in_folder = tree_->make_in("hw02", "");
  EXPECT_EQ(in_folder.output, "");
  std::printf("nothing to do: %.2f s at the top, %.2f s in hw02\n", outcome.seconds,
              in_folder.seconds);
}

TEST_F(Laziness, TheFolderHoldsTheThreePrograms) {
  for (const char* name : {"hw02", "hw02-debug", "hw02-cuda-debug"}) {
    EXPECT_TRUE(std::filesystem::exists(tree_->path(std::string("hw02/") + name))) << name;
  }
  EXPECT_FALSE(run(tree_->path(), "readelf -SW hw02/hw02").has(".debug_info"));
  EXPECT_TRUE(run(tree_->path(), "readelf -SW hw02/hw02-debug").has(".debug_info"));
}

TEST_F(Laziness, TouchingAStudentsFileRebuildsThatModuleAlone) {
  const Outcome outcome = touch_and_make("hw02/hw02.cu");
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_EQ(outcome.lines_with("  NVCC "), 2) << outcome.output;
  EXPECT_EQ(outcome.lines_with("  PTXAS "), 2) << outcome.output;
  EXPECT_EQ(outcome.lines_with("  CXX ") + outcome.lines_with("  LINK "), 0) << outcome.output;
  EXPECT_EQ(outcome.lines_with("hw01/hw01"), 0) << outcome.output;
  std::printf("edit to program: %.2f s\n", outcome.seconds);
}

TEST_F(Laziness, TouchingAnAssignmentRelinksThatHomeworkAlone) {
  const Outcome outcome = touch_and_make("hw01/assignment.cc");
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_EQ(outcome.lines_with("  CXX "), 2) << outcome.output;
  EXPECT_EQ(outcome.lines_with("  LINK "), 3) << outcome.output;
  EXPECT_EQ(outcome.lines_with("  NVCC "), 0) << outcome.output;
  EXPECT_EQ(outcome.lines_with("hw02"), 1) << outcome.output;  // "Nothing to be done for 'hw02'"
}

TEST_F(Laziness, TouchingAHeaderRecompilesItsUsersInEveryVariant) {
  run(tree_->path(), "touch common/base/part.h");
  const Outcome plan = tree_->make("-n hw02");
  EXPECT_TRUE(plan.has("-o build/release/hw02/assignment.o")) << plan.output;
  EXPECT_TRUE(plan.has("-o build/debug/hw02/assignment.o")) << plan.output;
  EXPECT_FALSE(plan.has("nvcc")) << plan.output;
  EXPECT_EQ(touch_and_make("common/base/part.h").status, 0);
}

TEST_F(Laziness, OtherFlagsRecompileAndTheSameOnesDoNot) {
  EXPECT_TRUE(tree_->make("-n hw02 CXXFLAGS.debug=-Og").has("-Og"));
  EXPECT_FALSE(tree_->make("-n hw02 CXXFLAGS.debug=-Og").has("-O2 "));
  EXPECT_TRUE(tree_->make("-n hw02").has("Nothing to be done"));
}

TEST_F(Laziness, RemovingASourceOrAHeaderIsNoticed) {
  write_file(tree_->path("common/base/extra.h"), "int extra();\n");
  write_file(tree_->path("common/base/extra.cc"),
             "#include \"common/base/extra.h\"\nint extra() { return 1; }\n");
  EXPECT_EQ(tree_->make("hw02").status, 0);
  run(tree_->path(), "rm common/base/extra.cc common/base/extra.h");
  const Outcome outcome = tree_->make("hw02");
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_TRUE(outcome.has("libcommon.a")) << outcome.output;
  EXPECT_FALSE(run(tree_->path(), "ar t build/release/libcommon.a").has("extra.o"));
}

TEST(Clean, LeavesTheSourcesAndNothingElse) {
  SmallTree tree;
  const std::string listing = "find . -type f -not -path './build/*' | sort";
  run(tree.path(), "make clean");
  const Outcome before = run(tree.path(), listing);
  const Outcome stray = run(tree.path(), "ls -d build hw*/*.ptx hw*/*.cubin hw*/hw??");
  EXPECT_EQ(stray.lines_with("No such file"), 4) << stray.output;
  if (!has_nvcc()) GTEST_SKIP() << "no nvcc";
  EXPECT_EQ(tree.make("hw02/hw02.cubin").status, 0);
  EXPECT_NE(run(tree.path(), listing).output, before.output);
  EXPECT_EQ(tree.make_in("hw02", "clean").output, "");
  EXPECT_EQ(run(tree.path(), listing).output, before.output);
}

TEST(Help, ListsTheGoals) {
  const Outcome outcome = run(top(), "make help");
  EXPECT_EQ(outcome.status, 0);
  for (const char* goal : {"make:", "make test:", "make clean:", "make sass:", "make format:",
                           "make demo:", "make bench:", "make test-gpu:", "ARCH="}) {
    EXPECT_TRUE(outcome.has(goal)) << goal << "\n" << outcome.output;
  }
}

// What could cost students their work, and what is not theirs, is not offered to them.
TEST(Help, InAHomeworkIsForStudents) {
  const Outcome outcome = run(top(), "make -C hw01 --no-print-directory help");
  EXPECT_EQ(outcome.status, 0);
  for (const char* goal : {"make:", "make grade:", "make sass:", "make clean:", "ARCH="})
    EXPECT_TRUE(outcome.has(goal)) << goal << "\n" << outcome.output;
  for (const char* goal : {"starters", "fuzz", "bench", "test", "demo", "format"})
    EXPECT_FALSE(outcome.has(goal)) << goal << "\n" << outcome.output;
}

}  // namespace
}  // namespace lockstep::build_test
