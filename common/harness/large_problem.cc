// SPDX-License-Identifier: Apache-2.0
// See large_problem.h.
#include "common/harness/large_problem.h"

#include <algorithm>

#include "common/backend/metric_names.h"
#include "common/base/error.h"
#include "common/harness/checker.h"
#include "common/harness/launch_plan.h"

namespace lockstep {

LargeProblem::LargeProblem(Backend& backend, const Assignment& assignment, const Case& c,
                           uint64_t seed)
    : backend_(backend),
      assignment_(assignment),
      key_(assignment.problem_key(c)),
      seed_(seed),
      inputs_(assignment.make_inputs(c, seed)) {
  size_t inputs = 0;
  for (const ArraySpec& spec : assignment.arrays(c)) {
    Array array{spec, backend.allocate({spec.name, spec.bytes()}), 0};
    if (spec.has_input()) {
      array.input = inputs++;
      backend.write(array.buffer, 0, inputs_.at(array.input).data(), spec.bytes());
    }
    arrays_.push_back(std::move(array));
  }
}

// A backend whose kernel failed may refuse; there is nothing left to do about it here.
LargeProblem::~LargeProblem() {
  for (const Array& a : arrays_) {
    try {
      backend_.release(a.buffer);
    } catch (const Error&) {
      continue;
    }
  }
}

bool LargeProblem::serves(const Case& c, uint64_t seed) const {
  return seed == seed_ && assignment_.problem_key(c) == key_;
}

Sequence LargeProblem::launches_of(const Case& c, const LaunchContext& context) const {
  std::vector<BufferId> buffers;
  for (const Array& a : arrays_) buffers.push_back(a.buffer);
  return lockstep::launches_of(backend_, assignment_, c, context, buffers);
}

void LargeProblem::restore() {
  for (const Array& a : arrays_)
    if (!a.spec.has_input())
      backend_.poison(a.buffer, 0, a.spec.bytes(), kPoison[0]);
    else if (a.spec.role == Role::kInOut)
      backend_.write(a.buffer, 0, inputs_.at(a.input).data(), a.spec.bytes());
}

double LargeProblem::written(double share) {
  double elements = 0, all = 0;
  for (const Array& a : arrays_) {
    if (a.spec.has_input()) continue;
    const auto each = static_cast<double>(element_bytes(a.spec.type));
    all += static_cast<double>(a.spec.elements);
    const size_t words = a.spec.bytes() / sizeof(uint32_t);
    words_.resize(std::max(words_.size(), words));
    backend_.read(a.buffer, 0, words_.data(), words * sizeof(uint32_t));
    const auto unchanged = std::count(words_.begin(), words_.begin() + words, kPoison[0]);
    elements += static_cast<double>((words - unchanged) * sizeof(uint32_t)) / each;
  }
  return std::min(elements / share, all);
}

Counts LargeProblem::count_once(const Sequence& launches, const std::vector<std::string>& metrics) {
  restore();
  Counts counts = backend_.count_sequences({launches}, metrics, {PassHooks()}).at(0);
  if (counts.find(metric::kWarpInstructions) == nullptr) counts.values.clear();
  return counts;
}

Counts LargeProblem::count(Sequence launches, const std::vector<std::string>& metrics,
                           bool all_blocks) {
  for (Launch& launch : launches) launch.step_budget = kMostWork;
  Counts counts = count_once(launches, metrics);
  const auto value = [&](const char* name) {
    const Count* count = counts.find(name);
    return count != nullptr ? count->value : 0;
  };
  const double work = value(metric::kWarpInstructions);
  const bool little = work > 0 && work <= static_cast<double>(kLittleWork);
  double share = 1;
  if (value(metric::kUnevenBlocks) > 0 || (all_blocks && little)) {
    for (Launch& launch : launches) {
      launch.drawn_blocks = ~uint32_t{0};
      launch.step_budget = kMostOfAll;
    }
    counts = count_once(launches, metrics);
  } else if (launches.at(0).grid.count() > launches[0].drawn_blocks) {
    share = static_cast<double>(launches[0].drawn_blocks) /
            static_cast<double>(launches[0].grid.count());
  }
  if (!counts.values.empty())
    counts.values[metric::kWrittenElements] = {written(share), Tier::kExact};
  return counts;
}

}  // namespace lockstep
