// SPDX-License-Identifier: Apache-2.0
// A warp: 32 lanes, their registers, and the groups of lanes that run together. A group has a
// program counter and a mask; when it splits at a branch, its parts run on their own and join
// where the branch's paths meet again (code/joins.h says where that is).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "emulator/code/program.h"
#include "emulator/memory/local_memory.h"
#include "emulator/memory/shared_memory.h"

namespace lockstep::emulator {

struct Allocation;
struct Block;
struct Worker;
struct Exchange;

struct CallRecord {
  const Instr* return_to = nullptr;  // the call itself
  std::byte* frame = nullptr;        // the caller's
  const Instr* join = nullptr;       // the caller's join
  uint32_t local_base = 0;
  uint32_t function = 0;  // the caller's
};

enum class GroupState : uint8_t {
  kFree,
  kReady,
  kWaitsJoin,     // a split group: waits at `pc` for the lanes of its parts
  kWaitsSync,     // at a .sync operation for other lanes of the mask
  kWaitsBarrier,  // at a barrier of the block
};

// Of a warp that takes a lane order (exec/apart.h).
enum class Apart : uint8_t {
  kTogether,   // in lockstep to its end
  kApart,      // each lane alone
  kConverges,  // lanes that come to one place go on together
  kRests,      // in lockstep for a while
};

struct Group {
  GroupState state = GroupState::kFree;
  uint32_t mask = 0;     // lanes; of a split group those that have not exited
  uint32_t arrived = 0;  // kWaitsJoin: lanes that have come; kWaitsSync: that take part
  uint32_t barrier = 0;  // kWaitsBarrier: its number
  uint32_t function = 0;
  uint32_t local_base = 0;
  int parent = -1;  // the split group that it came from
  const Instr* pc = nullptr;
  const Instr* join = nullptr;  // kEnter at which it joins its parent
  std::byte* frame = nullptr;
  std::vector<CallRecord> calls;
};

struct FreeFrame {
  void operator()(std::byte* frame) const { std::free(frame); }
};
using Frame = std::unique_ptr<std::byte, FreeFrame>;

// One that a lane has begun and not waited for (exec/async_copies.h).
struct AsyncCopy {
  const Instr* begun = nullptr;
  const Allocation* array = nullptr;
  uint64_t from = 0;   // device address in it
  uint32_t to = 0;     // offset in shared memory
  uint32_t group = 0;  // of the lane's
  uint8_t lane = 0;
  uint8_t bytes = 0;        // 4, 8 or 16
  uint8_t taken = 0;        // of these, from global memory; the rest is 0
  std::byte data[16] = {};  // as it was when the copy began
};

struct AsyncCopies {
  std::vector<AsyncCopy> pending;  // in the order in which they began
  uint32_t groups[32] = {};        // committed so far, by lane
};

struct Warp {
  // The running group's, copied here for speed.
  std::byte* frame = nullptr;
  uint32_t active = 0;
  const Instr* pc = nullptr;
  const Instr* join = nullptr;

  uint32_t live = 0;        // lanes that have neither exited nor come to the kernel's last return
  uint32_t left = 0;        // lanes that had ended when the block passed its last barrier
  int current = -1;         // the running group; -1: none
  int ready = 0;            // groups that could run
  uint32_t index = 0;       // in the block
  uint32_t lanes = 0;       // lanes that the block has in this warp
  uint32_t lane_order = 0;  // LaunchState's, or 0: lockstep
  Apart apart = Apart::kTogether;
  Block* block = nullptr;
  Worker* worker = nullptr;
  uint32_t local_base = 0;    // of the running group: its function's .local variables
  uint32_t function = 0;      // that the running group is in
  bool synchronizes = false;  // has read memory as spin locks do, since the last back edge
  uint32_t turns = 0;         // back edges since the group was chosen
  uint32_t spins = 0;         // times that a group has given way while waiting for memory
  WarpOrder order;            // of the warp's own lanes
  AsyncCopies copies;         // that its lanes have begun
  int64_t slice = 0;          // instructions left before another warp's turn,
  int64_t given = 0;          // of so many
  uint32_t order_drawn = 0;   // LaunchState::lane_order
  uint32_t times_apart = 0;   // that were drawn
  uint32_t new_blocks_together =
      0;                   // blocks of new code to pass before it parts for the first time
  int64_t apart_left = 0;  // instructions left to run apart, or to rest
  const Exchange* exchange = nullptr;  // of the .sync operation being completed

  std::vector<Group> groups;
  LocalMemory local;
  std::vector<Frame> frames;      // [depth * functions + function]
  std::vector<bool> entered;      // by block of code, in warps that run apart for bounded times
  std::vector<const Instr*> met;  // of such: places after .sync operations
};

template <class T>
[[gnu::always_inline]] inline T* at(Warp& w, uint32_t offset) {
  return reinterpret_cast<T*>(__builtin_assume_aligned(w.frame + offset, 64));
}
[[gnu::always_inline]] inline uint32_t& predicate(Warp& w, uint32_t offset) {
  return *reinterpret_cast<uint32_t*>(w.frame + offset);
}
[[gnu::always_inline]] inline void set_predicate(Warp& w, uint32_t offset, uint32_t bits,
                                                 uint32_t mask) {
  uint32_t& p = predicate(w, offset);
  p = (p & ~mask) | (bits & mask);
}

}  // namespace lockstep::emulator
