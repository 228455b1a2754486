// SPDX-License-Identifier: Apache-2.0
// Runs one warp until it ends, waits at a barrier, or gives way to others.
#pragma once

#include "emulator/launch/launch.h"

namespace lockstep::emulator {

enum class WarpResult : uint8_t {
  kDone,   // all lanes have exited
  kWaits,  // at a barrier of the block
  kSlice,  // its turn is over
  kSpins,  // waits for memory to change
};

// Instructions a warp may execute before another one's turn.
inline constexpr int64_t kSlice = 20000;

WarpResult run_warp(Warp& w);

}  // namespace lockstep::emulator
