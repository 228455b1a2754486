// SPDX-License-Identifier: Apache-2.0
// What a sitting grades by: a few secret draws, each a seed from which all sizes, shapes and
// inputs follow, and the solution measured on each. Which of them a submission gets follows from
// a keyed hash of its content: grading the same file again is no second chance. Students, who have
// no solution, get public draws with values that were recorded of it (hwNN/recorded.json).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/harness/record.h"
#include "grader/plan.h"
#include "grader/rubric.h"

namespace lockstep::grader {

// The solution on one draw.
struct Reference {
  uint64_t seed = 0;
  bool known = false;  // it was executed on this kind of device; else there is nothing to compare
  std::vector<GradedLaunch> plan;  // plan_solution(rubric, seed), then what is launched besides
  std::vector<Record> records;     // in the plan's order; of recorded ones: kernel and figures only
};

// Seeds that nobody knows beforehand.
std::vector<uint64_t> secret_seeds(size_t count);
std::string secret_key();
// Which of `count` draws a file gets; `key` may be empty for public draws.
size_t draw_of(const std::string& key, const std::string& content_hash, size_t count);

// The recorded file: {"draws": [{"backend", "arch", "seed", "launches": [{"run", "kernel",
// "vectors", "blocks", "warps", "values": {metric: value}}]}]}. Gives the draws of this backend and
// architecture; those that do not fit the rubric's runs any more are left out. Throws Error where
// the text is no such file.
std::vector<Reference> read_recorded(const std::string& text, const std::string& path,
                                     const Rubric& rubric, const std::string& backend,
                                     const std::string& arch);
// The text with the draws of this backend and architecture replaced. Values are those of every
// metric that a check of the rubric names.
std::string write_recorded(const std::string& text, const std::string& path, const Rubric& rubric,
                           const std::string& backend, const std::string& arch,
                           const std::vector<Reference>& references);

}  // namespace lockstep::grader
