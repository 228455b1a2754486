// SPDX-License-Identifier: Apache-2.0
// Where the groups of a warp meet again after a branch. A post-dominator is where all lanes must
// come; the card's compiler joins them sooner: where all lanes come that neither leave the loop
// (break, return) nor end the kernel in between. Those that do drop out of the meeting.
#pragma once

#include <cstdint>
#include <vector>

#include "emulator/code/cfg.h"

namespace lockstep::emulator {

struct Joins {
  static constexpr uint32_t kNone = ~0u;
  std::vector<uint32_t> join;  // by block: where its branch's groups meet
  // By block: the outermost loop that each way out leaves (0: branch target, 1: next block).
  std::vector<uint32_t> left[2];
  std::vector<std::vector<bool>> loops;  // blocks of each loop
};

// kernel: a return ends lanes; in a device function it is a way to the end block.
Joins find_joins(const Cfg& cfg, const std::vector<InstructionFlow>& flows, bool kernel);

}  // namespace lockstep::emulator
