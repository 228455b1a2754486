// SPDX-License-Identifier: Apache-2.0
// Which PTX instruction each SASS instruction of a kernel came from (by ptxas's line table), and
// which PTX block each SASS block stands for: the blocks' instructions vote.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "emulator/cubin.h"
#include "emulator/profile.h"
#include "emulator/sass.h"

namespace lockstep::emulator {

// True where a SASS operation is what the PTX operation becomes, one for one.
bool same_operation(SassKind sass, OpClass ptx);

struct SassMap;

// True for a guarded branch that was none in PTX: ptxas put one side of an if under a guard and let
// the jump at the side's end do for the if's own.
bool ends_a_side(const SassMap& map, const KernelProfile& profile, int i);

struct SassMap {
  SassGraph graph;
  // By SASS instruction: index into KernelProfile::instructions; -1: none (compiler's own).
  std::vector<int> ptx;
  // By PTX instruction: the SASS instructions that came from it, in their order.
  std::vector<std::vector<int>> sass;
  // By PTX instruction: its SASS stands for others too, in parts of other widths.
  std::vector<bool> parted;
  // By SASS instruction: ptxas took an access apart; this is a further part of one before it.
  std::vector<bool> continues;
  // By SASS block: the PTX instruction whose count stands for the block's; -1: undecided.
  std::vector<int> stands_for;
  // By SASS block: only what was taken out of loops voted.
  std::vector<bool> weak;
  // Share of the votes that agree, 0 to 1.
  std::vector<double> agreement;
  // Groups of SASS blocks that are copies of one PTX block: (SASS block, copies in it).
  struct Copies {
    int ptx_block = -1;
    std::vector<std::pair<int, int>> blocks;
  };
  std::vector<Copies> copies;
  // By SASS block: first block of the straight chain that it belongs to; and by first block, how
  // many the chain has.
  std::vector<int> chain, chain_length;
  std::vector<bool> cold;      // by SASS block: reached only through cold edges, or not at all
  std::vector<int> ptx_depth;  // loop nesting by PTX block
};

// Returns the reason why there is no map, "" where there is one.
std::string map_sass(const Cubin& cubin, const KernelProfile& profile, SassMap* map);

}  // namespace lockstep::emulator
