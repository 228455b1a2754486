// SPDX-License-Identifier: Apache-2.0
// Which lines of a student's file make a metric too high, and how they compare with the budget.
#pragma once

#include <string>
#include <vector>

#include "common/harness/record.h"
#include "grader/judge.h"

namespace lockstep::grader {

// At most three lines "hw02.cu:77: 61440 of 196608 warp instructions (31 %)" with the line's text,
// then one with the budget; empty where the backend counted nothing by line, or the metric is
// made of nothing that lines can be charged with. `limit` is the highest value that would pass.
std::vector<CostLine> costly_lines(const Record& record, const std::string& metric, double value,
                                   double limit, const std::string& file,
                                   const std::string& source);

// The count that a metric is mostly made of; empty: it is one itself, or made of none.
std::string raw_count_of(const std::string& metric);

}  // namespace lockstep::grader
