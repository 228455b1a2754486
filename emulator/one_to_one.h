// SPDX-License-Identifier: Apache-2.0
// Whether what execution counted at shared memory is by construction what a card counts: each
// access of the SASS is one of the PTX, as wide, as often and for the same lanes, and nothing in
// the flow of control lets lanes meet elsewhere. docs/counting.md, "Exact", says why.
#pragma once

#include "emulator/profile.h"
#include "emulator/sass_flow.h"
#include "emulator/sass_guards.h"
#include "emulator/sass_map.h"

namespace lockstep::emulator {

// True where execution saw accesses of a kind (loads or stores of global or shared memory) of which
// no PTX instruction has any in the SASS, although the SASS has such accesses, or must have: what
// was stored to global memory is found there afterwards. Their counts are then not known.
bool lost_accesses(const SassMap& map, const KernelProfile& profile, OpClass kind);

bool shared_one_to_one(const SassMap& map, const SassFlow& flow, SassGuards& guards,
                       const KernelProfile& profile);

}  // namespace lockstep::emulator
