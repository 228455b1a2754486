// SPDX-License-Identifier: Apache-2.0
// Operands and opcodes that mutations put into instructions. Private to this room.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include "emulator/code/opcode.h"
#include "emulator/ptx/module.h"

namespace lockstep::emulator {

// How likely somebody writes the one for the other.
inline constexpr int kNearby = 0, kOther = 1, kLess = 2, kMore = 3, kMoreWithin = 4, kProduct = 5;

inline bool is_register(const Operand& o) { return o.kind == Operand::Kind::kRegister; }

inline bool is_number(const Operand& o) {
  return o.kind == Operand::Kind::kInteger || o.kind == Operand::Kind::kFloat32 ||
         o.kind == Operand::Kind::kFloat64;
}

inline Operand integer(int64_t value) {
  Operand o;
  o.kind = Operand::Kind::kInteger;
  o.bits = static_cast<uint64_t>(value);
  return o;
}

inline Operand number(double value, Type type) {
  Operand o;
  o.kind = type == Type::kF64 ? Operand::Kind::kFloat64 : Operand::Kind::kFloat32;
  o.bits = type == Type::kF64 ? std::bit_cast<uint64_t>(value)
                              : std::bit_cast<uint32_t>(static_cast<float>(value));
  return o;
}

inline Operand reg_operand(uint32_t reg) {
  Operand o;
  o.kind = Operand::Kind::kRegister;
  o.reg = reg;
  return o;
}

inline Operand special(std::string_view name) {
  Operand o;
  o.kind = Operand::Kind::kSymbol;
  o.name = name;
  return o;
}

// "add.s32" and "sub" -> "sub.s32"; multiplication has a part that is kept.
inline std::string with_root(std::string_view opcode, std::string_view root) {
  const Opcode op(opcode);
  const std::string type = type_name(op.type());
  const bool floating = is_float(op.type());
  if (root == "mul" && !floating) return "mul.lo." + type;
  if (root == "div" && op.type() == Type::kF32) return "div.rn.f32";
  if (root == "div" && op.type() == Type::kF64) return "div.rn.f64";
  return std::string(root).append(1, '.') + type;
}

}  // namespace lockstep::emulator
