// SPDX-License-Identifier: Apache-2.0
// Handlers that count what registers hold and go on to the handler proper, which imm holds.
#include <bit>

#include "emulator/count/slow_ways.h"
#include "emulator/exec/alu.h"
#include "emulator/exec/launch.h"

namespace lockstep::emulator {
namespace {

// Counts what ways the lanes of a warp take.
template <class U, SlowOp Op>
void count_slow(const Instr& in, Warp& w, uint32_t mask) {
  const U* a = at<U>(w, in.o[1]);
  const U* b = in.o[2] == kNoOperand ? a : at<U>(w, in.o[2]);
  const uint32_t slow = mask & lanes_where([&](int i) { return is_slow(Op, a[i], b[i]); });
  if (slow != 0) {
    MemoryCounters& c = w.worker->memory[in.aux];
    ++c.slow_path;
    c.slow_path_lanes += static_cast<uint64_t>(std::popcount(slow));
    SlowCalls here;
    here.warps = 1;
    uint32_t ways = 0;
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
      const int lane = __builtin_ctz(rest), way = slow_way(Op, a[lane], b[lane]);
      ways |= 1u << way;
      ++here.lanes[way];
    }
    w.worker->slow_calls[in.aux][ways] += here;
  }
  reinterpret_cast<Handler>(in.imm)(in, w, mask);
}

// Counts the lanes for which a comparison holds.
void count_truth(const Instr& in, Warp& w, uint32_t mask) {
  reinterpret_cast<Handler>(in.imm)(in, w, mask);
  MemoryCounters& c = w.worker->memory[in.aux];
  ++c.slow_path;
  c.slow_path_lanes += static_cast<uint64_t>(std::popcount(predicate(w, in.o[0]) & mask));
}

}  // namespace

Handler truth_handler() { return &count_truth; }

Handler slow_path_handler(const Opcode& op, std::string_view text) {
  if (op.root != "div" && op.root != "sqrt" && op.root != "rcp" && op.root != "rsqrt")
    return nullptr;
  switch (slow_op(text)) {
    case SlowOp::kDivide32:
      return &count_slow<uint32_t, SlowOp::kDivide32>;
    case SlowOp::kDirected32:
      return &count_slow<uint32_t, SlowOp::kDirected32>;
    case SlowOp::kRoot32:
      return &count_slow<uint32_t, SlowOp::kRoot32>;
    case SlowOp::kReciprocal32:
      return &count_slow<uint32_t, SlowOp::kReciprocal32>;
    case SlowOp::kDirectedRoot32:
      return &count_slow<uint32_t, SlowOp::kDirectedRoot32>;
    case SlowOp::kDirectedReciprocal32:
      return &count_slow<uint32_t, SlowOp::kDirectedReciprocal32>;
    case SlowOp::kDivide64:
      return &count_slow<uint64_t, SlowOp::kDivide64>;
    case SlowOp::kRoot64:
      return &count_slow<uint64_t, SlowOp::kRoot64>;
    case SlowOp::kReciprocal64:
      return &count_slow<uint64_t, SlowOp::kReciprocal64>;
    case SlowOp::kInverseRoot64:
      return &count_slow<uint64_t, SlowOp::kInverseRoot64>;
    case SlowOp::kUnsigned32:
      return &count_slow<uint32_t, SlowOp::kUnsigned32>;
    case SlowOp::kNone:
      break;
  }
  return nullptr;
}

}  // namespace lockstep::emulator
