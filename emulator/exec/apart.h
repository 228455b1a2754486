// SPDX-License-Identifier: Apache-2.0
// Warps that take a lane order: each lane runs alone to the next synchronization, which takes far
// longer than in lockstep. Where a launch asks it of some warps only (Launch::permuted_warps),
// these do it for bounded times: at their start or from a drawn place on, in code that is new to
// them, and now and then; between these times their lanes run together again, as soon as they come
// to the same places.
#pragma once

#include "emulator/launch/launch.h"

namespace lockstep::emulator {

// Decides whether the warp, which is about to start, takes the launch's order.
void draw_apart(Warp& w);
// The running group enters block `index` of the program, by its kEnter, in a warp that takes an
// order. Returns false when no group is left running: the place is entered once more.
bool enter_apart(Warp& w, uint32_t index);
// Group `member` and others have met at a .sync operation and are ready after it.
void meet_apart(Warp& w, int member);

}  // namespace lockstep::emulator
