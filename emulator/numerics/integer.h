// SPDX-License-Identifier: Apache-2.0
// Integer arithmetic of PTX: mul and mad (lo, hi, wide, 24 bits), sad, carry chains, division with
// the card's answer to a zero divisor, saturating add, abs, min, max, shifts, dp4a and dp2a.
// T is the operand type: int16_t, uint16_t, int32_t, uint32_t, int64_t, uint64_t. Plain add, sub,
// and, or, xor, not, neg are C++ on unsigned types and are not repeated here.
#pragma once

#include <type_traits>

#include "emulator/numerics/bits.h"

namespace lockstep::emulator::num {

template <class T>
using Unsigned = std::make_unsigned_t<T>;

// The type twice as wide, of the same sign.
template <class T>
struct WideOf;
template <>
struct WideOf<int16_t> {
  using type = int32_t;
};
template <>
struct WideOf<uint16_t> {
  using type = uint32_t;
};
template <>
struct WideOf<int32_t> {
  using type = int64_t;
};
template <>
struct WideOf<uint32_t> {
  using type = uint64_t;
};
template <>
struct WideOf<int64_t> {
  using type = __int128;
};
template <>
struct WideOf<uint64_t> {
  using type = unsigned __int128;
};
template <class T>
using Wide = typename WideOf<T>::type;

template <class T>
LOCKSTEP_NUM Wide<T> mul_wide(T a, T b) {
  return static_cast<Wide<T>>(static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b));
}
template <class T>
LOCKSTEP_NUM T mul_lo(T a, T b) {
  return static_cast<T>(uint64_t(a) * uint64_t(b));
}
template <class T>
LOCKSTEP_NUM T mul_hi(T a, T b) {
  if constexpr (std::is_same_v<T, int16_t>) {
    // The product without signs, less what they add: where lanes are masked, GCC 12 multiplies the
    // signed ones as if one of them had no sign.
    const auto x = static_cast<uint16_t>(a), y = static_cast<uint16_t>(b);
    const uint32_t high = uint32_t{x} * y >> 16;
    return static_cast<T>(high - (a < 0 ? y : 0u) - (b < 0 ? x : 0u));
  }
  return static_cast<T>(mul_wide(a, b) >> (8 * sizeof(T)));
}
template <class T>
LOCKSTEP_NUM T wrap_add(T a, T b) {
  return static_cast<T>(uint64_t(a) + uint64_t(b));
}
template <class T>
LOCKSTEP_NUM T mad_lo(T a, T b, T c) {
  return wrap_add(mul_lo(a, b), c);
}
template <class T>
LOCKSTEP_NUM T mad_hi(T a, T b, T c) {
  return wrap_add(mul_hi(a, b), c);
}
template <class T>
LOCKSTEP_NUM Wide<T> mad_wide(T a, T b, Wide<T> c) {
  return wrap_add(mul_wide(a, b), c);
}

// add.sat.s32, sub.sat.s32, mad.hi.sat.s32: clamped to the range of s32.
LOCKSTEP_NUM int32_t clamp_s32(int64_t value) {
  value = value > INT32_MAX ? INT32_MAX : value;
  return static_cast<int32_t>(value < INT32_MIN ? INT32_MIN : value);
}
LOCKSTEP_NUM int32_t add_sat(int32_t a, int32_t b) { return clamp_s32(int64_t{a} + b); }
LOCKSTEP_NUM int32_t sub_sat(int32_t a, int32_t b) { return clamp_s32(int64_t{a} - b); }
LOCKSTEP_NUM int32_t mad_hi_sat(int32_t a, int32_t b, int32_t c) {
  return clamp_s32(int64_t{mul_hi(a, b)} + c);
}

// mul24 and mad24: the low 24 bits of each operand (sign-extended when T is signed); .lo gives the
// low 32 of the 48 product bits, .hi the high 32.
template <class T>
LOCKSTEP_NUM int64_t product24(T a, T b) {
  if constexpr (std::is_signed_v<T>) {
    return int64_t{static_cast<int32_t>(uint32_t(a) << 8) >> 8} *
           int64_t{static_cast<int32_t>(uint32_t(b) << 8) >> 8};
  } else {
    return int64_t{a & 0xffffff} * int64_t{b & 0xffffff};
  }
}
template <class T>
LOCKSTEP_NUM T mul24_lo(T a, T b) {
  return static_cast<T>(product24(a, b));
}
template <class T>
LOCKSTEP_NUM T mul24_hi(T a, T b) {
  return static_cast<T>(product24(a, b) >> 16);
}
LOCKSTEP_NUM int32_t mad24_hi_sat(int32_t a, int32_t b, int32_t c) {
  return clamp_s32(int64_t{mul24_hi(a, b)} + c);
}

// |a - b| + c.
template <class T>
LOCKSTEP_NUM T sad(T a, T b, T c) {
  const uint64_t difference = a < b ? uint64_t(b) - uint64_t(a) : uint64_t(a) - uint64_t(b);
  return static_cast<T>(difference + uint64_t(c));
}

// A result and the carry flag that it leaves: the carry out of the adder, also of a subtraction,
// which adds the complement (so a borrow leaves 0).
template <class U>
struct WithCarry {
  U value;
  bool carry;
};

// add.cc (carry_in false), addc.cc; U is uint32_t or uint64_t.
template <class U>
LOCKSTEP_NUM WithCarry<U> add_carry(U a, U b, bool carry_in) {
  const U partial = a + b;
  const U sum = partial + U{carry_in};
  return {sum, partial < a || sum < partial};
}

// sub.cc (carry_in true), subc.cc.
template <class U>
LOCKSTEP_NUM WithCarry<U> sub_carry(U a, U b, bool carry_in) {
  return add_carry<U>(a, U(~b), carry_in);
}

// mad.lo.cc, madc.lo, mad.hi.cc, madc.hi: the half product of type T plus c plus carry.
template <class T>
LOCKSTEP_NUM WithCarry<Unsigned<T>> mad_lo_carry(T a, T b, T c, bool carry_in) {
  return add_carry<Unsigned<T>>(Unsigned<T>(mul_lo(a, b)), Unsigned<T>(c), carry_in);
}
template <class T>
LOCKSTEP_NUM WithCarry<Unsigned<T>> mad_hi_carry(T a, T b, T c, bool carry_in) {
  return add_carry<Unsigned<T>>(Unsigned<T>(mul_hi(a, b)), Unsigned<T>(c), carry_in);
}

// Division and remainder. A zero divisor gives all ones for both, the smallest integer over -1
// gives itself, with remainder 0.
template <class T>
LOCKSTEP_NUM T div_int(T a, T b) {
  if (b == 0) return static_cast<T>(~uint64_t{0});
  if (std::is_signed_v<T> && b == static_cast<T>(-1)) return static_cast<T>(0 - uint64_t(a));
  return static_cast<T>(a / b);
}
template <class T>
LOCKSTEP_NUM T rem_int(T a, T b) {
  if (b == 0) return static_cast<T>(~uint64_t{0});
  if (std::is_signed_v<T> && b == static_cast<T>(-1)) return 0;
  return static_cast<T>(a % b);
}

// abs of the smallest integer is itself.
template <class T>
LOCKSTEP_NUM T abs_int(T a) {
  return a < 0 ? static_cast<T>(0 - uint64_t(a)) : a;
}
template <class T>
LOCKSTEP_NUM T min_int(T a, T b) {
  return a < b ? a : b;
}
template <class T>
LOCKSTEP_NUM T max_int(T a, T b) {
  return a < b ? b : a;
}
// min.relu and max.relu of s32.
LOCKSTEP_NUM int32_t min_relu(int32_t a, int32_t b) { return max_int(min_int(a, b), 0); }
LOCKSTEP_NUM int32_t max_relu(int32_t a, int32_t b) { return max_int(max_int(a, b), 0); }

// A scalar operation of type T (int16_t or uint16_t) on both halves: add, min, max .u16x2 .s16x2.
template <class T, class Operation>
LOCKSTEP_NUM uint32_t pair16(Operation operation, uint32_t a, uint32_t b) {
  const auto low = static_cast<uint16_t>(operation(static_cast<T>(a), static_cast<T>(b)));
  const auto high =
      static_cast<uint16_t>(operation(static_cast<T>(a >> 16), static_cast<T>(b >> 16)));
  return uint32_t{high} << 16 | low;
}
LOCKSTEP_NUM int16_t min_relu16(int16_t a, int16_t b) { return max_int(min_int(a, b), int16_t{0}); }
LOCKSTEP_NUM int16_t max_relu16(int16_t a, int16_t b) { return max_int(max_int(a, b), int16_t{0}); }

// shl and shr: counts above the width act as the width.
template <class T>
LOCKSTEP_NUM T shl(T a, uint32_t count) {
  constexpr uint32_t kBits = 8 * sizeof(T);
  return count >= kBits ? T{0} : static_cast<T>(Unsigned<T>(a) << (count & (kBits - 1)));
}
template <class T>
LOCKSTEP_NUM T shr(T a, uint32_t count) {
  constexpr uint32_t kBits = 8 * sizeof(T);
  if constexpr (std::is_signed_v<T>) {
    return static_cast<T>(a >> (count < kBits ? count : kBits - 1));
  }
  return count >= kBits ? T{0} : static_cast<T>(a >> (count & (kBits - 1)));
}

// Byte or halfword `index` of a register, sign-extended when Signed.
template <bool Signed, int Bits>
LOCKSTEP_NUM int32_t element(uint32_t word, int index) {
  const uint32_t at_top = word << (32 - Bits * (index + 1));
  if constexpr (Signed) return static_cast<int32_t>(at_top) >> (32 - Bits);
  return static_cast<int32_t>(at_top >> (32 - Bits));
}

// Four byte products added to c. ASigned, BSigned: .s32 or .u32 of each operand.
template <bool ASigned, bool BSigned>
LOCKSTEP_NUM uint32_t dp4a(uint32_t a, uint32_t b, uint32_t c) {
  for (int i = 0; i < 4; ++i) {
    c += uint32_t(element<ASigned, 8>(a, i) * element<BSigned, 8>(b, i));
  }
  return c;
}

// The two halfwords of a times the low (or high) two bytes of b, added to c.
template <bool ASigned, bool BSigned, bool High>
LOCKSTEP_NUM uint32_t dp2a(uint32_t a, uint32_t b, uint32_t c) {
  for (int i = 0; i < 2; ++i) {
    c += uint32_t(element<ASigned, 16>(a, i) * element<BSigned, 8>(b, i + (High ? 2 : 0)));
  }
  return c;
}

}  // namespace lockstep::emulator::num
