// SPDX-License-Identifier: Apache-2.0
// Integers: sums, products, addresses.
#include "emulator/numerics/integer.h"

#include "emulator/sass/alu.h"
#include "emulator/sass/semantics.h"

namespace lockstep::emulator::sass {
namespace {

uint32_t add3(uint32_t a, uint32_t b, uint32_t c) { return a + b + c; }

// IADD3 with carries: out[0] and out[1] together are the sum's carry (0 to 2), in[0] and in[1] are
// added. A negated operand is its complement and one more.
struct AddWithCarry {
  LOCKSTEP_INLINE static void run(const Op& op, Warp& w, uint32_t on) {
    const uint32_t *a = row(op.source[0], w), *b = row(op.source[1], w), *c = row(op.source[2], w);
    const uint32_t flip_a = op.flags & 1 ? ~0u : 0, flip_b = op.flags & 2 ? ~0u : 0;
    const uint32_t flip_c = op.flags & 4 ? ~0u : 0;
    const auto more = static_cast<uint32_t>(op.value);
    const uint32_t x = op.sub != 0 ? read(op.in[0], w) : 0, y = op.sub != 0 ? read(op.in[1], w) : 0;
    alignas(64) uint32_t low[32], carries[32];
#pragma GCC ivdep
    for (int i = 0; i < 32; ++i) {
      const uint32_t second = b[i] ^ flip_b, third = c[i] ^ flip_c;
      const uint32_t last = more + (x >> i & 1) + (y >> i & 1);
      uint32_t sum = (a[i] ^ flip_a) + second, over = sum < second;
      sum += third, over += sum < third;
      sum += last, over += sum < last;
      low[i] = sum;
      carries[i] = over;
    }
    const uint32_t one =
        lanes_where([&](int i) __attribute__((always_inline)) { return carries[i] >= 1; });
    const uint32_t two =
        lanes_where([&](int i) __attribute__((always_inline)) { return carries[i] >= 2; });
    each_lane(
        to_row(op, w), on, [&](int i) __attribute__((always_inline)) { return low[i]; });
    write_predicate(w, op.out[0], one, on);
    write_predicate(w, op.out[1], two, on);
  }
};

// Of two operands: the lower word of a sum of 64 bits (out[0] is its carry), or, with Upper, the
// upper one (in[0] is added, no carry is wanted).
template <bool Upper>
struct AddHalf {
  LOCKSTEP_INLINE static void run(const Op& op, Warp& w, uint32_t on) {
    const uint32_t *a = row(op.source[0], w), *b = row(op.source[1], w);
    const uint32_t flip_a = op.flags & 1 ? ~0u : 0, flip_b = op.flags & 2 ? ~0u : 0;
    const uint32_t more = Upper ? read(op.in[0], w) : static_cast<uint32_t>(op.value);
    alignas(64) uint32_t sum[32], carry[32];
#pragma GCC ivdep
    for (int i = 0; i < 32; ++i) {
      const uint32_t first = (a[i] ^ flip_a) + (b[i] ^ flip_b);
      sum[i] = first + (Upper ? more >> i & 1 : more);
      if (!Upper) carry[i] = (first < (b[i] ^ flip_b)) | (sum[i] < first);
    }
    uint32_t over = 0;
    if (!Upper)
      over = lanes_where([&](int i) __attribute__((always_inline)) { return carry[i] != 0; });
    each_lane(
        to_row(op, w), on, [&](int i) __attribute__((always_inline)) { return sum[i]; });
    if (!Upper) write_predicate(w, op.out[0], over, on);
  }
};
Run pick_add_with_carry(const Builder& b) {
  const Operand& third = b.operand(5);
  const bool two = third.kind == OperandKind::kRegister && third.index == kZeroRegister &&
                   !third.negated && !third.inverted;
  const bool no_second = b.op.out[1] == kNoPredicate;
  const bool one_in = b.op.in[1].index == kTruePredicate8 && b.op.in[1].flip != 0;
  if (two && no_second && b.op.sub == 0) return pick<AddHalf<false>>();
  if (two && no_second && b.op.out[0] == kNoPredicate && one_in && b.op.value == 0)
    return pick<AddHalf<true>>();
  return pick<AddWithCarry>();
}

// Rd, Pu, Pv, A, B, C, Px, Py.
bool prepare_iadd3(Builder& b) {
  b.to(0);
  b.out_predicate(0, 1);
  b.out_predicate(1, 2);
  const bool carries = b.has("X") || b.op.out[0] != kNoPredicate || b.op.out[1] != kNoPredicate;
  if (!carries) {
    for (int k = 0; k < 3; ++k) b.from(k, 3 + k);
    return b.run(alu<&add3>());
  }
  for (int k = 0; k < 3; ++k) {
    Operand o = b.operand(3 + k);
    if (o.negated || o.inverted) b.op.flags |= static_cast<uint16_t>(1 << k);
    b.op.value += o.negated;
    o.negated = o.inverted = false;
    b.from(k, o);
  }
  b.op.sub = b.has("X");
  b.in_predicate(0, 6);
  b.in_predicate(1, 7);
  return b.run(pick_add_with_carry(b));
}

// VIADD, IADD: two operands.
uint32_t add2(uint32_t a, uint32_t b) { return a + b; }
uint64_t add_wide(uint64_t a, uint64_t b) { return a + b; }
uint64_t subtract_wide(uint64_t a, uint64_t b) { return a - b; }
uint32_t add_halves(uint32_t a, uint32_t b) {
  return ((a + b) & 0xffff) | ((a >> 16) + (b >> 16)) << 16;
}
uint32_t subtract_halves(uint32_t a, uint32_t b) {
  return ((a - b) & 0xffff) | ((a >> 16) - (b >> 16)) << 16;
}
bool prepare_viadd(Builder& b) {
  const int rows = b.has("64") ? 2 : 1;
  const bool pairs = b.has("16x2");
  const int first =
      b.in.name == "VIADD" ? 1 : 2;  // IADD has a predicate before them, which takes no carry
  if (first == 2 && (b.operand(1).index != kTruePredicate || rows == 1)) return false;
  b.to(0, rows);
  for (int k = 0; k < 2; ++k) {
    Operand o = b.operand(first + k);
    if (pairs && o.negated) {  // of either half
      if (k == 0) return false;
      o.negated = false;
      b.from(0, first);
      b.from(1, o);
      return b.run(alu<&subtract_halves>());
    }
    if (rows == 2 && o.negated) {
      if (k == 0) return false;
      o.negated = false;
      b.from(1, o, Kind::kInteger, 2);
      return b.run(alu<&subtract_wide>());
    }
    if (rows == 2 && o.kind == OperandKind::kImmediate) o.value = static_cast<int32_t>(o.value);
    b.from(k, o, Kind::kInteger, rows);
  }
  if (rows == 2) return b.run(alu<&add_wide>());
  return b.run(pairs ? alu<&add_halves>() : alu<&add2>());
}

uint32_t mad(uint32_t a, uint32_t b, uint32_t c) { return a * b + c; }
uint32_t mad_hi_u(uint32_t a, uint32_t b, uint64_t c) {
  return static_cast<uint32_t>((uint64_t{a} * b + c) >> 32);
}
uint32_t mad_hi_s(uint32_t a, uint32_t b, uint64_t c) {
  return static_cast<uint32_t>(
      (static_cast<uint64_t>(int64_t{static_cast<int32_t>(a)} * static_cast<int32_t>(b)) + c) >>
      32);
}
uint64_t mad_wide_u(uint32_t a, uint32_t b, uint64_t c) { return uint64_t{a} * b + c; }
uint64_t mad_wide_s(uint32_t a, uint32_t b, uint64_t c) {
  return static_cast<uint64_t>(int64_t{static_cast<int32_t>(a)} * static_cast<int32_t>(b)) + c;
}

// Products of 64 bits plus C and a carry, with a carry out; High: of that the upper half.
template <bool Signed, bool High>
struct WideWithCarry {
  LOCKSTEP_INLINE static void run(const Op& op, Warp& w, uint32_t on) {
    const uint32_t *a = row(op.source[0], w), *b = row(op.source[1], w), *c = row(op.source[2], w);
    const uint32_t x = op.sub != 0 ? read(op.in[0], w) : 0;
    alignas(64) uint32_t low[32], high[32], carry[32];
    for (int i = 0; i < 32; ++i) {
      const uint64_t product = Signed ? static_cast<uint64_t>(int64_t{static_cast<int32_t>(a[i])} *
                                                              static_cast<int32_t>(b[i]))
                                      : uint64_t{a[i]} * b[i];
      const uint64_t third = c[i] | uint64_t{c[i + 32]} << 32;
      uint64_t sum = product + third;
      uint32_t out = sum < product;
      sum += x >> i & 1;
      out |= (x >> i & 1) != 0 && sum == 0;
      low[i] = static_cast<uint32_t>(High ? sum >> 32 : sum);
      high[i] = static_cast<uint32_t>(sum >> 32);
      carry[i] = out;
    }
    uint32_t* d = to_row(op, w);
    each_lane(
        d, on, [&](int i) __attribute__((always_inline)) { return low[i]; });
    if constexpr (!High)
      each_lane(
          d + 32, on, [&](int i) __attribute__((always_inline)) { return high[i]; });
    write_predicate(w, op.out[0], lanes_where([&](int i) { return carry[i] != 0; }), on);
  }
};

struct MadWithCarry {
  LOCKSTEP_INLINE static void run(const Op& op, Warp& w, uint32_t on) {
    const uint32_t *a = row(op.source[0], w), *b = row(op.source[1], w), *c = row(op.source[2], w);
    const uint32_t x = read(op.in[0], w);
    each_lane(
        to_row(op, w), on, [&](int i) __attribute__((always_inline)) {
          return a[i] * b[i] + c[i] + (x >> i & 1);
        });
  }
};

// Rd, Pu, A, B, C, Px.
bool prepare_imad(Builder& b) {
  const bool wide = b.has("WIDE"), high = b.has("HI"), uns = b.has("U32"), x = b.has("X");
  b.to(0, wide ? 2 : 1);
  b.out_predicate(0, 1);
  b.from(0, 2);
  b.from(1, 3);
  b.from(2, 4, Kind::kInteger, wide || high ? 2 : 1);
  b.op.sub = x;
  b.in_predicate(0, 5);
  const bool carries = x || b.op.out[0] != kNoPredicate;
  if (!wide && !high) return b.run(carries ? pick<MadWithCarry>() : alu<&mad>());
  if (carries) {
    if (wide)
      return b.run(uns ? pick<WideWithCarry<false, false>>() : pick<WideWithCarry<true, false>>());
    return b.run(uns ? pick<WideWithCarry<false, true>>() : pick<WideWithCarry<true, true>>());
  }
  if (wide) return b.run(uns ? alu<&mad_wide_u>() : alu<&mad_wide_s>());
  return b.run(uns ? alu<&mad_hi_u>() : alu<&mad_hi_s>());
}

// LEA: (A << shift) + B; .HI: the upper half of (C:A << shift) + B; .SX32: A's sign is the upper
// half. Carries as IADD3. Rd, Pu, A, B, C, shift, Px.
template <bool kUpperHalf, bool kSignExtended>
struct Lea {
  LOCKSTEP_INLINE static void run(const Op& op, Warp& w, uint32_t on) {
    const uint32_t *a = row(op.source[0], w), *b = row(op.source[1], w), *c = row(op.source[2], w);
    const uint32_t x = op.sub != 0 ? read(op.in[0], w) : 0;
    const auto shift = static_cast<uint32_t>(op.value);
    const uint32_t flip_a = op.flags & 1 ? ~0u : 0, flip_b = op.flags & 2 ? ~0u : 0;
    const uint32_t more = op.flags >> 4;
    alignas(64) uint32_t low[32], carry[32];
#pragma GCC ivdep
    for (int i = 0; i < 32; ++i) {
      uint32_t value = a[i] << shift;
      if constexpr (kUpperHalf) {
        const uint32_t sign = static_cast<uint32_t>(static_cast<int32_t>(a[i]) >> 31);
        value = (kSignExtended ? sign : c[i]) << shift | a[i] >> 1 >> (31 - shift);
      }
      const uint32_t second = b[i] ^ flip_b, last = more + (x >> i & 1);
      uint32_t sum = (value ^ flip_a) + second, over = sum < second;
      sum += last, over += sum < last;
      low[i] = sum;
      carry[i] = over;
    }
    each_lane(
        to_row(op, w), on, [&](int i) __attribute__((always_inline)) { return low[i]; });
    if (op.out[0] != kNoPredicate)
      write_predicate(w, op.out[0], lanes_where([&](int i) { return carry[i] != 0; }), on);
  }
};
struct PlainLea {
  LOCKSTEP_INLINE static void run(const Op& op, Warp& w, uint32_t on) {
    const uint32_t *a = row(op.source[0], w), *b = row(op.source[1], w);
    const auto shift = static_cast<uint32_t>(op.value);
    each_lane(
        to_row(op, w),
        on, [&](int i) __attribute__((always_inline)) { return (a[i] << shift) + b[i]; });
  }
};

bool prepare_lea(Builder& b) {
  b.to(0);
  b.out_predicate(0, 1);
  for (int k = 0; k < 2; ++k) {
    Operand o = b.operand(2 + k);
    if (o.negated || o.inverted) b.op.flags |= static_cast<uint16_t>(1 << k);
    if (o.negated) b.op.flags = static_cast<uint16_t>(b.op.flags + 16);
    o.negated = o.inverted = false;
    b.from(k, o);
  }
  b.from(2, 4);
  b.op.value = b.operand(5).value & 31;
  b.in_predicate(0, 6);
  b.op.sub = b.has("X");
  if (b.has("HI")) return b.run(b.has("SX32") ? pick<Lea<true, true>>() : pick<Lea<true, false>>());
  const bool plain = b.op.sub == 0 && b.op.flags == 0 && b.op.out[0] == kNoPredicate;
  return b.run(plain ? pick<PlainLea>() : pick<Lea<false, false>>());
}

uint32_t absolute(uint32_t a) { return static_cast<int32_t>(a) < 0 ? 0 - a : a; }
bool prepare_iabs(Builder& b) {
  b.to(0);
  b.from(0, 1);
  return b.run(alu<&absolute>());
}

}  // namespace

const std::vector<Semantics>& integer_semantics() {
  static const std::vector<Semantics> all = {
      {"IADD3", &prepare_iadd3}, {"UIADD3", &prepare_iadd3}, {"VIADD", &prepare_viadd},
      {"IMAD", &prepare_imad},   {"UIMAD", &prepare_imad},   {"LEA", &prepare_lea},
      {"ULEA", &prepare_lea},    {"IABS", &prepare_iabs},    {"IADD", &prepare_viadd},
  };
  return all;
}

}  // namespace lockstep::emulator::sass
