// SPDX-License-Identifier: Apache-2.0
// Executes an instruction and looks for races through global memory, where LaunchState::races is
// set; on one host thread.
#pragma once

#include "emulator/launch/launch.h"

namespace lockstep::emulator {

// A plain instruction, for the lanes of mask (not 0), instead of its handler.
void run_followed(const Instr& in, Warp& w, uint32_t mask);

}  // namespace lockstep::emulator
