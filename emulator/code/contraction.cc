// SPDX-License-Identifier: Apache-2.0
// The floating-point operations of each PTX line.
#include "emulator/code/contraction.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace lockstep::emulator {
namespace {

// Three bits a width: 4 bytes, 8, 2.
constexpr std::string_view kOperations[] = {"FFMA", "FADD",  "FMUL",  "DFMA", "DADD",
                                            "DMUL", "HFMA2", "HADD2", "HMUL2"};

// HFMA2 A, 1, 1, C is a sum, HFMA2 A, B, -RZ a product.
std::string_view operation_of(const sass::Instruction& in) {
  if (in.name != "HFMA2") return in.name;
  for (int k = 1; k < in.operand_count; ++k) {
    const sass::Operand& o = in.operands[static_cast<size_t>(k)];
    if (o.kind == sass::OperandKind::kImmediate && (o.value == 0x3c003c00 || o.value == 0x3f803f80))
      return "HADD2";
    if (o.kind == sass::OperandKind::kRegister && o.index == sass::kZeroRegister) return "HMUL2";
  }
  return in.name;
}

uint16_t arithmetic_bit(const sass::Instruction& in) {
  if (in.row == nullptr) return 0;
  const auto* at = std::find(std::begin(kOperations), std::end(kOperations), operation_of(in));
  return at == std::end(kOperations) ? 0
                                     : static_cast<uint16_t>(1 << (at - std::begin(kOperations)));
}

}  // namespace

SassArithmetic::SassArithmetic(const std::vector<sass::Instruction>& code,
                               const std::vector<uint32_t>& lines) {
  for (size_t i = 0; i < code.size() && i < lines.size(); ++i)
    if (lines[i] != 0) lines_[static_cast<int>(lines[i])] |= arithmetic_bit(code[i]);
}

LineArithmetic SassArithmetic::line(int ptx_line, int bytes) const {
  const auto at = lines_.find(ptx_line);
  if (at == lines_.end()) return {};
  const int shift = bytes == 4 ? 0 : bytes == 8 ? 3 : 6;
  const int bits = at->second >> shift;
  return {(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0};
}

}  // namespace lockstep::emulator
