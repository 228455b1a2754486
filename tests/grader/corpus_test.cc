// SPDX-License-Identifier: Apache-2.0
// Every hostile submission gets the verdict that it must get, every honest one full marks; nothing
// that they write reaches a report unwashed, and nothing that they try leaves a trace. The Gpu
// tests do the same on a card and compare submission by submission with the emulator.
#include "tests/grader/corpus.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <map>

#include "common/error.h"
#include "grader/class_run.h"
#include "grader/report.h"
#include "tests/grader/temporary.h"

namespace lockstep::grader {
namespace {

struct Outcome {
  std::vector<Expectation> expected;
  std::map<std::string, Graded> got;
};

bool can_compile() {
  return access("/usr/local/cuda/bin/nvcc", X_OK) == 0 || !find_program("nvcc").empty();
}

Outcome grade_corpus(const std::string& homework, const std::string& backend) {
  TemporaryFolder t;
  Outcome outcome;
  outcome.expected = make_corpus(homework, t.path("class"), backend);
  SessionOptions options;
  options.homework = homework;
  options.backend = backend;
  options.weak_sandbox = std::getenv("LOCKSTEP_WEAK_SANDBOX") != nullptr;
  GradingSession session(options, t.path("work"));
  session.prepare_reference();
  Store store(t.path("results"));
  ClassOptions settings{t.path("class"), t.path("results"), false, 0};
  run_class(settings, session, store, {});
  for (Graded& graded : store.all_latest(homework, backend))
    outcome.got.emplace(graded.submission, graded);
  return outcome;
}

void expect_verdicts(const Outcome& outcome) {
  EXPECT_EQ(outcome.got.size(), outcome.expected.size());
  for (const Expectation& e : outcome.expected) {
    auto found = outcome.got.find(e.name);
    if (found == outcome.got.end()) {
      ADD_FAILURE() << e.name << ": was not graded";
      continue;
    }
    EXPECT_EQ(compare(e, found->second), "");
  }
}

bool has_control_characters(const std::string& text) {
  for (unsigned char c : text)
    if ((c < 32 && c != '\n') || c == 127) return true;
  return text.find("\xc2\x9b") != std::string::npos;
}

void expect_clean_reports(const Outcome& outcome) {
  for (const auto& [name, graded] : outcome.got) {
    EXPECT_FALSE(has_control_characters(report_text(graded, {}))) << name;
    EXPECT_LT(report_text(graded, {}).size(), 100000u) << name;
    std::string json = json_line(report_json(graded));
    EXPECT_EQ(nlohmann::json::parse(json)["submission"], name);
    EXPECT_EQ(report_text(graded, {}).find("root:x:"), std::string::npos) << name;
  }
}

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

class CorpusGpu : public testing::TestWithParam<const char*> {};

TEST_P(CorpusGpu, GetsTheSameVerdictsOnACard) {
  if (!can_compile()) GTEST_SKIP() << "no CUDA toolkit";
  Outcome gpu;
  try {
    gpu = grade_corpus(GetParam(), "gpu");
  } catch (const Error& e) {
    if (std::string(e.what()).find("no GPU") == std::string::npos) throw;
    GTEST_SKIP() << e.what();
  }
  expect_verdicts(gpu);
  expect_clean_reports(gpu);
  Outcome emulated = grade_corpus(GetParam(), "emulator");
  for (const auto& [name, graded] : gpu.got) {
    auto other = emulated.got.find(name);
    ASSERT_NE(other, emulated.got.end()) << name;
    // What only one of the two can decide is told by the submission's own expectations.
    bool undecided = other->second.verdict.kind == VerdictKind::kNotMeasured ||
                     graded.verdict.kind == VerdictKind::kNotMeasured;
    if (undecided || name == "hostile-poison_aware") continue;
    EXPECT_EQ(std::string(to_string(graded.verdict.kind)), to_string(other->second.verdict.kind))
        << name << "\n"
        << report_text(graded, {}) << report_text(other->second, {});
  }
}
INSTANTIATE_TEST_SUITE_P(Homeworks, CorpusGpu, testing::Values("hw01", "hw02"));

}  // namespace
}  // namespace lockstep::grader
