// SPDX-License-Identifier: Apache-2.0
// What a plan launches takes a processor milliseconds; `./hwNN` on a card launches a hundred times
// as much, and so does everybody who uses a kernel. Some of that is drawn, executed and held
// against the solution's (large_problem.h). It follows from the searches alone, so that the
// solution can be measured on it before any submission is there.
#pragma once

#include <vector>

#include "common/backend/device_info.h"
#include "common/harness/assignment.h"
#include "common/harness/plan_file.h"

namespace lockstep {

// Of kernels that are searched, up to twice as large as on a card; those that share a problem side
// by side. What launches kernels of one base_name() is one text: its instances share the launches.
// Each that is counted has one at least, and of others each whose text no counted one shares.
std::vector<FoundElsewhere> draw_large(const DeviceInfo& device, const Assignment& assignment,
                                       const std::vector<PlannedSearch>& searches);

}  // namespace lockstep
