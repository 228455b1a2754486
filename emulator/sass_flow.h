// SPDX-License-Identifier: Apache-2.0
// How often each SASS block and edge was executed, by warps and by lanes: what the blocks stand
// for, completed by the laws of flow. Lanes are conserved: what enters a block leaves it. Warps
// split where lanes part and join only after a sync.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "emulator/profile.h"
#include "emulator/sass_map.h"

namespace lockstep::emulator {

inline constexpr double kUnknownCount = -1;  // while the flow is being solved

struct SassFlow {
  struct Count {
    double warps = 0, lanes = 0;
  };
  std::vector<Count> blocks, edges;  // as in SassGraph
  std::vector<Count> again;          // by block: further executions of the sync that it ends with
  // By instruction that lanes of several groups execute together (sass_collectives.h).
  std::map<int, Count> met;
  // Share of the kernel's instruction executions in blocks that no PTX instruction vouches for.
  double unsure = 0;
  // Lanes meet in the SASS before they met in execution: some blocks, and the memory operations in
  // them, are executed by fewer, fuller groups than the profile says.
  bool meets_sooner = false;
  // A routine of ptxas that is called who knows how often, or goes who knows which way, or copies
  // whose counts do not add up: why; else empty.
  std::string not_known;
  std::vector<bool> apart;  // by block: groups that met in execution do not meet in the SASS
};

SassFlow solve_flow(const SassMap& map, const KernelProfile& profile);

}  // namespace lockstep::emulator
