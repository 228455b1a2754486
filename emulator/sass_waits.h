// SPDX-License-Identifier: Apache-2.0
// Lanes that wait at a sync for others of their warp, which then end the kernel instead, execute
// the sync once more.
#pragma once

#include "emulator/sass_flow.h"
#include "emulator/sass_map.h"

namespace lockstep::emulator {

// Fills in flow->again, from the blocks' executions.
void count_vain_waits(const SassMap& map, SassFlow* flow);

}  // namespace lockstep::emulator
