// SPDX-License-Identifier: Apache-2.0
// grader check --format: the verdict on one submission as the platform reads it in whose container
// it was graded. docs/platforms/README.md has the rules.
#pragma once

#include "grader/commands.h"
#include "grader/store.h"

namespace lockstep::grader {

// Before anything is graded: throws Error where options do not fit each other, or files cannot be
// read. Sets the view, where none is asked for: without hidden checks where the student sees all.
// Returns when the submission was handed in, as far as the options tell.
Submitted prepare_platform_check(CommandOptions* options);

// Writes options.out. kExitGood where the platform has a result, good or bad; kExitCannotRun where
// there is no grade and the platform knows no way to say so but by this code: then no file is left.
int write_platform_result(const CommandOptions& options, const Rubric& rubric,
                          const Graded& graded);

}  // namespace lockstep::grader
