// SPDX-License-Identifier: Apache-2.0
// Lanes run apart for a while. See apart.h.
#include "emulator/exec/apart.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "emulator/exec/groups.h"
#include "emulator/exec/permutation.h"

namespace lockstep::emulator {
namespace {

// Instructions that are executed apart: by all drawn warps of a launch at their start, and by one
// in code that is new to it, or now and then.
constexpr int64_t kStepsOfLaunch = 1 << 18;
constexpr int64_t kStepsAgain = 1 << 11;
// Instructions together between: drawn below this, which grows from one time to the next, so that
// short and long warps alike have some.
constexpr uint64_t kRest = 1 << 12;
constexpr uint32_t kTimes = 8;

int64_t drawn_rest(const Warp& w) {
  const uint64_t drawn = mix(mix(w.block->linear << 8 ^ w.index) ^ w.order_drawn ^ w.times_apart);
  return static_cast<int64_t>(drawn % (kRest << 2 * std::min(w.times_apart, kTimes)));
}

// All lanes that live are in the running group, which waits for none and will join none.
bool is_whole(const Warp& w) {
  const Group& g = w.groups[static_cast<size_t>(w.current)];
  return w.active == w.live && w.ready == 1 && g.parent < 0 && w.join == nullptr;
}

void part_all(Warp& w, int64_t steps) {
  w.apart = Apart::kApart;
  w.lane_order = w.order_drawn;
  w.apart_left = steps;
  const int self = w.current;
  suspend_group(w, GroupState::kReady);
  const Group& g = w.groups[static_cast<size_t>(self)];
  const Instr* pc = g.pc;
  for (uint32_t rest = g.mask & (g.mask - 1); rest != 0; rest &= rest - 1)
    part_group(w, self, rest & (0 - rest), pc);
}

void rest(Warp& w) {
  w.apart = Apart::kRests;
  w.apart_left = drawn_rest(w);
}

// Every other warp begins together and parts at some place that is new to it: who asks whether all
// lanes are there learns nothing of what they do next.
void begin_together(Warp& w, uint64_t drawn) {
  w.new_blocks_together = 0;
  if ((drawn & 1) == 0) return;
  w.new_blocks_together = static_cast<uint32_t>((drawn >> 1) % (w.entered.size() + 1));
  w.lane_order = 0;
  rest(w);
}

bool go_on_as_one(const Group& a, const Group& b) {
  auto same_call = [](const CallRecord& x, const CallRecord& y) {
    return x.return_to == y.return_to && x.frame == y.frame && x.join == y.join &&
           x.local_base == y.local_base && x.function == y.function;
  };
  return a.pc == b.pc && a.join == b.join && a.parent == b.parent && a.frame == b.frame &&
         a.local_base == b.local_base && a.function == b.function &&
         std::equal(a.calls.begin(), a.calls.end(), b.calls.begin(), b.calls.end(), same_call);
}

// Ready groups that are where group `into` is, and may go on as one with it, do.
void merge_ready(Warp& w, int into) {
  Group& one = w.groups[static_cast<size_t>(into)];
  for (Group& other : w.groups) {
    if (&other == &one || other.state != GroupState::kReady || !go_on_as_one(one, other)) continue;
    one.mask |= other.mask;
    other.state = GroupState::kFree;
    --w.ready;
  }
}

// Those who are behind run first, so that they catch up; in a loop that is who are still in it.
bool converge(Warp& w) {
  const int self = w.current;
  suspend_group(w, GroupState::kReady);
  merge_ready(w, self);
  const int next = next_ready_group(w, 0);
  resume_group(w, self);
  if (is_whole(w)) rest(w);
  if (next == self || w.groups[static_cast<size_t>(next)].pc >= w.pc) return true;
  suspend_group(w, GroupState::kReady);
  return false;
}

}  // namespace

void draw_apart(Warp& w) {
  const LaunchState& launch = *w.worker->launch;
  w.apart = launch.lane_order != 0 ? Apart::kApart : Apart::kTogether;
  w.order_drawn = w.lane_order = launch.lane_order;
  w.apart_left = std::numeric_limits<int64_t>::max();
  if (launch.lane_order == 0 || launch.permuted_warps == 0) return;
  const uint64_t in_block = (launch.block.count() + 31) / 32, blocks = launch.grid.count();
  const uint64_t block = w.block->linear;
  const uint64_t drawn = mix(mix((block + 1) << 8 ^ w.index) ^ launch.lane_order);
  // The first and the last block may do what no other does.
  const bool at_end =
      (block == 0 || block == blocks - 1) && mix(launch.lane_order + block) % in_block == w.index;
  const uint64_t executed = launch.blocks.empty() ? blocks : launch.blocks.size();
  if (at_end || drawn % (in_block * executed) < launch.permuted_warps) {
    w.apart_left = kStepsOfLaunch / static_cast<int64_t>(launch.permuted_warps);
    w.times_apart = 0;
    w.met.clear();
    w.entered.assign(w.worker->program->blocks.size(), false);
    begin_together(w, mix(drawn));
    return;
  }
  w.apart = Apart::kTogether;
  w.lane_order = 0;
}

bool enter_apart(Warp& w, uint32_t index) {
  if (w.worker->launch->permuted_warps == 0) return true;
  const bool is_new = !w.entered[index];
  w.entered[index] = true;
  w.apart_left -= w.worker->program->blocks[index].size + 1;
  if (w.apart == Apart::kRests) {
    const bool again = w.apart_left <= 0 && w.times_apart < kTimes;
    if (is_new && w.new_blocks_together > 0) {
      --w.new_blocks_together;
      return true;
    }
    if ((!is_new && !again) || !is_whole(w)) return true;
    w.times_apart += again;
    part_all(w, kStepsAgain);
    return false;
  }
  if (w.apart == Apart::kApart && w.apart_left > 0) return true;
  w.apart = Apart::kConverges;
  w.lane_order = 0;
  return converge(w);
}

// In a loop of one block of code those who are behind would never catch up. What follows a meeting
// that is new to the warp is executed apart.
void meet_apart(Warp& w, int member) {
  if (w.apart != Apart::kConverges) return;
  const Instr* pc = w.groups[static_cast<size_t>(member)].pc;
  if (std::find(w.met.begin(), w.met.end(), pc) != w.met.end()) return merge_ready(w, member);
  w.met.push_back(pc);
}

}  // namespace lockstep::emulator
