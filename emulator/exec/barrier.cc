// SPDX-License-Identifier: Apache-2.0
// Barriers of a block: bar.sync, bar.arrive, bar.red and their new names. A warp counts when all
// of its lanes that have not exited wait there.
#include <bit>

#include "emulator/check/fault.h"
#include "emulator/exec/barrier_operands.h"
#include "emulator/exec/groups.h"
#include "emulator/exec/handler.h"
#include "emulator/exec/synchronize.h"
#include "emulator/watch/watch.h"

namespace lockstep::emulator {
namespace {

bool is_complete(const Block& block, const Barrier& b) {
  if (b.expected != 0)
    return static_cast<uint32_t>(std::popcount(b.waiting | b.passed)) >= b.expected;
  return (block.live & ~(b.waiting | b.passed)) == 0;
}

void write_result(const Instr& in, Warp& w, uint32_t mask, const Barrier& b) {
  switch (static_cast<BarrierReduction>(in.wide)) {
    case BarrierReduction::kNone:
      break;
    case BarrierReduction::kPopc:
      for (uint32_t rest = mask; rest != 0; rest &= rest - 1)
        at<uint32_t>(w, in.o[kBarrierResult])[std::countr_zero(rest)] = b.true_lanes;
      break;
    case BarrierReduction::kAnd:
      set_predicate(w, in.o[kBarrierResult], b.true_lanes == b.lanes ? ~0u : 0, mask);
      break;
    case BarrierReduction::kOr:
      set_predicate(w, in.o[kBarrierResult], b.true_lanes != 0 ? ~0u : 0, mask);
      break;
  }
}

// Lets the waiting warps go on. `running` is the group that completes the barrier without
// waiting, if any: its warp.
void release(Block& block, uint32_t id, const Warp* running) {
  const Barrier b = block.barriers[id];
  block.barriers[id] = Barrier();
  const uint32_t members = b.waiting | b.passed;
  const bool whole = (block.live & ~b.waiting) == 0;
  if (whole) {
    block.shared.next_phase();
    for (Warp& w : block.warps) w.left = w.lanes & ~w.live;
    if (block.warps.front().worker->launch->values != nullptr) watch_passed(block);
    block.published = 0;
  } else {
    uint32_t before = members;
    for (uint32_t u = 0; u < block.warps.size(); ++u)
      if ((members >> u & 1) != 0) before |= block.shared.ordered(u);
    for (uint32_t u = 0; u < block.warps.size(); ++u)
      if ((b.waiting >> u & 1) != 0) block.shared.order_after(u, before & ~(1u << u));
  }
  for (Warp& w : block.warps) {
    if ((b.waiting >> w.index & 1) == 0 || &w == running) continue;
    for (Group& g : w.groups) {
      if (g.state != GroupState::kWaitsBarrier || g.barrier != id) continue;
      w.frame = g.frame;
      write_result(*g.pc, w, g.mask, b);
      g.state = GroupState::kReady;
      ++g.pc;
      ++w.ready;
    }
    w.order.all_meet();
  }
}

void read_count(const Instr& in, Warp& w, int lane, Barrier& b) {
  if (in.o[kBarrierCount] == kNoOperand) return;
  const uint32_t threads = at<uint32_t>(w, in.o[kBarrierCount])[lane];
  if (threads == 0 || threads % 32 != 0 || threads > 1024)
    fault(w, in, lane, "divergent_barrier",
          "waits at a barrier for " + std::to_string(threads) +
              " threads; the number must be a multiple of 32, up to 1024");
  b.expected = threads / 32;
}

void add_predicate(const Instr& in, Warp& w, uint32_t mask, Barrier& b) {
  if (static_cast<BarrierReduction>(in.wide) == BarrierReduction::kNone) return;
  b.true_lanes +=
      static_cast<uint32_t>(std::popcount(predicate(w, in.o[kBarrierPredicate]) & mask));
  b.lanes += static_cast<uint32_t>(std::popcount(mask));
}

}  // namespace

bool barrier_operation(const Instr& in, Warp& w, uint32_t mask) {
  if (mask != w.active)  // the lanes whose guard is false pass by
    split_group(w, {{mask, w.pc}, {w.active & ~mask, w.pc + 1}}, nullptr);
  Block& block = *w.block;
  const int lane = std::countr_zero(mask);
  const uint32_t id = at<uint32_t>(w, in.o[kBarrierId])[lane];
  if (id >= 16)
    fault(w, in, lane, "divergent_barrier",
          "uses barrier " + std::to_string(id) + "; a block has barriers 0 to 15");
  Barrier& b = block.barriers[id];
  read_count(in, w, lane, b);
  add_predicate(in, w, mask, b);
  const uint32_t bit = 1u << w.index;
  if (in.sub == kBarrierArrive) {
    b.passed |= bit;
    if (is_complete(block, b)) release(block, id, nullptr);
    return true;
  }
  if (mask == w.live) {
    b.waiting |= bit;
    if (is_complete(block, b)) {
      write_result(in, w, mask, b);
      w.order.all_meet();
      release(block, id, &w);
      return true;
    }
  }
  Group& g = w.groups[static_cast<size_t>(w.current)];
  suspend_group(w, GroupState::kWaitsBarrier);
  g.barrier = id;
  return false;
}

bool warp_waits_at_barrier(const Warp& w) {
  uint32_t lanes = 0;
  const Group* first = nullptr;
  for (const Group& g : w.groups) {
    if (g.state != GroupState::kWaitsBarrier) continue;
    if (first != nullptr && (g.barrier != first->barrier || g.pc != first->pc)) return false;
    first = &g;
    lanes |= g.mask;
  }
  return first != nullptr && lanes == w.live;
}

bool arrive_waiting(Warp& w) {
  for (const Group& g : w.groups) {
    if (g.state != GroupState::kWaitsBarrier) continue;
    Barrier& b = w.block->barriers[g.barrier];
    b.waiting |= 1u << w.index;
    if (!is_complete(*w.block, b)) return false;
    release(*w.block, g.barrier, nullptr);
    return true;
  }
  return false;
}

void check_barriers(Block& block) {
  for (uint32_t id = 0; id < 16; ++id)
    if (block.barriers[id].waiting != 0 && is_complete(block, block.barriers[id]))
      release(block, id, nullptr);
}

}  // namespace lockstep::emulator
