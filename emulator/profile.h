// SPDX-License-Identifier: Apache-2.0
// What execution (exec/launch_runner.h) hands to counting (predict.h): how often each PTX
// instruction was executed, by warps and by lanes, and how control flowed. Both sides see only this
// page.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "emulator/count/slow_ways.h"

namespace lockstep::emulator {

enum class OpClass : uint8_t {
  kOther,
  kGlobalLoad,
  kGlobalStore,
  kGlobalAtomic,
  kSharedLoad,
  kSharedStore,
  kSharedAtomic,
  kLocalLoad,
  kLocalStore,
  kConstLoad,
  kParamLoad,
  kGenericLoad,
  kGenericStore,
  kGenericAtomic,
  kBarrier,
  kShuffle,
  kVote,
  kBranch,
  kCall,
  kReturn,
  kExit,
  kSystemCall,  // of printf and the like, which are in no module
  kPrefetch,    // names memory and moves no data to the warp
  kAsyncCopy,   // from global to shared memory
};

// Executions of a division, root or reciprocal by warps, and of their lanes how many take which way
// (count/slow_ways.h; 0: the short path).
struct SlowCalls {
  uint64_t warps = 0;
  uint64_t lanes[kMostSlowWays] = {};
  SlowCalls& operator+=(const SlowCalls& other) {
    warps += other.warps;
    for (int way = 0; way < kMostSlowWays; ++way) lanes[way] += other.lanes[way];
    return *this;
  }
};

struct LaneGroups {
  uint64_t groups = 0, lanes = 0;
  LaneGroups& operator+=(const LaneGroups& other) {
    groups += other.groups;
    lanes += other.lanes;
    return *this;
  }
};

// One PTX instruction of the kernel or of a device function that it calls.
struct InstructionProfile {
  std::string function;  // PTX name of the function that holds it
  int ptx_line = 0;      // 1-based line of the PTX text
  int source_line = 0;   // from .loc, innermost; 0: unknown
  int source_file = 0;   // .file index
  int student_line = 0;  // the same of the line outside of the toolkit that brought it here
  int student_file = 0;
  OpClass op = OpClass::kOther;
  std::string opcode;           // "ld.global.v4.f32"
  int block = 0;                // index into KernelProfile::blocks
  uint64_t warps = 0;           // executions by a warp, whatever its guard
  uint64_t warps_guard_on = 0;  // of these, with at least one lane whose guard is true
  uint64_t lanes = 0;           // active lanes, whatever their guard
  uint64_t lanes_guard_on = 0;
  // memory operations only; sums over the executions
  uint64_t requests = 0;         // executions with an active, guarded-on lane; not to local memory;
                                 // of an asynchronous copy two each, to load and to store
  uint64_t shared_requests = 0;  // of requests, those to shared memory; the others are to global
  uint64_t sectors = 0;          // global: distinct 32-byte sectors
  uint64_t local_sectors = 0;    // of local memory, by local and generic operations
  uint64_t wavefronts = 0;       // shared; constants and parameters: distinct addresses; global
                                 // atomics: sectors, each as often as its most wanted word
  uint64_t wavefronts_ideal = 0;  // shared
  uint64_t merge_eligible = 0;    // 64/128-bit shared loads that the merge rule may touch
  uint64_t bank_conflicts = 0;    // global: L1 data bank conflicts by address, in eighths
                                  // shared atomics: AtomicTurns::load_wavefronts (wavefronts.h)
  uint64_t slow_path =
      0;  // div/sqrt/rcp...: warp executions in which a lane needs ptxas's slow path
  uint64_t slow_path_lanes = 0;  // shared atomics: AtomicTurns::turns and ::lanes
                                 // votes: masks beyond the first that the lanes of a warp name;
                                 // lanes that are left with each
                                 // setp that does not only guard branches: executions; lanes
                                 // for which it holds
  std::map<uint32_t, SlowCalls> slow_calls;  // div/sqrt/rcp...: of slow_path, by the set of ways
                                             // (bits) that the warp's lanes take
  // .sync operations: groups that came without all lanes of their mask; meetings of such groups,
  // and all but the first of the groups of each with the lanes that then were there, counted at the
  // operation of one of them.
  LaneGroups apart, met, joined;
  uint64_t returned_sectors = 0;  // from L2 for a global atomic that may return a value
  uint64_t fills_bytes = 0;       // loads: bytes that the L1 model fetched from L2
  uint64_t writes_bytes = 0;      // global stores: bytes that the L1 model wrote to L2
};

// A basic block of PTX. Edge executions count warps' groups of lanes that went that way.
struct BlockProfile {
  int first = 0, last = 0;  // instructions [first, last)
  std::vector<int> successors;
  std::vector<uint64_t> edge_warps;  // one a successor
  // For a loop header: how often a warp's stay in the loop had each trip count (capped map).
  std::map<uint64_t, uint64_t> trip_counts;
};

struct KernelProfile {
  std::string kernel;  // mangled name
  uint64_t warps_launched = 0;
  uint64_t busiest_warp = 0;  // instructions of the warp with the most of them
  uint64_t divergent_branches = 0;
  uint64_t partings = 0;            // of these, without a sync in the SASS: lanes stay apart
  uint64_t recursive_partings = 0;  // of these, whose sync a recursive call may break
  uint64_t barriers = 0;
  std::vector<std::string> files;  // .file table
  std::vector<InstructionProfile> instructions;
  std::vector<BlockProfile> blocks;
  std::vector<int> waits;  // branches that leave loops whose number of turns is timing
};

}  // namespace lockstep::emulator
