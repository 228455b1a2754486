// SPDX-License-Identifier: Apache-2.0
// Branches, calls, convergence and barriers.
//
// BSSY notes the group's lanes in a convergence barrier; BSYNC waits until all of them that live
// have come, BREAK takes lanes out. Who waits when others leave by EXIT or BREAK issues its BSYNC
// once more. Where the lanes of a group want to go to different places (BRX, RET) or name different
// masks (WARPSYNC), some go and the instruction is issued again for the others.
#include <algorithm>
#include <bit>

#include "emulator/sass/alu.h"
#include "emulator/sass/fault.h"
#include "emulator/sass/groups.h"
#include "emulator/sass/semantics.h"

namespace lockstep::emulator::sass {
namespace {

Executions& executions(Warp& w) { return w.worker->executions[static_cast<size_t>(w.at)]; }

// Of the instruction being executed.
void issue_again(Warp& w) {
  ++executions(w).warps;
  executions(w).lanes += static_cast<uint64_t>(std::popcount(w.active));
}

// Lanes `on` of the running group go to `target`, the others on. The smaller part goes first (of
// equal ones that which does not jump), the larger one waits.
void go(Warp& w, uint32_t on, int32_t target) {
  if (on == w.active) {
    w.pc = target;  // first: others may take their turn now
    if (target <= w.at) note_back_edge(w);
    return;
  }
  ++executions(w).divergent;
  const uint32_t off = w.active & ~on;
  const bool jumps_first = std::popcount(on) < std::popcount(off);
  if (jumps_first) {
    w.groups.push_back({off, w.pc});
    w.active = on;
    w.pc = target;
  } else {
    w.groups.push_back({on, target});
    w.active = off;
  }
  w.groups.back().order = ++w.partings;
}

// Lanes for which the instruction's second predicate holds, too. Others are not counted.
uint32_t both_hold(const Op& op, Warp& w, uint32_t on) {
  const uint32_t both = on & read(op.in[0], w);
  executions(w).lanes -= static_cast<uint64_t>(std::popcount(on & ~both));
  return both;
}

void branch(const Op& op, Warp& w, uint32_t on) {
  on = both_hold(op, w, on);
  if (on != 0) go(w, on, op.target);
}

// BRA.DIV, BRA.CONV: whether lanes that the mask names are elsewhere, or have their guard off.
void branch_if_divergent(const Op& op, Warp& w, uint32_t on) {
  const uint32_t mask = row(op.source[0], w)[std::countr_zero(w.active)];
  const bool apart = (mask & w.live & ~on) != 0;
  if (apart == (op.sub != 0)) w.pc = op.target;
}

int target_operand(const Builder& b) {
  for (int i = 0; i < b.in.operand_count; ++i)
    if (b.operand(i).kind == OperandKind::kTarget) return i;
  return -1;
}
int operand_of(const Builder& b, OperandKind kind) {
  for (int i = 0; i < b.in.operand_count; ++i)
    if (b.operand(i).kind == kind) return i;
  return -1;
}
bool find_target(Builder& b) {
  const int at = target_operand(b);
  if (at < 0 || b.operand(at).value < 0 || b.operand(at).value % 16 != 0) return false;
  if (b.operand(at).value >> 34 != 0) return false;  // far beyond any code
  b.op.target = static_cast<int32_t>(b.operand(at).value / 16) + b.first;
  return true;
}
void find_predicate(Builder& b) {
  for (int i = 0; i < b.in.operand_count; ++i)
    if (b.operand(i).kind == OperandKind::kPredicate ||
        b.operand(i).kind == OperandKind::kUniformPredicate)
      b.in_predicate(0, i);
}

bool prepare_bra(Builder& b) {
  if (!find_target(b)) return false;
  if (b.has("INC") || b.has("DEC")) return false;
  find_predicate(b);
  if (!b.has("DIV") && !b.has("CONV")) return b.run(&branch);
  int at = operand_of(b, OperandKind::kUniform);
  if (at < 0) at = operand_of(b, OperandKind::kRegister);
  if (at < 0) return false;
  b.from(0, at);
  b.op.sub = b.has("DIV");
  b.op.always = true;
  return b.run(&branch_if_divergent);
}

// Of lanes that an instruction sends apart, by what(lane), those that go: where the lowest lane
// does, or, where more than half of the lanes go there, where the lowest other one does (seen on an
// H200).
template <class F>
uint32_t those_to_go(uint32_t on, F what) {
  const auto like = [&](uint32_t first) {
    uint32_t lanes = 0;
    for (uint32_t rest = on; rest != 0; rest &= rest - 1) {
      const int i = std::countr_zero(rest);
      lanes |= static_cast<uint32_t>(what(i) == what(std::countr_zero(first))) << i;
    }
    return lanes;
  };
  const uint32_t together = like(on);
  if (together == on || 2 * std::popcount(together) <= std::popcount(on)) return together;
  return like(on & ~together);
}

// Some lanes of an instruction have gone on, those of the last group issue it again.
void note_parted(Warp& w) {
  ++executions(w).divergent;
  if (!w.parted) ++executions(w).again;  // its last issue, which parts nobody, is no branch
  w.groups.back().parted = true;
}

// Indirect: lanes of one target jump, the others issue it again. Op::flags 1: a pair of registers.
void jump(const Op& op, Warp& w, uint32_t on) {
  on = both_hold(op, w, on);
  if (on == 0) return;
  const uint32_t* a = row(op.source[0], w);
  const auto target_of = [&](int i) {
    if ((op.flags & 1) == 0) return uint64_t{a[i] + static_cast<uint32_t>(op.value)};
    return (a[i] | uint64_t{a[i + 32]} << 32) + static_cast<uint64_t>(op.value);
  };
  const uint32_t together = those_to_go(on, target_of);
  const uint64_t target = target_of(std::countr_zero(together));
  if (target >= kOutside)
    throw NotExecuted{"it calls a function that is in no cubin (printf, assert, malloc ...)"};
  if (target % 16 != 0 || target / 16 >= w.worker->code->ops.size() - 1)
    fault(w, std::countr_zero(together), "illegal_address",
          "jumps to address " + std::to_string(target) + ", where no code is");
  if (together != on) {
    Group others{on & ~together, w.at};
    others.order = ++w.partings;
    w.groups.push_back(others);
    note_parted(w);
  }
  if ((w.active & ~on) != 0) w.groups.push_back({w.active & ~on, w.pc});
  w.active = together;
  w.pc = static_cast<int32_t>(target / 16);
  w.parted = false;
}
bool prepare_jump(Builder& b) {
  const int at = target_operand(b);
  if (at < 0) return false;
  find_predicate(b);
  if (!b.operand(at).indexed) return find_target(b) && b.run(&branch);
  const bool absolute = b.has("ABS");
  Operand o;
  o.kind = OperandKind::kRegister;
  o.index = b.operand(at).index;
  b.from(0, o, Kind::kInteger, 2);
  // The absolute forms have a pair; of the others the lower word is enough, as code is small.
  b.op.flags = absolute ? 1 : 0;
  b.op.value = b.operand(at).value + (absolute ? 0 : int64_t{16} * b.first);
  if (b.in.name == "BRX") b.op.value += b.address + 16;
  return b.run(&jump);
}

// ---- convergence

void set_sync(const Op& op, Warp& w, uint32_t) {
  w.barriers[op.sub] = w.active;
  w.restored = static_cast<uint16_t>(w.restored & ~(1u << op.sub));
}

bool is_unconditional(Builder& b) {
  find_predicate(b);
  return b.op.in[0].index == kTruePredicate8 && b.op.in[0].flip == 0;
}

void sync(const Op& op, Warp& w, uint32_t on) {
  on = both_hold(op, w, on);
  if (on == 0) return;
  Group own;
  own.mask = w.active;
  own.pc = w.at;
  own.state = GroupState::kAtSync;
  own.barrier = op.sub;
  const uint32_t awaited = w.barriers[op.sub] & w.live;
  uint32_t here = w.active;
  for (const Group& g : w.groups)
    if (g.state == GroupState::kAtSync && g.barrier == op.sub) here |= g.mask;
  if ((awaited & ~here) != 0 && (awaited & w.active) != 0) return put_away(w, own);
  w.barriers[op.sub] = 0;
  for (size_t i = 0; i < w.groups.size();) {
    Group& g = w.groups[i];
    const bool joins =
        g.state == GroupState::kAtSync && g.barrier == op.sub && (g.mask & ~awaited) == 0;
    if (!joins) {
      ++i;
    } else if (g.pc == w.at) {
      w.active |= g.mask;
      w.groups.erase(w.groups.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      g.state = GroupState::kReady;
      ++g.pc;
      ++i;
    }
  }
  if ((w.restored >> op.sub & 1) != 0 && (own.mask & ~awaited) == 0)
    issue_again(w);  // seen on an H200
  w.restored = static_cast<uint16_t>(w.restored & ~(1u << op.sub));
}

void leave_sync(const Op& op, Warp& w, uint32_t on) {
  on = both_hold(op, w, on);
  if (on == 0) return;
  w.barriers[op.sub] &= ~on;
  for (const Group& g : w.groups)
    w.worker->meets_by_chance |= g.state == GroupState::kAtSync && g.barrier == op.sub;
  release_syncs(w);
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

void exit_lanes(const Op& op, Warp& w, uint32_t on) {
  on = both_hold(op, w, on);
  if (on == 0) return;
  w.live &= ~on;
  w.active &= ~on;
  release_syncs(w);
  release_warp_syncs(w);
  if (w.active == 0) put_away(w, {});
  lanes_ended(w);
}
bool prepare_exit(Builder& b) {
  find_predicate(b);
  return b.run(&exit_lanes);
}

void give_way(const Op& op, Warp& w, uint32_t) {
  if (op.sub != 0) w.spins = true;
  rotate(w, op.sub == 0);
  if (op.sub != 0) end_turn(w);
}
bool prepare_yield(Builder& b) { return b.run(&give_way); }
bool prepare_nanosleep(Builder& b) {
  b.op.sub = 1;
  return b.run(&give_way);
}

void trap(const Op&, Warp& w, uint32_t on) {
  fault(w, std::countr_zero(on), "trap", "reaches __trap() or an assertion that fails");
}
bool prepare_bpt(Builder& b) { return b.run(&trap); }

void code_address(const Op& op, Warp& w, uint32_t on) {
  const auto address = static_cast<uint64_t>(op.value);
  each_lane(to_row(op, w), on, [&](int) { return static_cast<uint32_t>(address); });
  each_lane(to_row(op, w, 1), on, [&](int) { return static_cast<uint32_t>(address >> 32); });
}
bool prepare_lepc(Builder& b) {
  const int at = target_operand(b);
  if (at < 0) return false;
  b.to(0, 2);
  b.op.value = b.operand(at).value + int64_t{16} * b.first;
  return b.run(&code_address);
}

// ---- barriers of the block

void barrier(const Op& op, Warp& w, uint32_t on) {
  const int first = std::countr_zero(on);
  const uint32_t number = row(op.source[0], w)[first] & 15;
  const uint32_t threads = op.sub2 != 0 ? row(op.source[1], w)[first] : 0;
  arrive(w, number, threads, static_cast<BarrierUse>(op.sub), read(op.in[0], w) & w.active,
         op.flags != 0);
}
// BAR.SYNC number, threads; .ARV; .RED.AND/OR/POPC with a predicate.
bool prepare_bar(Builder& b) {
  const BarrierUse use = b.has("ARV")   ? BarrierUse::kArrive
                         : b.has("RED") ? BarrierUse::kReduce
                                        : BarrierUse::kSync;
  if (!b.has("SYNC") && !b.has("ARV") && !b.has("RED")) return false;
  b.op.sub = static_cast<uint8_t>(use);
  Operand zero;
  zero.kind = OperandKind::kImmediate;
  zero.value = 0;
  b.from(0, zero);
  int found = 0;
  for (int i = 0; i < b.in.operand_count; ++i) {
    const Operand& o = b.operand(i);
    if (o.kind == OperandKind::kPredicate) b.in_predicate(0, i);
    if ((o.kind != OperandKind::kRegister && o.kind != OperandKind::kImmediate) || o.hidden)
      continue;
    if (found < 2) b.from(found, i);
    b.op.sub2 = ++found == 2;
  }
  b.op.flags = b.has("AND");
  return b.run(&barrier);
}
// The result of the last BAR.RED: Rd, Pd.
void barrier_result(const Op& op, Warp& w, uint32_t on) {
  const BlockBarrier& last = w.result;
  each_lane(to_row(op, w), on, [&](int) { return last.true_lanes; });
  const bool holds = last.of_all ? last.true_lanes == last.lanes : last.true_lanes != 0;
  write_predicate(w, op.out[0], holds ? ~0u : 0, on);
}
bool prepare_b2r(Builder& b) {
  if (!b.has("RESULT")) return false;
  b.op.to = 0;
  bool named = false;
  for (int i = 0; i < b.in.operand_count; ++i) {
    if (b.operand(i).kind == OperandKind::kRegister) b.to(i), named = true;
    if (b.operand(i).kind == OperandKind::kPredicate) b.out_predicate(0, i);
  }
  return named && b.run(&barrier_result);
}

}  // namespace

const std::vector<Semantics>& control_semantics() {
  static const std::vector<Semantics> all = {
      {"BRA", &prepare_bra},
      {"BRX", &prepare_jump},
      {"JMP", &prepare_jump},
      {"JMX", &prepare_jump},
      {"CALL", &prepare_jump},
      {"RET", &prepare_jump},
      {"EXIT", &prepare_exit},
      {"BSSY", &prepare_bssy},
      {"BSYNC", &prepare_bsync},
      {"BREAK", &prepare_break},
      {"BMOV", &prepare_bmov},
      {"WARPSYNC", &prepare_warpsync},
      {"ENDCOLLECTIVE", &prepare_endcollective},
      {"YIELD", &prepare_yield},
      {"NANOSLEEP", &prepare_nanosleep},
      {"BPT", &prepare_bpt},
      {"LEPC", &prepare_lepc},
      {"BAR", &prepare_bar},
      {"B2R", &prepare_b2r},
  };
  return all;
}

}  // namespace lockstep::emulator::sass
