// SPDX-License-Identifier: Apache-2.0
// Loads from global memory end a run in the replay (l1_model.cc). A branch does not: ptxas makes
// guards of most ifs around a store, and an H200 let such stores meet (matvec, gemm_registers).

#include "emulator/store_runs.h"

#include <string_view>

namespace lockstep::emulator {
namespace {

bool waits(const InstructionProfile& in) {
  switch (in.op) {
    case OpClass::kSharedLoad:
    case OpClass::kGenericLoad:
    case OpClass::kBarrier:
    case OpClass::kShuffle:
    case OpClass::kVote:
    case OpClass::kCall:
    case OpClass::kReturn:
    case OpClass::kSystemCall:
    case OpClass::kSharedAtomic:
    case OpClass::kGlobalAtomic:
    case OpClass::kGenericAtomic:
      return true;
    default:
      break;
  }
  if (in.opcode.starts_with("cp.async.wait")) return true;
  const std::string_view opcode = in.opcode, root = opcode.substr(0, opcode.find('.'));
  for (const std::string_view slow : {"nanosleep", "membar", "fence", "div", "rem", "rcp", "sqrt",
                                      "rsqrt", "sin", "cos", "lg2", "ex2", "tanh"})
    if (root == slow) return true;
  return opcode.ends_with(".f64") && root != "mov" && root != "st";
}

bool releases(const std::string& opcode) {
  if (opcode.rfind("fence.", 0) == 0) return false;  // one itself
  return opcode.find(".release") != std::string::npos ||
         opcode.find(".acq_rel") != std::string::npos;
}

}  // namespace

std::vector<uint32_t> find_store_runs(const std::vector<InstructionProfile>& instructions) {
  std::vector<uint32_t> runs;
  uint32_t run = 0;
  for (const InstructionProfile& in : instructions) {
    if (releases(in.opcode)) ++run;  // a fence stands before it
    runs.push_back(run);
    if (waits(in)) ++run;
  }
  return runs;
}

}  // namespace lockstep::emulator
