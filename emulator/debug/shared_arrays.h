// SPDX-License-Identifier: Apache-2.0
// Which arrays of shared memory a line reads or writes.
#pragma once

#include <string>
#include <vector>

#include "common/backend/value_story.h"
#include "emulator/debug/debug_info.h"
#include "emulator/ptx/module.h"

namespace lockstep::emulator {

// Those that the addresses in that line of the file (a name without folders) are made of, and where
// they are declared, in the order of the code. The info is the module's.
std::vector<LineOrigins::Array> shared_arrays_of(const Module& module, const DebugInfo& info,
                                                 const std::string& file, int line);

}  // namespace lockstep::emulator
