// SPDX-License-Identifier: Apache-2.0
// Finds the handler of an instruction that computes registers from registers. Each function knows
// one family; an empty Alu means that the opcode or its types are not in it.
#pragma once

#include <string_view>

#include "emulator/code/opcode.h"
#include "emulator/exec/handler.h"

namespace lockstep::emulator {

Alu find_integer(const Opcode& op);      // add, mul, mad, div, min, shl, ...
Alu find_bits(const Opcode& op);         // and, popc, bfe, prmt, shf, dp4a, ...
Alu find_float(const Opcode& op);        // f32 and f64 arithmetic
Alu find_approximate(const Opcode& op);  // rcp.approx, ex2, sin, ...
Alu find_half(const Opcode& op);         // f16, bf16 and their pairs
Alu find_compare(const Opcode& op);      // setp without combination, selp, slct, set, testp
Alu find_convert(const Opcode& op);      // the conversions that are worth a handler of their own

// add or sub fused with a multiplication: a * b + c, a * b - c, c - a * b.
enum class FusedForm : uint8_t { kPlus, kMinus, kFrom };
Alu find_fused(const Opcode& op, FusedForm form);
Alu find_fused_half(const Opcode& op, FusedForm form);
// Asks all of the families above.
Alu find_alu(const Opcode& op);

// The function for any conversion, slower; nullptr: not in PTX. Instr::imm holds it.
Handler convert_handler(const Opcode& op, int to_bytes, int from_bytes, int64_t* imm);
// add.cc, addc, sub.cc, subc, mad.lo.cc, madc...: the carry flag is predicate o[5].
Handler find_carry(const Opcode& op, int* operands, int* width);

}  // namespace lockstep::emulator
