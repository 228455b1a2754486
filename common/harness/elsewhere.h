// SPDX-License-Identifier: Apache-2.0
// A plan has few launches, and what a kernel does may hang on its size and shape. So it is looked
// for launches in which it comes to machine code that no counted launch came to: many are drawn,
// and some blocks of each are tried, which is not checked and costs little. The drawn numbers are
// those of the ranges, and, as often, those that stand in the kernel's code, whole SMs and the
// program's own sizes, with their neighbours. Some of what the program launches by itself is found
// in any case.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/backend/backend.h"
#include "common/base/error.h"
#include "common/harness/assignment.h"
#include "common/harness/opposed.h"
#include "common/harness/plan_file.h"

namespace lockstep {

// The least launch that it draws from.
FoundElsewhere first_of(const PlannedSearch& search);
// That the kernel's comparisons cannot be looked at (PlannedLaunch::opposed).
FoundElsewhere not_opposed(const PlannedSearch& search);

struct Elsewhere {
  std::vector<FoundElsewhere> found;
  std::vector<OpposedLaunch> opposed;
  // Where it could not be looked, a launch to tell it of: a kernel that does not let itself be
  // looked at is not right.
  std::vector<std::pair<FoundElsewhere, KernelFault>> failed;
};

// After the launches of the plan, with the module loaded. passed_over: kernels of cases in which it
// is not looked. opposing: asked after launches that are counted were tried, and before those that
// are not: what decides in these alone is not seen. Nothing is found on a GPU. Throws nothing that
// hangs on the submission.
Elsewhere look_elsewhere(Backend& backend, const Assignment& assignment,
                         const std::vector<PlannedSearch>& searches,
                         const std::set<std::string>& passed_over, Opposing* opposing);

}  // namespace lockstep
