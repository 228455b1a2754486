// SPDX-License-Identifier: Apache-2.0
// The corpus on a card: the same verdicts, submission by submission, as on the emulator.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "common/backend/module_files.h"
#include "common/base/error.h"
#include "tests/grader/corpus_run.h"
#include "tests/homeworks.h"

namespace lockstep::grader {
namespace {

class CorpusGpu : public testing::TestWithParam<std::string> {};

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
    const auto told = std::find_if(gpu.expected.begin(), gpu.expected.end(),
                                   [&](const Expectation& e) { return e.name == name; });
    if (told != gpu.expected.end() && told->of_backend) continue;
    bool undecided = other->second.verdict.kind == VerdictKind::kNotMeasured ||
                     graded.verdict.kind == VerdictKind::kNotMeasured;
    if (undecided || name == "hostile-poison_aware") continue;
    EXPECT_EQ(std::string(to_string(graded.verdict.kind)), to_string(other->second.verdict.kind))
        << name << "\n"
        << report_text(graded, {}) << report_text(other->second, {});
  }
}
INSTANTIATE_TEST_SUITE_P(Homeworks, CorpusGpu, testing::ValuesIn(homeworks()));

// Fifty bad kernels, one after the other on one card, and then a good one.
TEST(GpuRecovery, AfterFiftyHangsAndTrapsTheNextGoodSubmissionPasses) {
  if (!can_compile()) GTEST_SKIP() << "no CUDA toolkit";
  TemporaryFolder t;
  make_corpus("hw02", t.path("corpus"), "gpu");
  std::string traps = read_file(t.path("corpus/hostile-traps.cu"));
  std::string hangs = read_file(t.path("corpus/hostile-hangs.cu"));
  for (int i = 0; i < 50; ++i)
    t.write("class/bad-" + std::to_string(100 + i) + ".cu",
            (i % 5 == 0 ? hangs : traps) + "// " + std::to_string(i) + "\n");
  t.write("class/good.cu", read_file(t.path("corpus/honest-as_solution.cu")));
  SessionOptions options;
  options.homework = "hw02";
  options.backend = "gpu";
  options.rubric = "tests/grader/data/two_kernels.toml";
  options.weak_sandbox = std::getenv("LOCKSTEP_WEAK_SANDBOX") != nullptr;
  std::optional<GradingSession> session;
  try {
    session.emplace(options, t.path("work"));
  } catch (const Error& e) {
    GTEST_SKIP() << e.what();
  }
  session->prepare_reference();
  Store store(t.path("results"));
  run_class({t.path("class"), t.path("results"), false, 0}, *session, store, {});
  auto all = store.all_latest("hw02", "gpu");
  ASSERT_EQ(all.size(), 51u);
  for (const Graded& graded : all)
    EXPECT_EQ(std::string(to_string(graded.verdict.kind)),
              graded.submission == "good" ? "pass" : "student_error")
        << graded.submission << ": " << graded.verdict.message;
}

}  // namespace
}  // namespace lockstep::grader
