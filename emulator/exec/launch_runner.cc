// SPDX-License-Identifier: Apache-2.0
// Blocks over SMs, SMs over threads, and the profile of it all.
#include "emulator/exec/launch_runner.h"

#include <algorithm>
#include <deque>
#include <exception>
#include <thread>

#include "common/base/error.h"
#include "emulator/exec/block_runner.h"
#include "emulator/exec/make_profile.h"
#include "emulator/exec/permutation.h"
#include "emulator/store_runs.h"

namespace lockstep::emulator {
namespace {

// One SM: its share of the blocks, in the launch's order. They run one after the other; where one
// waits for another, the next one starts, up to what the SM can hold.
struct Sm {
  uint32_t number = 0;
  uint64_t next = 0;  // place in the order of blocks
  std::unique_ptr<L1Model> l1;
  std::deque<std::unique_ptr<Block>> live;
};

struct Shared {
  Shared(LaunchState& s, const LaunchOptions& o)
      : state(s),
        options(o),
        blocks(s.grid.count()),
        order(blocks, s.order),
        store_runs(find_store_runs(s.program->instructions)) {}
  LaunchState& state;
  const LaunchOptions& options;
  const uint64_t blocks;
  const Permutation order;
  const std::vector<uint32_t> store_runs;
  uint32_t sms = 0;
  std::atomic<uint32_t> next_sm{0};
  std::mutex mutex;
  std::exception_ptr failure;
  uint64_t failed_block = ~uint64_t{0};
  std::map<uint64_t, std::string> output;
  std::vector<L1Traffic> traffic;
};

class SmRunner {
 public:
  SmRunner(Shared& shared, Worker& worker) : shared_(shared), worker_(worker) {}

  // Takes SMs until none is left.
  void run() {
    std::deque<std::unique_ptr<Sm>> parked;
    size_t stalled = 0;
    for (;;) {
      std::unique_ptr<Sm> sm = take();
      if (sm == nullptr) {
        if (parked.empty()) return;
        sm = std::move(parked.front());
        parked.pop_front();
      }
      if (advance(*sm)) {
        stalled = 0;
        continue;
      }
      parked.push_back(std::move(sm));
      if (++stalled < parked.size()) continue;
      // All wait for blocks of other threads, whose steps count, too: let these run.
      std::this_thread::yield();
      stalled = 0;
    }
  }

 private:
  std::unique_ptr<Sm> take() {
    const uint32_t number = shared_.next_sm.fetch_add(1);
    if (number >= shared_.sms) return nullptr;
    auto sm = std::make_unique<Sm>();
    sm->number = number;
    sm->next = number;
    if (shared_.options.model_l1)
      sm->l1 = std::make_unique<L1Model>(shared_.options.l1, shared_.store_runs.size(),
                                         shared_.store_runs);
    return sm;
  }

  bool start_next(Sm& sm) {
    if (sm.next >= shared_.blocks || sm.live.size() >= shared_.state.resident_blocks) return false;
    std::unique_ptr<Block> block;
    if (!idle_.empty()) {
      block = std::move(idle_.back());
      idle_.pop_back();
    } else {
      block = std::make_unique<Block>();
    }
    current_ = shared_.order[sm.next];
    start_block(*block, worker_, current_);
    sm.next += shared_.state.sm_count;
    if (sm.l1 != nullptr)
      block->l1_base = sm.l1->begin_block(static_cast<int>(block->warps.size()));
    sm.live.push_front(std::move(block));
    return true;
  }

  // Returns true when the SM has run all of its blocks, false when it waits for other SMs.
  bool advance(Sm& sm) {
    worker_.sm = sm.number;
    worker_.l1 = sm.l1.get();
    size_t stalled = 0;
    for (;;) {
      if (sm.live.empty() && !start_next(sm)) break;
      Block& block = *sm.live.front();
      current_ = block.linear;
      if (sm.l1 != nullptr) sm.l1->resume_block(block.l1_base);
      if (run(block) == BlockResult::kDone) {
        finish_block(sm);
        stalled = 0;
        continue;
      }
      if (start_next(sm)) continue;  // the one that it waits for may be this
      sm.live.push_back(std::move(sm.live.front()));
      sm.live.pop_front();
      if (++stalled >= sm.live.size()) return false;
    }
    finish_sm(sm);
    return true;
  }

  // What a block printed before it failed is kept, too.
  BlockResult run(Block& block) {
    try {
      return run_block(block, worker_);
    } catch (...) {
      keep_output(block);
      throw;
    }
  }

  void keep_output(const Block& block) {
    if (block.output.empty()) return;
    const std::lock_guard<std::mutex> lock(shared_.mutex);
    shared_.output[block.linear] = block.output;
  }

  void finish_block(Sm& sm) {
    std::unique_ptr<Block> block = std::move(sm.live.front());
    sm.live.pop_front();
    if (sm.l1 != nullptr) sm.l1->end_block();
    keep_output(*block);
    idle_.push_back(std::move(block));
  }

  void finish_sm(Sm& sm) {
    if (sm.l1 == nullptr) return;
    sm.l1->finish();
    const std::lock_guard<std::mutex> lock(shared_.mutex);
    const std::vector<L1Traffic>& traffic = sm.l1->traffic();
    shared_.traffic.resize(std::max(shared_.traffic.size(), traffic.size()));
    for (size_t i = 0; i < traffic.size(); ++i) {
      shared_.traffic[i].fill_bytes += traffic[i].fill_bytes;
      shared_.traffic[i].write_bytes += traffic[i].write_bytes;
    }
  }

  Shared& shared_;
  Worker& worker_;
  std::vector<std::unique_ptr<Block>> idle_;

 public:
  uint64_t current_ = 0;  // block being run, for the order of faults
};

void prepare(Worker& worker, LaunchState& state) {
  const Program& program = *state.program;
  worker.launch = &state;
  worker.program = &program;
  worker.block_warps.assign(program.blocks.size(), 0);
  worker.block_lanes.assign(program.blocks.size(), 0);
  worker.edges.assign(program.edges, 0);
  worker.guard_warps.assign(program.instructions.size(), 0);
  worker.guard_lanes.assign(program.instructions.size(), 0);
  worker.memory.assign(program.memory_slots, MemoryCounters());
  worker.last_allocation.assign(program.memory_slots, nullptr);
  worker.trips.resize(program.loops);
}

void work(Shared& shared, Worker& worker) {
  SmRunner runner(shared, worker);
  try {
    runner.run();
  } catch (const Stopped&) {
  } catch (...) {
    shared.state.stop = true;
    const std::lock_guard<std::mutex> lock(shared.mutex);
    if (shared.failure == nullptr || runner.current_ < shared.failed_block) {
      shared.failure = std::current_exception();
      shared.failed_block = runner.current_;
    }
  }
}

}  // namespace

// Who came first draws them all, where blocks run one after the other.
static bool draws_tickets(const Program& program) {
  return std::any_of(program.decisions.begin(), program.decisions.end(), [&](const auto& reading) {
    const OpClass op = program.instructions[reading.first].op;
    return op == OpClass::kGlobalAtomic || op == OpClass::kGenericAtomic;
  });
}

KernelProfile run_launch(LaunchState& state, const LaunchOptions& options) {
  state.draws_tickets = draws_tickets(*state.program);
  Shared shared(state, options);
  shared.sms = static_cast<uint32_t>(std::min<uint64_t>(state.sm_count, shared.blocks));
  const int64_t most = state.draws_tickets ? 1 : std::max(1u, shared.sms);  // turns are in order
  const auto threads = static_cast<size_t>(std::clamp<int64_t>(options.threads, 1, most));
  state.several_threads = threads > 1;
  std::vector<Worker> workers(threads);
  for (Worker& w : workers) prepare(w, state);
  {
    std::vector<std::jthread> others;
    for (size_t i = 1; i < threads; ++i)
      others.emplace_back([&shared, &workers, i] { work(shared, workers[i]); });
    work(shared, workers[0]);
  }
  for (const auto& [block, text] : shared.output) state.output += text;
  if (shared.failure != nullptr) std::rethrow_exception(shared.failure);
  return make_profile(*state.program, workers, shared.traffic);
}

}  // namespace lockstep::emulator
