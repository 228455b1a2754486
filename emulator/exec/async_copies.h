// SPDX-License-Identifier: Apache-2.0
// Asynchronous copies from global to shared memory (cp.async). A copy takes its bytes when it
// begins and puts them in place when its thread waits for its group. In between nobody may touch
// the place, and nothing may change the source: the card does either whenever it likes. What the
// wait puts there is a store of the thread, in that moment, to the checks of shared memory.
#pragma once

#include "emulator/launch/launch.h"

namespace lockstep::emulator {

// Instr of a copy: o[4], imm the address in global memory, as of a load; o[0] the one in shared
// memory, o[5] what is added to it; o[1] bytes to take and o[2] a predicate under which none are
// taken, or kNoOperand; count: bytes; wide: of these bits.
inline constexpr int kCopyTo = 0, kCopyTaken = 1, kCopyIgnores = 2, kCopyToOffset = 5;
inline constexpr uint16_t kCopyTo32 = 1;        // the address of shared memory has 32 bits
inline constexpr uint16_t kCopyIgnoresNot = 2;  // where the predicate is false

Handler find_async_copy();
// cp.async.commit_group
Handler find_commit_copies();
// cp.async.wait_group imm; imm < 0: cp.async.wait_all, which commits first.
Handler find_wait_for_copies();

// Faults where a lane loads or stores bytes of shared memory to which a copy is on its way.
void check_no_copy(const Instr& in, Warp& w, int lane, uint64_t offset, uint32_t bytes, bool store);

}  // namespace lockstep::emulator
