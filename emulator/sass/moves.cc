// SPDX-License-Identifier: Apache-2.0
// Moves between registers, predicates and special registers.
#include <bit>
#include <chrono>

#include "emulator/numerics/bitops.h"
#include "emulator/sass/alu.h"
#include "emulator/sass/memory.h"
#include "emulator/sass/semantics.h"

namespace lockstep::emulator::sass {
namespace {

uint32_t same(uint32_t a) { return a; }
uint64_t same_pair(uint64_t a) { return a; }
bool prepare_mov(Builder& b) {
  if (b.in.operand_count > 2 && b.operand(2).value != 15) return false;  // bytes of it alone
  const int rows = b.has("64") ? 2 : 1;
  b.to(0, rows);
  b.from(0, 1, Kind::kInteger, rows);
  return b.run(rows == 2 ? alu<&same_pair>() : alu<&same>());
}

// The lowest active lane's word. The predicate: lanes that have another one.
void to_uniform(const Op& op, Warp& w, uint32_t) {
  const uint32_t* a = row(op.source[0], w);
  const uint32_t word = a[std::countr_zero(w.active)];
  write_predicate(w, op.out[0], lanes_where([&](int i) { return a[i] != word; }), w.active);
  put_all(op, w, ~0u, word);
}
void to_uniform_or(const Op& op, Warp& w, uint32_t) {
  const uint32_t* a = row(op.source[0], w);
  uint32_t all = 0;
  for (uint32_t rest = w.active; rest != 0; rest &= rest - 1) all |= a[std::countr_zero(rest)];
  put_all(op, w, ~0u, all);
}
// Pd, URd, A. What the predicate says with .OR is not known.
bool prepare_r2ur(Builder& b) {
  if (b.has("OR") && b.operand(0).index != kTruePredicate) return false;
  if (!b.has("OR")) b.out_predicate(0, 0);
  b.to(1);
  b.from(0, 2);
  b.op.widen = true;
  return b.run(b.has("OR") ? &to_uniform_or : &to_uniform);
}

enum Special : uint8_t {
  kTidX,
  kTidY,
  kTidZ,
  kCtaX,
  kCtaY,
  kCtaZ,
  kLane,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kEqual,
  kWarp,
  kSm,
  kClock,
  kClockHigh,
  kTime,
  kTimeHigh,
  kZero,
  kLocalOffset,
  kSharedWindow,
  kLocalWindow,
  kNotKnown
};
struct SpecialName {
  std::string_view name;
  Special what;
};
constexpr SpecialName kSpecials[] = {{"SR_TID.X", kTidX},
                                     {"SR_TID.Y", kTidY},
                                     {"SR_TID.Z", kTidZ},
                                     {"SR_CTAID.X", kCtaX},
                                     {"SR_CTAID.Y", kCtaY},
                                     {"SR_CTAID.Z", kCtaZ},
                                     {"SR_LANEID", kLane},
                                     {"SR_LTMASK", kLess},
                                     {"SR_LEMASK", kLessEqual},
                                     {"SR_GTMASK", kGreater},
                                     {"SR_GEMASK", kGreaterEqual},
                                     {"SR_EQMASK", kEqual},
                                     {"SR_VIRTCFG", kNotKnown},
                                     {"SR_VIRTID", kWarp},
                                     {"SR_CLOCKLO", kClock},
                                     {"SR_CLOCKHI", kClockHigh},
                                     {"SR_GLOBALTIMERLO", kTime},
                                     {"SR_GLOBALTIMERHI", kTimeHigh},
                                     {"SRZ", kZero},
                                     {"SR_CgaCtaId", kZero},
                                     {"SR_LMEMHIOFF", kLocalOffset},
                                     {"SR_SWINHI", kSharedWindow},
                                     {"SR_LWINHI", kLocalWindow}};

uint64_t nanoseconds() {
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                   std::chrono::system_clock::now().time_since_epoch())
                                   .count());
}

uint32_t of_lane(Special what, uint32_t lane) {
  const uint32_t bit = 1u << lane;
  switch (what) {
    case kLane:
      return lane;
    case kLess:
      return bit - 1;
    case kLessEqual:
      return bit | (bit - 1);
    case kGreater:
      return ~(bit | (bit - 1));
    case kGreaterEqual:
      return ~(bit - 1);
    case kEqual:
      return bit;
    default:
      return 0;
  }
}

void thread_index(const Op& op, Warp& w, uint32_t on) {
  const Dim3& d = w.worker->launch->block;
  const uint32_t first = w.index * 32;
  alignas(64) uint32_t value[32];
  for (uint32_t i = 0; i < 32; ++i) {
    const uint32_t t = first + i;
    value[i] = op.sub == kTidX ? t % d.x : op.sub == kTidY ? t / d.x % d.y : t / d.x / d.y;
  }
  each_lane(to_row(op, w), on, [&](int i) { return value[i]; });
}

uint64_t of_warp(Special what, const Warp& w) {
  switch (what) {
    case kCtaX:
    case kCtaY:
    case kCtaZ:
      return w.block->index[what - kCtaX];
    case kWarp:
      return w.index;
    case kSm:
      return w.worker->sm;
    case kClock:
      return w.worker->clock + static_cast<uint64_t>(w.given - w.left);
    case kClockHigh:
      return (w.worker->clock + static_cast<uint64_t>(w.given - w.left)) >> 32;
    case kTime:
      return nanoseconds();
    case kTimeHigh:
      return nanoseconds() >> 32;
    case kSharedWindow:
      return shared_window();
    case kLocalWindow:
      return local_window();
    default:
      return 0;
  }
}

void special(const Op& op, Warp& w, uint32_t on) {
  const auto what = static_cast<Special>(op.sub);
  if (what >= kLane && what <= kEqual) {
    each_lane(to_row(op, w), on, [&](int i) { return of_lane(what, static_cast<uint32_t>(i)); });
    return;
  }
  const uint64_t value = of_warp(what, w);
  put_all(op, w, on, static_cast<uint32_t>(value));
  if (op.sub2 == 2) put_all(op, w, on, static_cast<uint32_t>(value >> 32), 1);
}

// S2R, S2UR: Rd, SR; CS2R a pair.
bool prepare_s2r(Builder& b) {
  const Operand& from = b.operand(1);
  Special what = kNotKnown;
  for (const SpecialName& s : kSpecials)
    if (from.part == s.name) what = s.what;
  if (what == kNotKnown || what == kLocalOffset) return false;
  const bool pair = b.in.name == "CS2R" && !b.has("32");
  b.to(0, pair ? 2 : 1);
  b.op.sub = what;
  b.op.sub2 = pair ? 2 : 1;
  return b.run(what <= kTidZ ? &thread_index : &special);
}

// Pd, Pe, A, B, C, table, table of Pe.
uint32_t looked_up(uint32_t a, uint32_t b, uint32_t c, uint32_t table) {
  return num::lop3(a, b, c, table);
}
void combine(const Op& op, Warp& w, uint32_t on) {
  const uint32_t a = read(op.in[0], w), b = read(op.in[1], w), c = read(op.in[2], w);
  const uint32_t one = looked_up(a, b, c, op.sub), two = looked_up(a, b, c, op.sub2);
  write_predicate(w, op.out[0], one, on);
  write_predicate(w, op.out[1], two, on);
}
bool prepare_plop3(Builder& b) {
  b.out_predicate(0, 0);
  b.out_predicate(1, 1);
  for (int k = 0; k < 3; ++k) b.in_predicate(k, 2 + k);
  b.op.sub = static_cast<uint8_t>(b.operand(5).value);
  b.op.sub2 = static_cast<uint8_t>(b.operand(6).value);
  return b.run(&combine);
}

// R2P PR, A, mask: predicates that the mask names from A's bits. P2R Rd, PR, A, mask: the other way
// round, the rest of A stays.
void set_predicates(const Op& op, Warp& w, uint32_t on) {
  const uint32_t *a = row(op.source[0], w), *mask = row(op.source[1], w);
  for (int p = 0; p < 7; ++p) {
    uint32_t bits = 0, named = 0;
    for (int i = 0; i < 32; ++i) {
      bits |= (a[i] >> (p + op.sub) & 1) << i;
      named |= (mask[i] >> p & 1) << i;
    }
    write_predicate(w, static_cast<uint8_t>(p), bits, on & named);
  }
}
void get_predicates(const Op& op, Warp& w, uint32_t on) {
  const uint32_t *a = row(op.source[0], w), *mask = row(op.source[1], w);
  uint32_t p[7];
  for (int k = 0; k < 7; ++k) p[k] = w.predicates[op.sub2 + k];
  each_lane(to_row(op, w), on, [&](int i) {
    uint32_t bits = 0;
    for (int k = 0; k < 7; ++k) bits |= (p[k] >> i & 1) << k;
    const uint32_t wanted = (mask[i] & 0x7f) << op.sub;
    return (a[i] & ~wanted) | (bits << op.sub & wanted);
  });
}
int byte_of(const Builder& b) { return b.has("B1") ? 8 : b.has("B2") ? 16 : b.has("B3") ? 24 : 0; }
bool prepare_r2p(Builder& b) {
  b.from(0, 1);
  b.from(1, 2);
  b.op.sub = static_cast<uint8_t>(byte_of(b));
  return b.run(&set_predicates);
}
bool prepare_p2r(Builder& b) {
  b.op.sub2 = b.in.name == "UP2UR" ? kUniformPredicates : 0;
  b.to(0);
  b.from(0, 2);
  b.from(1, 3);
  b.op.sub = static_cast<uint8_t>(byte_of(b));
  return b.run(&get_predicates);
}

bool prepare_nothing(Builder& b) { return b.run(nullptr); }

}  // namespace

const std::vector<Semantics>& move_semantics() {
  static const std::vector<Semantics> all = {
      {"MOV", &prepare_mov},        {"UMOV", &prepare_mov},          {"R2UR", &prepare_r2ur},
      {"S2R", &prepare_s2r},        {"S2UR", &prepare_s2r},          {"CS2R", &prepare_s2r},
      {"PLOP3", &prepare_plop3},    {"UPLOP3", &prepare_plop3},      {"R2P", &prepare_r2p},
      {"P2R", &prepare_p2r},        {"UP2UR", &prepare_p2r},         {"NOP", &prepare_nothing},
      {"ERRBAR", &prepare_nothing}, {"CGAERRBAR", &prepare_nothing}, {"DEPBAR", &prepare_nothing},
  };
  return all;
}

}  // namespace lockstep::emulator::sass
