// SPDX-License-Identifier: Apache-2.0
// What can be said of a rubric without executing anything: whether a student could bend what it
// asks for. `grader selfcheck` prints it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "grader/rubric.h"

namespace lockstep::grader {

// One line for each fault, with the line of the rubric and what to write instead:
// - a check of a metric that useless work improves (MetricInfo::dilutable);
// - counted launches, or the largest ones, that are known beforehand;
// - sizes or shapes that are counted and never only checked: they tell a kernel that it is counted;
// - sizes between the smallest and the largest that no run can draw;
// - kernels with points whose instructions or other costs are not counted on all sizes from a
//   sixteenth of the largest that is drawn up to that;
// - kernels with points that no run launches as large as the homework itself does by default;
// - checks with points that do not look at the run that counts sizes of the homework's own table;
// - checks that on some draws look at no launch;
// - a comparison with a kernel of the submission that no check holds to the solution's value.
// `default_sizes`: by kernel, in the problem's unit; those that are not in it may have any.
using SizeOfKernel = std::map<std::string, int64_t>;
std::vector<std::string> rubric_faults(const Rubric& rubric,
                                       const SizeOfKernel& default_sizes = {});

}  // namespace lockstep::grader
