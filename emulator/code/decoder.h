// SPDX-License-Identifier: Apache-2.0
// Turns one kernel of a parsed module, and the device functions that it can reach, into a Program:
// those that it calls, and through a pointer all whose address is taken in the module. What the
// emulator does not execute, in any of them, is refused here.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "emulator/code/contraction.h"
#include "emulator/code/fences.h"
#include "emulator/code/program.h"
#include "emulator/code/sync_hints.h"
#include "emulator/ptx/module.h"

namespace lockstep::emulator {

// What the cubin tells about the code that ptxas made. Empty: as it usually does.
struct SassHints {
  SassArithmetic arithmetic;  // which additions it fused with a multiplication
  SyncHints syncs;            // after which branches lanes stay apart
  SassFences fences;          // which instructions empty L1
};

// kernel: index into module.functions. addresses: of module.variables (0 for .shared ones).
// Throws KernelFault "unsupported", with the source's file and line first, for what is not executed
// and for PTX that is wrong.
Program decode_kernel(const Module& module, uint32_t kernel, const std::vector<uint64_t>& addresses,
                      const SassHints& sass = {});

}  // namespace lockstep::emulator
