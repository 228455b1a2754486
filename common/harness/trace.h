// SPDX-License-Identifier: Apache-2.0
// --trace LINE: what the variables of a line of the student's file held, as the emulator executes
// the module that make builds with -G.
#pragma once

#include "common/harness/homework.h"

namespace lockstep {

// Returns an exit code. Throws Error where there is nothing to execute: no module, no code in the
// line, no such thread.
int run_trace(const Options& options, const Assignment& assignment,
              const HomeworkEnvironment& environment);

}  // namespace lockstep
