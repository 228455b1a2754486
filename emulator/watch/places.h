// SPDX-License-Identifier: Apache-2.0
// Where an access that is watched goes.
#pragma once

#include <cstdint>

#include "emulator/launch/launch.h"

namespace lockstep::emulator {

// ValueNode::thread.
uint32_t thread_of(const Warp& w, uint32_t lane);

// Global memory has its own addresses; elsewhere a key that nobody else has in this launch, word by
// word. The widths are not known here: what is narrower than a word shares its word's label.
struct Place {
  enum class In : uint8_t { kGlobal, kShared, kLocal } in = In::kGlobal;
  uint64_t at = 0;
  bool global() const { return in == In::kGlobal; }
};
Place place_of(const Instr& in, Warp& w, int lane);
uint64_t shared_key(const Warp& w, uint64_t offset);

// Those of the lanes that come to shared memory, and where they do, as multiples of 4 bytes.
uint32_t shared_words(const Instr& in, Warp& w, uint32_t mask, uint64_t* offsets);

}  // namespace lockstep::emulator
