// SPDX-License-Identifier: Apache-2.0
// Executes one launch: blocks over SMs, SMs over host threads.
#pragma once

#include "emulator/launch/launch.h"

namespace lockstep::emulator {

// On so many host threads at most. Throws KernelFault when a check fails, the step budget is used
// up, ...
void run_launch(LaunchState& state, int threads);

}  // namespace lockstep::emulator
