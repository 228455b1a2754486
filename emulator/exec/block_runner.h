// SPDX-License-Identifier: Apache-2.0
// Runs the warps of one block in turn.
#pragma once

#include "emulator/launch/launch.h"

namespace lockstep::emulator {

enum class BlockResult : uint8_t {
  kDone,
  kStalls,  // every warp that can run waits for memory that another block must change, or has had
            // its turn in a launch where blocks take turns
};

// Makes the block ready to run as block `linear` of the grid. Reuses its warps' frames.
void start_block(Block& block, Worker& worker, uint64_t linear);
BlockResult run_block(Block& block, Worker& worker);

// Adds steps of a warp; faults when the launch has used up its budget.
void charge(Warp& w, uint64_t steps);

}  // namespace lockstep::emulator
