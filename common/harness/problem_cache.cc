// SPDX-License-Identifier: Apache-2.0
// The problems used last. See problem_cache.h.
#include "common/harness/problem_cache.h"

#include <algorithm>

namespace lockstep {

std::shared_ptr<const Problem> make_problem(const Assignment& assignment, const Case& c,
                                            uint64_t seed) {
  auto problem = std::make_shared<Problem>();
  problem->inputs = assignment.make_inputs(c, seed);
  problem->expected = assignment.reference(c, problem->inputs);
  return problem;
}

std::shared_ptr<const Problem> ProblemCache::get(const Assignment& assignment, const Case& c,
                                                 uint64_t seed) {
  const std::string key = assignment.problem_key(c);
  auto found = std::find_if(entries_.begin(), entries_.end(),
                            [&](const Entry& e) { return e.seed == seed && e.key == key; });
  if (found == entries_.end()) {
    if (entries_.size() == kKept) entries_.pop_back();  // before the next takes its memory
    entries_.push_front({key, seed, make_problem(assignment, c, seed)});
  } else {
    entries_.splice(entries_.begin(), entries_, found);
  }
  return entries_.front().problem;
}

}  // namespace lockstep
