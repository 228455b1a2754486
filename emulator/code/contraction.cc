// SPDX-License-Identifier: Apache-2.0
// Reads the floating-point opcodes of each PTX line from the SASS.
#include "emulator/code/contraction.h"

#include <vector>

#include "emulator/line_table.h"
#include "emulator/sass.h"

namespace lockstep::emulator {
namespace {

// The low nine bits of an opcode name the operation, the next three its operand forms.
uint16_t arithmetic_bit(uint16_t opcode) {
  switch (opcode & 0x1ff) {
    case 0x023:
      return 1 << 0;  // FFMA
    case 0x021:
      return 1 << 1;  // FADD
    case 0x020:
      return 1 << 2;  // FMUL
    case 0x02b:
      return 1 << 3;  // DFMA
    case 0x029:
      return 1 << 4;  // DADD
    case 0x028:
      return 1 << 5;  // DMUL
    case 0x031:
      return 1 << 6;  // HFMA2
    case 0x030:
      return 1 << 7;  // HADD2
    case 0x032:
      return 1 << 8;  // HMUL2
    default:
      return 0;
  }
}

}  // namespace

SassArithmetic::SassArithmetic(const Cubin& cubin, const std::string& kernel) {
  const std::vector<SassInstruction> code = decode_sass(cubin.code(kernel), cubin.sm());
  const LineTable table(cubin, ".nv_debug_line_sass");
  const std::vector<uint32_t> lines = table.lines(kernel, code.size());
  for (size_t i = 0; i < code.size() && i < lines.size(); ++i) {
    if (lines[i] == 0) continue;
    lines_[static_cast<int>(lines[i])] |= arithmetic_bit(code[i].opcode);
  }
}

LineArithmetic SassArithmetic::line(int ptx_line, int bytes) const {
  const auto at = lines_.find(ptx_line);
  if (at == lines_.end()) return {};
  const int shift = bytes == 4 ? 0 : bytes == 8 ? 3 : 6;
  const int bits = at->second >> shift;
  return {(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0};
}

}  // namespace lockstep::emulator
