// SPDX-License-Identifier: Apache-2.0
// Branches, calls, ends and turns.
//
// Where the lanes of a group want to go to different places (BRX, RET), some go and the instruction
// is issued again for the others.
#include <algorithm>
#include <bit>

#include "emulator/sass/alu.h"
#include "emulator/sass/fault.h"
#include "emulator/sass/flow.h"
#include "emulator/sass/semantics.h"

namespace lockstep::emulator::sass {
namespace {

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

// Where the guard of some is off, those who jump issue it again when it is their turn: the smaller
// part goes first, as at a branch (seen on an H200).
void part_by_guard(Warp& w, uint32_t on, uint32_t off) {
  const bool jumps_first = std::popcount(on) < std::popcount(off);
  w.groups.push_back(jumps_first ? Group{off, w.pc} : Group{on, w.at});
  note_parted(w);
  w.groups.back().parted = !jumps_first;
  w.groups.back().order = ++w.partings;
  w.active = jumps_first ? on : off;
  w.parted = jumps_first;
  if (jumps_first) w.pc = w.at;
}

// Indirect: lanes of one target jump, the others issue it again. Op::flags 1: a pair of registers.
void jump(const Op& op, Warp& w, uint32_t on) {
  on = both_hold(op, w, on);
  if (on == 0) return;
  if (on != w.active) return part_by_guard(w, on, w.active & ~on);
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

}  // namespace

const std::vector<Semantics>& control_semantics() {
  static const std::vector<Semantics> all = {
      {"BRA", &prepare_bra},   {"BRX", &prepare_jump},    {"JMP", &prepare_jump},
      {"JMX", &prepare_jump},  {"CALL", &prepare_jump},   {"RET", &prepare_jump},
      {"EXIT", &prepare_exit}, {"YIELD", &prepare_yield}, {"NANOSLEEP", &prepare_nanosleep},
      {"BPT", &prepare_bpt},   {"LEPC", &prepare_lepc},
  };
  return all;
}

}  // namespace lockstep::emulator::sass
