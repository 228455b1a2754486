// SPDX-License-Identifier: Apache-2.0
// Warps' turns, blocks, SMs, host threads.
#include "emulator/sass/run.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "common/base/error.h"
#include "emulator/lanes/lane_count.h"
#include "emulator/sass/builder.h"
#include "emulator/sass/fault.h"
#include "emulator/sass/groups.h"
#include "emulator/sass/store_runs.h"
#include "emulator/sms/sm_runner.h"

namespace lockstep::emulator::sass {
namespace {

// Instructions of a warp's turn. A short one is a few iterations of a loop, as warps of a card that
// come to the same queue take turns at it.
constexpr int64_t kLongTurn = 20000, kShortTurn = 40;

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
  w.executed = w.waited = 0;
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

enum class RoundResult : uint8_t { kDone, kStalls, kGoesOn };

// A turn of each warp.
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

// What all threads of a launch share.
struct Shared {
  Shared(Launched& launch_, const RunOptions& options_)
      : launch(launch_),
        options(options_),
        queue(launch.grid.count(), launch.sm_count, launch.resident_blocks),
        store_runs(find_store_runs(*launch.code)) {}
  Launched& launch;
  const RunOptions& options;
  SmQueue queue;
  const std::vector<uint32_t> store_runs;
  std::vector<L1Traffic> traffic;
};

// SmRunner's Machine.
class Machine {
 public:
  using Block = sass::Block;
  struct Sm {
    uint32_t number = 0;
    std::unique_ptr<L1Model> l1;
  };

  explicit Machine(Shared& shared) : shared_(&shared), order_(shared.options.order) {
    const Code& code = *shared.launch.code;
    worker_.launch = &shared.launch;
    worker_.code = &code;
    worker_.turn = order_ == Order::kLong ? kLongTurn : kShortTurn;
    worker_.executions.resize(code.ops.size());
    worker_.together.resize(code.ops.size());
    worker_.accesses.resize(code.accesses);
    worker_.last_allocation.assign(code.accesses, nullptr);
    worker_.patterns = Patterns(code.accesses);
  }
  const Worker& worker() const { return worker_; }

  void begin(Sm& sm, uint32_t number) {
    sm.number = number;
    if (idle_.empty()) {
      sm.l1 = std::make_unique<L1Model>(shared_->options.l1, shared_->store_runs.size(),
                                        shared_->store_runs);
    } else {
      sm.l1 = std::move(idle_.back());
      idle_.pop_back();
      sm.l1->restart();
    }
  }
  uint64_t start(Sm& sm, Block& block, uint64_t place) {
    const uint64_t blocks = shared_->queue.blocks;
    const uint64_t number = order_ == Order::kBackward ? blocks - 1 - place : place;
    start_block(block, worker_, number);
    block.l1_base = sm.l1->begin_block(static_cast<int>(block.warps.size()));
    return number;
  }
  bool run(Sm& sm, Block& block) {
    worker_.sm = sm.number;
    worker_.l1 = sm.l1.get();
    sm.l1->resume_block(block.l1_base);
    RoundResult result;
    do {
      result = run_round(block, worker_, order_ == Order::kBackward);
    } while (result == RoundResult::kGoesOn && order_ == Order::kLong);
    return result == RoundResult::kDone;
  }
  void end(Sm& sm, const Block&) { sm.l1->end_block(); }
  void finish(Sm& sm) {
    sm.l1->finish();
    const std::lock_guard<std::mutex> lock(shared_->queue.mutex);
    const std::vector<L1Traffic>& traffic = sm.l1->traffic();
    shared_->traffic.resize(std::max(shared_->traffic.size(), traffic.size()));
    for (size_t i = 0; i < traffic.size(); ++i) {
      shared_->traffic[i].fill_bytes += traffic[i].fill_bytes;
      shared_->traffic[i].write_bytes += traffic[i].write_bytes;
    }
    idle_.push_back(std::move(sm.l1));
  }

 private:
  Shared* shared_;
  Order order_;
  Worker worker_;
  std::vector<std::unique_ptr<L1Model>> idle_;  // of SMs that are done
};

void add(const Executions& e, Executions* sum) {
  sum->warps += e.warps + e.full;
  sum->lanes += e.lanes + 32 * e.full;
  sum->again += e.again;
  sum->divergent += e.divergent;
}

Profile sum(const Code& code, const std::vector<Machine>& machines,
            std::vector<L1Traffic> traffic) {
  Profile out;
  out.executions.resize(code.ops.size());
  out.accesses.resize(code.accesses);
  for (const Machine& machine : machines) {
    const Worker& w = machine.worker();
    for (size_t i = 0; i < out.executions.size(); ++i) {
      add(w.executions[i], &out.executions[i]);
      for (size_t k = 0; k < code.ops[i].together; ++k) add(w.together[i], &out.executions[i + k]);
    }
    for (size_t i = 0; i < out.accesses.size(); ++i) {
      out.accesses[i] += w.accesses[i];
      out.accesses[i].from_changed |=
          w.last_allocation[i] != nullptr && w.last_allocation[i]->changed;
    }
    out.critical_path = std::max(out.critical_path, w.critical_path);
    out.warps += w.warps_launched;
    out.meets_by_chance |= w.meets_by_chance;
  }
  traffic.resize(code.accesses);
  out.traffic = std::move(traffic);
  return out;
}

}  // namespace

Profile run(Launched& launch, const RunOptions& options) {
  Shared shared(launch, options);
  // What depends on the order is found in one that repeats.
  const int64_t most = options.order == Order::kLong ? std::max(1u, shared.queue.sms) : 1;
  const auto threads = static_cast<size_t>(std::clamp<int64_t>(options.threads, 1, most));
  launch.several_threads = threads > 1;
  std::vector<Machine> machines;
  for (size_t i = 0; i < threads; ++i) machines.emplace_back(shared);
  run_sms(shared.queue, machines, &launch.stop);
  if (shared.queue.failure != nullptr) std::rethrow_exception(shared.queue.failure);
  return sum(*launch.code, machines, std::move(shared.traffic));
}

}  // namespace lockstep::emulator::sass
