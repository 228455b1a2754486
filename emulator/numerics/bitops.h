// SPDX-License-Identifier: Apache-2.0
// Bit operations of PTX: popc, clz, bfind, fns, brev, bfe, bfi, bmsk, szext, prmt, lop3, shf.
// Behaviour outside the usual ranges (lengths of 0 or above 31, positions above the width)
// follows the PTX manual's pseudo-code, and was compared with a card.
#pragma once

#include <type_traits>

#include "emulator/numerics/bits.h"

namespace lockstep::emulator::num {

// U is uint32_t or uint64_t; results are .u32.
template <class U>
LOCKSTEP_NUM uint32_t popc(U a) {
  return static_cast<uint32_t>(std::popcount(a));
}
template <class U>
LOCKSTEP_NUM uint32_t clz(U a) {
  return static_cast<uint32_t>(std::countl_zero(a));
}

// Position of the highest bit that differs from the sign (T signed) or is set; ~0 when none.
// ShiftAmount: the left shift that brings it to the top instead.
template <class T, bool ShiftAmount = false>
LOCKSTEP_NUM uint32_t bfind(T a) {
  using U = std::make_unsigned_t<T>;
  const U value = (std::is_signed_v<T> && a < 0) ? static_cast<U>(~static_cast<U>(a)) : U(a);
  const uint32_t zeros = static_cast<uint32_t>(std::countl_zero(value));
  constexpr uint32_t kTop = 8 * sizeof(T) - 1;
  if (value == 0) return ~uint32_t{0};
  return ShiftAmount ? zeros : kTop - zeros;
}

// The n-th set bit of mask, counted from `base` upwards (n > 0) or downwards; ~0 when none.
LOCKSTEP_NUM uint32_t fns(uint32_t mask, uint32_t base, int32_t offset) {
  int64_t position = base;
  int64_t count = offset;
  if (offset == 0) return base < 32 && ((mask >> base) & 1) != 0 ? base : ~uint32_t{0};
  const int step = offset > 0 ? 1 : -1;
  count = offset > 0 ? count : -count;
  for (; position >= 0 && position < 32; position += step) {
    if (((mask >> position) & 1) != 0 && --count == 0) return static_cast<uint32_t>(position);
  }
  return ~uint32_t{0};
}

LOCKSTEP_NUM uint32_t brev(uint32_t a) {
  a = ((a >> 1) & 0x55555555u) | ((a & 0x55555555u) << 1);
  a = ((a >> 2) & 0x33333333u) | ((a & 0x33333333u) << 2);
  a = ((a >> 4) & 0x0f0f0f0fu) | ((a & 0x0f0f0f0fu) << 4);
  return __builtin_bswap32(a);
}
LOCKSTEP_NUM uint64_t brev(uint64_t a) {
  return uint64_t{brev(uint32_t(a))} << 32 | brev(uint32_t(a >> 32));
}

// Positions and lengths of bit fields: with 32 bits only the low 8 bits count, with 64 all.
template <class T>
LOCKSTEP_NUM uint32_t field_operand(uint32_t value) {
  return sizeof(T) == 4 ? value & 0xff : value;
}

// Bit field extract, T signed or unsigned, 32 or 64 bits; bits above the register's width read as
// the sign (signed) or zero.
template <class T>
LOCKSTEP_NUM T bfe(T a, uint32_t position, uint32_t length) {
  using U = std::make_unsigned_t<T>;
  constexpr uint32_t kBits = 8 * sizeof(T);
  const uint32_t pos = field_operand<T>(position), len = field_operand<T>(length);
  if (len == 0) return 0;
  const T shifted = pos < kBits ? static_cast<T>(a >> pos)
                                : static_cast<T>(std::is_signed_v<T> && a < 0 ? -1 : 0);
  if (len >= kBits) return shifted;
  if constexpr (std::is_signed_v<T>) {
    return static_cast<T>(static_cast<T>(U(shifted) << (kBits - len)) >> (kBits - len));
  }
  return static_cast<T>(shifted & ((U{1} << len) - 1));
}

// Bit field insert: the low `length` bits of a into b at `position`.
template <class U>
LOCKSTEP_NUM U bfi(U a, U b, uint32_t position, uint32_t length) {
  constexpr uint32_t kBits = 8 * sizeof(U);
  const uint32_t pos = field_operand<U>(position), len = field_operand<U>(length);
  if (pos >= kBits || len == 0) return b;
  const U field = len >= kBits ? ~U{0} : static_cast<U>((U{1} << len) - 1);
  const U mask = static_cast<U>(field << pos);
  return (b & ~mask) | (static_cast<U>(a << pos) & mask);
}

// bmsk: `width` ones from `start` upwards. Wrap: both operands modulo 32; else clamped at 32.
template <bool Wrap>
LOCKSTEP_NUM uint32_t bmsk(uint32_t start, uint32_t width) {
  const uint64_t from = Wrap ? start & 31 : (start < 32 ? start : 32);
  const uint64_t count = Wrap ? width & 31 : (width < 32 ? width : 32);
  return static_cast<uint32_t>(((uint64_t{1} << count) - 1) << from);
}

// szext: the low `width` bits, sign- (Signed) or zero-extended. Wrap: width modulo 32.
template <bool Signed, bool Wrap>
LOCKSTEP_NUM uint32_t szext(uint32_t a, uint32_t width) {
  const uint32_t bits = Wrap ? width & 31 : (width < 32 ? width : 32);
  if (bits == 0) return 0;
  const uint32_t shift = 32 - bits;
  if constexpr (Signed) return static_cast<uint32_t>(static_cast<int32_t>(a << shift) >> shift);
  return (a << shift) >> shift;
}

// prmt without a mode: each selector nibble picks a byte of {b, a}; its top bit replicates the
// byte's sign instead.
LOCKSTEP_NUM uint32_t prmt(uint32_t a, uint32_t b, uint32_t selector) {
  const uint64_t bytes = uint64_t{b} << 32 | a;
  uint32_t result = 0;
  for (int i = 0; i < 4; ++i) {
    const uint32_t nibble = (selector >> (4 * i)) & 0xf;
    const uint32_t byte = static_cast<uint32_t>(bytes >> (8 * (nibble & 7))) & 0xff;
    const uint32_t sign = (byte & 0x80) != 0 ? 0xff : 0;
    result |= ((nibble & 8) != 0 ? sign : byte) << (8 * i);
  }
  return result;
}

enum class PrmtMode : uint8_t { kF4e, kB4e, kRc8, kEcl, kEcr, kRc16 };

// The selector that the plain form would take for a mode and the low two bits of c.
constexpr uint32_t prmt_selector(PrmtMode mode, uint32_t c) {
  constexpr uint32_t kTable[6][4] = {
      {0x3210, 0x4321, 0x5432, 0x6543},  // f4e: forward four bytes
      {0x5670, 0x6701, 0x7012, 0x0123},  // b4e: backward four bytes
      {0x0000, 0x1111, 0x2222, 0x3333},  // rc8: replicate a byte
      {0x3210, 0x3211, 0x3222, 0x3333},  // ecl: edge clamp left
      {0x0000, 0x1110, 0x2210, 0x3210},  // ecr: edge clamp right
      {0x1010, 0x3232, 0x1010, 0x3232},  // rc16: replicate a halfword
  };
  return kTable[static_cast<int>(mode)][c & 3];
}

// Byte by byte |a - b|, the bytes being T; Sum: their sum and c.
template <class T, bool Sum>
LOCKSTEP_NUM uint32_t absolute_differences(uint32_t a, uint32_t b, uint32_t c) {
  uint32_t out = Sum ? c : 0;
  for (int k = 0; k < 32; k += 8) {
    const int x = static_cast<T>(a >> k), y = static_cast<T>(b >> k);
    out += static_cast<uint32_t>(x > y ? x - y : y - x) << (Sum ? 0 : k);
  }
  return out;
}

// Any function of three bits, by its 8-entry truth table.
LOCKSTEP_NUM uint32_t lop3(uint32_t a, uint32_t b, uint32_t c, uint32_t table) {
  uint32_t result = 0;
  for (uint32_t i = 0; i < 8; ++i) {
    const uint32_t term =
        ((i & 4) != 0 ? a : ~a) & ((i & 2) != 0 ? b : ~b) & ((i & 1) != 0 ? c : ~c);
    result |= ((table >> i) & 1) != 0 ? term : 0;
  }
  return result;
}

// Funnel shifts of {b, a}: shf.l gives the high word of the pair shifted left, shf.r the low word
// of the pair shifted right. Wrap: count modulo 32; else clamped at 32.
template <bool Wrap>
LOCKSTEP_NUM uint32_t shf_l(uint32_t a, uint32_t b, uint32_t count) {
  const uint32_t n = Wrap ? count & 31 : (count < 32 ? count : 32);
  return static_cast<uint32_t>((uint64_t{b} << 32 | a) >> (32 - n));
}
template <bool Wrap>
LOCKSTEP_NUM uint32_t shf_r(uint32_t a, uint32_t b, uint32_t count) {
  const uint32_t n = Wrap ? count & 31 : (count < 32 ? count : 32);
  return static_cast<uint32_t>((uint64_t{b} << 32 | a) >> n);
}

}  // namespace lockstep::emulator::num
