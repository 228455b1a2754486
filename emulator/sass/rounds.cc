// SPDX-License-Identifier: Apache-2.0
// Blocks and warps as they begin, the turns that warps have, and what ends them.
#include "emulator/sass/rounds.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "common/base/error.h"
#include "emulator/lanes/lane_count.h"
#include "emulator/sass/builder.h"
#include "emulator/sass/fault.h"
#include "emulator/sass/groups.h"
#include "emulator/sms/sm_runner.h"

namespace lockstep::emulator::sass {
namespace {

enum class Turn : uint8_t { kDone, kWaits, kOver, kSpins };

void start_warp(Warp& w, Block& block, Worker& worker, uint32_t index) {
  const Code& code = *worker.code;
  const auto threads = static_cast<uint32_t>(worker.launch->block.count());
  const uint32_t left = threads - index * 32;
  w.lanes = left >= 32 ? ~0u : (1u << left) - 1;
  w.live = w.active = w.lanes;
  w.index = index;
  w.pc = w.at = 0;
  w.moved = w.spins = w.parted = false;
  w.lender = 0;
  w.turns = w.partings = 0;
  w.taken_at = -1;
  w.executed = w.waited = 0;
  w.opposed = 0;
  w.block = &block;
  w.worker = &worker;
  w.groups.clear();
  w.local.clear();
  std::fill(std::begin(w.barriers), std::end(w.barriers), 0);
  w.restored = 0;
  std::fill(std::begin(w.predicates), std::end(w.predicates), 0);
  w.predicates[kTruePredicate8] = w.predicates[kUniformPredicates + kTruePredicate8] = ~0u;
  w.frame.resize((code.rows + kChangedRows) * size_t{32} + 16);
  const auto start = reinterpret_cast<uintptr_t>(w.frame.data());
  w.registers = reinterpret_cast<uint32_t*>((start + 63) & ~uintptr_t{63});
  w.rows[0] = reinterpret_cast<uintptr_t>(w.registers);
  w.rows[1] = code.pool->first();
  std::fill_n(w.registers, code.rows * size_t{32}, 0);
  ++worker.warps_launched;
}

void count(Executions& e, uint32_t on) {
  if (on == ~0u) {
    ++e.full;
  } else {
    ++e.warps;
    e.lanes += static_cast<uint64_t>(lane_count(on));
  }
}

// Of instructions that steer, or have guards, one; of others all that follow each other.
[[gnu::always_inline]] inline void step(Warp& w, const Op* ops, Worker& worker) {
  int32_t at = w.pc;
  const Op* op = ops + at;
  if (op->together > 1 && op->together <= w.left) {
    const uint32_t on = w.active;
    const int32_t end = at + op->together;
    count(worker.together[static_cast<size_t>(at)], on);
    const int64_t left = w.left + at;
    for (; at < end; ++at, ++op) {
      w.at = at;
      w.left = left - at;
      if (op->run != nullptr) op->run(*op, w, op->widen ? ~0u : on);
    }
    w.pc = end;
    w.left = left - end;
    return;
  }
  const uint32_t on = w.active & read(op->guard, w);
  w.at = at;
  w.pc = at + 1;
  count(worker.executions[static_cast<size_t>(at)], on);
  if ((on != 0 || op->always) && op->run != nullptr) op->run(*op, w, op->widen ? ~0u : on);
  --w.left;
}

// Runs the warp until its turn is over or none of its groups can go on.
Turn run_warp(Warp& w) {
  Worker& worker = *w.worker;
  const Op* ops = worker.code->ops.data();
  w.left = w.given = worker.turn;
  w.moved = w.spins = false;
  if (w.active == 0 && !choose(w)) return w.live == 0 ? Turn::kDone : Turn::kWaits;
  for (;;) {
    do {
      step(w, ops, worker);
    } while (w.left > 0);
    if (!w.moved) return w.spins ? Turn::kSpins : Turn::kOver;
    w.moved = false;
    w.left = w.rest - 1;
    if (w.live == 0) return Turn::kDone;
    if (!choose(w)) return Turn::kWaits;
    if (w.left <= 0) return w.spins ? Turn::kSpins : Turn::kOver;
  }
}

[[noreturn]] void too_slow(Warp& w) {
  launch_fault(w, -1, "too_slow",
               "too slow: the launch was cut after " +
                   std::to_string(w.worker->launch->step_budget) +
                   " warp instructions, its step budget, in block " + block_name(*w.block) +
                   "; does the loop here end, does what it waits for happen, and can the kernel do "
                   "with fewer "
                   "instructions?");
}

void account(Warp& w) {
  const auto steps = static_cast<uint64_t>(w.given - w.left);
  w.executed += steps;
  w.given = w.left;
  w.worker->clock += steps;
  Launched& launch = *w.worker->launch;
  const uint64_t all = launch.steps.fetch_add(steps, std::memory_order_relaxed) + steps;
  if (launch.stop.load(std::memory_order_relaxed)) throw Stopped();
  if (all > launch.step_budget) too_slow(w);
}

[[noreturn]] void deadlock(Block& block) {
  for (Warp& w : block.warps) {
    if (w.live == 0 || w.groups.empty()) continue;
    const Group& g = w.groups.front();
    w.at = g.pc > 0 && g.state != GroupState::kAtSync ? g.pc - 1 : g.pc;
    fault(w, std::countr_zero(g.mask), "deadlock", "waits for threads that never come");
  }
  throw Error("a block that cannot go on has no waiting group");
}

}  // namespace

void start_block(Block& block, Worker& worker, uint64_t linear) {
  const Launched& launch = *worker.launch;
  block.linear = linear;
  block.index[0] = static_cast<uint32_t>(linear % launch.grid.x);
  block.index[1] = static_cast<uint32_t>(linear / launch.grid.x % launch.grid.y);
  block.index[2] = static_cast<uint32_t>(linear / launch.grid.x / launch.grid.y);
  const auto warps = static_cast<uint32_t>((launch.block.count() + 31) / 32);
  block.shared.resize(launch.shared_bytes);
  for (size_t i = 0; i + 4 <= block.shared.size(); i += 4)
    std::memcpy(&block.shared[i], &launch.unwritten, 4);
  block.stored.assign((block.shared.size() + 3) / 4, 0);
  block.last_stored = 0;
  for (BlockBarrier& b : block.barriers) b = BlockBarrier();
  block.awaited = 0;
  if (block.warps.size() != warps) block.warps = std::vector<Warp>(warps);
  for (uint32_t i = 0; i < warps; ++i) start_warp(block.warps[i], block, worker, i);
  block.live = warps >= 32 ? ~0u : (1u << warps) - 1;
}

RoundResult run_round(Block& block, Worker& worker, bool backward) {
  bool progress = false, can_run = false;
  const size_t count = block.warps.size();
  for (size_t i = 0; i < count; ++i) {
    Warp& w = block.warps[backward ? count - 1 - i : i];
    if ((block.live >> w.index & 1) == 0) continue;
    w.worker = &worker;
    const Turn turn = run_warp(w);
    const bool stepped = w.given != w.left;
    account(w);
    can_run |= stepped;
    progress |= stepped && turn != Turn::kSpins;
    if (turn != Turn::kDone) continue;
    worker.critical_path = std::max(worker.critical_path, w.path());
    block.live &= ~(1u << w.index);
    lanes_ended(w);
    can_run = progress = true;
  }
  if (block.live == 0) return RoundResult::kDone;
  if (!can_run) deadlock(block);
  return progress ? RoundResult::kGoesOn : RoundResult::kStalls;
}

}  // namespace lockstep::emulator::sass
