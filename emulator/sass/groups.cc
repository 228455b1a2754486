// SPDX-License-Identifier: Apache-2.0
// Groups and the block's barriers.
#include "emulator/sass/groups.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "emulator/sass/code.h"
#include "emulator/sass/fault.h"

namespace lockstep::emulator::sass {
namespace {

constexpr uint32_t kSpinTurns = 16, kLoopTurns = 100000;

bool is_ready(const Group& g) { return g.state == GroupState::kReady; }

bool waits_for_lanes(const Group& g) {
  return g.state == GroupState::kAtWarpSync || g.state == GroupState::kAtCollective;
}
// Lanes that wait at a WARPSYNC issue it again, those of one place together.
void try_warp_syncs(Warp& w) {
  for (size_t i = 0; i < w.groups.size(); ++i) {
    const Group& g = w.groups[i];
    if (!waits_for_lanes(g)) continue;
    const auto same = [&](const Group& other) {
      return other.state == g.state && other.pc == g.pc && other.awaited == g.awaited;
    };
    if (std::any_of(w.groups.begin(), w.groups.begin() + static_cast<std::ptrdiff_t>(i), same))
      continue;
    Executions& of_place = w.worker->executions[static_cast<size_t>(g.pc - 1)];
    ++of_place.warps, ++of_place.again;
    for (const Group& other : w.groups)
      if (same(other)) of_place.lanes += static_cast<uint64_t>(std::popcount(other.mask));
  }
}

void take(Warp& w, size_t i) {
  if (w.groups[i].tries) try_warp_syncs(w);
  w.active = w.groups[i].mask;
  w.pc = w.groups[i].pc;
  w.parted = w.groups[i].parted;
  w.groups.erase(w.groups.begin() + static_cast<std::ptrdiff_t>(i));
  w.turns = 0;
  w.taken_at = -1;
}

// The warps that must come to a barrier.
bool is_complete(const Block& block, const BlockBarrier& b) {
  if (b.expected != 0) return b.warps + b.passed >= b.expected;
  uint32_t missing = 0;
  for (const Warp& v : block.warps)
    if ((block.live >> v.index & 1) != 0 && (v.live & ~b.arrived[v.index]) != 0) ++missing;
  return missing == 0;
}

// Whether all live lanes of the warp wait there.
void count_warps(Block& block, BlockBarrier& b) {
  b.warps = 0;
  for (const Warp& v : block.warps)
    if (b.arrived[v.index] != 0 && (v.live & ~b.arrived[v.index]) == 0) ++b.warps;
}

void release(Block& block, uint8_t number) {
  BlockBarrier& b = block.barriers[number];
  uint64_t longest = 0;
  // One for all warps opens when the others have come or ended, whichever is last.
  for (const Warp& v : block.warps)
    if (b.arrived[v.index] != 0 || (b.expected == 0 && v.live == 0))
      longest = std::max(longest, v.path());
  for (Warp& v : block.warps) {
    if (b.arrived[v.index] == 0) continue;
    v.waited += longest - v.path();
    v.result = b;
    for (Group& g : v.groups)
      if (g.state == GroupState::kAtBarrier && g.barrier == number) g.state = GroupState::kReady;
  }
  b = BlockBarrier();
  block.awaited &= ~(1u << number);
}

void check_barrier(Block& block, uint8_t number) {
  if ((block.awaited >> number & 1) == 0) return;
  BlockBarrier& b = block.barriers[number];
  count_warps(block, b);
  if (is_complete(block, b)) release(block, number);
}

}  // namespace

void put_away(Warp& w, const Group& group) {
  if (group.mask != 0) {
    w.groups.push_back(group);
    w.groups.back().order = w.partings;
  }
  w.active = 0;
  w.moved = true;
  w.rest = std::exchange(w.left, 0);
}

namespace {

// In a recursive function lanes may wait at convergence barriers for lanes that wait at another
// one. Where nobody can run, those of the place to which somebody came last issue their BSYNC again
// and go on without the others.
bool free_some(Warp& w) {
  w.worker->meets_by_chance = true;
  const auto waits = [](const Group& g) { return g.state == GroupState::kAtSync; };
  const auto last = std::find_if(w.groups.rbegin(), w.groups.rend(), waits);
  if (last == w.groups.rend()) return false;
  Group freed{0, last->pc};
  for (const Group& g : w.groups) freed.mask |= waits(g) && g.pc == freed.pc ? g.mask : 0;
  std::erase_if(w.groups, [&](const Group& g) { return waits(g) && g.pc == freed.pc; });
  Executions& again = w.worker->executions[static_cast<size_t>(freed.pc++)];
  ++again.warps, again.lanes += static_cast<uint64_t>(std::popcount(freed.mask));
  w.groups.push_back(freed);
  return true;
}

}  // namespace

// The one that parted last. Where lanes have parted or been let go since it was put away, it takes
// along all that are at the same place: those who wait at the BSYNC or the WARPSYNC there, and
// those that are about to go on there (seen on an H200: the instruction is issued once for all of
// them).
bool choose(Warp& w) {
  size_t i = w.groups.size();
  while (i > 0 && !is_ready(w.groups[i - 1])) --i;
  if (i == 0 && !free_some(w)) return false;
  if (i == 0) i = w.groups.size();
  const bool alone = w.groups[i - 1].order == w.partings;
  take(w, i - 1);
  if (alone) return true;
  for (i = 0; i < w.groups.size();) {
    const Group& g = w.groups[i];
    const bool meets = g.state == GroupState::kAtWarpSync && g.pc == w.pc + 1;
    if (meets || (g.pc == w.pc && (is_ready(g) || g.state == GroupState::kAtSync))) {
      if (g.state == GroupState::kAtSync) w.taken_at = w.pc;
      w.active |= g.mask;
      w.groups.erase(w.groups.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      ++i;
    }
  }
  return true;
}

// After a YIELD whoever waits at a WARPSYNC has a turn, too, when those that can run have had
// theirs; who comes there in this turn has none of his own (seen on an H200, 33 launches).
void rotate(Warp& w, bool yields) {
  if (w.lender != 0 || w.active == 0) return;
  if (std::none_of(w.groups.begin(), w.groups.end(), is_ready)) {
    if (yields) try_warp_syncs(w);
    return;
  }
  Group own{w.active, w.pc};
  own.tries = yields && std::any_of(w.groups.begin(), w.groups.end(), waits_for_lanes);
  const auto next = std::find_if(w.groups.begin(), w.groups.end(), is_ready);
  take(w, static_cast<size_t>(next - w.groups.begin()));
  w.groups.push_back(own);
}

void end_turn(Warp& w) { w.given -= std::exchange(w.left, 1) - 1; }

void note_back_edge(Warp& w) {
  const uint32_t most = w.spins ? kSpinTurns : kLoopTurns;
  if (++w.turns < most) return;
  w.turns = 0;
  if (w.spins) end_turn(w);
  rotate(w);
}

namespace {

// Of those who wait at a place of a barrier these lanes issue their BSYNC again, together and
// before others; the rest stays.
void release_place(Warp& w, const Group& place, uint32_t lanes) {
  Group released = place;
  released.mask = 0;
  released.state = GroupState::kReady;
  released.order = ++w.partings;
  for (Group& g : w.groups) {
    if (g.state != GroupState::kAtSync || g.barrier != place.barrier || g.pc != place.pc) continue;
    released.mask |= g.mask & lanes;
    g.mask &= ~lanes;
  }
  std::erase_if(w.groups, [](const Group& g) { return g.mask == 0; });
  w.groups.push_back(released);
}

}  // namespace

bool release_syncs(Warp& w) {
  bool released = false;
  for (size_t i = 0; i < w.groups.size(); ++i) {
    const Group g = w.groups[i];
    if (g.state != GroupState::kAtSync) continue;
    uint32_t here = 0;
    for (const Group& other : w.groups)
      if (other.state == GroupState::kAtSync && other.barrier == g.barrier) here |= other.mask;
    const uint32_t awaited = w.barriers[g.barrier] & w.live;
    if (awaited == 0 || (awaited & ~here) != 0 || (g.mask & awaited) == 0) continue;
    release_place(w, g, awaited);
    released = true;
    i = static_cast<size_t>(-1);  // others have moved
  }
  return released;
}

void release_warp_syncs(Warp& w) {
  const auto here = [&](const Group& g) {
    uint32_t lanes = 0;
    for (const Group& other : w.groups)
      if (other.state == g.state && other.awaited == g.awaited) lanes |= other.mask;
    return lanes;
  };
  for (Group& g : w.groups) {
    if (!waits_for_lanes(g)) continue;
    if ((g.awaited & w.live & ~here(g)) != 0) continue;
    if (g.state == GroupState::kAtWarpSync) {
      g.state = GroupState::kMet;
      for (Group& other : w.groups)
        if (other.state == GroupState::kAtWarpSync && other.awaited == g.awaited)
          other.state = GroupState::kMet;
      continue;
    }
    g.state = GroupState::kReady;  // issues it again, and finds everybody there
    --g.pc;
    break;
  }
  // Those of one place go on together.
  for (size_t i = 0; i < w.groups.size(); ++i) {
    Group& g = w.groups[i];
    if (g.state != GroupState::kMet) continue;
    g.state = GroupState::kReady;
    for (size_t k = i + 1; k < w.groups.size();) {
      if (w.groups[k].state == GroupState::kMet && w.groups[k].pc == g.pc) {
        g.mask |= w.groups[k].mask;
        w.groups.erase(w.groups.begin() + static_cast<std::ptrdiff_t>(k));
      } else {
        ++k;
      }
    }
  }
}

void resume(Warp& w, const Group& group) {
  for (size_t i = 0; i < w.groups.size(); ++i) {
    const Group& g = w.groups[i];
    if (g.state != GroupState::kReady || g.pc != group.pc || (g.mask & group.mask) != group.mask)
      continue;
    take(w, i);
    w.left = w.rest;
    w.moved = false;
    return;
  }
}

void lanes_ended(Warp& w) {
  for (uint32_t rest = w.block->awaited; rest != 0; rest &= rest - 1)
    check_barrier(*w.block, static_cast<uint8_t>(std::countr_zero(rest)));
}

void arrive(Warp& w, uint32_t number, uint32_t threads, BarrierUse use, uint32_t truth,
            bool of_all) {
  BlockBarrier& b = w.block->barriers[number];
  if (threads != 0) b.expected = (threads + 31) / 32;
  if (use == BarrierUse::kArrive) {
    ++b.passed;
    check_barrier(*w.block, static_cast<uint8_t>(number));
    if (b.expected != 0 && b.warps + b.passed >= b.expected)
      release(*w.block, static_cast<uint8_t>(number));
    return;
  }
  b.arrived[w.index] |= w.active;
  w.block->awaited |= 1u << number;
  b.of_all = of_all;
  b.true_lanes += static_cast<uint32_t>(std::popcount(truth));
  b.lanes += static_cast<uint32_t>(std::popcount(w.active));
  Group waits;
  waits.mask = w.active;
  waits.pc = w.pc;
  waits.state = GroupState::kAtBarrier;
  waits.barrier = static_cast<uint8_t>(number);
  put_away(w, waits);
  check_barrier(*w.block, static_cast<uint8_t>(number));
}

}  // namespace lockstep::emulator::sass
