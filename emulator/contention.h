// SPDX-License-Identifier: Apache-2.0
// Atomic operations: what they cost on shared memory, and when they make a count a matter of
// timing.
#pragma once

#include <string>

#include "emulator/profile.h"
#include "emulator/sass_flow.h"
#include "emulator/sass_map.h"

namespace lockstep::emulator {

// The program has compare and swap in a loop, and more warps than one.
bool loops_of_swaps(const SassMap& map, const KernelProfile& profile);

// A loop that ptxas made of one operation (half floats: compare and swap) and that no rule counts:
// how often it turns, and what it accesses, is not known. The reason; empty where there is none.
std::string loop_of_ptxas(const SassMap& map, const SassFlow& flow, const KernelProfile& profile);

// Compare and swap in a loop repeats as often as warps get in each other's way: on a card a matter
// of timing, so no count of instructions can be given. The reason; empty where there is none.
std::string contention(const SassMap& map, const SassFlow& flow, const KernelProfile& profile);

// An atomic operation that reached shared memory by a generic address, in SASS, too (map nullptr:
// not known): what a turn of it costs was not measured. PTX instruction; -1: none.
int generic_atomic_on_shared(const SassMap* map, const KernelProfile& profile);

// Wavefronts of an atomic operation on shared memory (PTX instruction p) by what ptxas made of it,
// as measured: an increment that nobody reads takes one for all lanes of a word; others a turn for
// each lane of a bank; compare and swap two a turn; loops of it (float, 64 bits) also load in every
// turn, which sets *doubtful. An addition that one lane does for all takes one.
double atomic_wavefronts(const SassMap& map, const KernelProfile& profile, int p, bool* doubtful);

}  // namespace lockstep::emulator
