// SPDX-License-Identifier: Apache-2.0
// What branches and meeting points share: counts of issues, lanes that go and lanes that stay.
// Private to control.cc and convergence.cc.
#pragma once

#include <bit>
#include <cstdint>

#include "emulator/sass/builder.h"
#include "emulator/sass/groups.h"

namespace lockstep::emulator::sass {

inline Executions& executions(Warp& w) { return w.worker->executions[static_cast<size_t>(w.at)]; }

// Of the instruction being executed.
inline void issue_again(Warp& w) {
  ++executions(w).warps;
  executions(w).lanes += static_cast<uint64_t>(std::popcount(w.active));
}

// Lanes for which the instruction's second predicate holds, too. Others are not counted.
inline uint32_t both_hold(const Op& op, Warp& w, uint32_t on) {
  const uint32_t both = on & read(op.in[0], w);
  executions(w).lanes -= static_cast<uint64_t>(std::popcount(on & ~both));
  return both;
}

inline int target_operand(const Builder& b) {
  for (int i = 0; i < b.in.operand_count; ++i)
    if (b.operand(i).kind == OperandKind::kTarget) return i;
  return -1;
}
inline int operand_of(const Builder& b, OperandKind kind) {
  for (int i = 0; i < b.in.operand_count; ++i)
    if (b.operand(i).kind == kind) return i;
  return -1;
}
inline bool find_target(Builder& b) {
  const int at = target_operand(b);
  if (at < 0 || b.operand(at).value < 0 || b.operand(at).value % 16 != 0) return false;
  if (b.operand(at).value >> 34 != 0) return false;  // far beyond any code
  b.op.target = static_cast<int32_t>(b.operand(at).value / 16) + b.first;
  return true;
}
inline void find_predicate(Builder& b) {
  for (int i = 0; i < b.in.operand_count; ++i)
    if (b.operand(i).kind == OperandKind::kPredicate ||
        b.operand(i).kind == OperandKind::kUniformPredicate)
      b.in_predicate(0, i);
}
inline bool is_unconditional(Builder& b) {
  find_predicate(b);
  return b.op.in[0].index == kTruePredicate8 && b.op.in[0].flip == 0;
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
inline void note_parted(Warp& w) {
  ++executions(w).divergent;
  if (!w.parted) ++executions(w).again;  // its last issue, which parts nobody, is no branch
  w.groups.back().parted = true;
}

}  // namespace lockstep::emulator::sass
