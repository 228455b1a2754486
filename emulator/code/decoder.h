// SPDX-License-Identifier: Apache-2.0
// Turns one kernel of a parsed module, and the device functions that it calls, into a Program.
// What the emulator does not execute is refused here, with the PTX and the source line and the
// word "unsupported".
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "emulator/code/contraction.h"
#include "emulator/code/program.h"
#include "emulator/ptx/module.h"

namespace lockstep::emulator {

// sass: which additions ptxas fused with a multiplication; empty: as it usually does.
// kernel: index into module.functions. addresses: of module.variables (0 for .shared ones).
// Throws Error for PTX that is wrong, KernelFault "unsupported" for what is not executed.
Program decode_kernel(const Module& module, uint32_t kernel,
                      const std::vector<uint64_t>& addresses, const SassArithmetic& sass = {});

}  // namespace lockstep::emulator
