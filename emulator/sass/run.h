// SPDX-License-Identifier: Apache-2.0
// Executes one launch of machine code: blocks over SMs, SMs over host threads.
#pragma once

#include <vector>

#include "emulator/sass/code.h"

namespace lockstep::emulator::sass {

// In which order warps go on. A value that depends on it shows in what two of them count.
enum class Order : uint8_t {
  kLong,      // one block of an SM after another, as far as each gets
  kShort,     // all resident blocks of all SMs, a short turn each
  kBackward,  // likewise, the last warps and blocks first
};

struct RunOptions {
  int threads = 1;
  Order order = Order::kLong;
  L1Config l1;
  // Of the grid, those that are executed, ascending, over so many SMs. Empty: all.
  std::vector<uint64_t> blocks = {};
};

// What was executed, by instruction.
struct Profile {
  std::vector<Executions> executions;
  std::vector<Accesses> accesses;  // by Op::access
  std::vector<L1Traffic> traffic;  // by Op::access
  uint64_t critical_path = 0;      // instructions, of a block
  uint64_t warps = 0;
  bool meets_by_chance = false;     // Worker::meets_by_chance
  std::vector<uint64_t> of_blocks;  // with RunOptions::blocks: warp instructions of each
};

// Throws KernelFault when a check fails, NotExecuted where it comes to what cannot be executed.
Profile run(Launched& launch, const RunOptions& options);

// By instruction: whether the first block comes to it, the last, or one more, which `further`
// draws; each executed by itself for Launched::step_budget steps at most. What it stores stays.
std::vector<bool> reach(Launched& launch, const RunOptions& options, uint64_t further);

}  // namespace lockstep::emulator::sass
