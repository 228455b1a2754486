// SPDX-License-Identifier: Apache-2.0
// Which operands of an instruction are read and which are written.
#pragma once

#include <string_view>

#include "emulator/ptx/module.h"

namespace lockstep::emulator {

// Operands [0, n) are written; an address among them is read.
size_t written_operands(std::string_view opcode);

template <class F>
void each_register(const Operand& o, F f) {
  if (o.kind == Operand::Kind::kRegister) f(o.reg);
  if (o.kind == Operand::Kind::kAddress && o.has_register) f(o.reg);
  for (const Operand& part : o.parts)
    if (part.kind == Operand::Kind::kRegister) f(part.reg);
}

template <class F>
void each_read_register(const Instruction& in, F f) {
  const size_t written = written_operands(in.opcode);
  for (size_t i = 0; i < in.operands.size(); ++i)
    if (i >= written || in.operands[i].kind == Operand::Kind::kAddress)
      each_register(in.operands[i], f);
  if (in.guard >= 0) f(static_cast<uint32_t>(in.guard));
}

template <class F>
void each_written_register(const Instruction& in, F f) {
  if (written_operands(in.opcode) == 0 || in.operands.empty()) return;
  if (in.operands[0].kind != Operand::Kind::kAddress) each_register(in.operands[0], f);
  each_register(in.pair, f);
}

}  // namespace lockstep::emulator
