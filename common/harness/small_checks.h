// SPDX-License-Identifier: Apache-2.0
// Checks on small problems, which come before a measurement.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "common/backend/backend.h"
#include "common/harness/assignment.h"
#include "common/harness/command_line.h"
#include "common/harness/measure.h"
#include "common/harness/report.h"

namespace lockstep {

// What a grading tries, too, before anything is measured: sizes that divide by nothing, the least
// there is, and each shape of blocks that is about to be measured, on little work.
std::vector<Job> checks_before(const Assignment& assignment, const Options& options,
                               const std::vector<Job>& jobs);

inline constexpr int64_t kMuchSmaller = 4;  // so many times, at least, is a check before the job

// A check of the job's kernel on a smaller problem, in so many blocks of so many warps where the
// command line gives the shape; none where that is not much smaller, or of a size that the homework
// does not have.
std::optional<Job> check_of(const Assignment& assignment, const Job& job, int64_t vectors,
                            int64_t blocks, int warps);

// On which backends they run.
struct CheckLanes {
  Backend* first = nullptr;                        // with the module loaded, or none
  std::function<std::unique_ptr<Backend>()> open;  // makes another emulator; null: there is none
  int most = 1;                                    // at the same time
};

// Runs them kernel by kernel, several at the same time, and reports what is wrong in their order.
// Where two kernels hang the rest is not tried.
Checked run_checks(const Assignment& assignment, const std::vector<Job>& checks,
                   const CheckLanes& lanes, const MeasureOptions& options, Report* report);

}  // namespace lockstep
