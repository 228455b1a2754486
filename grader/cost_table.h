// SPDX-License-Identifier: Apache-2.0
// All that a launch can cost besides instructions, and what a check of kind "costs" grants of each
// beyond the solution's: who works otherwise may use what the solution does without.
#pragma once

#include <string>
#include <vector>

#include "grader/rubric.h"

namespace lockstep::grader {

struct Cost {
  std::string metric;
  std::string ratio;       // the metric that is the same over the elements or bytes; may be empty
  double per_element = 0;  // of the problem
  double per_warp = 0;     // of the launch
  double once = 0;         // a launch
};
const std::vector<Cost>& cost_table();
// By its metric or its ratio; nullptr: neither.
const Cost* find_cost(const std::string& metric);

// The metrics that a check looks at; of kCorrect none.
std::vector<std::string> metrics_of(const CheckRule& check);

}  // namespace lockstep::grader
