// SPDX-License-Identifier: Apache-2.0
// Groups of lanes.
#include "emulator/exec/groups.h"

#include <utility>

namespace lockstep::emulator {
namespace {

int new_group(Warp& w) {
  for (size_t i = 0; i < w.groups.size(); ++i)
    if (w.groups[i].state == GroupState::kFree) return static_cast<int>(i);
  w.groups.emplace_back();
  return static_cast<int>(w.groups.size() - 1);
}

// Lanes that wait at a block which only returns from the kernel count as gone: barriers and
// .sync operations do not wait for them.
bool is_last_return(const Instr* join) { return join->sub == kLastReturn; }

// A ready group like `like`, with its own mask and place.
int add_group(Warp& w, int like, uint32_t mask, const Instr* pc, const Instr* join, int parent) {
  const int index = new_group(w);
  Group& g = w.groups[static_cast<size_t>(index)];
  const Group& from = w.groups[static_cast<size_t>(like)];
  g.state = GroupState::kReady;
  g.mask = mask;
  g.arrived = 0;
  g.pc = pc;
  g.join = join;
  g.parent = parent;
  g.frame = from.frame;
  g.function = from.function;
  g.local_base = from.local_base;
  g.calls = from.calls;
  ++w.ready;
  return index;
}

// A split group all of whose remaining lanes have come goes on; one without lanes ends, and may
// free its own parent. Returns the group that became ready, or -1.
int settle(Warp& w, int index) {
  while (index >= 0) {
    Group& g = w.groups[static_cast<size_t>(index)];
    if (g.state != GroupState::kWaitsJoin || g.arrived != g.mask) return -1;
    if (g.mask != 0) {
      g.state = GroupState::kReady;
      g.arrived = 0;
      ++w.ready;
      return index;
    }
    g.state = GroupState::kFree;
    index = g.parent;
  }
  return -1;
}

}  // namespace

void suspend_group(Warp& w, GroupState state) {
  Group& g = w.groups[static_cast<size_t>(w.current)];
  g.state = state;
  g.mask = w.active;
  g.pc = w.pc;
  g.join = w.join;
  g.frame = w.frame;
  g.local_base = w.local_base;
  g.function = w.function;
  if (state != GroupState::kReady) --w.ready;
  w.current = -1;
}

void resume_group(Warp& w, int index) {
  const Group& g = w.groups[static_cast<size_t>(index)];
  w.current = index;
  w.active = g.mask;
  w.pc = g.pc;
  w.join = g.join;
  w.frame = g.frame;
  w.local_base = g.local_base;
  w.function = g.function;
  w.turns = 0;
}

int next_ready_group(const Warp& w, uint32_t lane_order) {
  if (w.apart == Apart::kConverges) {  // who is behind
    int first = -1;
    for (int i = 0; i < static_cast<int>(w.groups.size()); ++i) {
      const Group& g = w.groups[static_cast<size_t>(i)];
      if (g.state == GroupState::kReady &&
          (first < 0 || g.pc < w.groups[static_cast<size_t>(first)].pc))
        first = i;
    }
    return first;
  }
  const auto count = static_cast<int>(w.groups.size());
  if (lane_order == 0) {
    const int from = w.current < 0 ? count - 1 : w.current;
    for (int k = 1; k <= count; ++k) {
      const int i = (from + k) % count;
      if (w.groups[static_cast<size_t>(i)].state == GroupState::kReady) return i;
    }
    return -1;
  }
  int best = -1;
  uint32_t best_key = 0;
  for (int i = 0; i < count; ++i) {
    if (w.groups[static_cast<size_t>(i)].state != GroupState::kReady || i == w.current) continue;
    uint32_t key = (static_cast<uint32_t>(i) + 1) * 0x9e3779b1u ^ lane_order * 0x85ebca6bu ^
                   w.order.now() * 0xc2b2ae35u ^ w.index * 0x27d4eb2fu;
    key ^= key >> 15;
    key *= 0x2c1b3c6du;
    key ^= key >> 13;
    if (best < 0 || key < best_key) best = i, best_key = key;
  }
  return best < 0 ? w.current : best;
}

void split_group(Warp& w, const std::vector<Part>& parts, const Instr* join) {
  const bool nested = join != nullptr && join != w.join;
  const int self = w.current;
  const int parent = nested ? self : w.groups[static_cast<size_t>(self)].parent;
  const Instr* target = nested ? join : w.join;
  suspend_group(w, GroupState::kReady);
  int running = -1;
  for (size_t k = 0; k < parts.size(); ++k) {
    if (nested && parts[k].pc == join) {
      w.groups[static_cast<size_t>(self)].arrived |= parts[k].mask;
      if (is_last_return(join)) w.live &= ~parts[k].mask;
      continue;
    }
    if (!nested && k == 0) {  // the group itself takes the first way
      Group& g = w.groups[static_cast<size_t>(self)];
      g.mask = parts[k].mask;
      g.pc = parts[k].pc;
      running = self;
      continue;
    }
    const int made = add_group(w, self, parts[k].mask, parts[k].pc, target, parent);
    if (running < 0) running = made;
  }
  if (nested) {
    Group& g = w.groups[static_cast<size_t>(self)];
    g.pc = join;
    if (running < 0) {  // every way leads to the join at once
      g.arrived = 0;
      running = self;
    } else {
      g.state = GroupState::kWaitsJoin;
      --w.ready;
    }
  }
  resume_group(w, running);
}

void leave_loop(Warp& w, const Part& part, const Instr* join, const LeftLoop& loop) {
  const int self = w.current;
  const bool all = part.mask == w.active;
  suspend_group(w, GroupState::kReady);
  // Out of every group that waits in the loop; `top` is the first that will go on outside of it.
  int top = self;
  const int waiting = w.groups[static_cast<size_t>(self)].parent;
  for (;;) {
    const Group& g = w.groups[static_cast<size_t>(top)];
    if (g.parent < 0 || g.join == nullptr || !loop.contains(g.join->aux)) break;
    top = g.parent;
    w.groups[static_cast<size_t>(top)].mask &= ~part.mask;
  }
  Group& kept = w.groups[static_cast<size_t>(top)];
  int parent = kept.parent;
  const Instr* target = kept.join;
  if (join != nullptr && join != target) {
    const uint32_t mask = kept.mask | part.mask;
    const int made = add_group(w, top, mask, join, target, parent);
    Group& g = w.groups[static_cast<size_t>(made)];
    g.state = GroupState::kWaitsJoin;
    --w.ready;
    w.groups[static_cast<size_t>(top)].parent = parent = made;
    w.groups[static_cast<size_t>(top)].join = target = join;
  }
  if (all) {
    Group& g = w.groups[static_cast<size_t>(self)];
    g.pc = part.pc;
    g.parent = parent;
    g.join = target;
    resume_group(w, self);
    settle(w, waiting);
    return;
  }
  w.groups[static_cast<size_t>(self)].mask &= ~part.mask;
  add_group(w, self, part.mask, part.pc, target, parent);
  resume_group(w, self);
}

int part_group(Warp& w, int index, uint32_t mask, const Instr* pc) {
  Group& g = w.groups[static_cast<size_t>(index)];
  g.mask &= ~mask;
  return add_group(w, index, mask, pc, g.join, g.parent);
}

bool join_group(Warp& w) {
  const int self = w.current;
  const uint32_t mask = w.active;
  if (is_last_return(w.join)) w.live &= ~mask;
  suspend_group(w, GroupState::kFree);
  Group& g = w.groups[static_cast<size_t>(self)];
  if (g.parent < 0) return false;
  w.groups[static_cast<size_t>(g.parent)].arrived |= mask;
  const int next = settle(w, g.parent);
  if (next < 0) return false;
  resume_group(w, next);
  return true;
}

bool exit_lanes(Warp& w, uint32_t mask) {
  w.live &= ~mask;
  w.active &= ~mask;
  Group& self = w.groups[static_cast<size_t>(w.current)];
  for (int p = self.parent; p >= 0; p = w.groups[static_cast<size_t>(p)].parent) {
    w.groups[static_cast<size_t>(p)].mask &= ~mask;
    w.groups[static_cast<size_t>(p)].arrived &= ~mask;
  }
  if (w.active != 0) return true;
  const int parent = self.parent;
  suspend_group(w, GroupState::kFree);
  settle(w, parent);
  return false;
}

bool release_waiting(Warp& w) {
  for (size_t i = w.groups.size(); i-- > 0;) {
    Group& g = w.groups[i];
    if (g.state != GroupState::kWaitsJoin || g.arrived == 0) continue;
    part_group(w, static_cast<int>(i), std::exchange(g.arrived, 0), g.pc);
    return true;
  }
  return false;
}

void start_groups(Warp& w, const Instr* pc, std::byte* frame, bool one_a_lane) {
  for (Group& g : w.groups) g.state = GroupState::kFree;
  w.current = -1;
  w.ready = 0;
  uint32_t rest = w.lanes;
  do {
    const uint32_t mask = one_a_lane ? rest & (0 - rest) : rest;
    rest &= ~mask;
    const int index = new_group(w);
    Group& g = w.groups[static_cast<size_t>(index)];
    g = Group();
    g.state = GroupState::kReady;
    g.mask = mask;
    g.pc = pc;
    g.frame = frame;
    g.local_base = w.local_base;
    ++w.ready;
  } while (rest != 0);
}

}  // namespace lockstep::emulator
