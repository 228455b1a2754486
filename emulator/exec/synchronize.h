// SPDX-License-Identifier: Apache-2.0
// Meeting points: .sync operations of a warp's lanes, and barriers of a block's warps.
#pragma once

#include "emulator/code/opcode.h"
#include "emulator/launch/launch.h"

namespace lockstep::emulator {

// Values that lanes bring to a .sync operation, and the masks that they name.
struct Exchange {
  const uint32_t* value = nullptr;  // 32 lanes
  const uint64_t* value64 = nullptr;
  uint32_t bits = 0;                // predicates
  const uint32_t* named = nullptr;  // 32 lanes
  uint32_t present = 0;             // lanes that take part
};

// Instr of a .sync operation: o[0], o[5]: results; o[1] value; o[2], o[3]: more; o[4] mask.
// sub: bytes of the value (0: none, 1: predicate, 4, 8). run: completes for the lanes in mask,
// reading Warp::exchange.

// The lanes of a warp that wait at .sync operations. Those that go on together have come to
// operations of the same qualifiers (not: to the same instruction) and name the same mask.
class WaitingLanes {
 public:
  explicit WaitingLanes(const Warp& w);
  bool same_operation(int a, int b) const;
  // The waiting lanes that could go on with this one, itself among them.
  uint32_t together(int lane) const;
  // The lanes that this one names and that have not exited.
  uint32_t needed(int lane) const;

  uint32_t lanes = 0;
  const Instr* at[32] = {};
  uint32_t named[32] = {};

 private:
  const Warp& warp_;
};

// Executes the operation when all lanes that it names are there, else makes the running group
// wait. Returns true when the running group goes on.
bool sync_operation(const Instr& in, Warp& w, uint32_t mask);
// Groups that wait for each other, if all lanes they name have come: completes an operation.
bool meet_waiting(Warp& w);
// The same for lanes, which leave the rest of their group waiting; where there are none, lanes go
// on that are kept only by others of their group. For when nothing else lets the warp go on.
bool part_waiting(Warp& w);

// The running group is at a barrier: returns true when it need not wait.
bool barrier_operation(const Instr& in, Warp& w, uint32_t mask);
// All live lanes of the warp wait at one barrier: the warp counts there. Returns true when that
// let it through.
bool arrive_waiting(Warp& w);
// Whether all live lanes of the warp wait at one barrier.
bool warp_waits_at_barrier(const Warp& w);
// Called when a warp has ended: lets through those who waited for it.
void check_barriers(Block& block);

// No group of the warp can run and it does not wait at a barrier as a whole: finds a way on or
// faults with what is wrong.
void resolve_stuck_warp(Warp& w);
// No warp of the block can run.
[[noreturn]] void deadlock_fault(Block& block);

// What a .sync operation computes; nullptr: not known.
Handler find_sync(const Opcode& op);

}  // namespace lockstep::emulator
