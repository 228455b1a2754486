// SPDX-License-Identifier: Apache-2.0
// What lanes of a warp tell each other: shuffles, votes, matches, reductions.
#include <bit>

#include "emulator/lanes/shuffle.h"
#include "emulator/sass/alu.h"
#include "emulator/sass/semantics.h"

namespace lockstep::emulator::sass {
namespace {

// Pd, Rd, A, lane, clamp and segments. Pd: the lane read lies within.
template <Shuffle S>
struct ShuffleBody {
  LOCKSTEP_INLINE static void run(const Op& op, Warp& w, uint32_t on) {
    alignas(64) uint32_t result[32];
    const uint32_t inside = shuffle<S>(row(op.source[0], w), row(op.source[1], w),
                                       row(op.source[2], w), w.active, result);
    each_lane(
        to_row(op, w), on, [&](int i) __attribute__((always_inline)) { return result[i]; });
    write_predicate(w, op.out[0], inside, on);
  }
};

// A butterfly over the whole warp by a distance that stands in the code, as in nearly all sums.
template <uint32_t By>
struct ButterflyBody {
  LOCKSTEP_INLINE static void run(const Op& op, Warp& w, uint32_t on) {
    static const Run any = pick<ShuffleBody<Shuffle::kButterfly>>();
    if (on != ~0u) return any(op, w, on);
    exchange_lanes(to_row(op, w), row(op.source[0], w), By);
    write_predicate(w, op.out[0], ~0u, on);
  }
};
Run pick_butterfly(const Builder& b) {
  const Operand &by = b.operand(3), &bounds = b.operand(4);
  if (by.kind == OperandKind::kImmediate && bounds.kind == OperandKind::kImmediate &&
      bounds.value == 31) {
    if (by.value == 1) return pick<ButterflyBody<1>>();
    if (by.value == 2) return pick<ButterflyBody<2>>();
    if (by.value == 4) return pick<ButterflyBody<4>>();
    if (by.value == 8) return pick<ButterflyBody<8>>();
    if (by.value == 16) return pick<ButterflyBody<16>>();
  }
  return pick<ShuffleBody<Shuffle::kButterfly>>();
}
bool prepare_shfl(Builder& b) {
  b.out_predicate(0, 0);
  b.to(1);
  for (int k = 0; k < 3; ++k) b.from(k, 2 + k);
  if (b.has("UP")) return b.run(pick<ShuffleBody<Shuffle::kUp>>());
  if (b.has("DOWN")) return b.run(pick<ShuffleBody<Shuffle::kDown>>());
  if (b.has("BFLY")) return b.run(pick_butterfly(b));
  return b.run(pick<ShuffleBody<Shuffle::kIndex>>());
}

// Rd, Pd, P: the mask of lanes for which P holds, of those that the guard lets vote; whether it
// holds for any, all, or the same for all.
void vote(const Op& op, Warp& w, uint32_t on) {
  const uint32_t voters = w.active & read(op.guard, w), holds = read(op.in[0], w) & voters;
  put_all(op, w, on, holds);
  const bool truth = op.sub == 0   ? holds == voters
                     : op.sub == 1 ? holds != 0
                                   : holds == 0 || holds == voters;
  write_predicate(w, op.out[0], truth ? ~0u : 0, on);
}
bool prepare_vote(Builder& b) {
  b.to(0);
  b.out_predicate(0, 1);
  b.in_predicate(0, 2);
  b.op.sub = b.has("ALL") ? 0 : b.has("ANY") ? 1 : 2;
  return b.run(&vote);
}

// Pd, Rd, A: lanes with the same value; .ALL: all if they have the same.
void match(const Op& op, Warp& w, uint32_t on) {
  const uint32_t* a = row(op.source[0], w);
  const bool wide = op.sub2 != 0;
  const auto equal = [&](int i, int k) {
    return a[i] == a[k] && (!wide || a[i + 32] == a[k + 32]);
  };
  alignas(64) uint32_t mask[32] = {};
  bool all = true;
  for (uint32_t rest = on; rest != 0; rest &= rest - 1) {
    const int i = std::countr_zero(rest);
    for (uint32_t others = on; others != 0; others &= others - 1) {
      const int k = std::countr_zero(others);
      if (equal(i, k)) mask[i] |= 1u << k;
    }
    all &= mask[i] == on;
  }
  if (op.sub != 0) {
    put_all(op, w, on, all ? on : 0);
    write_predicate(w, op.out[0], all ? ~0u : 0, on);
    return;
  }
  each_lane(to_row(op, w), on, [&](int i) { return mask[i]; });
}
bool prepare_match(Builder& b) {
  b.out_predicate(0, 0);
  b.to(1);
  b.op.sub2 = b.has("U64");
  b.from(0, 2, Kind::kInteger, b.op.sub2 != 0 ? 2 : 1);
  b.op.sub = b.has("ALL");
  return b.run(&match);
}

// URd, A: over the active lanes.
enum Reduction : uint8_t { kAnd, kOr, kXor, kSum, kMinSigned, kMaxSigned, kMin, kMax };
void reduce(const Op& op, Warp& w, uint32_t) {
  const uint32_t* a = row(op.source[0], w);
  const uint32_t lanes = w.active & read(op.guard, w);
  uint32_t result = a[std::countr_zero(lanes)];
  for (uint32_t rest = lanes & (lanes - 1); rest != 0; rest &= rest - 1) {
    const uint32_t x = a[std::countr_zero(rest)];
    const auto s = static_cast<int32_t>(x), r = static_cast<int32_t>(result);
    switch (op.sub) {
      case kAnd:
        result &= x;
        break;
      case kOr:
        result |= x;
        break;
      case kXor:
        result ^= x;
        break;
      case kSum:
        result += x;
        break;
      case kMinSigned:
        result = s < r ? x : result;
        break;
      case kMaxSigned:
        result = s > r ? x : result;
        break;
      case kMin:
        result = x < result ? x : result;
        break;
      default:
        result = x > result ? x : result;
        break;
    }
  }
  put_all(op, w, ~0u, result);
}
bool prepare_redux(Builder& b) {
  b.to(0);
  b.from(0, 1);
  const bool sign = b.has("S32");
  b.op.sub = b.has("SUM")                               ? kSum
             : b.has("OR")                              ? kOr
             : b.has("XOR")                             ? kXor
             : b.has("MIN")                             ? (sign ? kMinSigned : kMin)
             : b.has("MAX")                             ? (sign ? kMaxSigned : kMax)
             : b.has("AND") || b.in.modifier_count == 0 ? kAnd
                                                        : kSum;
  return b.run(&reduce);
}

}  // namespace

const std::vector<Semantics>& exchange_semantics() {
  static const std::vector<Semantics> all = {
      {"SHFL", &prepare_shfl},   {"VOTE", &prepare_vote},   {"VOTEU", &prepare_vote},
      {"MATCH", &prepare_match}, {"REDUX", &prepare_redux}, {"CREDUX", &prepare_redux},
  };
  return all;
}

}  // namespace lockstep::emulator::sass
