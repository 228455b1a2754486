// SPDX-License-Identifier: Apache-2.0
// What a plan launches takes a processor milliseconds; `./hwNN` on a card launches a hundred times
// as much, and so does everybody who uses a kernel. Some of that is drawn, executed and held against
// the solution's (large_problem.h).
#pragma once

#include <set>
#include <string>
#include <vector>

#include "common/backend/device_info.h"
#include "common/harness/assignment.h"
#include "common/harness/plan_file.h"

namespace lockstep {

// Of counted kernels that are larger on a card than their searches' sizes; those that share a
// problem side by side. passed_over: kernels of cases that are left out.
std::vector<FoundElsewhere> draw_large(const DeviceInfo& device, const Assignment& assignment,
                                       const std::vector<PlannedSearch>& searches,
                                       const std::set<std::string>& passed_over);

}  // namespace lockstep
