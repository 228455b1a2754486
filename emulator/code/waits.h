// SPDX-License-Identifier: Apache-2.0
// Which loads, atomic operations and clocks may decide how often a loop turns: those from which the
// condition of a branch that leaves the loop is computed, through registers, what decides whether
// these are written, calls, and shared or local memory. Whether other warps change meanwhile what
// they read is seen in execution (exec/waits.h).
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "emulator/code/cfg.h"
#include "emulator/ptx/module.h"

namespace lockstep::emulator {

// A function that the kernel can reach; the first one is the kernel.
struct FunctionGraph {
  const Function* function = nullptr;
  Cfg cfg;
  std::vector<InstructionFlow> flows;
  uint32_t first_instruction = 0;  // of Program::instructions
  bool recursive = false;          // may call itself
};

struct Decision {
  uint32_t branch = 0;  // the branch that leaves the loop, into Program::instructions
  // The value comes anew in each turn and does more than to be held against a bound: tickets that
  // are drawn until one fits.
  bool any_value = false;
};

// By instruction (Program::instructions) that reads: what it decides.
std::map<uint32_t, Decision> find_decisions(const std::vector<FunctionGraph>& functions);

}  // namespace lockstep::emulator
