// SPDX-License-Identifier: Apache-2.0
// The machine code of a cubin as text: its functions, and before each run of instructions that came
// from one source line (ptxas -lineinfo) that line.
#pragma once

#include <string>

#include "emulator/cubin/cubin.h"

namespace lockstep::emulator::sass {

// Throws Error where the cubin's line table is broken, or the architecture is none of CC 7.5
// to 12.x.
std::string listing(const Cubin& cubin);

}  // namespace lockstep::emulator::sass
