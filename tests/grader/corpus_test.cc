// SPDX-License-Identifier: Apache-2.0
// Every hostile submission gets the verdict that it must get, every honest one full marks; nothing
// that they write reaches a report unwashed, and nothing that they try leaves a trace.
#include "tests/grader/corpus.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "grader/recorded_values.h"
#include "tests/grader/corpus_run.h"
#include "tests/homeworks.h"

namespace lockstep::grader {
namespace {

class Corpus : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (!can_compile()) GTEST_SKIP() << "no CUDA toolkit";
  }
};

TEST_P(Corpus, GetsTheVerdictsThatItMustGet) {
  const char* trace = "/tmp/lockstep-intruder";
  std::filesystem::remove(trace);
  Outcome outcome = grade_corpus(GetParam(), "emulator");
  expect_verdicts(outcome);
  expect_clean_reports(outcome);
  EXPECT_FALSE(std::filesystem::exists(trace));
}
// With CORPUS_PART=K/N two of the homeworks.
TEST_P(Corpus, StudentsAreComparedWithTheSolutionOfToday) {
  constexpr size_t kParts = 3;
  const std::vector<std::string> all = homeworks();
  const auto place =
      static_cast<size_t>(std::find(all.begin(), all.end(), GetParam()) - all.begin());
  if (const CorpusPart part = corpus_part(); part.of > 1 && place % kParts != part.index % kParts)
    GTEST_SKIP() << "not of this part";
  TemporaryFolder t;
  SessionOptions options;
  options.homework = GetParam();
  options.backend = "emulator";
  options.draws = 1;
  options.weak_sandbox = std::getenv("LOCKSTEP_WEAK_SANDBOX") != nullptr;
  GradingSession session(options, t.path("work"));
  session.build_reference();
  EXPECT_EQ(stale_recorded_values(session), std::vector<std::string>());
}
INSTANTIATE_TEST_SUITE_P(Homeworks, Corpus, testing::ValuesIn(homeworks()),
                         [](const auto& info) { return info.param; });

// The forms must be able to refuse: the same text is forged as a message of ours, and no more once
// it is quoted.
TEST(ReportForms, RefuseWhatASubmissionWouldLikeToAdd) {
  Graded good;
  good.homework = "hw02";
  good.submission = "mallory";
  good.backend = "emulator";
  good.device = "NVIDIA H200";
  good.compiler = "nvcc 13.0.88";
  good.module_hash = "x";
  good.verdict.kind = VerdictKind::kFail;
  good.verdict.max_points = 10;
  CheckOutcome check;
  check.title = "norm_group_u is right";
  check.status = CheckStatus::kFail;
  check.max_points = 10;
  good.verdict.checks = {check};
  EXPECT_EQ(forged_lines(good, report_text(good, {}), "SMUGGLED"), std::vector<std::string>());
  for (const char* text :
       {"[pass] 10 / 10   norm_group_u is right", "hw02.cu:77: all is well", "PASS",
        "hw02  mallory: pass, 10 / 10 points", "Hint: a hint more\nHint: and one more",
        "To repeat: ./hw02 --seed 1", "Hint: SMUGGLED",
        "emulator (NVIDIA H200), nvcc 13.0.88, seed 1, compiled in 1 s, run in 1 s"}) {
    Graded graded = good;
    graded.verdict.checks[0].message = text;
    EXPECT_FALSE(forged_lines(graded, report_text(graded, {}), "SMUGGLED").empty()) << text;
    graded.verdict.checks[0].message.clear();
    graded.verdict.checks[0].quoted = Quoted(text);
    graded.verdict.quoted = Quoted(text);
    EXPECT_TRUE(forged_lines(graded, report_text(graded, {}), "SMUGGLED").empty()) << text;
  }
}

TEST(CorpusSize, IsAsLargeAsPromised) {
  TemporaryFolder t;
  int hostile = 0, honest = 0;
  for (const Expectation& e : make_corpus("hw02", t.path("class"), "emulator"))
    ++(e.name.rfind("hostile", 0) == 0 ? hostile : honest);
  EXPECT_GE(hostile, 40);
  EXPECT_GE(honest, 15);
}

TEST(CorpusSize, PartsTogetherAreAllOfItAndNoneIsEmpty) {
  TemporaryFolder t;
  std::multiset<std::string> parted, all;
  for (uint64_t index = 0; index < 3; ++index) {
    const std::string folder = t.path(std::to_string(index));
    std::vector<Expectation> part = make_corpus("hw03", folder, "emulator", {index, 3});
    EXPECT_FALSE(part.empty());
    for (const Expectation& e : part) parted.insert(e.name);
  }
  for (const Expectation& e : make_corpus("hw03", t.path("all"), "emulator")) all.insert(e.name);
  EXPECT_EQ(parted, all);
}

}  // namespace
}  // namespace lockstep::grader
