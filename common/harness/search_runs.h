// SPDX-License-Identifier: Apache-2.0
// What is launched behind a plan's launches, where the plan has searches: what a kernel does
// elsewhere, and comparisons that say the opposite.
#pragma once

#include <functional>

#include "common/backend/backend.h"
#include "common/harness/assignment.h"
#include "common/harness/measure.h"
#include "common/harness/plan_file.h"

namespace lockstep {

struct SearchRuns {
  Backend& backend;
  const Assignment& assignment;
  const Plan& plan;
  std::function<Job(const PlannedLaunch&)> job_of;
  std::function<void(const FoundElsewhere&)> announce;  // a launch that is not in the plan
};

// After the plan's launches. What cannot be looked at is told as a fault of a launch that is
// announced, too (elsewhere.h; PlannedLaunch::opposed without instructions).
void run_searches(const SearchRuns& runs, Measurement* measurement);

}  // namespace lockstep
