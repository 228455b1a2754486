// SPDX-License-Identifier: Apache-2.0
// What a plain load finds in L1 that others have changed since. See emulator/memory/stale_words.h.
#pragma once

#include "emulator/launch/launch.h"
#include "emulator/memory/global_races.h"

namespace lockstep::emulator {

// After a plain load by a lane that has reached these units, words.
void take_stale_words(const Instr& in, Warp& w, uint32_t lane, const GlobalRaces::Units& units);

}  // namespace lockstep::emulator
