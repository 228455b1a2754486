// SPDX-License-Identifier: Apache-2.0
// Which PTX instructions empty the L1 cache: fences and acquiring accesses whose scope is wider
// than the block. ptxas makes CCTL.IVALL of them, and where there is a cubin its SASS tells. It
// tells, too, whether there are accesses to local memory.
#pragma once

#include <string>
#include <unordered_set>

#include "emulator/code/opcode.h"
#include "emulator/cubin.h"
#include "emulator/sass_code.h"

namespace lockstep::emulator {

class SassFences {
 public:
  SassFences() = default;
  // Knows nothing where the cubin lacks the kernel or its line table.
  SassFences(const Cubin& cubin, const std::string& kernel, const PtxFunctions& functions);

  // Without SASS, by what the PTX ISA asks of the operation.
  bool empties_l1(const Opcode& op, int ptx_line) const;
  // Nothing in the SASS reaches local memory: ptxas keeps all arrays in registers.
  bool all_in_registers() const { return known_ && !local_; }

 private:
  bool known_ = false;
  bool local_ = false;
  std::unordered_set<int> lines_;
};

}  // namespace lockstep::emulator
