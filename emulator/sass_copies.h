// SPDX-License-Identifier: Apache-2.0
// Copies that ptxas made of a PTX block (unrolled turns, duplicated tails): how the block's
// executions are shared out among them, and whether what they came to adds up.
#pragma once

#include <string>

#include "emulator/profile.h"
#include "emulator/sass_flow.h"
#include "emulator/sass_map.h"

namespace lockstep::emulator {

// Counts of the blocks that hold copies; left unknown (kUnknownCount) where conservation must tell.
// Unrolled loops are walked (sass_loops.h), with their edges.
void settle_copies(const SassMap& map, const KernelProfile& profile, SassFlow* flow);

// Why the counts of the copies of an operation cannot be: together, more lanes and more warps
// executed them than executed the access, or fewer lanes and fewer warps than executed what ptxas
// leaves where it is; "" where they can. (Warps alone may be more: their lanes part; or fewer: they
// meet sooner.)
std::string copies_do_not_add_up(const SassMap& map, const KernelProfile& profile,
                                 const SassFlow& flow);

}  // namespace lockstep::emulator
