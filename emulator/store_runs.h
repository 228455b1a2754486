// SPDX-License-Identifier: Apache-2.0
// Which stores of a warp follow each other so closely that they may meet on their way to L2.
#pragma once

#include <cstdint>
#include <vector>

#include "emulator/profile.h"

namespace lockstep::emulator {

// By instruction of the PTX: the run that it is in. A new one begins behind every instruction at
// which a warp waits for others, for time or for a result: a nap, a barrier, a fence, a .sync
// operation, a call, a load from shared memory, an atomic operation, a division, root or special
// function, f64.
std::vector<uint32_t> find_store_runs(const std::vector<InstructionProfile>& instructions);

}  // namespace lockstep::emulator
