// SPDX-License-Identifier: Apache-2.0
// Checks on small problems, which come before a measurement.
#pragma once

#include <vector>

#include "common/harness/assignment.h"
#include "common/harness/command_line.h"
#include "common/harness/measure.h"

namespace lockstep {

// What a grading tries, too, before anything is measured: sizes that divide by nothing, the least
// there is, and each shape of blocks that is about to be measured, on little work.
std::vector<Job> checks_before(const Assignment& assignment, const Options& options,
                               const std::vector<Job>& jobs);

}  // namespace lockstep
