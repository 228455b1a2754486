// SPDX-License-Identifier: Apache-2.0
// The routines that ptxas calls for awkward operands (division, square root, 64-bit division): how
// often their blocks are executed, given how often they are called.
#pragma once

#include "emulator/sass_flow.h"
#include "emulator/sass_map.h"

namespace lockstep::emulator {

// Fills in the blocks and edges of the graph's internal functions.
void walk_routines(const SassMap& map, const KernelProfile& profile, SassFlow* flow);

}  // namespace lockstep::emulator
