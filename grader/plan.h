// SPDX-License-Identifier: Apache-2.0
// From a rubric and a draw's seed to the launches that are made of one submission: which kernels
// on which sizes and inputs, with which shapes. The same seed gives the same launches: it is
// printed with the verdict, for replay.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "common/harness/plan_file.h"
#include "grader/rubric.h"

namespace lockstep::grader {

struct GradedLaunch {
  std::string run;  // RunRule::id
  PlannedLaunch launch;
};

// All launches of all runs, in order; the counted runs last, so that what only has to be correct
// is known first.
std::vector<GradedLaunch> plan_submission(const Rubric& rubric, uint64_t seed);
// Where, behind these, it is looked for launches in which a kernel does something else
// (common/harness/elsewhere.h): in what each counted run draws from, with any of its kernels, and,
// for launches that are only checked, in all between a kernel's smallest sizes and shapes and its
// largest.
std::vector<PlannedSearch> plan_searches(const Rubric& rubric, uint64_t seed);
// The kernels of all these launches, those that checks compare them with, and the given ones.
std::set<std::string> launched_kernels(const Rubric& rubric);
// Those that some check of a metric looks at, and the kernels that it compares them with: the
// solution is measured on these.
std::vector<GradedLaunch> plan_solution(const Rubric& rubric, uint64_t seed);
// The same of launches that are made of a submission besides.
std::vector<GradedLaunch> plan_solution_of(const Rubric& rubric,
                                           const std::vector<GradedLaunch>& launches);
bool looks_at(const Rubric& rubric, const CheckRule& check, const GradedLaunch& launch);
// The same kernel on the same problem with the same shape in the same run; with another kernel's
// name in place of the launch's own.
bool same_problem(const GradedLaunch& a, const GradedLaunch& b, const std::string& kernel_of_b);

}  // namespace lockstep::grader
