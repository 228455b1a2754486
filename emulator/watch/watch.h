// SPDX-License-Identifier: Apache-2.0
// Notes in a ValueGraph what a warp executes; on one host thread. The interpreter calls these
// before an instruction is executed, where LaunchState::values is set.
#pragma once

#include "emulator/launch/launch.h"
#include "emulator/watch/value_graph.h"

namespace lockstep::emulator {

// A plain instruction, for the lanes of mask (not 0).
void watch_plain(const Instr& in, Warp& w, uint32_t mask);

// Registers of a frame that may be read before anything is written to them.
void watch_unset(Warp& w, const std::vector<uint32_t>& registers, const std::byte* frame,
                 uint32_t mask);

// Registers or words of parameters that a call hands on, or gets back.
void watch_copy(Warp& w, const std::byte* from_frame, uint32_t from, std::byte* to_frame,
                uint32_t to, uint32_t mask);

// Lanes call a function that is executed with that frame.
void watch_call(const Instr& in, Warp& w, const std::byte* frame, uint32_t mask);

// A lane reads what nothing has written to shared memory, at that byte. Whether to go on.
bool watch_unwritten(const Warp& w, uint64_t offset);

// Threads of the block had ended when it passed its last barrier, and now something is missing.
void watch_ended(const Warp& w);

// The block passes a barrier; threads of it may have ended.
void watch_passed(const Block& block);

// A .sync operation that lanes complete: their values' labels are gathered first, from the frames
// that they are in.
struct WatchedExchange {
  LaneLabels value = {};
  uint32_t present = 0;
  bool shuffles = false;     // each lane takes one lane's value, else all lanes'
  uint32_t source[32] = {};  // of a shuffle: the lanes
  void gather(const Instr& in, const Warp& w, const std::byte* frame, uint32_t mask);
};
// To be called with Warp::frame of these lanes and Warp::exchange set.
void watch_sync(const Instr& in, Warp& w, uint32_t mask, const WatchedExchange& exchange);

}  // namespace lockstep::emulator
