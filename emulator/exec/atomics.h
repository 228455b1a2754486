// SPDX-License-Identifier: Apache-2.0
// Handlers of atom and red on global, shared and generic addresses.
#pragma once

#include "emulator/code/opcode.h"
#include "emulator/exec/handler.h"
#include "emulator/ptx/module.h"

namespace lockstep::emulator {

// Operands: o[0] result (kNoOperand: red, or an unused one), o[1] value, o[2] second value of cas,
// o[4] address. nullptr: not an operation of PTX that is supported.
Handler find_atomic(const Opcode& op, Space space);
// Bytes of the operand; 0 where the type is not supported.
int atomic_bytes(const Opcode& op);

}  // namespace lockstep::emulator
