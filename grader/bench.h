// SPDX-License-Identifier: Apache-2.0
// The launches of a grading as the checks of a rubric look at them: what became of each, the
// solution's record of the same, and the words for what went wrong.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/judge.h"

namespace lockstep::grader {

class Bench {
 public:
  // Launches with drawn blocks are there where they tell something.
  // with_opposed: with the launches in which a comparison said the opposite
  // (PlannedLaunch::opposed), where these were right.
  explicit Bench(const JudgeInput& input, bool with_opposed = false);

  const JudgeInput& in() const { return in_; }
  bool with_opposed() const { return with_opposed_; }
  // Of a launch as large as a card's (PlannedLaunch::drawn): whether it is looked at, and by how
  // much limits that are made for smaller ones may be missed in it.
  bool tells(size_t i) const { return more_of_large(i) > 0; }
  double more_of_large(size_t i) const;
  static bool is_fault(const Record& record, const char* kind);
  // nullptr: an earlier launch ended everything.
  const Record* record(size_t i) const;
  // Index of the first launch of a kernel, in any run, that was not right.
  std::optional<size_t> first_bad(const std::string& kernel) const;
  std::optional<size_t> first_unsupported(const std::string& kernel) const;
  const std::vector<std::string>& kernels_of(const CheckRule& check) const;
  std::vector<size_t> launches_of(const CheckRule& check, const std::string& kernel) const;
  // The solution's record of launch i, or of another kernel on the same problem; may be null.
  const Record* of_solution(size_t i, const std::string& kernel) const;
  // Whether the solution was measured here: then this device can decide what it decides of it.
  bool decides() const { return in_.reference.known; }

 private:
  const JudgeInput& in_;
  const bool with_opposed_;
  std::map<std::string, size_t> first_bad_, unsupported_;
  std::map<std::string, std::vector<size_t>> launches_;      // by kernel
  std::map<std::string, std::vector<std::string>> kernels_;  // by the check's id
};

// What went wrong in launch `i`, for the student.
void describe_bad(const Bench& bench, size_t i, CheckOutcome* out);
// A check that could not be decided: the submission's doing where it is decided of the solution.
void set_undecided(const Bench& bench, CheckOutcome* out);

// A check of kind metric or costs: the worst launch decides.
void judge_metric(const Bench& bench, const CheckRule& check, CheckOutcome* out);
void judge_costs(const Bench& bench, const CheckRule& check, CheckOutcome* out);

}  // namespace lockstep::grader
