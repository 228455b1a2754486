// SPDX-License-Identifier: Apache-2.0
// See large_problem.h.
#include "common/harness/large_problem.h"

#include <algorithm>
#include <atomic>

#include "common/backend/fault_words.h"
#include "common/backend/metric_names.h"
#include "common/base/error.h"
#include "common/base/parallel.h"
#include "common/harness/launch_plan.h"
#include "common/harness/random_input.h"

namespace lockstep {
namespace {

// Whether it tells what a launch has written: not arrays that it may read alone.
bool is_looked_at(const ArraySpec& spec) { return !spec.has_input() || spec.is_checked(); }

bool is_same(const HostArray& a, const HostArray& b, size_t i) {
  const size_t bytes = element_bytes(a.type());
  const auto at = [&](const HostArray& array) {
    return static_cast<const uint8_t*>(array.data()) + i * bytes;
  };
  return std::equal(at(a), at(a) + bytes, at(b));
}

constexpr char kWrongResults[] = "some of its results are wrong";
void tell_wrong(const char* what, CheckResult* check) {
  check->status = "wrong";
  check->message = what;
}

double value_of(const Counts& counts, const char* name) {
  const Count* count = counts.find(name);
  return count != nullptr ? count->value : 0;
}

}  // namespace

bool is_ended_by_fault(const Counts& counts) {
  return counts.find(metric::kWarpInstructions) == nullptr && counts.unavailable.empty();
}

LargeProblem::LargeProblem(Backend& backend, const Assignment& assignment, const Case& c,
                           uint64_t seed, std::shared_ptr<const Problem> made, bool compared)
    : backend_(backend),
      assignment_(assignment),
      case_(c),
      seed_(seed),
      problem_(std::move(made)),
      compared_(compared) {
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
  poison_ = kPoison[(drawn_from_ + executions_++) & 1];
  for (const Array& a : arrays_)
    if (!a.spec.has_input())
      backend_.poison(a.buffer, 0, a.spec.bytes(), poison_);
    else if (a.spec.role == Role::kInOut)
      backend_.write(a.buffer, 0, problem_->inputs.at(a.input).data(), a.spec.bytes());
}

// What an array has that is also an input counts as written where it is another value.
LargeProblem::Seen LargeProblem::look() {
  Seen seen;
  for (Array& a : arrays_) {
    if (!is_looked_at(a.spec)) continue;
    backend_.read(a.buffer, 0, a.got.data(), a.spec.bytes());
    const bool is_expected = a.spec.is_checked() && compared_;
    if (is_expected && !a.spec.has_input()) {
      const Errors found = count_errors(checked(a));
      seen.written += static_cast<double>(a.got.size()) - static_cast<double>(found.unwritten);
      seen.wrong |= found.errors > found.unwritten;
    } else {
      look_for_changes(a, is_expected ? &problem_->expected().at(a.output) : nullptr, &seen);
    }
    if (a.spec.is_checked() && !is_expected && is_wrong_somewhere(a)) seen.wrong = true;
  }
  return seen;
}

void LargeProblem::look_for_changes(const Array& a, const Assignment::Expected* expected,
                                    Seen* seen) const {
  std::atomic<int64_t> written = 0;
  std::atomic<bool> wrong = false;
  const HostArray* before = a.spec.has_input() ? &problem_->inputs.at(a.input) : nullptr;
  parallel_chunks(static_cast<int64_t>(a.spec.elements), 16, [&](int64_t begin, int64_t end) {
    int64_t here = 0;
    for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
      if (before != nullptr ? is_same(a.got, *before, i) : a.got.holds_pattern(i, poison_))
        continue;
      ++here;
      if (expected != nullptr && !is_right_at(*expected, a.got, i)) wrong = true;
    }
    written += here;
  });
  seen->written += static_cast<double>(written);
  seen->wrong |= wrong;
}

// Some of what is written, where the whole reference takes too long.
bool LargeProblem::is_wrong_somewhere(const Array& array) const {
  constexpr uint64_t kTries = 1 << 15, kMost = 2048;
  uint64_t looked = 0;
  for (uint64_t k = 0; k < kTries && looked < kMost; ++k) {
    const auto i =
        static_cast<size_t>(random_bits(drawn_from_, array.output, k) % array.spec.elements);
    if (array.got.holds_pattern(i, poison_)) continue;
    const auto expected =
        assignment_.expected_at(case_, problem_->inputs, array.output, static_cast<int64_t>(i));
    if (!expected) return false;
    ++looked;
    if (!is_right(array.got.value(i), expected->value, expected->tolerance)) return true;
  }
  return false;
}

CheckedArray LargeProblem::checked(const Array& array) const {
  return checked_array(assignment_, case_, array.spec, problem_->expected().at(array.output),
                       array.got, poison_);
}

// All blocks were executed, and look() has read what they wrote.
CheckResult LargeProblem::check_all() const {
  std::vector<CheckedArray> all;
  for (const Array& a : arrays_)
    if (a.spec.is_checked()) all.push_back(checked(a));
  return check_outputs(all);
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

Counts LargeProblem::count_all_blocks(Sequence launches, const std::vector<std::string>& metrics,
                                      uint64_t most) {
  for (Launch& launch : launches) {
    launch.drawn_blocks = ~uint32_t{0};
    launch.step_budget = most;
  }
  return count_once(launches, metrics);
}

// Of what launches are to write.
double LargeProblem::elements() const {
  double all = 0;
  for (const Array& a : arrays_)
    if (is_looked_at(a.spec)) all += static_cast<double>(a.spec.elements);
  return all;
}

// Whether what is not written can be told from what is.
bool LargeProblem::writes_afresh() const {
  return std::none_of(arrays_.begin(), arrays_.end(),
                      [](const Array& a) { return is_looked_at(a.spec) && a.spec.has_input(); });
}

// Whether what blocks have written stays: no others add to it, and none makes something of it.
bool LargeProblem::is_final(const Counts& counts) const {
  const Count* const atomics = counts.find(metric::kAtomicRequests);
  return is_alone_ && writes_afresh() && atomics != nullptr && atomics->value == 0;
}

// Then all blocks are executed at once, and others only if that takes too much after all.
bool LargeProblem::expects_little() const {
  constexpr int64_t kFewElements = 1 << 26;
  return assignment_.work(case_).elements <= kFewElements;
}

Counts LargeProblem::count(const Sequence& launches, const std::vector<std::string>& metrics,
                           uint64_t most, bool as_shown, CheckResult* check) {
  *check = CheckResult();
  drawn_from_ = launches.at(0).drawn_from;
  is_alone_ = launches.size() == 1;
  Counts counts = count_blocks(launches, metrics, most, check);
  const bool looked_at = as_shown || (drawn_from_ >> 32 & 1) != 0;  // which, nobody knows
  if (counts.values.empty())
    execute_all(launches, check);
  else if (check->status == "correct" && looked_at)
    execute_some(launches, counts, check);
  return counts;
}

Counts LargeProblem::count_opposed(const Sequence& launches,
                                   const std::vector<std::string>& metrics, CheckResult* check) {
  drawn_from_ = launches.at(0).drawn_from;
  Counts counts = count_once(launches, metrics);
  check->status = is_ended_by_fault(counts) || look().wrong ? "wrong" : "correct";
  return counts;
}

// By its PTX, with all that is looked for in small launches: races, reads of what nothing has
// written, and lanes in any order. What the blocks need that are not executed cannot be told by
// some.
void LargeProblem::execute_some(const Sequence& launches, const Counts& counts,
                                CheckResult* check) {
  constexpr double kEnough = 200'000;
  const Launch& first = launches.at(0);  // what later ones read is not there
  const double instructions = value_of(counts, metric::kWarpInstructions);
  const double of_each = std::max(instructions / static_cast<double>(first.grid.count()), 1.0);
  const auto blocks =
      static_cast<uint32_t>(std::clamp(kEnough / of_each, 1.0, double(first.drawn_blocks)));
  try {
    execute({first}, blocks);
  } catch (const KernelFault& fault) {
    if (!is_of_other_blocks(fault.kind())) throw;
    return execute_all(launches, check);
  }
  if (!look().wrong) return;
  if (is_final(counts))
    tell_wrong(kWrongResults, check);
  else if (is_alone_ && writes_afresh())
    execute_all(launches, check);
}

void LargeProblem::execute_all(const Sequence& launches, CheckResult* check) {
  execute(launches, ~uint32_t{0});
  const Seen seen = look();
  if (seen.wrong || seen.written < elements()) judge_all(seen, check);
}

void LargeProblem::execute(Sequence launches, uint32_t blocks) {
  constexpr uint64_t kPermutedWarps = 8;  // of those that are executed
  restore();
  for (Launch& launch : launches) {
    launch.drawn_blocks = blocks;
    launch.order = drawn_from_ | 1;
    launch.lane_order = static_cast<uint32_t>(drawn_from_ >> 33) | 1;
    launch.permuted_warps = kPermutedWarps;
    launch.finds_races = blocks != ~uint32_t{0};  // where there is little to be written
    launch.step_budget = kLittleWork;
    backend_.launch(launch);
  }
}

Counts LargeProblem::count_blocks(const Sequence& launches, const std::vector<std::string>& metrics,
                                  uint64_t most, CheckResult* check) {
  most = std::min(most, kLittleWork);
  std::vector<std::string> names = metrics;
  for (const char* name : {metric::kUnevenBlocks, metric::kLoadedSectors}) names.push_back(name);
  Counts of_all;
  const bool tried = most > 0 && expects_little();
  if (tried) of_all = count_all_blocks(launches, names, most);
  if (!of_all.values.empty()) return finish(std::move(of_all), 1, look(), check);
  Sequence drawn = launches;
  for (Launch& launch : drawn) launch.step_budget = kMostWork;
  Counts counts = count_once(drawn, names);
  const auto blocks = static_cast<double>(launches.at(0).grid.count());
  const double share = std::min(1.0, launches[0].drawn_blocks / blocks);
  const bool ended = counts.values.empty();  // by a fault, or waiting for others
  if (ended && share >= 1) return counts;
  const Seen seen = look();
  // What a later launch makes of what most blocks have not written is wrong in any case.
  const bool wrong = seen.wrong && is_alone_;
  // So it does where all blocks took more, or some do.
  const bool few = value_of(counts, metric::kWarpInstructions) <= static_cast<double>(most);
  const bool must = ended || value_of(counts, metric::kUnevenBlocks) > 0 || reads_little(counts) ||
                    wrong || (tried && few);
  const bool little = !tried && few && most > 0;
  if (share < 1 && (must || little)) {
    of_all = count_all_blocks(launches, names, must ? kMostOfAll : most);
    if (of_all.values.empty() && must && !(wrong && is_final(counts))) return of_all;
    if (!of_all.values.empty()) return finish(std::move(of_all), 1, look(), check);
  }
  return count_more(drawn, names, std::move(counts), seen, check);
}

// As many blocks as take some kEnough together, of launches that are known to take more.
Counts LargeProblem::count_more(Sequence drawn, const std::vector<std::string>& metrics,
                                Counts counts, Seen seen, CheckResult* check) {
  constexpr double kEnough = 2'000'000;
  const auto blocks = static_cast<double>(drawn[0].grid.count());
  const double work = value_of(counts, metric::kWarpInstructions);
  const auto more = static_cast<uint32_t>(blocks * std::min(1.0, kEnough / work));
  if (more > 2 * drawn[0].drawn_blocks) {
    for (Launch& launch : drawn) launch.drawn_blocks = more;
    counts = count_once(drawn, metrics);
    if (counts.values.empty()) return counts;  // the first ones did not stand for all
    seen = look();
  }
  return finish(std::move(counts), std::min(1.0, drawn[0].drawn_blocks / blocks), seen, check);
}

// All blocks were executed, and not all is right.
void LargeProblem::judge_all(const Seen& seen, CheckResult* check) const {
  if (compared_) {
    *check = check_all();
  } else if (seen.wrong || writes_afresh()) {
    tell_wrong(seen.wrong ? kWrongResults : "some of its results are not there", check);
  }
}

// share: of the blocks that were executed.
Counts LargeProblem::finish(Counts counts, double share, const Seen& seen, CheckResult* check) {
  check->status = "correct";
  const bool all_right = !seen.wrong && seen.written >= elements();
  if (share >= 1) {
    if (!all_right) judge_all(seen, check);
  } else if (seen.wrong && is_final(counts)) {
    tell_wrong(kWrongResults, check);
  }
  // Later launches may write all elements in any case.
  counts.values[metric::kWrittenElements] = {std::min(seen.written / share, elements()),
                                             Tier::kExact};
  for (const char* name : {metric::kUnevenBlocks, metric::kLoadedSectors})
    counts.values.erase(name);
  return counts;
}

}  // namespace lockstep
