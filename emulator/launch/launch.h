// SPDX-License-Identifier: Apache-2.0
// One execution of a kernel: what all host threads share (LaunchState), what each has to itself
// (Worker), and the blocks and barriers that a worker runs.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "common/backend/backend.h"
#include "emulator/code/program.h"
#include "emulator/launch/warp.h"
#include "emulator/memory/address_space.h"
#include "emulator/memory/shared_memory.h"

namespace lockstep::emulator {

class GlobalRaces;
class LineTracer;
class ValueGraph;

// Shared by the threads of one launch; read-only but for the atomics.
struct LaunchState {
  const Program* program = nullptr;
  AddressSpace* memory = nullptr;
  Dim3 grid, block;
  uint32_t shared_bytes = 0;  // static and dynamic
  uint32_t dynamic_shared = 0;
  std::vector<std::byte> parameters;
  uint32_t sm_count = 1;
  uint32_t resident_blocks = 1;  // on an SM
  uint32_t lane_order = 0;
  uint64_t permuted_warps = 0;   // about so many warps take it; 0: all
  uint64_t order = 0;            // of blocks, and of a block's warps; 0: ascending
  uint64_t first_block = 0;      // where it is ascending
  std::vector<uint64_t> blocks;  // that are executed; none: all of the grid
  uint32_t first_warp = 0;
  // What local memory and registers hold that nothing has written.
  uint32_t unwritten = 0;
  bool several_threads = false;
  ValueGraph* values = nullptr;  // where the execution is watched (watch/): on one thread
  LineTracer* tracer = nullptr;  // where a thread is followed (debug/): likewise
  GlobalRaces* races = nullptr;  // where races in global memory are looked for: likewise
  // Where stores are looked at: false ends the launch. Likewise.
  using Stored = std::function<bool(const Allocation&, uint64_t offset, uint32_t bytes)>;
  Stored stored;
  uint64_t step_budget = 0;
  // Not 0: step_budget is what is left of this bound, which all launches share.
  uint64_t total_step_budget = 0;
  std::atomic<uint64_t> steps{0};
  std::atomic<bool> stop{false};  // another thread found a fault
  std::string output;             // of printf, in order of blocks; also after a fault
};

// One of a block's sixteen barriers. Sets of warps are bits.
struct Barrier {
  uint32_t waiting = 0;
  uint32_t passed = 0;                 // bar.arrive: came and went on
  uint32_t expected = 0;               // number of warps; 0: all of the block that live
  uint32_t true_lanes = 0, lanes = 0;  // bar.red
};

struct Block {
  uint64_t linear = 0;
  uint32_t index[3] = {0, 0, 0};
  std::vector<Warp> warps;
  uint32_t live = 0;  // warps that have not ended
  SharedMemory shared;
  Barrier barriers[16];
  uint64_t rounds = 0;     // turns that all of its warps have had
  uint32_t published = 0;  // warps whose accesses a later acquire is ordered after
  std::string output;      // of printf
};

struct Worker {
  LaunchState* launch = nullptr;
  const Program* program = nullptr;
  uint32_t sm = 0;
  std::vector<Allocation*> last_allocation;  // by memory slot
  uint64_t clock = 0;                        // warp instructions so far: %clock
};

}  // namespace lockstep::emulator
