// SPDX-License-Identifier: Apache-2.0
// Launches of which some blocks are executed, and those in which comparisons say the opposite.
#include "emulator/emulator_drawn.h"

#include "common/backend/fault_words.h"
#include "common/backend/metric_names.h"
#include "emulator/emulator_backend.h"
#include "emulator/exec/permutation.h"
#include "emulator/sass/counts.h"
#include "emulator/sass/decisions.h"
#include "emulator/sass/drawn_blocks.h"
#include "emulator/sass/fault.h"

namespace lockstep::emulator {

sass::Order order_of_code(uint64_t from) {
  return (emulator::mix(from) & 1) != 0 ? sass::Order::kShort : sass::Order::kBackward;
}

std::vector<uint64_t> drawn_of(const Launch& launch) {
  const uint64_t blocks = launch.grid.count();
  if (launch.drawn_blocks == 0 || blocks <= launch.drawn_blocks) return {};
  return sass::draw_blocks(blocks, launch.drawn_blocks, launch.drawn_from);
}

// It may come to anything: what it stored until then is what it leaves. Throws where it is cut.
void EmulatorBackend::count_opposed(const Launch& launch, sass::Code* code, sass::Launched* state,
                                    sass::RunOptions* options, Counts* counts) {
  options->blocks = drawn_of(launch);
  code->decisions->oppose(launch.opposed);
  std::optional<KernelFault> cut;
  try {
    bool ignored = false;
    const sass::Profile profile = sass::run(*state, *options);
    *counts = sass::counts_of(*code, profile, options_.lines, &ignored);
    if (launch.drawn_blocks != 0)
      sass::stand_for_all(profile, launch.grid.count(), ignored, counts);
  } catch (const KernelFault& fault) {
    if (fault.kind() == "too_slow") cut = fault;
  } catch (const sass::NotExecuted& not_executed) {
    *counts = sass::not_counted(standard_metrics(), not_executed.why);
  }
  steps_ += state->steps;
  code->decisions->oppose({});
  memory_.define_changed();
  if (cut) throw KernelFault(*cut);
}

// What cannot be executed tells nothing of the launch, nor does a fault, but where all blocks are
// executed.
std::optional<std::string> EmulatorBackend::count_drawn(const Launch& launch, sass::Code* code,
                                                        sass::Launched* state,
                                                        sass::RunOptions* options, Counts* counts) {
  if (launch.step_budget != 0) state->step_budget = launch.step_budget;
  options->blocks = drawn_of(launch);
  // Where one takes what others leave, none is to take all.
  if (code->hangs_on_order)
    options->order = sass::Order::kShort;
  else if (launch.order != 0 && options->blocks.empty())
    options->order = order_of_code(launch.order);
  std::optional<std::string> why_not;
  std::optional<KernelFault> own;
  try {
    const sass::Profile profile = sass::run(*state, *options);
    note_reached(code, profile);
    bool hangs_on_order = false;
    *counts = sass::counts_of(*code, profile, options_.lines, &hangs_on_order);
    sass::stand_for_all(profile, launch.grid.count(), hangs_on_order, counts);
  } catch (const KernelFault& fault) {
    why_not = fault.what();
    if (options->blocks.empty() && is_of_kernel(fault.kind())) own = fault;
  } catch (const sass::NotExecuted& not_executed) {
    why_not = not_executed.why;
  }
  further_steps_ += state->steps;
  memory_.define_changed();
  if (own) throw KernelFault(*own);
  return why_not;
}

}  // namespace lockstep::emulator
