// SPDX-License-Identifier: Apache-2.0
// Turns one kernel of a parsed module, and the device functions that it can reach, into a Program:
// those that it calls, and through a pointer all whose address is taken in the module. What the
// emulator does not execute, in any of them, is refused here.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "emulator/code/contraction.h"
#include "emulator/code/program.h"
#include "emulator/ptx/module.h"

namespace lockstep::emulator {

// kernel: index into module.functions. addresses: of module.variables (0 for .shared ones). sass:
// which additions ptxas fused with a multiplication; empty: as it usually does.
// Throws KernelFault "unsupported", with the source's file and line first, for what is not executed
// and for PTX that is wrong.
Program decode_kernel(const Module& module, uint32_t kernel, const std::vector<uint64_t>& addresses,
                      const SassArithmetic& sass = {});

}  // namespace lockstep::emulator
