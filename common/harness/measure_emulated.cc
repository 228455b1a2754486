// SPDX-License-Identifier: Apache-2.0
// What the emulator does with a job: it checks and counts at once. See measure.h.
#include <fmt/format.h>

#include "common/backend/metric_names.h"
#include "common/harness/measure_state.h"
#include "common/harness/plan_file.h"

namespace lockstep {
namespace {

// The value, which is not told; 0 where there is none.
double take_count(const char* metric, Counts* counts) {
  const auto found = counts->values.find(metric);
  const double value = found == counts->values.end() ? 0 : found->second.value;
  counts->values.erase(metric);
  counts->unavailable.erase(metric);
  return value;
}

// The case, and how large the blocks of its launches are.
std::string block_shapes(const std::string& kernel, const Sequence& launches) {
  std::string words = kernel;
  for (const Launch& l : launches)
    words += fmt::format(";{}x{}x{},{}", l.block.x, l.block.y, l.block.z, l.dynamic_shared_bytes);
  return words;
}

}  // namespace

// Counts are of a fixed order, in which a race may do no harm. So where orders are drawn, half of
// the launches leave what their machine code does in another one.
void Measurement::count(Pending* p) {
  if (p->job.fresh_inputs && !p->job.opposed)
    for (Launch& launch : p->launches) {
      const uint64_t drawn = seed_of_pass(p->job.seed, seed_of_text(1, launch.kernel) | 1);
      launch.order = (drawn & 1) != 0 ? drawn : 0;
    }
  if (!p->job.opposed) bound_steps(p);
  std::vector<std::string> names = metrics();
  const bool planned = emulated_ && p->job.fresh_inputs;
  if (planned) names.push_back(metric::kStoredSectors);
  const PassHooks hooks = session_->hooks(&p->check(), !p->job.opposed);
  Counts counts = backend_.count_sequences({p->launches}, names, {hooks}).at(0);
  if (planned) p->stored = take_count(metric::kStoredSectors, &counts);
  p->row.record.counts = std::move(counts);
}

// A text that has used up all steps of some launches gets less for others: it hardly ends there.
void Measurement::bound_steps(Pending* p) const {
  constexpr int kOften = 2;
  constexpr uint64_t kSteps = 8'000'000;
  const auto cut = cut_.find(base_name(p->job.c.kernel));
  const bool hardly_ends = cut != cut_.end() && cut->second >= kOften;
  const uint64_t most = steps_of_check(p->row.facts.work.elements);
  for (Launch& launch : p->launches)
    if (hardly_ends)
      launch.step_budget = std::min(kSteps, most);
    else if (p->job.fresh_inputs)
      launch.step_budget = most;
}

// The checks have seen blocks of this shape do less work: what the machine code computes is
// compared with the reference, and they are asked again only where that is wrong.
void Measurement::count_checked(Pending* p) {
  try {
    count(p);
  } catch (const KernelFault& fault) {
    CheckResult ignored;
    if (fault.kind() != "too_slow") session_->verify(p->launches, &ignored);
    throw;
  }
  if (p->check().status == "wrong") explain_counted(p);
}

// What the machine code computed is wrong: what the PTX computes tells why, where that is, too.
void Measurement::explain_counted(Pending* p) {
  const CheckResult of_code = p->check();
  session_->verify(p->launches, &p->check());
  if (p->check().status == "correct") p->check() = of_code;
}

void Measurement::run_at_once(Pending* p) {
  guarded(p, [&] {
    if (p->job.opposed) return count_opposed(p);
    if (p->job.drawn) return count_drawn(p);
    Session& s = session(p->job);
    const std::string shapes = block_shapes(p->job.c.kernel, p->launches);
    const bool known = p->job.as_shown || (!p->job.fresh_inputs && shapes_right_.count(shapes) > 0);
    if (p->job.counters && known) return count_checked(p);
    // What is counted is executed by its machine code, and what it computes is compared. Some of
    // it, nobody knows what, is checked by its PTX and in a drawn order as well, before or after: a
    // kernel does not know which execution is which.
    constexpr uint64_t kChecked = 4;  // one of so many
    const uint64_t drawn = seed_of_text(p->job.seed, p->job.c.kernel);
    const bool checked = !p->job.counters || !p->job.fresh_inputs || drawn % kChecked == 0;
    const bool before = !p->job.counters || (checked && drawn / kChecked % 2 == 0);
    const bool shown = !p->job.quiet && !p->job.fresh_inputs;  // the student may wait as long
    const uint64_t steps = shown ? 0 : steps_of_check(p->row.facts.work.elements);
    if (before) s.verify(p->launches, &p->check(), steps);
    if (before && p->job.counters && p->correct()) count(p);
    if (!before) count_checked(p);
    if (!before && checked && p->correct()) s.verify(p->launches, &p->check(), steps);
    s.check_surroundings(&p->check());
    if (p->correct()) shapes_right_.insert(shapes);
  });
}

}  // namespace lockstep
