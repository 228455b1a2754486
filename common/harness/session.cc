// SPDX-License-Identifier: Apache-2.0
// Executing and checking. See session.h.
#include "common/harness/session.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "common/base/parallel.h"
#include "common/harness/checker.h"
#include "common/harness/launch_plan.h"
#include "common/harness/plan_file.h"
#include "common/harness/session_arrays.h"

namespace lockstep {
namespace {

constexpr int kWarp = 32;

// Every execution's output is compared, so this is done a few hundred times a run.
bool same_bytes(const HostArray& a, const HostArray& b) {
  if (a.bytes() != b.bytes()) return false;
  const auto* from_a = static_cast<const uint8_t*>(a.data());
  const auto* from_b = static_cast<const uint8_t*>(b.data());
  std::atomic<bool> same = true;
  parallel_chunks(static_cast<int64_t>(a.bytes()), 4, [&](int64_t begin, int64_t end) {
    if (std::memcmp(from_a + begin, from_b + begin, static_cast<size_t>(end - begin)) != 0)
      same = false;
  });
  return same;
}

}  // namespace

Session::Session(Backend& backend, const Assignment& assignment, const Case& c, uint64_t seed,
                 ProblemCache* fresh_inputs, DebugBuild* debug, std::shared_ptr<const Problem> made)
    : backend_(backend),
      assignment_(assignment),
      case_(c),
      seed_(seed),
      fresh_inputs_(fresh_inputs),
      debug_(debug),
      keeps_inputs_(backend.kind() == "emulator"),
      current_seed_(seed),
      problem_(std::move(made)) {
  size_t inputs = 0, outputs = 0;
  for (const ArraySpec& spec : assignment.arrays(c)) {
    Array array;
    array.spec = spec;
    if (spec.has_input()) array.input = inputs++;
    if (spec.is_checked()) array.output = outputs++;
    arrays_.push_back(std::move(array));
  }
  if (!problem_) take_problem(seed);
  try {
    allocate();
    written_seed_ = seed;
  } catch (...) {
    release();
    throw;
  }
}

Session::~Session() { release(); }

void Session::take_problem(uint64_t seed) {
  current_seed_ = seed;
  problem_ = fresh_inputs_ ? fresh_inputs_->get(assignment_, case_, seed)
                           : std::make_shared<Problem>(assignment_, case_, seed);
  for (Array& a : arrays_) a.verified.reset();
}

void Session::allocate() {
  for (Array& a : arrays_) {
    BufferSpec spec;
    spec.name = a.spec.name;
    spec.bytes = a.bytes();
    spec.read_only = a.spec.role == Role::kInput;
    a.buffer = backend_.allocate(spec);
    a.allocated = true;
    if (a.spec.is_checked()) a.got = HostArray(a.spec.type, a.spec.elements);
    if (!a.spec.has_input()) continue;
    backend_.write(a.buffer, 0, problem_->inputs.at(a.input).data(), a.bytes());
    if (fresh_inputs_) continue;
    a.pristine = backend_.allocate({a.spec.name + " (copy)", a.bytes(), 0, true});
    a.has_pristine = true;
    backend_.copy(a.pristine, a.buffer, a.bytes());
  }
}

// A backend whose kernel failed may refuse; there is nothing left to do about it here.
void Session::release() {
  const auto quietly = [&](bool* there, BufferId id) {
    if (!*there) return;
    *there = false;
    try {
      backend_.release(id);
    } catch (const Error&) {
      return;
    }
  };
  for (Array& a : arrays_) {
    quietly(&a.has_pristine, a.pristine);
    quietly(&a.allocated, a.buffer);
  }
}

Sequence Session::launches_of(const Case& c, const LaunchContext& context) const {
  std::vector<BufferId> buffers;
  for (const Array& a : arrays_) buffers.push_back(a.buffer);
  return lockstep::launches_of(backend_, assignment_, c, context, buffers);
}

void Session::start_job() {
  executions_ = 0;
  failed_seed_.reset();
}

ProblemCache::Wanted Session::inputs_after(int executions) const {
  const uint64_t pass = executions_ + static_cast<uint64_t>(executions);
  return {case_, pass > 0 ? seed_of_pass(seed_, pass) : seed_};
}

void Session::before_execution() {
  const uint64_t seed = inputs_after(0).seed;
  if (fresh_inputs_ && seed != current_seed_) take_problem(seed);
  for (Array& a : arrays_) {
    if (!a.spec.has_input()) {
      a.poison = kPoison[executions_ % 2];
      backend_.poison(a.buffer, 0, a.bytes(), a.poison);
    } else if (fresh_inputs_) {
      const bool kept = keeps_inputs_ && a.spec.role == Role::kInput;
      if (!kept || written_seed_ != current_seed_)
        backend_.write(a.buffer, 0, problem_->inputs.at(a.input).data(), a.bytes());
    } else {
      backend_.copy(a.buffer, a.pristine, a.bytes());
    }
  }
  written_seed_ = current_seed_;
  executions_++;
}

void Session::read_outputs() {
  for (Array& a : arrays_)
    if (a.spec.is_checked()) backend_.read(a.buffer, 0, a.got.data(), a.bytes());
}

bool Session::outputs_are_as_verified() {
  return std::all_of(arrays_.begin(), arrays_.end(), [](const Array& a) {
    return !a.spec.is_checked() || (a.verified && same_bytes(*a.verified, a.got));
  });
}

// Of all outputs; nullopt where inputs differ each time, or the backend has none.
std::optional<std::vector<uint64_t>> Session::fingerprints() {
  std::vector<uint64_t> prints;
  if (fresh_inputs_) return std::nullopt;
  for (const Array& a : arrays_) {
    if (!a.spec.is_checked()) continue;
    const std::optional<uint64_t> print = backend_.fingerprint(a.buffer);
    if (!print) return std::nullopt;
    prints.push_back(*print);
  }
  return prints;
}

CheckResult Session::check_all_outputs(bool says_what) {
  std::vector<CheckedArray> checked;
  for (Array& a : arrays_) {
    if (!a.spec.is_checked()) continue;
    checked.push_back(checked_array(assignment_, case_, a.spec, problem_->expected().at(a.output),
                                    a.got, a.poison));
  }
  CheckResult result = check_outputs(checked);
  if (result.status == "correct" || checked.empty() || !says_what) return result;
  const std::string words =
      confused_with(checked[0], problem_->inputs, assignment_.confusions(case_));
  if (!words.empty()) result.message += kWhatIsWrong + words + ".";
  return result;
}

void Session::after_execution(CheckResult* check, bool says_what) {
  const std::optional<std::vector<uint64_t>> prints = fingerprints();
  if (!prints || right_.count(*prints) == 0) {
    read_outputs();
    if (!outputs_are_as_verified()) {
      const CheckResult found = check_all_outputs(says_what);
      if (found.status != "correct") return note_failure(found, check);
      // Fresh inputs give another result each time.
      for (Array& a : arrays_)
        if (a.spec.is_checked() && !prints && !fresh_inputs_) a.verified = a.got;
    }
    if (prints) right_.insert(*prints);
  }
  if (check->status != "correct") return;
  check->checked = 0;
  for (const Array& a : arrays_) check->checked += static_cast<int64_t>(a.got.size());
}

void Session::note_failure(const CheckResult& found, CheckResult* check) {
  if (check->status != "correct") return;
  *check = found;
  if (!failed_seed_) failed_seed_ = current_seed_;
}

bool Session::is_pristine(const Array& a) {
  if (!a.has_pristine) return false;
  const std::optional<uint64_t> now = backend_.fingerprint(a.buffer);
  return now && now == backend_.fingerprint(a.pristine);
}

void Session::check_surroundings(CheckResult* check) {
  if (keeps_inputs_) return;
  for (const Array& a : arrays_) {
    const CheckResult guards =
        check_guards(a.spec.name, backend_.read_guards(a.buffer), Backend::kGuardByte);
    if (guards.status != "correct") note_failure(guards, check);
    if (a.spec.role != Role::kInput || is_pristine(a)) continue;
    HostArray now(a.spec.type, a.spec.elements);
    backend_.read(a.buffer, 0, now.data(), a.bytes());
    const CheckResult input = check_input(a.spec.name, problem_->inputs.at(a.input), now);
    if (input.status != "correct") note_failure(input, check);
  }
}

PassHooks Session::hooks(CheckResult* check, bool says_what) {
  check->status = "correct";
  return {[this] { before_execution(); },
          [this, check, says_what] { after_execution(check, says_what); }};
}

// Lanes may run in any order, too, but executing them so takes some sixty times as long. So in one
// launch of four some warps do, drawn among all, with as much work as a small launch has, or one;
// the emulator bounds for how long they do (emulator/exec/apart.h).
void Session::draw_lane_order(Launch* launch) const {
  constexpr uint64_t kMostElements = 8192;
  if ((launch->order & 3) != 0) return;
  const uint64_t warps = launch->grid.count() * ((launch->block.count() + kWarp - 1) / kWarp);
  const uint64_t elements = static_cast<uint64_t>(assignment_.work(case_).elements);
  const uint64_t idle = 32;  // what a warp does at least, in elements
  const uint64_t a_warp = std::max(elements / std::max<uint64_t>(warps, 1), idle);
  launch->permuted_warps = std::max<uint64_t>(kMostElements / a_warp, 1);
  launch->lane_order = static_cast<uint32_t>(launch->order >> 32) | 1;
}

// Of larger problems where there is little to be written, as nothing else is remembered.
bool Session::can_follow() const {
  constexpr int64_t kMostElements = 1 << 21;
  constexpr size_t kFewBytes = 1 << 18;
  size_t written = 0;
  for (const Array& a : arrays_)
    if (a.spec.role != Role::kInput) written += a.bytes();
  const int64_t elements = assignment_.work(case_).elements;
  return elements <= kMostFollowed || (elements <= kMostElements && written <= kFewBytes);
}

// Blocks and warps may run in any order. Theirs hangs on the seed, so that the command that repeats
// a launch repeats it, and on the kernel, so that a plan's launches of one seed try several.
void Session::prepare(Sequence* sequence, uint64_t step_budget, bool drawn) const {
  for (Launch& launch : *sequence) {
    if (drawn) {
      launch.order = seed_of_pass(current_seed_, seed_of_text(0, launch.kernel) | 1);
      draw_lane_order(&launch);
    }
    launch.step_budget = step_budget;
    launch.finds_races = can_follow();
  }
}

void Session::verify(Sequence sequence, CheckResult* check, uint64_t step_budget) {
  check->status = "correct";
  before_execution();
  prepare(&sequence, step_budget, true);
  try {
    for (const Launch& launch : sequence) backend_.launch(launch);
  } catch (const KernelFault& fault) {
    if (is_wrong_besides(sequence, fault, check)) return;
    explain_fault(sequence, fault);
    throw;
  }
  verified_us_ = backend_.launched_us();
  after_execution(check);
  if (check->status == "wrong") explain_wrong(sequence, check);
}

bool Session::trace(const Sequence& sequence, const TraceRequest& request, LineTrace* trace) {
  before_execution();
  return backend_.trace(sequence, request, trace);
}

std::optional<double> Session::time_us(const Sequence& sequence, int repetitions,
                                       CheckResult* check) {
  constexpr double kLongUs = 5000;  // repeats within a percent
  if (verified_us_ && *verified_us_ > kLongUs) return verified_us_;
  std::optional<double> shortest;
  for (int i = 0; i < repetitions && check->status == "correct"; i++) {
    const std::optional<double> time = backend_.time_sequence(sequence, hooks(check));
    if (!time) break;
    if (!shortest || *time < *shortest) shortest = time;
    if (*time > kLongUs) break;
  }
  return check->status == "correct" ? shortest : std::nullopt;
}

}  // namespace lockstep
