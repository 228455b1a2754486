// SPDX-License-Identifier: Apache-2.0
// grader new: what it writes builds, runs, and is fit to be given out, for every template and type;
// and it writes over nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
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
  // In a tree of its own: written, built, run, recorded; its samples have the points that they must
  // have.
  static void expect_fit(const std::string& options, bool samples) {
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
    outcome = tree.in("grader/grader selfcheck hw98 --record --backend emulator");
    EXPECT_EQ(outcome.status, 0) << outcome.output;
    if (samples) {
      outcome = tree.in("grader/grader selfcheck hw98 --backend emulator --draws 1");
      EXPECT_EQ(outcome.status, 0) << outcome.output;
    }
    outcome = tree.in("grader/grader check hw98 hw98/hw98.cu --backend emulator");
    EXPECT_TRUE(outcome.has("40 / 100")) << outcome.output;
  }
};

// With CORPUS_PART=K/N, as `make test` has it, one of the three that make a homework.
bool has_its_turn(int which) {
  const char* part = std::getenv("CORPUS_PART");
  return part == nullptr || std::atoi(part) % 3 == which;
}
constexpr char kLater[] = "another commit's turn; without CORPUS_PART all have it";

// Its samples: below.
TEST_F(NewHomework, OfElementsIsFitToBeGivenOut) {
  if (!has_its_turn(0)) GTEST_SKIP() << kLater;
  expect_fit("--title 'Side by side' --kernel triple --element int", false);
}
TEST_F(NewHomework, OfTilesIsFitToBeGivenOut) {
  if (!has_its_turn(1)) GTEST_SKIP() << kLater;
  expect_fit("--kind tiles --kernel transpose --element double", true);
}

std::string trimmed(const std::string& text) {
  const size_t begin = text.find_first_not_of(' '), end = text.find_last_not_of(' ');
  return begin == text.npos ? "" : text.substr(begin, end - begin + 1);
}

// docs/adding-a-homework.md, word for word: commands behind "$" succeed, the lines below them are
// in what they print, and all other lines of its blocks (but "...", and up to a comment that is set
// off) in the homework's files.
TEST_F(NewHomework, IsMadeAsThePageSays) {
  if (!has_its_turn(2)) GTEST_SKIP() << kLater;
  const WholeTree tree;
  ASSERT_EQ(tree.in("rm -rf hw07 solutions/hw07 tests/*/hw07").status, 0);  // an author's own
  std::string printed;
  bool command = false;
  int commands = 0, lines = 0;
  std::istringstream page(read_file("docs/adding-a-homework.md"));
  for (std::string line; std::getline(page, line);) {
    std::string text = trimmed(line);
    if (line.rfind("    ", 0) != 0) {
      command = false;
    } else if (text.rfind("$ ", 0) == 0) {
      command = true, ++commands;
      text = text.substr(2);
      // Without what is for debuggers, which takes minutes; before there is a homework, all is
      // made.
      if (text == "make")
        text = std::filesystem::exists(tree.path("hw07"))
                   ? "make hw07/hw07 hw07/hw07.cubin solutions/hw07/hw07-sol.cubin"
                   : "true";
      const Outcome outcome = tree.in(text);
      ASSERT_EQ(outcome.status, 0) << text << "\n" << outcome.output;
      printed = outcome.output;
    } else if (text != "...") {
      ++lines;
      if (command) {
        EXPECT_NE(printed.find(text), printed.npos) << text << "\nis not in\n" << printed;
        continue;
      }
      text = trimmed(text.substr(0, std::min(text.find("  //"), text.find("  #"))));
      const Outcome found = tree.in("grep -qF -e '" + text +
                                    "' -- hw07/*.cc hw07/*.toml hw07/*.cu solutions/hw07/*.cu "
                                    "tests/*/hw07/*.cu");
      EXPECT_EQ(found.status, 0) << "in no file: " << text;
    }
  }
  EXPECT_GE(commands, 10);
  EXPECT_GE(lines, 30);
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
