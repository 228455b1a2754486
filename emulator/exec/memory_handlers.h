// SPDX-License-Identifier: Apache-2.0
// Finds the handlers of loads and stores by state space, width in memory and width of the
// register; and the pieces that the state spaces' sources share.
#pragma once

#include "emulator/exec/memory_access.h"
#include "emulator/launch/launch.h"
#include "emulator/ptx/types.h"

namespace lockstep::emulator {

struct MemoryOp {
  Space space = Space::kNone;  // kNone: generic
  bool store = false;
  int bytes = 0;           // of an element in memory: 1, 2, 4, 8
  int register_bytes = 0;  // 2, 4, 8
  bool sign = false;       // loads: sign-extended
};
Handler find_memory(const MemoryOp& op);

// The data moves of one access, chosen by (memory type, register type): between registers
// o[0..count) of the lanes in l.mask and memory, after the bounds were checked.
struct ElementMove {
  // data of lanes that follow each other, from `at`
  void (*load_run)(const Instr&, Warp&, const Lanes&, const std::byte* at);
  void (*store_run)(const Instr&, Warp&, const Lanes&, std::byte* at);
  // lanes of l.mask, each at host address origin + its address, modulo 2^64; stores in the card's
  // order. Aligned, and an element at once, as seen by other threads; the same for one lane.
  void (*load_lanes)(const Instr&, Warp&, const Lanes&, uintptr_t origin);
  void (*store_lanes)(const Instr&, Warp&, const Lanes&, uintptr_t origin);
  // one lane
  void (*load_lane)(const Instr&, Warp&, int lane, const std::byte* at);
  void (*store_lane)(const Instr&, Warp&, int lane, std::byte* at);
};

// Bodies of the state spaces; move and bytes (of an element) are constants after inlining.
// The lanes' generic addresses are in l.address; l.mask is not 0.
void load_global(const Instr& in, Warp& w, Lanes& l, const ElementMove& move, uint32_t bytes);
void store_global(const Instr& in, Warp& w, Lanes& l, const ElementMove& move, uint32_t bytes);
void load_shared(const Instr& in, Warp& w, Lanes& l, const ElementMove& move, uint32_t bytes);
void store_shared(const Instr& in, Warp& w, Lanes& l, const ElementMove& move, uint32_t bytes);
void load_local(const Instr& in, Warp& w, Lanes& l, const ElementMove& move, uint32_t bytes);
void store_local(const Instr& in, Warp& w, Lanes& l, const ElementMove& move, uint32_t bytes);
void load_param(const Instr& in, Warp& w, Lanes& l, const ElementMove& move, uint32_t bytes);
void load_const(const Instr& in, Warp& w, Lanes& l, const ElementMove& move, uint32_t bytes);

// The allocation that holds [address, address + bytes) of a lane, or a fault.
Allocation& check_global(const Instr& in, const Warp& w, int lane, uint64_t address, uint32_t bytes,
                         bool store);

}  // namespace lockstep::emulator
