// SPDX-License-Identifier: Apache-2.0
// Launches in which comparisons say the opposite. See measure.h and opposed.h.
#include <fmt/format.h>

#include <algorithm>

#include "common/harness/large_problem.h"
#include "common/harness/measure_state.h"
#include "common/harness/opposed.h"

namespace lockstep {

// What launches of the same work have in common.
std::string Measurement::problem_of(const Job& job) {
  return fmt::format("{} {} {} {} {}", job.c.kernel, job.vectors, job.blocks, job.warps, job.seed);
}

double Measurement::counted(const Job& job) const {
  const auto found = counted_.find(problem_of(job));
  return found == counted_.end() ? 0 : found->second.instructions;
}

// A loop that goes on may do again what is done, and where that is stored once more, the result is
// right. It costs more, but it is no other way: so costs are of what is stored. One turn more is at
// most as much again.
void Measurement::weigh_by_stores(Pending* p) const {
  constexpr double kLeastShare = 0.5;
  const auto found = counted_.find(problem_of(p->job));
  if (found == counted_.end() || !(p->stored > found->second.stored)) return;
  const double share = std::max(found->second.stored / p->stored, kLeastShare);
  const auto weigh = [share](std::map<std::string, Count>* values) {
    for (auto& [name, count] : *values) count.value *= share;
  };
  weigh(&p->row.record.counts.values);
  for (LineCounts& line : p->row.record.counts.lines) weigh(&line.counts);
}

// What it comes to then may be wrong, which tells nothing: it is as if it had not been launched.
void Measurement::count_opposed(Pending* p) {
  // Of what it takes as it is written, and of each.
  constexpr double kMostTimes = 32;
  constexpr uint64_t kMost = 16'000'000;
  const std::string& kernel = p->job.c.kernel;
  const auto times = static_cast<uint64_t>(kMostTimes * counted(p->job));
  const uint64_t before = backend_.steps(), left = opposed_steps_.left(kernel);
  if (left > 0) {
    try {
      oppose(backend_, *p->job.opposed, &p->launches);
      for (Launch& launch : p->launches) launch.step_budget = std::min({times, kMost, left});
      if (p->job.drawn) {
        draw_blocks(p);
        p->row.record.counts =
            large_problem(p->job).count_opposed(p->launches, metrics(), &p->check());
      } else {
        session(p->job);
        count(p);
        weigh_by_stores(p);
        if (is_ended_by_fault(p->row.record.counts)) p->check().status = "wrong";
      }
    } catch (const KernelFault& fault) {
      // Or of a launch behind it, which is as it is written.
      p->check().status = "wrong";
      p->cut = fault.kind() == "too_slow";
      const std::string kind = fault.kind();
      if (kind == "protocol" || kind == "timeout" || kind == "crash") {
        opposed_steps_.take_all();
        ended_runner_.insert(kernel);
      }
    }
    if (ended_runner_.empty()) {
      opposed_steps_.take(kernel, backend_.steps() - before);
    } else {  // there is nothing to execute it any more
      session_.reset();
      large_.reset();
    }
  }
  if (!p->correct()) p->check() = CheckResult();
}

Backend::Opposed Measurement::try_opposed(const Job& job) {
  reuse_session(job);
  const bool is_new = session_ == nullptr;
  Sequence launches = launches_of(job);
  oppose(backend_, *job.opposed, &launches);
  // What a try stores are results.
  CheckResult ignored;
  if (is_new && !job.drawn) session_->hooks(&ignored).before();
  return backend_.oppose(launches);
}

}  // namespace lockstep
