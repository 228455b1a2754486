// SPDX-License-Identifier: Apache-2.0
// The loops of a kernel's PTX, by the edges between its blocks: how deep they nest, and those that
// hold no other loop.
#pragma once

#include <vector>

#include "emulator/profile.h"

namespace lockstep::emulator {

// A loop with one way in (its header) and one block that leads back to it, its latch. No other
// block leaves it, so every turn goes from the header to the latch.
struct PtxLoop {
  int header = -1, latch = -1;
  std::vector<int> body;        // blocks, rising, both of these included
  std::vector<int> every_turn;  // of these, those that all lanes run in every turn
  bool contains(int block) const;
};

// Loop nesting by block.
std::vector<int> loop_depths(const std::vector<BlockProfile>& blocks);

// Loops without a loop in them that were executed and whose turns are known.
std::vector<PtxLoop> innermost_loops(const KernelProfile& profile);

}  // namespace lockstep::emulator
