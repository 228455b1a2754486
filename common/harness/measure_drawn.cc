// SPDX-License-Identifier: Apache-2.0
// Launches of which some blocks are executed. See measure.h and large_problem.h.
#include <algorithm>

#include "common/backend/fault_words.h"
#include "common/backend/metric_names.h"
#include "common/harness/large_problem.h"
#include "common/harness/launch_plan.h"
#include "common/harness/measure_state.h"

namespace lockstep {

// A product of large matrices takes a processor longer than all else.
bool Measurement::has_reference(const Job& job) const {
  constexpr int64_t kMostElements = int64_t{1} << 28;
  return assignment_.work(job.c).elements <= kMostElements;
}

LargeProblem& Measurement::large_problem(const Job& job) {
  if (large_ && large_->serves(job.c, job.seed)) return *large_;
  large_.reset();  // before the next takes its memory
  const bool compared = has_reference(job);
  auto made = compared ? problems_.get(assignment_, job.c, job.seed)
                       : std::make_shared<const Problem>(assignment_, job.c, job.seed);
  large_ = std::make_unique<LargeProblem>(backend_, assignment_, job.c, job.seed, std::move(made),
                                          compared);
  return *large_;
}

void Measurement::note_asked() {
  if (asked_) return;
  asked_.emplace();
  for (const KernelInfo& kernel : backend_.kernels())
    for (const auto& comparison : backend_.unreached(kernel.mangled).one_sided)
      (*asked_)[kernel.mangled].insert(comparison.instruction);
}

bool Measurement::is_asked_in_small(const std::string& kernel, uint32_t instruction) const {
  if (!asked_) return true;
  const auto found = asked_->find(kernel);
  return found != asked_->end() && found->second.count(instruction) > 0;
}

void Measurement::draw_blocks(Pending* p) const {
  for (Launch& launch : p->launches) {
    launch.drawn_blocks = p->job.drawn->blocks;
    launch.drawn_from = seed_of_text(p->job.drawn->from, launch.kernel);
    // Nothing looks for races in machine code, but what they come to in other orders is wrong.
    launch.order = launch.drawn_from % 3 != 0 ? launch.drawn_from : 0;
  }
}

// What cannot be counted is as if it had not been launched, with the reason.
void Measurement::count_drawn(Pending* p) {
  constexpr uint64_t kMostWhole = 160'000'000;  // of a kernel, where all blocks are executed
  // That a fault comes behind, in one of a template's instances: others are left to a person.
  constexpr uint64_t kDear = 8'000'000;
  session_.reset();
  note_asked();
  CheckResult& check = p->check();
  check = CheckResult();
  const std::string& kernel = p->job.c.kernel;
  if (drawn_steps_.left(kernel) == 0) {
    check.quoted = Quoted("launches as large as a card's take too many instructions together");
    return;
  }
  if (not_right_.count(kernel) > 0) return;
  // What ends one in a loop without an end ends them all.
  if (not_drawn_.count(base_name(kernel)) > 0) return;
  draw_blocks(p);
  const uint64_t before = backend_.steps();
  const uint64_t most = kMostWhole - std::min(kMostWhole, drawn_steps_.taken(kernel));
  const auto note_steps = [&] {
    const uint64_t taken = backend_.steps() - before;
    drawn_steps_.take(kernel, taken);
    return taken;
  };
  try {
    p->row.record.counts =
        large_problem(p->job).count(p->launches, metrics(), most, p->job.as_shown, &check);
    const auto why = p->row.record.counts.unavailable.find(metric::kWarpInstructions);
    if (why != p->row.record.counts.unavailable.end()) check.quoted = Quoted(why->second);
  } catch (const KernelFault& fault) {
    check = CheckResult();
    check.quoted = Quoted(fault.what());
    large_.reset();  // there may be nothing to execute it any more
    if (is_of_kernel(fault.kind())) {
      if (note_steps() > kDear) not_drawn_.insert(base_name(kernel));
      return take_fault(fault, p);
    }
  }
  note_steps();
  if (check.status == "not_run") not_drawn_.insert(base_name(kernel));
}

}  // namespace lockstep
