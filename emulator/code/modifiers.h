// SPDX-License-Identifier: Apache-2.0
// The modifiers that each arithmetic instruction may have. One that is not listed would change
// what the instruction does in a way that its handler does not know, so it is refused.
#pragma once

#include <string_view>

#include "emulator/code/opcode.h"

namespace lockstep::emulator {

// The first modifier of an arithmetic opcode that is not known; empty when all are, or when the
// instruction is of another family (memory, control, synchronization).
std::string_view unknown_modifier(const Opcode& op);

}  // namespace lockstep::emulator
