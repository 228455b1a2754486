// SPDX-License-Identifier: Apache-2.0
// Launches as large as a card is given, of which some blocks are executed. See measure.h and
// large_problem.h.
#include "common/backend/metric_names.h"
#include "common/harness/large_problem.h"
#include "common/harness/measure_state.h"

namespace lockstep {

LargeProblem& Measurement::large_problem(const Job& job) {
  if (!large_ || !large_->serves(job.c, job.seed)) {
    large_.reset();  // before the next takes its memory
    large_ = std::make_unique<LargeProblem>(backend_, assignment_, job.c, job.seed);
  }
  return *large_;
}

// What cannot be counted is as if it had not been launched, with the reason.
void Measurement::count_drawn(Pending* p) {
  constexpr uint64_t kMostTogether = 200'000'000;
  session_.reset();
  p->check() = CheckResult();
  if (drawn_steps_ >= kMostTogether) {
    p->check().message = "launches of this size take too many instructions together";
    return;
  }
  for (Launch& launch : p->launches) {
    launch.drawn_blocks = p->job.drawn_blocks;
    launch.drawn_from = seed_of_pass(p->job.seed, seed_of_text(1, launch.kernel));
  }
  std::vector<std::string> names = metrics();
  names.push_back(metric::kUnevenBlocks);
  const uint64_t before = backend_.steps();
  try {
    Counts counts = large_problem(p->job).count(p->launches, names, p->job.all_blocks);
    const auto why = counts.unavailable.find(metric::kWarpInstructions);
    if (why != counts.unavailable.end())
      p->check().quoted = Quoted(why->second);
    else
      p->check().status = "correct";
    p->row.record.counts = std::move(counts);
  } catch (const KernelFault& fault) {
    p->check().quoted = Quoted(fault.what());
    drawn_steps_ = kMostTogether;  // there may be nothing to execute it any more
    large_.reset();
  }
  drawn_steps_ += backend_.steps() - before;
}

}  // namespace lockstep
