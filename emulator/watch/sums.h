// SPDX-License-Identifier: Apache-2.0
// Sums over threads that are made again and again and only added up: threads could add up their
// own values first. And values of other threads that are taken one by one.
#pragma once

#include <cstdint>
#include <vector>

#include "emulator/watch/value_graph.h"

namespace lockstep::emulator {

struct AddedUp {
  uint32_t node = 0;   // an addition: its instruction adds to what it made the time before
  uint64_t times = 0;  // in a row, by the thread that does it most
  // What it adds is a sum of what several threads had; else what one other thread had.
  bool sums = false;
};

// One for each instruction. None of what is used in another way, too: a running sum, say.
std::vector<AddedUp> added_up(const ValueGraph& values);

}  // namespace lockstep::emulator
