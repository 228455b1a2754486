// SPDX-License-Identifier: Apache-2.0
// What a launch's kinds of work would take of an SM's time if nothing waited: enough to tell which
// of two costs is the dearer, no prediction of a time.
#pragma once

#include <map>
#include <string>

namespace lockstep {

// Cycles of one SM for all of the launch. An SM of these cards has four schedulers, each of which
// issues an instruction of a warp in a cycle; it moves 64 bytes, two sectors, to or from L2, and
// makes one pass of shared memory and one turn of L1.
struct Cycles {
  double instructions = 0, sectors = 0, passes = 0, turns = 0;

  // The part, 0 to 1, that is of the kind of work that metric counts; instructions, where it
  // counts none of the others.
  double part_of(const std::string& kind) const;
};

// totals: by metric, of all lines.
Cycles cycles_of(const std::map<std::string, double>& totals);

}  // namespace lockstep
