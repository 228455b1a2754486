// SPDX-License-Identifier: Apache-2.0
// Loads from global memory end a run in the replay (l1_model.cc). A branch does not.
#include "emulator/sass/store_runs.h"

#include <algorithm>
#include <string_view>

namespace lockstep::emulator::sass {
namespace {

bool waits(const Instruction& in) {
  static constexpr std::string_view kWaits[] = {
      "LDS",  "LD",   "BAR",  "SHFL",  "VOTE",  "MATCH",   "REDUX",
      "CALL", "RET",  "ATOM", "ATOMG", "ATOMS", "MEMBAR",  "NANOSLEEP",
      "MUFU", "DADD", "DMUL", "DFMA",  "DSETP", "WARPSYNC"};
  return in.row != nullptr &&
         std::find(std::begin(kWaits), std::end(kWaits), in.name) != std::end(kWaits);
}

}  // namespace

std::vector<uint32_t> find_store_runs(const Code& code) {
  std::vector<uint32_t> runs(code.accesses);
  uint32_t run = 0;
  for (size_t i = 0; i < code.instructions.size(); ++i) {
    if (code.ops[i].access != kNoAccess) runs[code.ops[i].access] = run;
    if (waits(code.instructions[i])) ++run;
  }
  return runs;
}

}  // namespace lockstep::emulator::sass
