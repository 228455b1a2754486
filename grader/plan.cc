// SPDX-License-Identifier: Apache-2.0
// Expansion of a rubric's runs. See plan.h.
#include "grader/plan.h"

#include <sys/random.h>

#include <algorithm>
#include <set>

#include "common/error.h"

namespace lockstep::grader {
namespace {

// Numbers from one seed: the i-th is seed_of_pass(seed, i).
class Draw {
 public:
  explicit Draw(uint64_t seed) : seed_(seed) {}
  uint64_t next() { return seed_of_pass(seed_, ++count_); }
  int64_t between(int64_t from, int64_t to) {
    return from + static_cast<int64_t>(next() % static_cast<uint64_t>(to - from + 1));
  }

 private:
  uint64_t seed_, count_ = 0;
};

void add_run(const RunRule& run, Draw* draw, std::vector<GradedLaunch>* plan) {
  std::vector<int64_t> sizes = run.vectors;
  for (int i = 0; i < run.random_count; ++i)
    sizes.push_back(draw->between(run.random_from, run.random_to));
  for (int input = 0; input < run.inputs; ++input)
    for (int64_t vectors : sizes) {
      // Kernels of one size share a seed, so that the harness makes inputs and reference once.
      uint64_t seed = draw->next();
      for (const std::string& kernel : run.kernels)
        for (int64_t blocks : run.blocks)
          for (int warps : run.warps)
            plan->push_back({run.id, {kernel, vectors, blocks, warps, seed, run.counters}});
    }
}

}  // namespace

std::vector<GradedLaunch> plan_submission(const Rubric& rubric, uint64_t seed) {
  Draw draw(seed);
  std::vector<GradedLaunch> plan;
  for (bool counted : {false, true})
    for (const RunRule& run : rubric.runs)
      if (run.counters == counted) add_run(run, &draw, &plan);
  return plan;
}

std::vector<GradedLaunch> plan_solution(const Rubric& rubric, uint64_t seed) {
  std::set<std::string> wanted;
  for (const CheckRule& check : rubric.checks)
    if (check.relative_to == RelativeTo::kSolution)
      wanted.insert(check.runs.begin(), check.runs.end());
  Draw draw(seed);
  std::vector<GradedLaunch> plan;
  for (const RunRule& run : rubric.runs)
    if (wanted.count(run.id) > 0) add_run(run, &draw, &plan);
  return plan;
}

uint64_t secret_seed() {
  uint64_t seed = 0;
  if (getrandom(&seed, sizeof seed, 0) != static_cast<ssize_t>(sizeof seed))
    throw Error("the system gives no random numbers", kExitCannotRun);
  return seed >> 11;  // 53 bits, which every reader of JSON keeps
}

}  // namespace lockstep::grader
