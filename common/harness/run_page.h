// SPDX-License-Identifier: Apache-2.0
// The page of one's own run, ./hwNN --html: what is wrong and how to repeat it, the figures over
// warps a block with the last run's beside them, the source with its costs, the machine code.
#pragma once

#include <vector>

#include "common/harness/history.h"
#include "common/harness/homework.h"
#include "common/harness/report.h"

namespace lockstep {

struct RunPage {
  const HomeworkEnvironment& environment;
  const Assignment& assignment;
  const Options& options;
  Backend& backend;
  const ModuleFiles& module;
  const History& before;  // figures that stand beside those of this run
};

// Options::html, whole or not at all, and a line that says so. Throws Error (kExitCannotRun) where
// the file cannot be written.
void write_run_page(const RunPage& run, const std::vector<Row>& rows);

}  // namespace lockstep
