// SPDX-License-Identifier: Apache-2.0
// The state of machine code being executed: what all SMs of a launch share, a block, a warp with
// its registers and its groups of lanes, and what is counted. A group has a program counter and a
// mask; lanes part at branches and meet where the code's own convergence barriers (BSSY, BSYNC,
// WARPSYNC) make them meet, nowhere else.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "common/backend/backend.h"
#include "emulator/l1/l1_model.h"
#include "emulator/l1/patterns.h"
#include "emulator/memory/address_space.h"

namespace lockstep::emulator::sass {

struct Code;
struct Op;
struct Block;
struct Worker;

// Sums over the executions of one instruction.
struct Executions {
  uint64_t warps = 0;      // issued, whatever the guard
  uint64_t lanes = 0;      // active and guarded on
  uint64_t full = 0;       // issued with all lanes active and guarded on: in neither of these
  uint64_t divergent = 0;  // branches: times that lanes went two ways
  uint64_t again = 0;      // issues of one that are no branches
};

// Of one instruction that reaches memory, besides.
struct Accesses {
  uint64_t requests = 0, sectors = 0;  // to global memory
  uint64_t local_sectors = 0;
  uint64_t shared_requests = 0;
  uint64_t wavefronts = 0, wavefronts_ideal = 0;  // of shared memory
  uint64_t turns = 0;             // atomics: global sectors as often as their most wanted word
  uint64_t returned_sectors = 0;  // atomics with a result
  uint64_t conflict_eighths = 0;  // global: L1 data bank conflicts
  bool from_changed = false;      // it reached an array to which the launch stores
  Accesses& operator+=(const Accesses& o) {
    requests += o.requests, sectors += o.sectors, local_sectors += o.local_sectors,
        shared_requests += o.shared_requests;
    wavefronts += o.wavefronts, wavefronts_ideal += o.wavefronts_ideal;
    turns += o.turns, returned_sectors += o.returned_sectors,
        conflict_eighths += o.conflict_eighths;
    from_changed |= o.from_changed;
    return *this;
  }
};

inline constexpr uint32_t kMostLocalWords = 1u << L1Model::kLocalWordBits;  // that L1 tells apart

struct Launched {
  const Code* code = nullptr;
  AddressSpace* memory = nullptr;
  Dim3 grid, block;
  uint32_t shared_bytes = 0;  // static and dynamic
  // Of a thread, of 4 bytes: its stack and spilled registers.
  uint32_t local_words = kMostLocalWords;
  uint32_t sm_count = 1, resident_blocks = 1;
  uint32_t unwritten = 0;  // what local and shared memory hold that nothing has written
  bool several_threads = false;
  uint64_t step_budget = 0;
  std::atomic<uint64_t> steps{0};
  std::atomic<bool> stop{false};
};

enum class GroupState : uint8_t {
  kReady,
  kAtSync,        // BSYNC: for the lanes of its convergence barrier
  kAtWarpSync,    // WARPSYNC: for the lanes of its mask
  kAtCollective,  // WARPSYNC.COLLECTIVE: likewise
  kAtBarrier,     // BAR: for the block
  kMet,           // at WARPSYNC, and all have come
  kAway,          // its lanes are lent to a collective operation of another group
};

// Group::order of one that a barrier has let go while others went on: it is like no other.
inline constexpr uint32_t kReleased = ~0u;

struct Group {
  uint32_t mask = 0;
  int32_t pc = 0;
  GroupState state = GroupState::kReady;
  uint8_t barrier = 0;   // kAtSync: convergence barrier; kAtBarrier: the block's
  uint32_t awaited = 0;  // kAtWarpSync, kAtCollective: the mask
  bool parted = false;   // comes to an indirect branch again
  bool tries = false;    // when it goes on, those at a WARPSYNC have tried again
  uint32_t order = 0;    // Warp::partings when it was put away, or kReleased
  int32_t resume = 0;    // kAtCollective, kAway: where it goes on
};

inline constexpr int kTruePredicate8 = 7;  // PT
inline constexpr int kNoPredicate = 15;    // what is written there is lost
inline constexpr int kUniformPredicates = 16;

struct BlockBarrier {
  uint32_t arrived[32] = {};           // lanes of each warp
  uint32_t warps = 0;                  // that have arrived with all of their lanes
  uint32_t passed = 0;                 // BAR.ARV
  uint32_t expected = 0;               // warps; 0: all that live
  uint32_t true_lanes = 0, lanes = 0;  // BAR.RED: sums
  bool of_all = false;                 // .AND
};

struct Warp {
  uint32_t* registers = nullptr;  // rows of 32 lanes: Code::registers, then uniform ones
  uintptr_t rows[2] = {};         // these, and those of the code, less what sources have more
  uint32_t active = 0;            // of the running group
  int32_t pc = 0;                 // next instruction
  int32_t at = 0;                 // the one being executed
  int64_t left = 0;               // instructions of this turn; <= 0: it is over
  int64_t given = 0;
  int64_t rest = 0;     // of `left`, where the group was put away
  uint32_t lender = 0;  // in a collective operation: the running group's own lanes; 0: in none
  bool moved = false;   // the running group was put away
  uint32_t predicates[32] = {};  // masks; [7] and [23] are PT and UPT
  uint32_t barriers[16] = {};    // convergence barriers: the lanes that they await
  uint16_t restored = 0;         // of these, those that were written back from registers
  uint32_t live = 0;             // lanes that have not exited
  uint32_t lanes = 0;            // lanes that the block has in this warp
  uint32_t index = 0;            // in the block
  int32_t taken_at = -1;         // the BSYNC to which it took along others that waited there
  uint32_t partings = 0;         // times that a group was put away, or parted
  uint32_t turns = 0;            // back edges of the running group since others wait
  uint64_t executed = 0;         // instructions, of turns that are over
  uint64_t waited = 0;           // those of others that came first: see path()
  // Instructions one after another since the block began: its own, at a barrier of the block those
  // of the warp that came last, and of what it loads from shared memory those before the store.
  uint64_t path() const {
    return executed + static_cast<uint64_t>(given - (moved ? rest : left)) + waited;
  }
  uint32_t opposed = 0;  // bits: comparisons that have said the opposite (Decisions)
  bool spins = false;
  bool parted = false;  // Group::parted, until the next instruction that parts lanes
  BlockBarrier result;  // of the last barrier that it came to
  Block* block = nullptr;
  Worker* worker = nullptr;
  std::vector<Group> groups;    // that do not run
  std::vector<uint32_t> frame;  // storage of registers
  std::vector<uint32_t> local;  // word w of lane l at w * 32 + l
};

struct Block {
  uint64_t linear = 0;
  size_t l1_base = 0;
  uint32_t index[3] = {};
  std::vector<Warp> warps;
  uint32_t live = 0;  // warps
  std::vector<std::byte> shared;
  std::vector<uint64_t> stored;  // by word of it: the path of the warp that stored there last
  uint64_t last_stored = 0;      // the longest of these
  BlockBarrier barriers[16];
  uint32_t awaited = 0;  // bits: barriers at which lanes wait
};

struct Worker {
  void note_reached(size_t access, Allocation* a) {
    if (a == nullptr || a == last_allocation[access]) return;
    std::vector<Allocation*>& more = more_allocations[access];
    if (std::find(more.begin(), more.end(), a) == more.end()) more.push_back(a);
  }
  Launched* launch = nullptr;
  const Code* code = nullptr;
  L1Model* l1 = nullptr;
  uint32_t sm = 0;
  int64_t turn = 0;                          // instructions of a warp's turn
  std::vector<Executions> executions;        // by instruction
  std::vector<Executions> together;          // of all of Op::together, by the first one
  std::vector<Accesses> accesses;            // by Op::access
  std::vector<Allocation*> last_allocation;  // by Op::access
  std::vector<std::vector<Allocation*>> more_allocations;  // that it reached besides
  Patterns patterns;                                       // by Op::access
  uint64_t clock = 0;
  uint64_t critical_path = 0;
  // A convergence barrier was written back while lanes of the warp were apart (recursion), or lanes
  // left one by BREAK at which others wait: which of them meet where, and how often a BSYNC is
  // issued, is known in part only.
  bool meets_by_chance = false;
  uint64_t warps_launched = 0;
};

}  // namespace lockstep::emulator::sass
