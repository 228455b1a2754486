// SPDX-License-Identifier: Apache-2.0
// Blocks, SMs, host threads.
#include "emulator/sass/run.h"

#include <algorithm>

#include "common/backend/backend.h"
#include "emulator/sass/fault.h"
#include "emulator/sass/rounds.h"
#include "emulator/sass/store_runs.h"
#include "emulator/sms/sm_runner.h"

namespace lockstep::emulator::sass {
namespace {

// Instructions of a warp's turn. A short one is a few iterations of a loop, as warps of a card that
// come to the same queue take turns at it.
constexpr int64_t kLongTurn = 20000, kShortTurn = 40;

// What all threads of a launch share.
struct Shared {
  Shared(Launched& launch_, const RunOptions& options_)
      : launch(launch_),
        options(options_),
        queue(options_.blocks.empty() ? launch.grid.count() : options_.blocks.size(),
              launch.sm_count, launch.resident_blocks),
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
    worker_.more_allocations.assign(code.accesses, {});
    worker_.patterns = Patterns(code.accesses);
  }
  const Worker& worker() const { return worker_; }
  const std::vector<uint64_t>& of_blocks() const { return of_blocks_; }

  void begin(Sm& sm, uint32_t number) {
    const std::vector<uint64_t>& drawn = shared_->options.blocks;
    sm.number =
        drawn.empty() ? number : static_cast<uint32_t>(drawn[number] % shared_->launch.sm_count);
    if (idle_.empty()) {
      sm.l1 = std::make_unique<L1Model>(shared_->options.l1, shared_->store_runs.size(),
                                        shared_->store_runs, worker_.patterns.shapes());
    } else {
      sm.l1 = std::move(idle_.back());
      idle_.pop_back();
      sm.l1->restart();
    }
  }
  uint64_t start(Sm& sm, Block& block, uint64_t place) {
    const uint64_t blocks = shared_->queue.blocks;
    uint64_t number = order_ == Order::kBackward ? blocks - 1 - place : place;
    if (!shared_->options.blocks.empty()) number = shared_->options.blocks[number];
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
  void end(Sm& sm, const Block& block) {
    sm.l1->end_block();
    if (shared_->options.blocks.empty()) return;
    of_blocks_.push_back(0);
    for (const Warp& w : block.warps) of_blocks_.back() += w.executed;
  }
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
  std::vector<uint64_t> of_blocks_;             // Profile::of_blocks
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
      for (const Allocation* a : w.more_allocations[i]) out.accesses[i].from_changed |= a->changed;
    }
    out.critical_path = std::max(out.critical_path, w.critical_path);
    out.warps += w.warps_launched;
    out.meets_by_chance |= w.meets_by_chance;
    out.of_blocks.insert(out.of_blocks.end(), machine.of_blocks().begin(),
                         machine.of_blocks().end());
  }
  traffic.resize(code.accesses);
  out.traffic = std::move(traffic);
  return out;
}

// A block by itself, up to so many steps; what ends it before ends it.
void try_block(Machine& machine, Launched& launch, uint64_t number) {
  Machine::Sm sm;
  Block block;
  launch.steps = 0;
  machine.begin(sm, static_cast<uint32_t>(number % launch.sm_count));
  try {
    machine.start(sm, block, number);
    while (!machine.run(sm, block) && launch.steps < launch.step_budget) continue;
  } catch (const KernelFault&) {
  } catch (const NotExecuted&) {
  }
  machine.end(sm, block);
  machine.finish(sm);
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

std::vector<bool> reach(Launched& launch, const RunOptions& options, uint64_t further) {
  Shared shared(launch, options);
  std::vector<Machine> machines;
  machines.emplace_back(shared);
  try_block(machines[0], launch, 0);
  const uint64_t blocks = launch.grid.count();
  if (blocks > 1) try_block(machines[0], launch, blocks - 1);
  if (blocks > 2) try_block(machines[0], launch, 1 + further % (blocks - 2));
  const Profile profile = sum(*launch.code, machines, {});
  std::vector<bool> reached;
  for (const Executions& e : profile.executions) reached.push_back(e.lanes > 0);
  return reached;
}

}  // namespace lockstep::emulator::sass
