// SPDX-License-Identifier: Apache-2.0
// Launches in which comparisons say the opposite, and what is behind these.
#pragma once

#include <functional>
#include <vector>

#include "common/harness/measure.h"
#include "common/harness/opposed.h"
#include "common/harness/plan_file.h"

namespace lockstep {

// One behind another, each where the ones before it led to a right result. announce: tells of a
// launch that is not in the plan. What cannot be looked at is told as a fault of a launch without
// instructions (PlannedLaunch::opposed).
void run_opposed(std::vector<OpposedLaunch> opposed, const std::vector<PlannedSearch>& searches,
                 const std::function<Job(const FoundElsewhere&)>& announce, Opposing* opposing,
                 Measurement* measurement);

}  // namespace lockstep
