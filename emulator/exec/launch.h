// SPDX-License-Identifier: Apache-2.0
// One execution of a kernel: what all host threads share (LaunchState), what each has to itself
// (Worker), and the blocks and barriers that a worker runs.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "common/backend/backend.h"
#include "emulator/code/program.h"
#include "emulator/exec/patterns.h"
#include "emulator/exec/warp.h"
#include "emulator/l1_model.h"
#include "emulator/memory/address_space.h"
#include "emulator/memory/shared_memory.h"

namespace lockstep::emulator {

struct LoadedModule;

// Shared by the threads of one launch; read-only but for the atomics.
struct LaunchState {
  const Program* program = nullptr;
  const LoadedModule* module = nullptr;
  AddressSpace* memory = nullptr;
  Dim3 grid, block;
  uint32_t shared_bytes = 0;  // static and dynamic
  uint32_t dynamic_shared = 0;
  std::vector<std::byte> parameters;
  uint32_t sm_count = 1;
  uint32_t resident_blocks = 1;  // on an SM
  uint32_t lane_order = 0;
  uint64_t permuted_warps = 0;  // about so many warps take it; 0: all
  uint64_t order = 0;           // of blocks, and of a block's warps; 0: ascending
  // What local memory and registers hold that nothing has written.
  uint32_t unwritten = 0;
  bool several_threads = false;
  bool draws_tickets = false;  // an atomic operation may decide who does what: all take turns
  uint64_t step_budget = 0;
  // Not 0: step_budget is what is left of this bound, which all launches share.
  uint64_t total_step_budget = 0;
  std::atomic<uint64_t> steps{0};
  std::atomic<bool> stop{false};  // another thread found a fault
  std::string output;             // of printf, in order of blocks; also after a fault
};

struct MemoryCounters {
  uint64_t requests = 0, sectors = 0, wavefronts = 0, wavefronts_ideal = 0, merge_eligible = 0;
  uint64_t bank_conflicts = 0, slow_path = 0, slow_path_lanes = 0, local_sectors = 0;
  uint64_t returned_sectors = 0, shared_requests = 0;
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
  size_t l1_base = 0;  // its first warp, as L1Model counts them
  uint32_t index[3] = {0, 0, 0};
  std::vector<Warp> warps;
  uint32_t live = 0;  // warps that have not ended
  SharedMemory shared;
  Barrier barriers[16];
  uint64_t rounds = 0;     // turns that all of its warps have had
  uint32_t published = 0;  // warps whose accesses a later acquire is ordered after
  std::string output;      // of printf
};

// As in InstructionProfile.
struct Meetings {
  LaneGroups apart, met, joined;
};

struct Worker {
  LaunchState* launch = nullptr;
  const Program* program = nullptr;
  L1Model* l1 = nullptr;  // of the SM being run; nullptr: not modelled
  uint32_t sm = 0;
  std::vector<uint64_t> block_warps, block_lanes;  // by BlockInfo
  std::vector<uint64_t> edges;
  std::vector<uint64_t> guard_warps, guard_lanes;  // by instruction, guarded ones only
  std::vector<MemoryCounters> memory;              // by memory slot
  std::vector<Allocation*> last_allocation;        // by memory slot
  std::unordered_map<uint32_t, std::map<uint32_t, SlowCalls>> slow_calls;  // by memory slot
  std::unordered_map<uint32_t, Meetings> meetings;                         // by instruction
  std::vector<std::unordered_map<uint64_t, uint64_t>> trips;               // by loop
  // Of readings that decide a loop (exec/waits.h): arrays (nullptr: shared memory) that were read;
  // those that surely wait.
  std::set<std::pair<uint32_t, const Allocation*>> readings;
  std::set<uint32_t> waits;
  uint8_t shared_changes = 0;  // by atomic operations, as Allocation::changes
  PatternCounts patterns;
  uint64_t divergent_branches = 0, partings = 0, recursive_partings = 0;
  uint64_t barriers = 0;
  uint64_t warps_launched = 0;
  uint64_t busiest_warp = 0;  // instructions
  uint64_t clock = 0;         // warp instructions so far: %clock
};

}  // namespace lockstep::emulator
