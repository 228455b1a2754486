// SPDX-License-Identifier: Apache-2.0
// The lines that a report may have of its own. Every other must begin with kQuoteMark: so whatever
// a submission writes, no line of it is taken for the report's.
#pragma once

#include <string>
#include <vector>

#include "grader/report.h"

namespace lockstep::grader {

// Lines of a report that are neither quoted nor of one of its forms, or that are there more often
// than the verdict has of their kind; and those of our own that hold `canary`.
std::vector<std::string> forged_lines(const Graded& graded, const std::string& report,
                                      const std::string& canary);

}  // namespace lockstep::grader
