// SPDX-License-Identifier: Apache-2.0
// The order of things for every launch. See measure.h.
#include <fmt/format.h>

#include <algorithm>

#include "common/backend/fault_words.h"
#include "common/backend/metric_names.h"
#include "common/base/quoted.h"
#include "common/base/text.h"
#include "common/harness/large_problem.h"
#include "common/harness/launch_plan.h"
#include "common/harness/measure_state.h"
#include "common/harness/opposed.h"
#include "common/harness/origins.h"
#include "common/harness/plan_file.h"

namespace lockstep {
namespace {

// The sentence of the backend that saw the fault may hold text of the kernel: it is quoted. Ours is
// made of the kind alone.
CheckResult fault_result(const KernelFault& fault) {
  CheckResult check;
  check.status = "fault";
  check.fault_kind = fault.kind();
  check.fault_file = fault.place().file;
  check.fault_line = fault.place().line;
  check.message = fault_words(fault.kind());
  check.quoted = Quoted(fault.what());
  return check;
}

constexpr size_t kMostAhead = size_t{256} << 20;  // bytes of a problem: several are in memory

}  // namespace

uint64_t steps_of_check(int64_t elements) {
  return 3'000'000 + 100 * static_cast<uint64_t>(elements);
}

Measurement::Measurement(Backend& backend, const Assignment& assignment,
                         const MeasureOptions& options, Report& report)
    : backend_(backend),
      assignment_(assignment),
      options_(options),
      report_(report),
      emulated_(backend.kind() == "emulator"),
      debug_(options.debug_ptx, options.open_debug),
      origins_(std::make_unique<Origins>(assignment, &debug_)) {}

Measurement::~Measurement() = default;

void Measurement::prepare(const std::vector<Job>& jobs) {
  prepared_ = true;
  if (std::any_of(jobs.begin(), jobs.end(), [](const Job& job) { return job.counters; }))
    backend_.prepare_counters(metrics());
  expect_problems(jobs, 0);
}

void Measurement::take(const Checked& checked) {
  told_wrong_ = checked.wrong;
  shapes_right_ = checked.right_shapes;
  dead_ = checked.dead;
}

// On a GPU timing and counting exclude each other, and changing over takes as long as checking half
// a gigabyte: so all that is launched on problems of that size together is timed before the first
// is counted. The emulator counts while it executes: once.
void Measurement::run(const std::vector<Job>& jobs) {
  constexpr size_t kTimedTogether = size_t{512} << 20;
  if (!prepared_) prepare(jobs);
  outcomes_.clear();
  if (std::any_of(jobs.begin(), jobs.end(), [](const Job& job) { return job.times; })) take_turn();
  size_t waiting = 0;
  for (size_t begin = 0; begin < jobs.size();) {
    size_t end = begin + 1;
    while (end < jobs.size() && same_problem(jobs[begin], jobs[end])) end++;
    const size_t bytes = bytes_of(jobs[begin]);
    const bool kept = jobs[begin].counters || !jobs[begin].fresh_inputs;
    if (kept && waiting + bytes > kTimedTogether) {
      count_groups();
      expect_problems(jobs, begin);
      waiting = 0;
    }
    if (kept) waiting += bytes;
    run_group(jobs, begin, end);
    begin = end;
  }
  count_groups();
  session_.reset();
  large_.reset();
  if (turn_) backend_.release_counters();
  turn_.reset();
  if (!options_.checks_only) report_.finish();
}

bool Measurement::same_problem(const Job& a, const Job& b) const {
  return !a.fresh_inputs && !b.fresh_inputs && a.seed == b.seed &&
         assignment_.problem_key(a.c) == assignment_.problem_key(b.c);
}

size_t Measurement::bytes_of(const Job& job) const {
  return lockstep::bytes_of(assignment_.arrays(job.c));
}

void Measurement::run_group(const std::vector<Job>& jobs, size_t begin, size_t end) {
  const Job& job = jobs[begin];
  const bool counted_later = !emulated_ && job.counters;
  reuse_session(job);
  Group group;
  for (size_t i = begin; i < end; i++) {
    group.pending.push_back(prepare(jobs[i]));
    Pending& p = group.pending.back();
    p.runs = can_launch(&p);
    report_.progress(p.launches.empty() ? p.job.c.kernel
                                        : p.job.c.kernel + " with " + shape_words(p.launches[0]));
    if (p.runs && emulated_) run_at_once(&p);
    if (p.runs && !emulated_) verify_and_time(&p);
    if (!counted_later) complete(&p);
  }
  if (!counted_later && timed_.empty()) {
    for (const Pending& p : group.pending) tell(p);
    return;
  }
  // Rows come in the order of the jobs.
  group.complete = !counted_later;
  if (counted_later) group.session = std::move(session_);
  timed_.push_back(std::move(group));
}

void Measurement::reuse_session(const Job& job) {
  if (!job.drawn) large_.reset();
  if (session_ && job.fresh_inputs && session_->serves(job.c, job.seed))
    session_->start_job();
  else
    session_.reset();
}

// What is right and has no counts yet; a fault begins it anew, as it takes all arrays with it.
std::vector<Measurement::Counted> Measurement::to_count() {
  std::vector<Counted> all;
  for (Group& group : timed_) {
    if (group.complete || !dead_.empty()) continue;
    session_ = std::move(group.session);
    for (Pending& p : group.pending) {
      if (!p.correct()) continue;
      try {
        // A fault since may have replaced the arrays that it was made for.
        Sequence launches = launches_of(p.job);
        all.push_back({&p, std::move(launches), session_->hooks(&p.check()), session_.get()});
      } catch (const KernelFault& fault) {
        take_fault(fault, &p);
        return to_count();
      }
    }
    group.session = std::move(session_);
  }
  return all;
}

// A launch that is counted on the emulator is executed twice; on a GPU later, when all have been.
void Measurement::expect_problems(const std::vector<Job>& jobs, size_t begin) {
  std::vector<ProblemCache::Wanted> wanted;
  for (size_t i = begin; i < jobs.size(); i++) {
    const Job& job = jobs[i];
    if (bytes_of(job) > (job.drawn ? kMostAhead / 4 : kMostAhead)) continue;
    if (job.drawn && !has_reference(job)) continue;
    wanted.push_back({job.c, job.seed});
    if (emulated_ && job.counters && job.fresh_inputs && !job.drawn)
      wanted.push_back({job.c, seed_of_pass(job.seed, 1)});
  }
  problems_.expect(assignment_, wanted);
}

// Pass by pass, as they will be executed. A GPU takes three for the usual metrics
// (docs/gpu-backend.md).
void Measurement::expect_problems(const std::vector<Counted>& all) {
  constexpr int kPasses = 3;
  std::vector<ProblemCache::Wanted> wanted;
  for (int pass = 0; pass < kPasses; pass++)
    for (const Counted& one : all)
      if (one.pending->job.fresh_inputs) wanted.push_back(one.session->inputs_after(pass));
  problems_.expect(assignment_, wanted);
}

// Up to the end: counters stay armed.
void Measurement::take_turn() {
  if (!turn_ && !options_.turn.empty()) turn_.emplace(options_.turn);
}

// All in one go: each go costs as much as ten launches in it. After a fault, the others again.
void Measurement::count_all() {
  for (std::vector<Counted> all = to_count(); !all.empty(); all = to_count()) {
    expect_problems(all);
    take_turn();
    std::vector<Sequence> sequences;
    std::vector<PassHooks> hooks;
    Pending* last = all[0].pending;
    for (Counted& one : all) {
      sequences.push_back(std::move(one.launches));
      hooks.push_back(one.hooks);
      hooks.back().before = [&last, &one] {
        last = one.pending;
        one.hooks.before();
      };
    }
    report_.progress(fmt::format("{} and {} more: collecting counters",
                                 all[0].pending->job.c.kernel, all.size() - 1));
    try {
      const std::vector<Counts> counts = backend_.count_sequences(sequences, metrics(), hooks);
      for (size_t i = 0; i < all.size(); i++)
        if (all[i].pending->correct()) all[i].pending->row.record.counts = counts.at(i);
      return;
    } catch (const KernelFault& fault) {
      take_fault(fault, last);
    }
  }
}

void Measurement::count_groups() {
  count_all();
  for (Group& group : timed_) {
    session_ = std::move(group.session);
    const auto last_right = std::find_if(group.pending.rbegin(), group.pending.rend(),
                                         [](const Pending& p) { return p.correct(); });
    if (session_ && last_right != group.pending.rend())
      session_->check_surroundings(&last_right->check());
    for (Pending& p : group.pending) {
      if (!group.complete) complete(&p);
      tell(p);
    }
  }
  timed_.clear();
}

Session& Measurement::session(const Job& job) {
  if (!session_)
    session_ = std::make_unique<Session>(
        backend_, assignment_, job.c, job.seed, job.fresh_inputs ? &problems_ : nullptr, &debug_,
        bytes_of(job) > kMostAhead ? nullptr : problems_.get(assignment_, job.c, job.seed));
  return *session_;
}

void Measurement::verify_and_time(Pending* p) {
  guarded(p, [&] {
    Session& s = session(p->job);
    s.verify(p->launches, &p->check());
    if (p->correct() && p->job.times)
      p->row.record.time_us = s.time_us(p->launches, options_.repetitions, &p->check());
    s.check_surroundings(&p->check());
  });
}

void Measurement::report_fault(const std::vector<Job>& jobs, const KernelFault& fault) {
  for (const Job& job : jobs) {
    Pending p = prepare(job);
    p.check() = fault_result(fault);
    complete(&p);
    tell(p);
  }
  report_.finish();
}

// What the kernel left behind is not used again: the module is loaded anew, and new arrays are
// made for the next launch.
void Measurement::take_fault(const KernelFault& fault, Pending* p) {
  p->check() = fault_result(fault);
  if (session_ && !session_->fault_words().empty())
    p->check().message += ". " + session_->fault_words();
  if (session_ && session_->fault_line().line > 0) {
    p->check().fault_file = session_->fault_line().file;
    p->check().fault_line = session_->fault_line().line;
  }
  p->row.record.time_us.reset();
  p->row.record.counts = Counts();
  // Where only counts were cut, other launches may still be counted.
  if (fault.kind() != "too_slow" || !p->job.counters)
    faulty_kernels_.insert(p->job.c.kernel);
  else
    ++cut_[base_name(p->job.c.kernel)];
  p->failed_seed = session_ ? session_->failed_seed() : p->job.seed;
  session_.reset();
  for (Group& group : timed_) group.session.reset();
  try {
    backend_.load_module(options_.module);
  } catch (const Error& error) {
    dead_ = "the module could not be loaded again after a fault";
    dead_quoted_ = Quoted(error.what());
  }
  // What uses up a launch's steps on a small problem is not slow: it does not end.
  const bool hung = fault.kind() == "timeout" || (p->job.quiet && fault.kind() == "too_slow");
  if (hung && ++timeouts_ == options_.most_timeouts)
    dead_ = fmt::format("{} launches before it have hung", timeouts_);
}

void Measurement::complete(Pending* p) {
  Record& record = p->row.record;
  std::string printed;
  try {
    printed = backend_.take_output();
  } catch (const KernelFault&) {
    printed.clear();  // it is gone with the process that executed the kernels
  }
  if (p->job.quiet) {
    const bool unknown = options_.checks_only && record.check.fault_kind == "unsupported";
    const bool failed =
        !unknown && record.check.status != "correct" && record.check.status != "not_run" &&
        record.check.status != "missing_kernel" && record.check.status != "bad_signature" &&
        record.check.status != "bad_constant";
    p->told = failed && told_wrong_.insert(p->job.c.kernel).second;
    if (!p->told) return;
    p->row.small = true;
  }
  if (!printed.empty()) report_.kernel_output(printed);
  // Nothing was seen to be wrong where others were not executed.
  if (p->job.drawn && record.check.status == "fault" && !is_of_kernel(record.check.fault_kind))
    record.check.status = "not_run";
  const bool right = record.check.status == "correct";
  outcomes_.push_back(right ? Outcome::kRight : p->cut ? Outcome::kCut : Outcome::kNotRight);
  if (right) {
    if (const Count* count = record.counts.find(metric::kWarpInstructions);
        count != nullptr && !p->job.opposed)
      counted_[problem_of(p->job)] = {count->value, p->stored};
    p->row.facts.time_us = record.time_us;
    record.derived = derive_metrics(record.counts, p->row.facts, backend_.device());
    record.check.seed = p->job.seed;
    p->row.findings = find_costs(*p);
    origins_->add(p->job, &p->row.findings);
  } else {
    const std::string& status = record.check.status;
    const bool told = !p->job.drawn || status == "wrong" || status == "fault";
    if (!p->job.opposed && told) not_right_.insert(p->job.c.kernel);
    record.time_us.reset();
    record.counts = Counts();
    explain_failure(p);
  }
}

void Measurement::tell(const Pending& p) {
  if (p.told) report_.row(p.row);
}

std::vector<Finding> Measurement::find_costs(const Pending& p) {
  FoundIn in;
  in.elements = p.row.facts.work.elements;
  in.threads = static_cast<int64_t>(p.row.record.grid.count() * p.row.record.block.count());
  in.student_file = assignment_.student_file();
  int64_t writable = 0;
  for (const ArraySpec& a : assignment_.arrays(p.job.c)) {
    in.doubles |= a.type == ElementType::kF64;
    if (a.role != Role::kInput) writable += static_cast<int64_t>(a.bytes());
  }
  in.writable = std::max(writable, p.row.facts.work.bytes_written);
  in.goal = options_.goals.find(p.row.record, assignment_.shape_from() != ShapeFrom::kCommandLine);
  in.beside = siblings_.of(p.job.c.kernel, in);
  const std::vector<std::string> launched = assignment_.launched_kernels(p.job.c);
  const std::string& function = launched.at(0);
  // Counts are those of all that is launched.
  if (launched.size() == 1) in.kernel = p.row.kernel;
  in.elsewhere = siblings_.sectors_beside(function);
  std::vector<Finding> found = findings(p.row.record.counts, in);
  if (found.empty()) siblings_.keep(p.job.c.kernel, function, in, p.row.record.counts);
  return found;
}

void Measurement::explain_failure(Pending* p) {
  CheckResult& check = p->check();
  check.seed = p->job.seed;
  if (check.status == "not_run") return;
  const bool of_the_result =
      check.status == "wrong" || check.status == "guard" || check.status == "input_changed";
  if (of_the_result && session_) p->failed_seed = session_->failed_seed();
  if (p->job.fresh_inputs) check.seed = p->failed_seed;
  if (of_the_result || check.status == "fault")
    check.message = fmt::format(
        "{}{}{}: {}", fault_place(check.fault_file, check.fault_line, assignment_.student_file()),
        p->job.c.kernel, p->launches.empty() ? "" : " with " + shape_words(p->launches[0]),
        check.message);
  check.repeat = repeat_command(*p);
}

std::string Measurement::repeat_command(const Pending& p) const {
  std::string command = options_.command;
  if (p.job.warps > 0 || !options_.size_argument.empty())
    command += fmt::format(" {} {}", p.job.blocks, p.job.warps);
  if (!options_.size_argument.empty() && !p.job.fresh_inputs)
    command += " " + options_.size_argument;
  command +=
      fmt::format(" --kernel {} --seed {}", shell_quoted(p.job.c.kernel), p.row.record.check.seed);
  if (p.job.fresh_inputs) command += fmt::format(" --vectors {}", p.job.vectors);
  // Counted, the emulator runs blocks and warps in another order.
  if (emulated_ && !p.job.counters) command += " --no-counters";
  if (p.job.quiet && p.row.record.check.fault_kind == "too_slow")
    command += fmt::format(" --step-budget {}", steps_of_check(p.row.facts.work.elements));
  return command + options_.command_suffix;
}

}  // namespace lockstep
