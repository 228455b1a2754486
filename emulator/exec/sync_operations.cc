// SPDX-License-Identifier: Apache-2.0
// What shfl, vote, match, redux, elect and bar.warp compute once their lanes have met.
#include <bit>

#include "emulator/exec/handler.h"
#include "emulator/exec/synchronize.h"
#include "emulator/lanes/shuffle.h"

namespace lockstep::emulator {
namespace {

template <Shuffle S>
struct ShuffleBody {
  LOCKSTEP_INLINE static void run(const Instr& in, Warp& w, uint32_t mask) {
    const Exchange& x = *w.exchange;
    alignas(64) uint32_t result[32];
    const uint32_t inside =
        shuffle<S>(x.value, at<uint32_t>(w, in.o[2]), at<uint32_t>(w, in.o[3]), x.present, result);
    each_lane(
        at<uint32_t>(w, in.o[0]),
        mask, [&](int i) __attribute__((always_inline)) { return result[i]; });
    if (in.o[5] != kNoOperand) set_predicate(w, in.o[5], inside, mask);
  }
};

// Applies f(lanes that name the same mask as lane i, lane) to each distinct mask once.
template <class F>
void by_named_mask(const Warp& w, uint32_t mask, F f) {
  const Exchange& x = *w.exchange;
  for (uint32_t rest = mask; rest != 0;) {
    const int lane = std::countr_zero(rest);
    const uint32_t together = x.named[lane] & x.present;
    f(together, together & mask);
    rest &= ~together;
    rest &= ~(1u << lane);
  }
}

enum class Vote : uint8_t { kAll, kAny, kUni, kBallot };

template <Vote V>
void vote(const Instr& in, Warp& w, uint32_t mask) {
  const Exchange& x = *w.exchange;
  by_named_mask(w, mask, [&](uint32_t together, uint32_t mine) {
    const uint32_t bits = x.bits & together;
    if constexpr (V == Vote::kBallot) {
      each_lane(at<uint32_t>(w, in.o[0]), mine, [&](int) { return bits; });
    } else {
      const bool truth = V == Vote::kAny   ? bits != 0
                         : V == Vote::kAll ? bits == together
                                           : bits == 0 || bits == together;
      set_predicate(w, in.o[0], truth ? ~0u : 0, mine);
    }
  });
}

uint64_t value_of(const Exchange& x, int lane) {
  return x.value64 != nullptr ? x.value64[lane] : x.value[lane];
}

template <bool All>
void match(const Instr& in, Warp& w, uint32_t mask) {
  const Exchange& x = *w.exchange;
  by_named_mask(w, mask, [&](uint32_t together, uint32_t mine) {
    uint32_t* d = at<uint32_t>(w, in.o[0]);
    for (uint32_t rest = mine; rest != 0; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      uint32_t equal = 0;
      for (uint32_t m = together; m != 0; m &= m - 1)
        if (value_of(x, std::countr_zero(m)) == value_of(x, lane)) equal |= m & (0 - m);
      d[lane] = !All || equal == together ? equal : 0;
      if (All && in.o[5] != kNoOperand)
        set_predicate(w, in.o[5], equal == together ? ~0u : 0, 1u << lane);
    }
  });
}

enum class Reduce : uint8_t { kAdd, kMinU, kMaxU, kMinS, kMaxS, kAnd, kOr, kXor };

template <Reduce R>
void redux(const Instr& in, Warp& w, uint32_t mask) {
  const Exchange& x = *w.exchange;
  by_named_mask(w, mask, [&](uint32_t together, uint32_t mine) {
    uint32_t sum = x.value[std::countr_zero(together)];
    for (uint32_t m = together & (together - 1); m != 0; m &= m - 1) {
      const uint32_t v = x.value[std::countr_zero(m)];
      const auto a = static_cast<int32_t>(sum), b = static_cast<int32_t>(v);
      switch (R) {
        case Reduce::kAdd:
          sum += v;
          break;
        case Reduce::kMinU:
          sum = v < sum ? v : sum;
          break;
        case Reduce::kMaxU:
          sum = v > sum ? v : sum;
          break;
        case Reduce::kMinS:
          sum = b < a ? v : sum;
          break;
        case Reduce::kMaxS:
          sum = b > a ? v : sum;
          break;
        case Reduce::kAnd:
          sum &= v;
          break;
        case Reduce::kOr:
          sum |= v;
          break;
        case Reduce::kXor:
          sum ^= v;
          break;
      }
    }
    each_lane(at<uint32_t>(w, in.o[0]), mine, [&](int) { return sum; });
  });
}

void meet(const Instr&, Warp&, uint32_t) {}

// elect.sync d|p, mask: the first lane leads.
void elect(const Instr& in, Warp& w, uint32_t mask) {
  by_named_mask(w, mask, [&](uint32_t together, uint32_t mine) {
    const int leader = std::countr_zero(together);
    if (in.o[0] != kNoOperand)
      each_lane(at<uint32_t>(w, in.o[0]), mine, [&](int) { return static_cast<uint32_t>(leader); });
    if (in.o[5] != kNoOperand) set_predicate(w, in.o[5], 1u << leader, mine);
  });
}

}  // namespace

Handler find_sync(const Opcode& op) {
  if (op.root == "bar" || op.root == "barrier") return &meet;
  if (op.root == "elect") return &elect;
  if (op.root == "shfl") {
    if (op.has("up")) return pick<ShuffleBody<Shuffle::kUp>>();
    if (op.has("down")) return pick<ShuffleBody<Shuffle::kDown>>();
    if (op.has("bfly")) return pick<ShuffleBody<Shuffle::kButterfly>>();
    if (op.has("idx")) return pick<ShuffleBody<Shuffle::kIndex>>();
  }
  if (op.root == "vote") {
    if (op.has("all")) return &vote<Vote::kAll>;
    if (op.has("any")) return &vote<Vote::kAny>;
    if (op.has("uni")) return &vote<Vote::kUni>;
    if (op.has("ballot")) return &vote<Vote::kBallot>;
  }
  if (op.root == "match") return op.has("all") ? &match<true> : &match<false>;
  if (op.root == "redux") {
    const bool is_signed = op.type() == Type::kS32;
    if (op.type() == Type::kF32) return nullptr;
    if (op.has("add")) return &redux<Reduce::kAdd>;
    if (op.has("min")) return is_signed ? &redux<Reduce::kMinS> : &redux<Reduce::kMinU>;
    if (op.has("max")) return is_signed ? &redux<Reduce::kMaxS> : &redux<Reduce::kMaxU>;
    if (op.has("and")) return &redux<Reduce::kAnd>;
    if (op.has("or")) return &redux<Reduce::kOr>;
    if (op.has("xor")) return &redux<Reduce::kXor>;
  }
  return nullptr;
}

}  // namespace lockstep::emulator
