// SPDX-License-Identifier: Apache-2.0
// What can be said of a rubric without executing anything: whether a student could bend what it
// asks for. `grader selfcheck` prints it.
#pragma once

#include <string>
#include <vector>

#include "grader/rubric.h"

namespace lockstep::grader {

// One line for each fault, with the line of the rubric and what to write instead:
// - a check of a metric that useless work improves (MetricInfo::dilutable);
// - counted launches, or the largest ones, that are known beforehand;
// - sizes or shapes that are counted and never only checked: they tell a kernel that it is counted;
// - sizes between the smallest and the largest that no run can draw;
// - checks that on some draws look at no launch;
// - a comparison with a kernel of the submission that no check holds to the solution's value.
std::vector<std::string> rubric_faults(const Rubric& rubric);

}  // namespace lockstep::grader
