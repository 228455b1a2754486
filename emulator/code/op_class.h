// SPDX-License-Identifier: Apache-2.0
// The class of a PTX opcode, for the profile.
#pragma once

#include <string_view>

#include "emulator/profile.h"

namespace lockstep::emulator {

OpClass op_class(std::string_view opcode);

}  // namespace lockstep::emulator
