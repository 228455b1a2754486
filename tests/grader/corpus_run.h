// SPDX-License-Identifier: Apache-2.0
// Grading the whole corpus of a homework, and what must hold of every verdict and report.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "grader/class_run.h"
#include "grader/report.h"
#include "tests/grader/corpus.h"
#include "tests/grader/report_forms.h"
#include "tests/grader/temporary.h"

namespace lockstep::grader {

struct Outcome {
  std::vector<Expectation> expected;
  std::map<std::string, Graded> got;
};

inline bool can_compile() {
  return access("/usr/local/cuda/bin/nvcc", X_OK) == 0 || !find_program("nvcc").empty();
}

inline Outcome grade_corpus(const std::string& homework, const std::string& backend) {
  TemporaryFolder t;
  Outcome outcome;
  outcome.expected = make_corpus(homework, t.path("class"), backend, corpus_part());
  if (outcome.expected.empty()) return outcome;  // a small part has none of some homework
  SessionOptions options;
  options.homework = homework;
  options.backend = backend;
  options.seed = 1120;  // what hangs on the draw hangs on the same one each time
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

inline void expect_verdicts(const Outcome& outcome) {
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

inline bool has_control_characters(const std::string& text) {
  for (unsigned char c : text)
    if ((c < 32 && c != '\n') || c == 127) return true;
  return text.find("\xc2\x9b") != std::string::npos;
}

inline void expect_clean_reports(const Outcome& outcome) {
  for (const auto& [name, graded] : outcome.got) {
    EXPECT_FALSE(has_control_characters(report_text(graded, {}))) << name;
    EXPECT_EQ(forged_lines(graded, report_text(graded, {}), "SMUGGLED"), std::vector<std::string>())
        << name << "\n"
        << report_text(graded, {});
    EXPECT_EQ(report_json(graded)["message"].get<std::string>().find("SMUGGLED"),
              std::string::npos);
    EXPECT_LT(report_text(graded, {}).size(), 100000u) << name;
    std::string json = json_line(report_json(graded));
    EXPECT_EQ(nlohmann::json::parse(json)["submission"], name);
    EXPECT_EQ(report_text(graded, {}).find("root:x:"), std::string::npos) << name;
  }
}

}  // namespace lockstep::grader
