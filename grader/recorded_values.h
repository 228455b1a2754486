// SPDX-License-Identifier: Apache-2.0
// hwNN/recorded.json, the values that students are compared with where the solution is not at hand:
// made, and held against the solution of today.
#pragma once

#include <string>
#include <vector>

#include "grader/session.h"

namespace lockstep::grader {

struct Finding {
  bool good;
  std::string text;
};

// One for each recorded draw of this backend and architecture, with a value that the solution does
// not have today.
std::vector<Finding> recorded_values(GradingSession& session);
// The texts of those that are not good.
std::vector<std::string> stale_recorded_values(GradingSession& session);
// Writes the solution's values on draws that become public, and prints that it did. Throws Error.
void record_values(GradingSession& session);

}  // namespace lockstep::grader
