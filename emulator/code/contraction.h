// SPDX-License-Identifier: Apache-2.0
// ptxas makes one fused multiply-add of a multiplication and an addition that say no rounding mode
// (mul.f32, add.f32). Results are bit-equal to the card only where the same pairs are fused here:
// the machine code of an addition's PTX line tells.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "emulator/sass/instruction.h"

namespace lockstep::emulator {

// Which floating-point operations the machine code of a PTX line holds, for one width.
struct LineArithmetic {
  bool fused = false, added = false, multiplied = false;
};

class SassArithmetic {
 public:
  SassArithmetic() = default;
  // lines: of the PTX, by instruction; 0: not known.
  SassArithmetic(const std::vector<sass::Instruction>& code, const std::vector<uint32_t>& lines);

  bool known() const { return !lines_.empty(); }
  // bytes: 2, 4 or 8.
  LineArithmetic line(int ptx_line, int bytes) const;

 private:
  std::unordered_map<int, uint16_t> lines_;  // bits: fused, added, multiplied by width
};

}  // namespace lockstep::emulator
