// SPDX-License-Identifier: Apache-2.0
// Blocks of PTX over SMs, SMs over threads.
#include "emulator/exec/launch_runner.h"

#include <map>

#include "emulator/exec/block_runner.h"
#include "emulator/exec/permutation.h"
#include "emulator/sms/sm_runner.h"

namespace lockstep::emulator {
namespace {

// What all threads of a launch share.
struct Shared {
  explicit Shared(LaunchState& s)
      : state(s),
        queue(s.blocks.empty() ? s.grid.count() : s.blocks.size(), s.sm_count, s.resident_blocks),
        order(queue.blocks, s.order, s.first_block) {}
  LaunchState& state;
  SmQueue queue;
  const Permutation order;
  std::map<uint64_t, std::string> output;  // by block
};

// SmRunner's Machine.
class Machine {
 public:
  using Block = emulator::Block;
  using Sm = uint32_t;  // its number

  explicit Machine(Shared& shared) : shared_(&shared) {
    worker_.launch = &shared.state;
    worker_.program = shared.state.program;
    worker_.last_allocation.assign(worker_.program->accesses.size(), nullptr);
  }
  void begin(Sm& sm, uint32_t number) { sm = number; }
  uint64_t start(const Sm& sm, Block& block, uint64_t place) {
    worker_.sm = sm;
    uint64_t number = shared_->order[place];
    if (!shared_->state.blocks.empty()) number = shared_->state.blocks[number];
    start_block(block, worker_, number);
    return number;
  }
  bool run(const Sm& sm, Block& block) {
    worker_.sm = sm;
    try {
      return run_block(block, worker_) == BlockResult::kDone;
    } catch (...) {  // what a block printed before it failed is kept, too
      end(sm, block);
      throw;
    }
  }
  void end(const Sm&, const Block& block) {
    if (block.output.empty()) return;
    const std::lock_guard<std::mutex> lock(shared_->queue.mutex);
    shared_->output[block.linear] = block.output;
  }
  void finish(const Sm&) {}

 private:
  Shared* shared_;
  Worker worker_;
};

}  // namespace

// Who came first draws all tickets, and nobody's store comes between another's load and store,
// where blocks run one after the other: then all take turns, on one thread.
void run_launch(LaunchState& state, int most_threads) {
  Shared shared(state);
  const int64_t most = state.program->takes_turns ? 1 : std::max(1u, shared.queue.sms);
  const auto threads = static_cast<size_t>(std::clamp<int64_t>(most_threads, 1, most));
  state.several_threads = threads > 1;
  std::vector<Machine> machines(threads, Machine(shared));
  run_sms(shared.queue, machines, &state.stop);
  for (const auto& [block, text] : shared.output) state.output += text;
  if (shared.queue.failure != nullptr) std::rethrow_exception(shared.queue.failure);
}

}  // namespace lockstep::emulator
