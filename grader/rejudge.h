// SPDX-License-Identifier: Apache-2.0
// Gradings judged anew by another rubric from what is stored of them, where it asks for nothing
// that was not executed. The judge is the one that judges what was just executed (judge.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/configuration.h"
#include "grader/store.h"

namespace lockstep::grader {

// By what is judged, and what a grader here would execute submissions with.
struct RejudgeTerms {
  const Rubric& rubric;  // with its columns
  const Toolchain& tools;
  std::string backend;  // of the gradings
  std::string cage;     // Sandbox::weakness() there
};

struct Rejudged {
  Graded before;
  // What it is now; not in the store yet. Nothing: it must be executed, or is judged by this rubric
  // already, where `why` is empty.
  std::optional<Graded> now;
  std::string why;
};

// The last grading of every submission of the rubric's homework on the backend, by name as shown,
// on `jobs` threads. Throws Error where the store is damaged.
std::vector<Rejudged> rejudge(Store& store, const RejudgeTerms& terms, int jobs);

}  // namespace lockstep::grader
