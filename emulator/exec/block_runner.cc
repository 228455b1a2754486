// SPDX-License-Identifier: Apache-2.0
// A block's start, its warps' turns, its end.
#include "emulator/exec/block_runner.h"

#include <algorithm>
#include <bit>

#include "emulator/check/fault.h"
#include "emulator/exec/apart.h"
#include "emulator/exec/calls.h"
#include "emulator/exec/groups.h"
#include "emulator/exec/interpreter.h"
#include "emulator/exec/permutation.h"
#include "emulator/exec/synchronize.h"
#include "emulator/sms/sm_runner.h"
#include "emulator/watch/watch.h"

namespace lockstep::emulator {
namespace {

void start_warp(Warp& w, Block& block, Worker& worker, uint32_t index) {
  const Program& program = *worker.program;
  const LaunchState& launch = *worker.launch;
  const auto threads = static_cast<uint32_t>(launch.block.count());
  const uint32_t left = threads - index * 32;
  w.index = index;
  w.lanes = left >= 32 ? ~0u : (1u << left) - 1;
  w.live = w.lanes;
  w.left = 0;
  w.block = &block;
  w.worker = &worker;
  w.local_base = static_cast<uint32_t>(kLocalTop) - program.functions[0].local_bytes;
  w.function = 0;
  w.join = nullptr;
  w.synchronizes = false;
  w.turns = 0;
  w.order.begin();
  w.copies.pending.clear();
  std::fill(std::begin(w.copies.groups), std::end(w.copies.groups), 0);
  draw_apart(w);
  if (w.frames.empty()) w.frames.resize(program.functions.size());
  if (w.frames[0] == nullptr) w.frames[0] = make_frame(w);
  set_block_specials(program, w.frames[0].get(), block.index);
  clear_registers(program.functions[0], w.frames[0].get(), ~0u, launch.unwritten);
  if (launch.values != nullptr)
    watch_unset(w, program.functions[0].zeroed, w.frames[0].get(), w.lanes);
  // Which block had this memory before depends on the number of threads.
  w.local.clear();
  w.local.reserve(w.local_base, launch.unwritten);
  start_groups(w, program.code.data() + program.functions[0].entry, w.frames[0].get(),
               w.lane_order != 0);
}

// Where the warp is, or, when it has ended, was last.
const Instr& place_of(const Warp& w, int* lane) {
  *lane = w.live != 0 ? std::countr_zero(w.live) : 0;
  if (w.current >= 0) return *w.pc;
  for (const Group& g : w.groups) {
    if (g.state == GroupState::kFree || g.mask == 0) continue;
    *lane = std::countr_zero(g.mask);
    return *g.pc;
  }
  return w.pc[-1];  // its exit
}

[[noreturn]] void too_slow(const Warp& w) {
  const LaunchState& launch = *w.worker->launch;
  int lane = 0;
  const Instr& in = place_of(w, &lane);
  const std::string budget = std::to_string(launch.step_budget);
  const std::string what =
      launch.total_step_budget == 0
          ? "the launch was cut after " + budget + " warp instructions, its step budget"
          : "all launches together have passed their bound of " +
                std::to_string(launch.total_step_budget) +
                " warp instructions; this one was cut after " + budget;
  launch_fault(w, in, lane, "too_slow",
               "too slow: " + what + ", when thread " +
                   thread_name(w, static_cast<uint32_t>(lane)) + " of block (" +
                   std::to_string(w.block->index[0]) + "," + std::to_string(w.block->index[1]) +
                   "," + std::to_string(w.block->index[2]) +
                   ") was here; does the loop here end, does what it waits for happen, and can the "
                   "kernel do with fewer instructions?");
}

// Adds the steps of a warp's turn.
void account(Warp& w) {
  const auto steps = static_cast<uint64_t>(w.given - w.slice);
  w.worker->clock += steps;
  charge(w, steps);
}

// The order in which warps have their turns in this round: every round has one of its own.
Permutation order_of_round(Block& block, uint64_t key, uint32_t first) {
  if (key != 0) key = mix(mix(key ^ block.linear) ^ ++block.rounds) | 1;
  return Permutation(block.warps.size(), key, first);
}

}  // namespace

void charge(Warp& w, uint64_t steps) {
  LaunchState& launch = *w.worker->launch;
  const uint64_t all = launch.steps.fetch_add(steps, std::memory_order_relaxed) + steps;
  if (launch.stop.load(std::memory_order_relaxed)) throw Stopped();
  if (all > launch.step_budget) too_slow(w);
}

void start_block(Block& block, Worker& worker, uint64_t linear) {
  const LaunchState& launch = *worker.launch;
  block.linear = linear;
  block.index[0] = static_cast<uint32_t>(linear % launch.grid.x);
  block.index[1] = static_cast<uint32_t>(linear / launch.grid.x % launch.grid.y);
  block.index[2] = static_cast<uint32_t>(linear / launch.grid.x / launch.grid.y);
  const auto warps = static_cast<uint32_t>((launch.block.count() + 31) / 32);
  block.shared.begin_block(launch.shared_bytes, worker.program->shadow_shift);
  for (Barrier& b : block.barriers) b = Barrier();
  block.rounds = 0;
  block.published = 0;
  block.output.clear();
  if (block.warps.size() != warps) block.warps = std::vector<Warp>(warps);
  for (uint32_t i = 0; i < warps; ++i) start_warp(block.warps[i], block, worker, i);
  block.live = warps >= 32 ? ~0u : (1u << warps) - 1;
}

BlockResult run_block(Block& block, Worker& worker) {
  for (;;) {
    bool progress = false, can_run = false;
    const Permutation order =
        order_of_round(block, worker.launch->order, worker.launch->first_warp);
    for (uint64_t i = 0; i < block.warps.size(); ++i) {
      Warp& w = block.warps[order[i]];
      if ((block.live >> w.index & 1) == 0 || w.ready == 0) continue;
      can_run = true;
      w.worker = &worker;
      const WarpResult result = run_warp(w);
      account(w);
      progress |= result != WarpResult::kSpins;
      if (result != WarpResult::kDone) continue;
      block.live &= ~(1u << w.index);
      check_barriers(block);
    }
    if (block.live == 0) return BlockResult::kDone;
    if (!can_run) deadlock_fault(block);
    if (!progress || worker.program->takes_turns) return BlockResult::kStalls;
  }
}

}  // namespace lockstep::emulator
