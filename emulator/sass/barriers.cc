// SPDX-License-Identifier: Apache-2.0
// Barriers of the block.
#include <bit>

#include "emulator/sass/alu.h"
#include "emulator/sass/groups.h"
#include "emulator/sass/semantics.h"

namespace lockstep::emulator::sass {
namespace {

// Op::sub2: whether the number of threads is told. In two registers, ptxas has it from bit 16 on,
// above the barrier's number.
constexpr uint8_t kTold = 1, kPacked = 2;

void barrier(const Op& op, Warp& w, uint32_t on) {
  const int first = std::countr_zero(on);
  const uint32_t number = row(op.source[0], w)[first] & 15;
  uint32_t threads = op.sub2 != 0 ? row(op.source[1], w)[first] : 0;
  if (op.sub2 == kPacked) threads = threads >> 16 & 0xfff;
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
  int found = 0, registers = 0;
  for (int i = 0; i < b.in.operand_count; ++i) {
    const Operand& o = b.operand(i);
    if (o.kind == OperandKind::kPredicate) b.in_predicate(0, i);
    if ((o.kind != OperandKind::kRegister && o.kind != OperandKind::kImmediate) || o.hidden)
      continue;
    if (found < 2) b.from(found, i);
    registers += o.kind == OperandKind::kRegister;
    ++found;
  }
  b.op.sub2 = found < 2 ? 0 : registers == 2 ? kPacked : kTold;
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

const std::vector<Semantics>& barrier_semantics() {
  static const std::vector<Semantics> all = {
      {"BAR", &prepare_bar},
      {"B2R", &prepare_b2r},
  };
  return all;
}

}  // namespace lockstep::emulator::sass
