// SPDX-License-Identifier: Apache-2.0
// From a rubric and a secret seed to the launches that are made of one submission.
// The same seed gives the same launches: it is printed with the verdict, for replay.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/plan_file.h"
#include "grader/rubric.h"

namespace lockstep::grader {

struct GradedLaunch {
  std::string run;  // RunRule::id
  PlannedLaunch launch;
};

// All launches of all runs, in order; the counted runs last, so that what only has to be correct
// is known first.
std::vector<GradedLaunch> plan_submission(const Rubric& rubric, uint64_t seed);
// Those of the solution that some check compares with.
std::vector<GradedLaunch> plan_solution(const Rubric& rubric, uint64_t seed);

// From the kernel's generator of secrets.
uint64_t secret_seed();

}  // namespace lockstep::grader
