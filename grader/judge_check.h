// SPDX-License-Identifier: Apache-2.0
// One check of a rubric, for judge.cc.
#pragma once

#include <string>
#include <vector>

#include "grader/judge.h"

namespace lockstep::grader {

class Bench;

// `earlier`: the outcomes of the checks before it, which it may require.
CheckOutcome judge_check(const Bench& bench, const CheckRule& check,
                         const std::vector<CheckOutcome>& earlier);

// The first lines of what the harness said of a launch, files without folders.
std::string lines_of(const std::string& message, const std::string& file, size_t most);
// What the runner said of it, files without folders.
Quoted quoted_of(const Record& record, const std::string& file);

}  // namespace lockstep::grader
