// SPDX-License-Identifier: Apache-2.0
// The problems used last. See problem_cache.h.
#include "common/harness/problem_cache.h"

#include <algorithm>

namespace lockstep {

const std::vector<Assignment::Expected>& Problem::expected() const {
  std::call_once(once_, [this] { expected_ = assignment_.reference(case_, inputs); });
  return expected_;
}

std::shared_ptr<const Problem> ProblemCache::get(const Assignment& assignment, const Case& c,
                                                 uint64_t seed) {
  const std::string key = assignment.problem_key(c);
  auto found = std::find_if(entries_.begin(), entries_.end(),
                            [&](const Entry& e) { return e.seed == seed && e.key == key; });
  if (found == entries_.end()) {
    if (entries_.size() == kKept) entries_.pop_back();  // before the next takes its memory
    std::shared_ptr<const Problem> problem = take_ahead(key, seed);
    if (!problem) problem = std::make_shared<Problem>(assignment, c, seed);
    entries_.push_front({key, seed, std::move(problem)});
  } else {
    entries_.splice(entries_.begin(), entries_, found);
  }
  return entries_.front().problem;
}

void ProblemCache::expect(const Assignment& assignment, const std::vector<Wanted>& in_order) {
  of_ahead_ = &assignment;
  ahead_.clear();
  std::list<std::pair<std::string, uint64_t>> kept;  // as entries_ will be
  for (const Wanted& wanted : in_order) {
    const std::pair one(assignment.problem_key(wanted.c), wanted.seed);
    const auto again = std::find(kept.begin(), kept.end(), one);
    if (again != kept.end()) {
      kept.splice(kept.begin(), kept, again);
      continue;
    }
    if (kept.size() == kKept) kept.pop_back();
    kept.push_front(one);
    ahead_.push_back({one.first, wanted, {}});
  }
  make_ahead();
}

// Those that come before it in the order are not asked for any more.
std::shared_ptr<const Problem> ProblemCache::take_ahead(const std::string& key, uint64_t seed) {
  const auto found = std::find_if(ahead_.begin(), ahead_.end(), [&](const Ahead& a) {
    return a.wanted.seed == seed && a.key == key;
  });
  if (found == ahead_.end()) return nullptr;
  std::future<std::shared_ptr<const Problem>> made = std::move(found->made);
  ahead_.erase(ahead_.begin(), found + 1);
  make_ahead();
  return made.valid() ? made.get() : nullptr;
}

void ProblemCache::make_ahead() {
  for (size_t i = 0; i < std::min(kAhead, ahead_.size()); ++i) {
    Ahead& a = ahead_[i];
    if (a.made.valid()) continue;
    a.made = std::async(std::launch::async, [assignment = of_ahead_, wanted = a.wanted] {
      auto problem = std::make_shared<const Problem>(*assignment, wanted.c, wanted.seed);
      problem->expected();
      return problem;
    });
  }
}

}  // namespace lockstep
