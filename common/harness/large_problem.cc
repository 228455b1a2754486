// SPDX-License-Identifier: Apache-2.0
// See large_problem.h.
#include "common/harness/large_problem.h"

#include <algorithm>
#include <atomic>

#include "common/backend/metric_names.h"
#include "common/base/error.h"
#include "common/base/parallel.h"
#include "common/harness/checker.h"
#include "common/harness/launch_plan.h"

namespace lockstep {
namespace {

constexpr uint32_t kPoisoned = kPoison[0];

bool is_poison(const HostArray& got, size_t i) {
  const size_t bytes = element_bytes(got.type());
  const auto* from = static_cast<const uint8_t*>(got.data()) + i * bytes;
  const auto* poison = reinterpret_cast<const uint8_t*>(&kPoisoned);
  for (size_t b = 0; b < bytes; ++b)
    if (from[b] != poison[(i * bytes + b) % sizeof kPoisoned]) return false;
  return true;
}

double value_of(const Counts& counts, const char* name) {
  const Count* count = counts.find(name);
  return count != nullptr ? count->value : 0;
}

}  // namespace

LargeProblem::LargeProblem(Backend& backend, const Assignment& assignment, const Case& c,
                           uint64_t seed, std::shared_ptr<const Problem> made)
    : backend_(backend), assignment_(assignment), case_(c), seed_(seed), problem_(std::move(made)) {
  size_t inputs = 0, outputs = 0;
  for (const ArraySpec& spec : assignment.arrays(c)) {
    Array array;
    array.spec = spec;
    BufferSpec wanted{spec.name, spec.bytes()};
    wanted.read_only = spec.role == Role::kInput;
    array.buffer = backend.allocate(wanted);
    if (spec.is_checked()) array.output = outputs++;
    if (!spec.has_input() || spec.is_checked()) array.got = HostArray(spec.type, spec.elements);
    if (spec.has_input()) {
      array.input = inputs++;
      backend.write(array.buffer, 0, problem_->inputs.at(array.input).data(), spec.bytes());
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
  return seed == seed_ && assignment_.problem_key(c) == assignment_.problem_key(case_);
}

Sequence LargeProblem::launches_of(const Case& c, const LaunchContext& context) const {
  std::vector<BufferId> buffers;
  for (const Array& a : arrays_) buffers.push_back(a.buffer);
  return lockstep::launches_of(backend_, assignment_, c, context, buffers);
}

void LargeProblem::restore() {
  for (const Array& a : arrays_)
    if (!a.spec.has_input())
      backend_.poison(a.buffer, 0, a.spec.bytes(), kPoisoned);
    else if (a.spec.role == Role::kInOut)
      backend_.write(a.buffer, 0, problem_->inputs.at(a.input).data(), a.spec.bytes());
}

LargeProblem::Seen LargeProblem::look() {
  std::atomic<int64_t> written = 0;
  std::atomic<bool> wrong = false;
  for (Array& a : arrays_) {
    if (a.spec.has_input()) continue;
    backend_.read(a.buffer, 0, a.got.data(), a.spec.bytes());
    const Assignment::Expected* expected = a.spec.is_checked() && !problem_->expected.empty()
                                               ? &problem_->expected.at(a.output)
                                               : nullptr;
    parallel_chunks(static_cast<int64_t>(a.spec.elements), 16, [&](int64_t begin, int64_t end) {
      int64_t here = 0;
      for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
        if (is_poison(a.got, i)) continue;
        ++here;
        if (expected != nullptr && !is_right_at(*expected, a.got, i)) wrong = true;
      }
      written += here;
    });
  }
  return {static_cast<double>(written), wrong};
}

// All blocks were executed.
CheckResult LargeProblem::check_all() {
  CheckResult right;
  right.status = "correct";
  if (problem_->expected.empty()) return right;
  std::vector<CheckedArray> checked;
  for (Array& a : arrays_) {
    if (!a.spec.is_checked()) continue;
    backend_.read(a.buffer, 0, a.got.data(), a.spec.bytes());
    checked.push_back(checked_array(assignment_, case_, a.spec, problem_->expected.at(a.output),
                                    a.got, kPoisoned));
  }
  return check_outputs(checked);
}

// Less than half of all inputs: then others read the more.
bool LargeProblem::reads_little(const Counts& counts) const {
  double bytes = 0;
  for (const Array& a : arrays_)
    if (a.spec.has_input()) bytes += static_cast<double>(a.spec.bytes());
  return 32 * value_of(counts, metric::kLoadedSectors) < bytes / 2;
}

Counts LargeProblem::count_once(const Sequence& launches, const std::vector<std::string>& metrics) {
  const PassHooks hooks{[this] { restore(); }, [] {}};
  Counts counts = backend_.count_sequences({launches}, metrics, {hooks}).at(0);
  if (counts.find(metric::kWarpInstructions) == nullptr) counts.values.clear();
  return counts;
}

Counts LargeProblem::count(Sequence launches, const std::vector<std::string>& metrics,
                           bool all_blocks, CheckResult* check) {
  *check = CheckResult();
  std::vector<std::string> names = metrics;
  for (const char* name : {metric::kUnevenBlocks, metric::kLoadedSectors}) names.push_back(name);
  for (Launch& launch : launches) launch.step_budget = kMostWork;
  Counts counts = count_once(launches, names);
  const auto blocks = static_cast<double>(launches.at(0).grid.count());
  double share = std::min(1.0, launches[0].drawn_blocks / blocks);
  const bool ended = counts.values.empty();  // by a fault, or waiting for others
  if (ended && share >= 1) return counts;
  Seen seen = look();
  const bool little =
      value_of(counts, metric::kWarpInstructions) <= static_cast<double>(kLittleWork);
  // What a later launch makes of what most blocks have not written is wrong in any case.
  const bool wrong = seen.wrong && launches.size() == 1;
  const bool must =
      ended || value_of(counts, metric::kUnevenBlocks) > 0 || reads_little(counts) || wrong;
  if (share < 1 && (must || (all_blocks && little))) {
    for (Launch& launch : launches) {
      launch.drawn_blocks = ~uint32_t{0};
      launch.step_budget = kMostOfAll;
    }
    Counts of_all = count_once(launches, names);
    if (of_all.values.empty() && must) return of_all;
    if (!of_all.values.empty()) {
      share = 1;
      counts = std::move(of_all);
      seen = look();
    }
  }
  check->status = "correct";
  if (share >= 1) *check = check_all();
  // Later launches may write all elements in any case.
  double all = 0;
  for (const Array& a : arrays_)
    if (!a.spec.has_input()) all += static_cast<double>(a.spec.elements);
  counts.values[metric::kWrittenElements] = {std::min(seen.written / share, all), Tier::kExact};
  for (const char* name : {metric::kUnevenBlocks, metric::kLoadedSectors})
    counts.values.erase(name);
  return counts;
}

}  // namespace lockstep
