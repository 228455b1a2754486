// SPDX-License-Identifier: Apache-2.0
// Where lanes of a warp meet again.
//
// BSSY adds the group's lanes to a convergence barrier; BSYNC waits until all of them that live
// have come, BREAK takes lanes out. Who waits when others leave by EXIT or BREAK issues its BSYNC
// once more. Where the lanes of a group name different masks (WARPSYNC), some go and the
// instruction is issued again for the others.
#include <algorithm>
#include <bit>
#include <utility>

#include "emulator/sass/alu.h"
#include "emulator/sass/flow.h"
#include "emulator/sass/semantics.h"

namespace lockstep::emulator::sass {
namespace {

// Adds to what the barrier names: where an inner call has left lanes in it, they stay.
void set_sync(const Op& op, Warp& w, uint32_t) {
  w.worker->meets_by_chance |= (w.barriers[op.sub] & w.live & ~w.active) != 0;
  w.barriers[op.sub] |= w.active;
  w.restored = static_cast<uint16_t>(w.restored & ~(1u << op.sub));
}

// Lanes that the barrier names wait, others go on.
void wait(Warp& w, uint8_t barrier, uint32_t awaited) {
  Group waits{w.active & awaited, w.at};
  waits.state = GroupState::kAtSync;
  waits.barrier = barrier;
  const uint32_t others = w.active & ~awaited;
  if (others == 0) return put_away(w, waits);
  waits.order = w.partings;
  w.groups.push_back(waits);
  w.active = others;
}

// All lanes that the barrier names have come. Who waits at the same place goes on with the running
// group; who waits elsewhere issues his BSYNC again when it is his turn.
void let_go(Warp& w, uint8_t barrier, uint32_t lanes) {
  for (size_t i = 0; i < w.groups.size(); ++i) {
    Group again = w.groups[i];
    again.mask &= lanes;
    if (again.state != GroupState::kAtSync || again.barrier != barrier || again.mask == 0) continue;
    again.state = GroupState::kReady;
    again.order = kReleased;
    w.groups[i].mask &= ~again.mask;
    if (again.pc == w.at)
      w.active |= again.mask;
    else
      w.groups.insert(w.groups.begin() + static_cast<std::ptrdiff_t>(++i), again);
  }
  std::erase_if(w.groups, [](const Group& g) { return g.mask == 0; });
}

void sync(const Op& op, Warp& w, uint32_t on) {
  const bool taken = std::exchange(w.taken_at, -1) == w.at;
  on = both_hold(op, w, on);
  if (on == 0) return;
  const uint32_t own = w.active, awaited = w.barriers[op.sub] & w.live;
  if ((awaited & own) == 0) return;  // nobody waits for these
  uint32_t here = own;
  for (const Group& g : w.groups)
    if (g.state == GroupState::kAtSync && g.barrier == op.sub) here |= g.mask;
  if ((awaited & ~here) != 0) return wait(w, op.sub, awaited);
  w.barriers[op.sub] = 0;
  let_go(w, op.sub, awaited);
  const bool restored = (w.restored >> op.sub & 1) != 0;
  w.restored = static_cast<uint16_t>(w.restored & ~(1u << op.sub));
  if (restored && !taken && (own & ~awaited) == 0) issue_again(w);  // seen on an H200
}

void leave_sync(const Op& op, Warp& w, uint32_t on) {
  on = both_hold(op, w, on);
  if (on == 0) return;
  w.barriers[op.sub] &= ~on;
  for (const Group& g : w.groups)
    w.worker->meets_by_chance |= g.state == GroupState::kAtSync && g.barrier == op.sub;
  if (!release_syncs(w)) return;
  // The smaller part goes first, as where lanes part (seen on an H200).
  Group& released = w.groups.back();
  if (std::popcount(released.mask) >= std::popcount(w.active)) return;
  Group own{w.active, w.pc};
  own.order = w.partings;
  std::swap(own, released);
  w.active = own.mask;
  w.pc = own.pc;
}

bool prepare_sync(Builder& b, Run run) {
  const int at = operand_of(b, OperandKind::kBarrier);
  if (at < 0) return false;
  b.op.sub = b.operand(at).index & 15;
  find_predicate(b);
  return b.run(run);
}
bool prepare_bssy(Builder& b) { return is_unconditional(b) && prepare_sync(b, &set_sync); }
bool prepare_bsync(Builder& b) { return prepare_sync(b, &sync); }
bool prepare_break(Builder& b) { return prepare_sync(b, &leave_sync); }

void read_barrier(const Op& op, Warp& w, uint32_t on) {
  const uint32_t mask = w.barriers[op.sub];
  each_lane(to_row(op, w), on, [&](int) { return mask; });
  if (op.sub2 != 0) w.barriers[op.sub] = 0;
}
void write_barrier(const Op& op, Warp& w, uint32_t on) {
  w.barriers[op.sub] = row(op.source[0], w)[std::countr_zero(on)];
  w.restored = static_cast<uint16_t>(w.restored | 1u << op.sub);
  w.worker->meets_by_chance |= !w.groups.empty();
}
bool prepare_bmov(Builder& b) {
  const int at = operand_of(b, OperandKind::kBarrier);
  if (at < 0 || b.in.operand_count < 2 || b.has("64") || b.has("PQUAD")) return false;
  b.op.sub = b.operand(at).index & 15;
  b.op.sub2 = b.has("CLEAR");
  if (at == 0) {
    b.from(0, 1);
    return b.run(&write_barrier);
  }
  b.to(0);
  return b.run(&read_barrier);
}

// WARPSYNC: waits for the lanes that the masks of the group's lanes name. .EXCLUSIVE: lanes
// of one mask go on alone.
bool all_here(const Warp& w, uint32_t mask, GroupState state) {
  uint32_t here = w.active;
  for (const Group& g : w.groups)
    if (g.state == state && g.awaited == mask) here |= g.mask;
  return (mask & w.live & ~here) == 0;
}
bool part_by_mask(const Op& op, Warp& w, uint32_t on) {
  const uint32_t* a = row(op.source[0], w);
  const uint32_t same = those_to_go(on, [&](int i) { return a[i]; });
  if (same == w.active) return false;
  w.groups.push_back({w.active & ~same, w.at});
  w.groups.back().order = ++w.partings;
  w.active = same;
  return true;
}
void warp_sync(const Op& op, Warp& w, uint32_t on) {
  if (op.sub != 0) {  // an indirect branch in what a card counts
    if (part_by_mask(op, w, on)) note_parted(w);
    w.parted = false;
  }
  const uint32_t* a = row(op.source[0], w);
  Group own;
  own.mask = w.active;
  own.pc = w.pc;
  own.state = GroupState::kAtWarpSync;
  for (uint32_t rest = w.active; rest != 0; rest &= rest - 1)
    own.awaited |= a[std::countr_zero(rest)];
  const bool others = std::any_of(w.groups.begin(), w.groups.end(), [&](const Group& g) {
    return g.state == GroupState::kAtWarpSync && g.awaited == own.awaited;
  });
  put_away(w, own);
  release_warp_syncs(w);
  resume(w, own);
  if (others && w.active != 0) {  // seen on an H200
    issue_again(w);
    if (op.sub != 0) ++executions(w).again;
  }
}

// WARPSYNC.COLLECTIVE: who comes last executes up to ENDCOLLECTIVE for all; the others then go on
// at the target. Who finds others there issues it once more.
void collective(const Op& op, Warp& w, uint32_t on) {
  part_by_mask(op, w, on);
  const uint32_t mask = row(op.source[0], w)[std::countr_zero(w.active)];
  const bool others = std::any_of(w.groups.begin(), w.groups.end(), [&](const Group& g) {
    return g.state == GroupState::kAtCollective && g.awaited == mask;
  });
  if (others) issue_again(w);
  if (!all_here(w, mask, GroupState::kAtCollective)) {
    Group waits;
    waits.mask = w.active;
    waits.pc = w.pc;
    waits.resume = op.target;
    waits.state = GroupState::kAtCollective;
    waits.awaited = mask;
    put_away(w, waits);
    return;
  }
  w.lender = w.active;
  for (Group& g : w.groups)
    if (g.state == GroupState::kAtCollective && g.awaited == mask) {
      g.state = GroupState::kAway;
      w.active |= g.mask;
    }
}
void end_collective(const Op&, Warp& w, uint32_t) {
  if (w.lender == 0) return;
  w.active = std::exchange(w.lender, 0);
  for (Group& g : w.groups)
    if (g.state == GroupState::kAway) {
      g.state = GroupState::kReady;
      g.pc = g.resume;
    }
}
bool prepare_warpsync(Builder& b) {
  if (!is_unconditional(b)) return false;
  const int reg = operand_of(b, OperandKind::kRegister);
  Operand all;
  all.kind = OperandKind::kImmediate;
  all.value = 0xffffffff;
  const int literal = operand_of(b, OperandKind::kImmediate);
  b.from(0, b.has("ALL")   ? all
            : reg >= 0     ? b.operand(reg)
            : literal >= 0 ? b.operand(literal)
                           : all);
  b.op.sub = b.has("EXCLUSIVE");
  if (b.has("COLLECTIVE")) return find_target(b) && b.run(&collective);
  return b.run(&warp_sync);
}
bool prepare_endcollective(Builder& b) { return b.run(&end_collective); }

}  // namespace

const std::vector<Semantics>& convergence_semantics() {
  static const std::vector<Semantics> all = {
      {"BSSY", &prepare_bssy},         {"BSYNC", &prepare_bsync},
      {"BREAK", &prepare_break},       {"BMOV", &prepare_bmov},
      {"WARPSYNC", &prepare_warpsync}, {"ENDCOLLECTIVE", &prepare_endcollective},
  };
  return all;
}

}  // namespace lockstep::emulator::sass
