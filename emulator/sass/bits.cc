// SPDX-License-Identifier: Apache-2.0
// Bits: logic, shifts, permutations of bytes.
#include <bit>
#include <utility>

#include "emulator/numerics/bitops.h"
#include "emulator/sass/alu.h"
#include "emulator/sass/semantics.h"

namespace lockstep::emulator::sass {
namespace {

// The tables that most instructions have.
LOCKSTEP_INLINE uint32_t both(uint32_t a, uint32_t b) { return a & b; }
LOCKSTEP_INLINE uint32_t either(uint32_t a, uint32_t b) { return a | b; }
LOCKSTEP_INLINE uint32_t one_of(uint32_t a, uint32_t b) { return a ^ b; }
struct AnyTable {
  LOCKSTEP_INLINE static void run(const Op& op, Warp& w, uint32_t on) {
    const uint32_t *a = row(op.source[0], w), *b = row(op.source[1], w), *c = row(op.source[2], w);
    uint32_t m[8];
    for (int k = 0; k < 8; ++k) m[k] = (op.value >> k & 1) != 0 ? ~0u : 0;
    alignas(64) uint32_t result[32];
#pragma GCC ivdep
    for (int i = 0; i < 32; ++i) {
      const uint32_t x = a[i], y = b[i], z = c[i];
      const uint32_t zero = (((m[0] & ~z) | (m[1] & z)) & ~y) | (((m[2] & ~z) | (m[3] & z)) & y);
      const uint32_t one = (((m[4] & ~z) | (m[5] & z)) & ~y) | (((m[6] & ~z) | (m[7] & z)) & y);
      result[i] = (zero & ~x) | (one & x);
    }
    each_lane(
        to_row(op, w), on, [&](int i) __attribute__((always_inline)) { return result[i]; });
    if (op.out[0] == kNoPredicate) return;
    const uint32_t some = lanes_where([&](int i) { return result[i] != 0; });
    write_predicate(w, op.out[0], combined(op.sub, some, read(op.in[0], w)), on);
  }
};

// Pu, Rd, A, B, C, table, Px. The predicate: a bit is set (or Px; .PAND: and Px).
bool prepare_lop3(Builder& b) {
  b.out_predicate(0, 0);
  b.to(1);
  for (int k = 0; k < 3; ++k) b.from(k, 2 + k);
  b.op.value = b.operand(5).value & 255;
  b.in_predicate(0, 6);
  b.op.sub = b.has("PAND") ? 0 : 1;
  if (b.op.out[0] == kNoPredicate) {
    switch (b.op.value) {
      case 0xc0:
        return b.run(alu<&both>());
      case 0xfc:
        return b.run(alu<&either>());
      case 0x3c:
        return b.run(alu<&one_of>());
      default:
        break;
    }
  }
  return b.run(pick<AnyTable>());
}

// SHF: .L/.R, .W wraps the count (else it is clamped at 32, or 64 of .U64/.S64), .HI gives the
// upper half. Rd, A (low), count, C (high).
enum : size_t { kRight = 1, kWrap = 2, kHigh = 4, kSign = 8, kWide = 16, kFunnels = 32 };
template <size_t kHow>
struct Funnel {
  static constexpr bool kToRight = (kHow & kRight) != 0, kUpper = (kHow & kHigh) != 0;
  static constexpr bool kSigned = (kHow & kSign) != 0;
  // Without .W a count of 32 or more shifts everything out.
  LOCKSTEP_INLINE static uint32_t shift32(uint32_t a, uint32_t c, uint32_t count, bool all) {
    if constexpr (kUpper && kToRight && kSigned) {
      const auto value = static_cast<int32_t>(c);
      return static_cast<uint32_t>(value >> (all ? 31 : count));
    }
    if constexpr (kUpper && kToRight) return all ? 0 : c >> count;
    if constexpr (!kUpper && !kToRight) return all ? 0 : a << count;
    const uint64_t pair = uint64_t{c} << 32 | a;
    if constexpr (kUpper) return all ? a : static_cast<uint32_t>(pair << count >> 32);
    return all ? c : static_cast<uint32_t>(pair >> count);
  }
  LOCKSTEP_INLINE static uint32_t shift64(uint32_t a, uint32_t c, uint32_t count, bool all) {
    const uint64_t pair = uint64_t{c} << 32 | a;
    uint64_t value = all ? 0 : kToRight ? pair >> count : pair << count;
    if constexpr (kToRight && kSigned)
      value = static_cast<uint64_t>(static_cast<int64_t>(pair) >> (all ? 63 : count));
    return static_cast<uint32_t>(kUpper ? value >> 32 : value);
  }
  LOCKSTEP_INLINE static void run(const Op& op, Warp& w, uint32_t on) {
    const uint32_t *a = row(op.source[0], w), *n = row(op.source[1], w), *c = row(op.source[2], w);
    constexpr uint32_t kMost = (kHow & kWide) != 0 ? 63 : 31;
    each_lane(
        to_row(op, w), on, [&](int i) __attribute__((always_inline)) {
          const bool all = (kHow & kWrap) == 0 && n[i] > kMost;
          return (kHow & kWide) != 0 ? shift64(a[i], c[i], n[i] & kMost, all)
                                     : shift32(a[i], c[i], n[i] & kMost, all);
        });
  }
};
template <size_t... kHow>
Run find_funnel(size_t how, std::index_sequence<kHow...>) {
  const Run all[] = {pick<Funnel<kHow>>()...};
  return all[how];
}

bool prepare_shf(Builder& b) {
  b.to(0);
  b.from(0, 1);
  b.from(1, 2);
  b.from(2, 3);
  const auto bit = [&](bool set, size_t value) { return set ? value : size_t{0}; };
  const size_t how = bit(b.has("R"), kRight) | bit(b.has("W"), kWrap) | bit(b.has("HI"), kHigh) |
                     bit(b.has("S32") || b.has("S64"), kSign) |
                     bit(b.has("U64") || b.has("S64"), kWide);
  return b.run(find_funnel(how, std::make_index_sequence<kFunnels>()));
}

uint32_t reversed(uint32_t a) { return num::brev(a); }
uint32_t population(uint32_t a) { return static_cast<uint32_t>(std::popcount(a)); }
uint32_t leading_u(uint32_t a) {
  return a == 0 ? ~0u : 31u - static_cast<uint32_t>(std::countl_zero(a));
}
uint32_t leading_s(uint32_t a) { return leading_u(static_cast<int32_t>(a) < 0 ? ~a : a); }
uint32_t shift_u(uint32_t a) { return a == 0 ? ~0u : static_cast<uint32_t>(std::countl_zero(a)); }
uint32_t shift_s(uint32_t a) { return shift_u(static_cast<int32_t>(a) < 0 ? ~a : a); }

bool prepare_unary(Builder& b, Run run) {
  b.to(0);
  b.from(0, 1);
  return b.run(run);
}
bool prepare_brev(Builder& b) { return prepare_unary(b, alu<&reversed>()); }
bool prepare_popc(Builder& b) { return prepare_unary(b, alu<&population>()); }
bool prepare_flo(Builder& b) {
  // Rd, Pd, A.
  b.to(0);
  b.from(0, 2);
  if (b.operand(1).index != kTruePredicate) return false;
  const bool shift = b.has("SH");
  return b.run(b.has("U32") ? (shift ? alu<&shift_u>() : alu<&leading_u>())
                            : (shift ? alu<&shift_s>() : alu<&leading_s>()));
}

bool prepare_sgxt(Builder& b) {
  b.to(0);
  b.from(0, 1);
  b.from(1, 2);
  if (b.has("W"))
    return b.run(b.has("U32") ? alu<&num::szext<false, true>>() : alu<&num::szext<true, true>>());
  return b.run(b.has("U32") ? alu<&num::szext<false, false>>() : alu<&num::szext<true, false>>());
}
bool prepare_bmsk(Builder& b) {
  b.to(0);
  b.from(0, 1);
  b.from(1, 2);
  return b.run(b.has("W") ? alu<&num::bmsk<true>>() : alu<&num::bmsk<false>>());
}

LOCKSTEP_INLINE uint32_t permuted(uint32_t a, uint32_t selector, uint32_t c) {
  return num::prmt(a, c, selector);
}
template <num::PrmtMode M>
uint32_t permuted_by(uint32_t a, uint32_t selector, uint32_t c) {
  return num::prmt(a, c, num::prmt_selector(M, selector));
}
bool prepare_prmt(Builder& b) {
  b.to(0);
  for (int k = 0; k < 3; ++k) b.from(k, 1 + k);
  if (b.has("F4E")) return b.run(alu<&permuted_by<num::PrmtMode::kF4e>>());
  if (b.has("B4E")) return b.run(alu<&permuted_by<num::PrmtMode::kB4e>>());
  if (b.has("RC8")) return b.run(alu<&permuted_by<num::PrmtMode::kRc8>>());
  if (b.has("ECL")) return b.run(alu<&permuted_by<num::PrmtMode::kEcl>>());
  if (b.has("ECR")) return b.run(alu<&permuted_by<num::PrmtMode::kEcr>>());
  if (b.has("RC16")) return b.run(alu<&permuted_by<num::PrmtMode::kRc16>>());
  return b.run(alu<&permuted>());
}

}  // namespace

const std::vector<Semantics>& bit_semantics() {
  static const std::vector<Semantics> all = {
      {"LOP3", &prepare_lop3},  {"ULOP3", &prepare_lop3}, {"SHF", &prepare_shf},
      {"USHF", &prepare_shf},   {"BREV", &prepare_brev},  {"UBREV", &prepare_brev},
      {"POPC", &prepare_popc},  {"UPOPC", &prepare_popc}, {"FLO", &prepare_flo},
      {"UFLO", &prepare_flo},   {"SGXT", &prepare_sgxt},  {"USGXT", &prepare_sgxt},
      {"BMSK", &prepare_bmsk},  {"UBMSK", &prepare_bmsk}, {"PRMT", &prepare_prmt},
      {"UPRMT", &prepare_prmt},
  };
  return all;
}

}  // namespace lockstep::emulator::sass
