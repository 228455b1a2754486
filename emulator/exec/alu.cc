// SPDX-License-Identifier: Apache-2.0
// Asks every family of register instructions in turn.
#include "emulator/exec/alu.h"

namespace lockstep::emulator {

Alu find_alu(const Opcode& op) {
  using Find = Alu (*)(const Opcode&);
  static constexpr Find kFamilies[] = {&find_compare,     &find_float, &find_half,
                                       &find_approximate, &find_bits,  &find_integer};
  for (Find find : kFamilies)
    if (const Alu found = find(op)) return found;
  return {};
}

}  // namespace lockstep::emulator
