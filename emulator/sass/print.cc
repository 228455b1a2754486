// SPDX-License-Identifier: Apache-2.0
// The text of an instruction, equal to nvdisasm's.

#include <bit>
#include <cmath>
#include <cstdio>

#include "emulator/sass/instruction.h"

namespace lockstep::emulator::sass {
namespace {

std::string hex(int64_t value, bool is_signed) {
  char text[32];
  const uint64_t magnitude =
      is_signed && value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  std::snprintf(text, sizeof(text), "%s0x%llx", is_signed && value < 0 ? "-" : "",
                static_cast<unsigned long long>(magnitude));
  return text;
}

std::string decimal(double value, bool negative, const char* nan = "QNAN ") {
  if (std::isnan(value)) return (negative ? "-" : "+") + std::string(nan);
  if (std::isinf(value)) return negative ? "-INF " : "+INF ";
  if (value == 0) return negative ? "-0.0 " : "0";
  char text[64];
  std::snprintf(text, sizeof(text), std::fabs(value) < 1e9 ? "%.20g" : "%.20e", value);
  return text;
}

std::string float_text(uint32_t bits) { return decimal(std::bit_cast<float>(bits), bits >> 31); }

std::string half_text(uint32_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  double value = exponent == 0    ? std::ldexp(fraction, -24)
                 : exponent == 31 ? (fraction != 0 ? NAN : INFINITY)
                                  : std::ldexp(1024 + fraction, exponent - 25);
  if (bits >> 15) value = -value;
  return decimal(value, bits >> 15);
}

std::string immediate(const Instruction& instruction, const Operand& operand) {
  const uint64_t bits = static_cast<uint64_t>(operand.value);
  switch (operand.format) {
    case ImmediateFormat::kFloat:
      return float_text(static_cast<uint32_t>(bits));
    case ImmediateFormat::kDouble:
      return decimal(std::bit_cast<double>(bits), bits >> 63, bits >> 51 & 1 ? "QNAN " : "SNAN ");
    case ImmediateFormat::kHalfPair: {
      const uint32_t high = bits >> 16 & 0xFFFF, low = bits & 0xFFFF;
      if (instruction.has("BF16_V2")) return float_text(high << 16) + ", " + float_text(low << 16);
      return half_text(high) + ", " + half_text(low);
    }
    default:
      return hex(operand.value, operand.format == ImmediateFormat::kSignedHex);
  }
}

std::string register_name(const char* prefix, int index, int zero, const char* zero_name) {
  return index == zero ? zero_name : prefix + std::to_string(index);
}
std::string vector_register(int index) { return register_name("R", index, kZeroRegister, "RZ"); }
std::string uniform_register(int index) { return register_name("UR", index, kZeroUniform, "URZ"); }

std::string address(const Operand& operand) {
  const bool has_descriptor = operand.descriptor != kZeroUniform;
  const bool has_uniform = operand.has_uniform && !has_descriptor;
  std::string text;
  const bool plain = !has_descriptor && operand.part.empty();
  if (operand.index != kZeroRegister || !plain || (!has_uniform && operand.value == 0)) {
    text = vector_register(operand.index);
    if (operand.wide) text += ".64";
    if (!operand.part.empty()) text += "." + std::string(operand.part);
  }
  if (has_uniform) text += (text.empty() ? "" : "+") + uniform_register(operand.uniform);
  if (operand.value != 0) text += (text.empty() ? "" : "+") + hex(operand.value, true);
  text = "[" + text + "]";
  return has_descriptor && !operand.bare
             ? "desc[" + uniform_register(operand.descriptor) + "]" + text
             : text;
}

std::string constant(const Operand& operand) {
  std::string offset;
  if (operand.index != kZeroRegister) offset = vector_register(operand.index);
  if (operand.uniform != kZeroUniform) offset = uniform_register(operand.uniform);
  if (operand.indexed && operand.value == 0 && offset.empty()) {
    offset = operand.has_uniform ? "URZ" : "RZ";
  }
  if (operand.value != 0 || offset.empty()) {
    offset += (offset.empty() ? "" : "+") + hex(operand.value, true);
  }
  return "c[" + hex(operand.bank, false) +
         (operand.format == ImmediateFormat::kHalfPair ? "] [" : "][") + offset + "]";
}

std::string body(const Instruction& instruction, const Operand& operand) {
  switch (operand.kind) {
    case OperandKind::kRegister:
      return vector_register(operand.index);
    case OperandKind::kUniform:
      return uniform_register(operand.index);
    case OperandKind::kPredicate:
      return register_name("P", operand.index, kTruePredicate, "PT");
    case OperandKind::kUniformPredicate:
      return register_name("UP", operand.index, kTruePredicate, "UPT");
    case OperandKind::kImmediate:
      return immediate(instruction, operand);
    case OperandKind::kConstant:
      return constant(operand);
    case OperandKind::kAddress:
      return address(operand);
    case OperandKind::kBarrier:
      return "B" + std::to_string(operand.index);
    case OperandKind::kTarget:
      if (operand.bare) return vector_register(operand.index);
      return (operand.indexed ? vector_register(operand.index) + " " : "") +
             hex(operand.value, true);
    case OperandKind::kSpecial:
    case OperandKind::kNamed:
      return std::string(operand.part);
    default:
      return "";
  }
}

bool is_predicate(const Operand& operand) {
  return operand.kind == OperandKind::kPredicate || operand.kind == OperandKind::kUniformPredicate;
}

std::string operand_text(const Instruction& instruction, const Operand& operand) {
  std::string text = body(instruction, operand);
  if (operand.absolute) text = "|" + text + "|";
  if (operand.negated) text = "-" + text;
  if (operand.inverted) text = (is_predicate(operand) ? "!" : "~") + text;
  if (operand.reuse) text += ".reuse";
  const bool has_part = operand.kind == OperandKind::kRegister ||
                        operand.kind == OperandKind::kUniform ||
                        operand.kind == OperandKind::kConstant;
  if (has_part && !operand.part.empty()) text += "." + std::string(operand.part);
  return text;
}

}  // namespace

std::string print(const Instruction& instruction) {
  std::string text;
  const Operand& guard = instruction.guard;
  if (guard.index != kTruePredicate || guard.inverted) {
    text = "@" + operand_text(instruction, guard) + " ";
  }
  text += instruction.name;
  for (int i = 0; i < instruction.modifier_count; ++i) {
    text += "." + std::string(instruction.modifiers[i]);
  }
  const char* separator = " ";
  for (int i = 0; i < instruction.operand_count; ++i) {
    const Operand& operand = instruction.operands[i];
    if (operand.hidden) continue;
    text += separator + operand_text(instruction, operand);
    separator = ", ";
  }
  if (text.ends_with(' ')) text.pop_back();  // of a special number
  return text;
}

}  // namespace lockstep::emulator::sass
