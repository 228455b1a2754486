// SPDX-License-Identifier: Apache-2.0
// Bookkeeping of a warp's groups of lanes: splitting at branches, joining at post-dominators,
// leaving at exits, choosing who runs.
#pragma once

#include <vector>

#include "emulator/launch/warp.h"

namespace lockstep::emulator {

// Writes the running group's fields back, so that another can run.
void suspend_group(Warp& w, GroupState state);
// Makes a ready group the running one.
void resume_group(Warp& w, int index);
// The next ready group after the running one, in turn; -1: none. lane_order permutes the choice;
// where lanes converge it is the one that is behind.
int next_ready_group(const Warp& w, uint32_t lane_order);

struct Part {
  uint32_t mask = 0;
  const Instr* pc = nullptr;
};
// The running group goes separate ways; its parts join at `join` (nullptr: nowhere but where the
// group itself would). Leaves one of the parts running, or the group itself when all parts have
// arrived at once.
void split_group(Warp& w, const std::vector<Part>& parts, const Instr* join);
// Lanes `part.mask` of the running group leave a loop in which others will meet: they, and the
// groups that wait in that loop for them, part; they go on at part.pc and meet the rest at `join`
// outside of the loop. The other lanes of the group, if any, stay the running group.
void leave_loop(Warp& w, const Part& part, const Instr* join, const LeftLoop& loop);
// Lanes `mask` leave a group that is not running, for a ready one of their own at pc, which joins
// where the group would. Returns it.
int part_group(Warp& w, int index, uint32_t mask, const Instr* pc);
// The running group is at its join: it ends, and its parent goes on when all have come. Returns
// false when no group is left running.
bool join_group(Warp& w);
// Lanes of the running group end. Returns false when no group is left running.
bool exit_lanes(Warp& w, uint32_t mask);
// Lanes that wait at a join go on without the others. Returns false where none wait.
bool release_waiting(Warp& w);

// Sets up one group of all lanes at the program's start; or one a lane.
void start_groups(Warp& w, const Instr* pc, std::byte* frame, bool one_a_lane);

}  // namespace lockstep::emulator
