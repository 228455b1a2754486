// SPDX-License-Identifier: Apache-2.0
// Loops that ptxas unrolled: a turn (one PTX block, or several where ptxas made guards of the ifs)
// became several SASS blocks, each good for some turns (an unrolled part of four, then two, then
// one, with tests between). For every number of turns that warps stayed in the PTX loop this walks
// the SASS as the compiled tests would.
#pragma once

#include <map>
#include <vector>

#include "emulator/profile.h"
#include "emulator/sass_map.h"

namespace lockstep::emulator {

struct UnrolledLoop {
  struct Count {
    double warps = 0, lanes = 0;
  };
  int header = -1;              // PTX block
  std::map<int, Count> blocks;  // SASS blocks of the loop, those not reached included
  std::map<int, Count> edges;   // edges taken, those into the loop included
};

std::vector<UnrolledLoop> walk_unrolled_loops(const SassMap& map, const KernelProfile& profile);

}  // namespace lockstep::emulator
