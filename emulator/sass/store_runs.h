// SPDX-License-Identifier: Apache-2.0
// Which stores of a warp follow each other so closely that they may meet on their way to L2: a
// model, from what an H200 was seen to do (docs/counting.md).
#pragma once

#include <cstdint>
#include <vector>

#include "emulator/sass/code.h"

namespace lockstep::emulator::sass {

// By Op::access: the run that it is in. A new one begins behind every instruction at which a warp
// waits for others, for time or for a result.
std::vector<uint32_t> find_store_runs(const Code& code);

}  // namespace lockstep::emulator::sass
