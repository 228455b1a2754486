// SPDX-License-Identifier: Apache-2.0
// Questions that the compiler asks by itself, before it divides.
#pragma once

#include <cstdint>
#include <unordered_set>

#include "emulator/ptx/module.h"

namespace lockstep::emulator {

// Lines of the PTX with a comparison that decides alone whether one and the same quotient or
// remainder is computed in 64 bits or, since its operands fit, in 32 (LLVM's BypassSlowDivision).
// Nobody wrote it, and what is computed is the same either way.
std::unordered_set<uint32_t> width_questions(const Module& module);

}  // namespace lockstep::emulator
