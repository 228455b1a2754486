// SPDX-License-Identifier: Apache-2.0
// Every hostile submission gets the verdict that it must get, every honest one full marks; nothing
// that they write reaches a report unwashed, and nothing that they try leaves a trace.
#include "tests/grader/corpus.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/grader/corpus_run.h"

namespace lockstep::grader {
namespace {

class Corpus : public testing::TestWithParam<const char*> {
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
INSTANTIATE_TEST_SUITE_P(Homeworks, Corpus, testing::Values("hw01", "hw02"));

TEST(CorpusSize, IsAsLargeAsPromised) {
  TemporaryFolder t;
  int hostile = 0, honest = 0;
  for (const Expectation& e : make_corpus("hw02", t.path("class"), "emulator"))
    ++(e.name.rfind("hostile", 0) == 0 ? hostile : honest);
  EXPECT_GE(hostile, 40);
  EXPECT_GE(honest, 15);
}

}  // namespace
}  // namespace lockstep::grader
