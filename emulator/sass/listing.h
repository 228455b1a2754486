// SPDX-License-Identifier: Apache-2.0
// The machine code of a cubin as text: its functions, by their names in C++, and before each run of
// instructions that came from one source line (ptxas -lineinfo) that line.
#pragma once

#include <functional>
#include <string>

#include "common/backend/machine_code.h"
#include "emulator/cubin/cubin.h"

namespace lockstep::emulator::sass {

// Both throw Error where the cubin's line table is broken, or the architecture is none of CC 7.5
// to 12.x. `shown`: how a file's path is shown; as it is without.
MachineCode machine_code(const Cubin& cubin,
                         const std::function<std::string(const std::string&)>& shown = {});
std::string listing(const Cubin& cubin,
                    const std::function<std::string(const std::string&)>& shown = {});

}  // namespace lockstep::emulator::sass
