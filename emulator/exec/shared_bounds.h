// SPDX-License-Identifier: Apache-2.0
// Where accesses to shared memory may go. Addresses are offsets into the block's; only for the
// sources of memory handlers.
#pragma once

#include "emulator/exec/memory_access.h"
#include "emulator/launch/launch.h"

namespace lockstep::emulator {

// Neighbouring lanes, aligned, within the variable or the block's memory.
bool run_is_inside(const Instr& in, const Warp& w, const Lanes& l, uint32_t bytes);
// Faults where a lane reaches outside of these, or is not aligned.
void check_bounds(const Instr& in, const Warp& w, const Lanes& l, uint32_t bytes, bool store);

}  // namespace lockstep::emulator
