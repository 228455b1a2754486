// SPDX-License-Identifier: Apache-2.0
// Loops whose number of turns is timing: what decides it (code/waits.h) read memory that the same
// launch changes, or the time. Tickets are no such thing: a word that is only counted up, or only
// down, gives each value once, whoever comes first.
#pragma once

#include "emulator/exec/launch.h"

namespace lockstep::emulator {

// A reading that decides a loop: the lanes' global addresses; shared memory.
void note_global_reading(const Instr& in, Warp& w, const uint64_t* address, uint32_t mask);
void note_shared_reading(const Instr& in, Warp& w);
// The same of an atomic operation on shared memory.
void note_shared_ticket(const Instr& in, Warp& w);

// The branches that leave such loops (into KernelProfile::instructions), in rising order.
std::vector<int> find_waits(const Program& program, const std::vector<Worker>& workers,
                            const KernelProfile& profile);

}  // namespace lockstep::emulator
