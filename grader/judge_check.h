// SPDX-License-Identifier: Apache-2.0
// One check of a rubric, for judge.cc.
#pragma once

#include <string>
#include <vector>

#include "grader/judge.h"

namespace lockstep::grader {

// `earlier`: the outcomes of the checks before it, which it may require.
CheckOutcome judge_check(const JudgeInput& input, const CheckRule& check,
                         const std::vector<CheckOutcome>& earlier);

// The first lines of what the harness said of a launch, fit for a terminal, files without folders.
std::string lines_of(const std::string& message, const std::string& file, size_t most);

// The seed of the inputs of the execution that failed.
uint64_t failed_seed(const Record& record);

}  // namespace lockstep::grader
