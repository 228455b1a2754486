// SPDX-License-Identifier: Apache-2.0
// Which arrays of shared memory a line reads or writes.
#pragma once

#include <string>
#include <vector>

#include "common/backend/value_story.h"
#include "emulator/ptx/module.h"

namespace lockstep::emulator {

// Those that the addresses in that line of the file (a name without folders) are made of, and where
// they are declared, in the order of the code. Throws Error where there is no debug information.
std::vector<LineOrigins::Array> shared_arrays_of(const Module& module, const std::string& file,
                                                 int line);

}  // namespace lockstep::emulator
