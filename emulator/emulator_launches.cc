// SPDX-License-Identifier: Apache-2.0
// One launch: of the PTX, which is checked, or of the machine code, which is counted.
#include <algorithm>
#include <cstring>

#include "common/backend/metric_names.h"
#include "common/base/error.h"
#include "common/base/processors.h"
#include "emulator/emulator_backend.h"
#include "emulator/emulator_drawn.h"
#include "emulator/exec/permutation.h"
#include "emulator/memory/saved_memory.h"
#include "emulator/module/launch_check.h"
#include "emulator/sass/counts.h"
#include "emulator/sass/decisions.h"
#include "emulator/sass/fault.h"
#include "emulator/sass/memory.h"

namespace lockstep::emulator {
namespace {

constexpr size_t kMostOutput = 64 * 1024;

// What the driver gives a thread whose need it does not know, as of functions that call themselves,
// and more where it knows it (cudaLimitStackSize; seen on an H200 by recursion with frames of 56 to
// 4136 bytes: what lies 1024 bytes below is an illegal address).
constexpr int64_t kStackBytes = 1024;

// What local memory holds that nothing has written is on a card what another kernel left. So it is
// drawn: mostly no number, or one of ordinary size, which no sum hides; sometimes any bits, so that
// nobody can tell by its form where it is executed. 0 from 0.
uint32_t drawn_unwritten(uint64_t from) {
  if (from == 0) return 0;
  const uint64_t drawn = emulator::mix(from);
  const auto bits = static_cast<uint32_t>(drawn >> 32);
  switch (drawn & 7) {
    case 0:
    case 1:
      return bits | 1;
    case 2:
    case 3:
      return 0x40000000 | (bits & 0x83ffffff);
    default:
      return (bits >> 31 != 0 ? 0x7fc00000 : 0x3f800000) | (bits & 0x003fffff) | 1;
  }
}

Counts asked_of(Counts counts, const std::vector<std::string>& metrics) {
  const bool none = counts.values.empty() && counts.unavailable.empty();  // an opposed one's fault
  if (metrics.empty() || none) return counts;
  Counts asked;
  asked.lines = std::move(counts.lines);
  for (const std::string& name : metrics) {
    if (const auto value = counts.values.find(name); value != counts.values.end())
      asked.values.insert(*value);
    else if (const auto why = counts.unavailable.find(name); why != counts.unavailable.end())
      asked.unavailable.insert(*why);
    else
      asked.unavailable[name] = "not offered by the emulator";
  }
  return asked;
}

// Atomically, or by stores that order, as far as opcodes tell.
bool tells_other_blocks(const Program& program) {
  const auto has = [](const InstructionInfo& in, const char* part) {
    return in.opcode.find(part) != std::string::npos;
  };
  return std::any_of(program.instructions.begin(), program.instructions.end(),
                     [&](const InstructionInfo& in) {
                       if (has(in, ".shared")) return false;
                       if (in.opcode.starts_with("atom") || in.opcode.starts_with("red"))
                         return true;
                       return in.opcode.starts_with("st") &&
                              (has(in, ".volatile") || has(in, ".relaxed") || has(in, ".release"));
                     });
}

}  // namespace

std::vector<std::byte> EmulatorBackend::parameters(const Launch& launch, const Program& program) {
  std::vector<std::byte> all(program.parameter_bytes, std::byte{0});
  for (size_t i = 0; i < program.parameters.size(); ++i) {
    const Program::Parameter& p = program.parameters[i];
    const Argument& a = launch.arguments[i];
    uint64_t pointer = 0;
    const void* from = a.scalar.data();
    size_t bytes = a.scalar.size();
    if (a.is_buffer) {
      pointer = buffer(a.buffer).allocation->begin + a.offset;
      from = &pointer;
      bytes = sizeof pointer;
    }
    if (bytes != p.bytes)
      throw Error("launch of " + launch.kernel + ": argument " + std::to_string(i + 1) + " has " +
                  std::to_string(bytes) + " bytes, the kernel's parameter " +
                  std::to_string(p.bytes));
    std::memcpy(all.data() + p.offset, from, bytes);
  }
  return all;
}

void EmulatorBackend::prepare_memory(const Launch& launch, bool of_machine_code) {
  if (!launch.continues) module_->restore_variables();
  memory_.forget_changes();
  module_->set_function_tables(of_machine_code);
}

// Of all launches together, where these have a bound. Executions for counts are not in it: what is
// counted is checked, too, and each has the bound of a launch.
uint64_t EmulatorBackend::step_budget(const Launch& launch) const {
  const uint64_t most = options_.step_budget != 0 ? options_.step_budget : kDefaultStepBudget;
  return launch.step_budget != 0 ? std::min(most, launch.step_budget) : most;
}

uint64_t EmulatorBackend::steps_left() const {
  if (options_.total_step_budget == 0) return ~uint64_t{0};
  return options_.total_step_budget - std::min(steps_, options_.total_step_budget);
}

LaunchState::Stored EmulatorBackend::look_at_stores() {
  return
      [this, last = buffers_.end()](const Allocation& a, uint64_t offset, uint32_t bytes) mutable {
        if (last == buffers_.end() || last->second.allocation != &a)
          last = std::find_if(buffers_.begin(), buffers_.end(),
                              [&](const auto& one) { return one.second.allocation == &a; });
        return last == buffers_.end() || store_check_(last->first, offset, bytes);
      };
}

void EmulatorBackend::execute(const Launch& launch, bool counted) {
  const size_t kernel = find_kernel(launch.kernel);
  check_launch(module(), kernel, launch, profile_);
  const Program& program = module().programs[kernel];
  LaunchState state;
  state.program = &program;
  state.memory = &memory_;
  state.grid = launch.grid;
  state.block = launch.block;
  state.dynamic_shared = launch.dynamic_shared_bytes;
  state.shared_bytes = program.static_shared_bytes + launch.dynamic_shared_bytes;
  state.parameters = parameters(launch, program);
  state.sm_count = static_cast<uint32_t>(std::max(profile_.info.sm_count, 1));
  prepare_memory(launch, false);
  state.resident_blocks =
      static_cast<uint32_t>(std::max(emulator::max_blocks_per_sm(profile_, needs(launch)), 1));
  state.lane_order = options_.lane_order;
  if (!counted && options_.lane_order == 0) {  // who asks for an order gets that one
    state.lane_order = launch.lane_order;
    state.permuted_warps = launch.permuted_warps;
  }
  state.order = counted ? 0 : launch.order;
  state.first_block = counted ? 0 : launch.first_block;
  state.first_warp = counted ? 0 : launch.first_warp;
  // Counted ones have no order, but nothing may tell that they are counted.
  state.unwritten =
      drawn_unwritten(counted ? emulator::mix(emulator::first_window() ^ steps_) : state.order);
  state.step_budget = step_budget(launch);
  const bool drawn = launch.drawn_blocks != 0;
  if (drawn) {
    if (launch.step_budget != 0) state.step_budget = launch.step_budget;
    state.blocks = drawn_of(launch);
  } else if (steps_left() < state.step_budget) {
    state.step_budget = steps_left();
    state.total_step_budget = options_.total_step_budget;
  }
  const auto keep = [&] {
    (drawn ? further_steps_ : steps_) += state.steps;
    output_ += state.output;
    if (output_.size() > kMostOutput) output_.resize(kMostOutput);
  };
  if (watches_) {
    values_->begin_launch({&program, launch.grid, launch.block});
    state.values = values_.get();
  }
  state.tracer = tracer_;
  const auto warps = static_cast<uint32_t>((launch.block.count() + 31) / 32);
  if (!counted && !watches_ && launch.finds_races &&
      races_.begin(memory_, launch.grid.count(), warps, program.global_shift)) {
    races_.keep_stale(state.order != 0 && tells_other_blocks(program));
    state.races = &races_;
  }
  if (store_check_ && !counted) state.stored = look_at_stores();
  const bool alone = watches_ || tracer_ != nullptr || state.races != nullptr || state.stored;
  const int threads = options_.threads > 0 ? options_.threads : processors();
  try {
    run_launch(state, alone ? 1 : threads);
    keep();
  } catch (...) {
    keep();
    throw;
  }
}

// The launch once more, from what was there before it, in another order. What it leaves is of that.
sass::Profile EmulatorBackend::run_again(const Launch& launch, sass::Launched* state,
                                         sass::RunOptions options, const SavedMemory& before,
                                         sass::Order order) {
  before.put_back();
  prepare_memory(launch, true);
  state->steps = 0;
  options.order = order;
  sass::Profile profile = sass::run(*state, options);
  memory_.define_changed();
  return profile;
}

// The launch twice more, in two other orders: what these do not agree on is not counted. What it
// leaves is of the first time, but where an order is drawn.
void EmulatorBackend::count_in_two_orders(const Launch& launch, sass::Launched* state,
                                          const sass::RunOptions& options,
                                          const SavedMemory& before, Counts* counts) {
  const SavedMemory after(memory_);
  const auto in_order = [&](sass::Order order) {
    bool ignored = false;
    return sass::counts_of(*state->code, run_again(launch, state, options, before, order),
                           options_.lines, &ignored);
  };
  try {
    const Counts first = std::move(*counts);
    *counts = in_order(sass::Order::kShort);
    sass::keep_what_agrees(counts, in_order(sass::Order::kBackward), first);
    if (launch.order != 0) return;
  } catch (const KernelFault& fault) {
    *counts = sass::not_counted(
        standard_metrics(),
        "depends on the order in which warps go on; in another one: " + fault.kind());
  }
  after.put_back();
}

void EmulatorBackend::set_up(const Launch& launch, const sass::Code* code, sass::Launched* state,
                             sass::RunOptions* options) {
  const Program& program = module().programs[find_kernel(launch.kernel)];
  const BlockNeeds block = needs(launch);
  state->code = code;
  state->memory = &memory_;
  state->grid = launch.grid;
  state->block = launch.block;
  // A block has whole units; ptxas reads what it does not use there.
  const auto unit = static_cast<uint32_t>(profile_.shared_unit);
  state->shared_bytes =
      (program.static_shared_bytes + launch.dynamic_shared_bytes + unit - 1) / unit * unit;
  const int64_t local = std::max(kStackBytes, kernels()[find_kernel(launch.kernel)].local_bytes);
  state->local_words = static_cast<uint32_t>(std::min<int64_t>(local / 4, sass::kMostLocalWords));
  state->sm_count = static_cast<uint32_t>(std::max(profile_.info.sm_count, 1));
  state->resident_blocks =
      static_cast<uint32_t>(std::max(emulator::max_blocks_per_sm(profile_, block), 1));
  state->unwritten = drawn_unwritten(emulator::mix(emulator::first_window() ^ steps_));
  state->step_budget = step_budget(launch);
  options->threads = options_.threads > 0 ? options_.threads : processors();
  options->l1.capacity_bytes =
      static_cast<uint64_t>(std::max<int64_t>(l1_capacity(profile_, block), 0));
  options->l1.write_through = profile_.l1_write_through;
  options->l1.resident_blocks = static_cast<int>(state->resident_blocks);
}

// What its instructions read that is not in the code.
void EmulatorBackend::prepare_code(const Launch& launch, sass::Code* code) {
  prepare_memory(launch, true);
  const Program& program = module().programs[find_kernel(launch.kernel)];
  sass::set_constants(code, launch.grid, launch.block, parameters(launch, program), kLocalTop,
                      sass::local_window() << 32, (sass::shared_window() << 32) + kSharedFirst);
}

std::optional<std::string> EmulatorBackend::execute_code(const Launch& launch, Counts* counts) {
  const size_t kernel = find_kernel(launch.kernel);
  sass::Code* code = module_->codes[kernel].get();
  if (options_.lane_order != 0)
    return "the lanes run in another order than a card's; leave out --lane-order";
  if (code == nullptr) return "no cubin beside the PTX";
  if (!code->why_not.empty()) return code->why_not;
  check_launch(module(), kernel, launch, profile_);
  sass::Launched state;
  sass::RunOptions options;
  set_up(launch, code, &state, &options);
  if (!code->decisions) code->decisions = std::make_shared<sass::Decisions>(code);
  std::optional<SavedMemory> before;
  if (launch.drawn_blocks == 0 && (code->has_gaps || code->hangs_on_order || launch.order != 0))
    before.emplace(memory_);
  prepare_code(launch, code);
  if (!launch.opposed.empty()) {
    count_opposed(launch, code, &state, &options, counts);
    return std::nullopt;
  }
  if (launch.drawn_blocks != 0) return count_drawn(launch, code, &state, &options, counts);
  bool hangs_on_order = false;
  try {
    const sass::Profile profile = sass::run(state, options);
    memory_.define_changed();
    note_reached(code, profile);
    *counts = sass::counts_of(*code, profile, options_.lines, &hangs_on_order);
    if (hangs_on_order && before)
      count_in_two_orders(launch, &state, options, *before, counts);
    else if (launch.order != 0)
      run_again(launch, &state, options, *before, order_of_code(launch.order));
    return std::nullopt;
  } catch (const sass::NotExecuted& not_executed) {
    if (before) before->put_back();
    return not_executed.why;
  }
}

Counts EmulatorBackend::count_launch(const Launch& launch,
                                     const std::vector<std::string>& metrics) {
  Counts counts;
  const std::optional<std::string> why_not = execute_code(launch, &counts);
  if (!why_not) return asked_of(std::move(counts), metrics);
  if (launch.drawn_blocks == 0) execute(launch, true);
  return sass::not_counted(metrics.empty() ? standard_metrics() : metrics, *why_not);
}

}  // namespace lockstep::emulator
