// SPDX-License-Identifier: Apache-2.0
// All the SASS that a kernel may run: its own section, which also holds the device functions and
// routines that it alone calls, and after it the sections of other functions that it calls (all
// functions, where a module is built with -G).
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "emulator/cubin.h"
#include "emulator/sass.h"

namespace lockstep::emulator {

struct SassCode {
  std::vector<SassInstruction> code;  // targets are indices into it
  std::vector<uint32_t> lines;        // by instruction: line of the PTX text; 0: unknown
  std::vector<int> starts;            // where device functions begin; ptxas's routines are not here
  std::vector<std::pair<int, int>> indirect;  // targets of indirect branches: (branch, target)
};

// Functions of the PTX that the kernel can reach, at the least: any other is a routine of ptxas.
using PtxFunctions = std::set<std::string, std::less<>>;

// Returns the reason why there is none, "" where there is one.
std::string gather_sass(const Cubin& cubin, const std::string& kernel,
                        const PtxFunctions& functions, SassCode* out);

}  // namespace lockstep::emulator
