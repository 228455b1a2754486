// SPDX-License-Identifier: Apache-2.0
// Control-flow graph of one PTX function: basic blocks, dominators, post-dominators, loops.
#pragma once

#include <cstdint>
#include <vector>

#include "emulator/ptx/module.h"

namespace lockstep::emulator {

// How an instruction ends its block.
enum class Flow : uint8_t { kNext, kCall, kBranch, kTable, kReturn, kExit, kTrap };

struct InstructionFlow {
  Flow flow = Flow::kNext;
  bool guarded = false;
  std::vector<uint32_t> targets;  // instruction indices
};

struct BasicBlock {
  uint32_t first = 0, last = 0;      // instructions [first, last)
  std::vector<uint32_t> successors;  // branch target(s) first, then the next block
  std::vector<uint32_t> predecessors;
  uint32_t dominator = 0;
  uint32_t post_dominator = 0;  // the end block where there is no other
  bool reachable = false;
  bool loop_header = false;
};

// The last block is empty and stands for the function's end: every return and exit leads there.
struct Cfg {
  std::vector<BasicBlock> blocks;
  uint32_t end_block() const { return static_cast<uint32_t>(blocks.size() - 1); }
  bool is_back_edge(uint32_t from, uint32_t to) const;  // to dominates from
  std::vector<uint32_t> block_of;                       // by instruction
};

// flows: one an instruction; a target equal to the number of instructions is the end.
Cfg build_cfg(const std::vector<InstructionFlow>& flows);

}  // namespace lockstep::emulator
