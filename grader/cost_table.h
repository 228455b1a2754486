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
  double per_warp = 0;     // of the launch, at most
  double once = 0;         // a launch, at most
  // Of what the solution needs as well, no more than `share` of its own value on that launch (of
  // its mean over warps) is granted where that is less, but these at least. 0: all is granted.
  double share = 0, least_per_warp = 0, least_once = 0;
  // Others wait for it, so it is granted for what is moved: elements of 32 bits that the arrays
  // bring, once, and not each reading of a gather or each multiplication of a product.
  bool waits = false;
  // Of a cost that the solution has on that launch, too: for all elements together no more than
  // this share of its own. 0: all is granted.
  double element_share = 0;
};
// What is granted on one launch, for each element, for each warp and once.
struct Grant {
  double per_element = 0, per_warp = 0, once = 0;
};
// `solution`: its value on that launch, of so many warps and of elements that count here (see
// Cost::waits).
Grant grant_of(const Cost& cost, double solution, double warps, double elements);

const std::vector<Cost>& cost_table();
// By its metric or its ratio; nullptr: neither.
const Cost* find_cost(const std::string& metric);

// The metrics that a check looks at; of kCorrect none.
std::vector<std::string> metrics_of(const CheckRule& check);

}  // namespace lockstep::grader
