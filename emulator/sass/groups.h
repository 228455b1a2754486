// SPDX-License-Identifier: Apache-2.0
// The groups of a warp's lanes: who runs, who waits for whom.
#pragma once

#include "emulator/sass/machine.h"

namespace lockstep::emulator::sass {

// The running group is put away: it waits, or has ended (no lanes).
void put_away(Warp& w, const Group& group);
// Takes a group that can run; false: none can.
bool choose(Warp& w);
// Lets another ready group run first. yields: YIELD.
void rotate(Warp& w, bool yields = false);
void end_turn(Warp& w);
// The running group goes back in a loop: others of the warp, and other warps, have turns too.
void note_back_edge(Warp& w);

// After lanes have left: who waited for them alone goes on. Whether there is such a one; the last
// of Warp::groups is then.
bool release_syncs(Warp& w);
void release_warp_syncs(Warp& w);
// Takes up again the group that was just put away, where it can go on (with those that now have its
// place).
void resume(Warp& w, const Group& group);
// Lanes of the warp have exited: barriers that waited for them.
void lanes_ended(Warp& w);

enum class BarrierUse : uint8_t { kSync, kArrive, kReduce };
// The running group comes to a barrier of the block. threads: 0: all. truth: lanes for which the
// predicate holds.
void arrive(Warp& w, uint32_t number, uint32_t threads, BarrierUse use, uint32_t truth,
            bool of_all);

}  // namespace lockstep::emulator::sass
