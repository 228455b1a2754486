// SPDX-License-Identifier: Apache-2.0
// Helpers for filling the table: loops over modifiers whose values are template arguments as well
// as text.
#pragma once

#include <type_traits>

#include "emulator/numerics/numerics.h"
#include "tests/numerics/op_table.h"

namespace lockstep::emulator::num {

template <auto V>
using Constant = std::integral_constant<decltype(V), V>;

// f(Constant<Round>, ".rn") and so on.
template <class F>
void for_rounds(F f) {
  f(Constant<Round::kNearest>{}, ".rn");
  f(Constant<Round::kZero>{}, ".rz");
  f(Constant<Round::kDown>{}, ".rm");
  f(Constant<Round::kUp>{}, ".rp");
}

// f(Constant<false>, "") and f(Constant<true>, text).
template <class F>
void with_flag(const char* text, F f) {
  f(Constant<false>{}, std::string());
  f(Constant<true>{}, std::string(text));
}

// "add.rn.f32" to "add.rn.f32 %d, %a, %b;" for 2 operands.
inline std::string plain_code(const std::string& opcode, int operands) {
  static const char* const kOperands[] = {" %d, %a;", " %d, %a, %b;", " %d, %a, %b, %c;"};
  return opcode + kOperands[operands - 1];
}

// Adds an operation whose text is just its opcode and operands.
inline Op& add_op(std::vector<Op>& ops, const std::string& opcode, Kind d, std::vector<Kind> in,
                  Compute compute) {
  in.resize(3, Kind::kNone);
  Op op{opcode, "", d, in[0], in[1], in[2], std::move(compute)};
  op.code = plain_code(opcode, op.arity());
  ops.push_back(std::move(op));
  return ops.back();
}

}  // namespace lockstep::emulator::num
