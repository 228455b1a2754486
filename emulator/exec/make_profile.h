// SPDX-License-Identifier: Apache-2.0
// Adds up what the workers counted into the profile of a launch.
#pragma once

#include <vector>

#include "emulator/exec/launch.h"

namespace lockstep::emulator {

// traffic: of the L1 models, by instruction; may be empty.
KernelProfile make_profile(const Program& program, const std::vector<Worker>& workers,
                           const std::vector<L1Traffic>& traffic);

}  // namespace lockstep::emulator
