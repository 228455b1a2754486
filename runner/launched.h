// SPDX-License-Identifier: Apache-2.0
// The part of a PTX module that launches of some kernels can execute or name. What is not there
// cannot be reached, by whatever pointer: a policy need look at nothing else.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "emulator/ptx/module.h"

namespace lockstep {

// The text without the functions and variables that none of these kernels
// (common/backend/backend.h, kernel_name) names, nor what they name, and so on: a word that is a
// name counts, wherever it stands. What could not be understood, and what declares nothing, stays.
// Nothing where all does.
std::optional<std::string> launched_part(const emulator::Module& module,
                                         const std::vector<std::string>& kernels);

}  // namespace lockstep
