// SPDX-License-Identifier: Apache-2.0
// Comparisons and selections: setp and set, min and max with their NaN rules, testp, copysign,
// slct. Floats of every width are compared through double, which holds all of them exactly.
#pragma once

#include <type_traits>

#include "emulator/numerics/bits.h"

namespace lockstep::emulator::num {

// Comparison operators of setp, set: the ordered ones are false when an operand is NaN, those
// with U true. kLo kLs kHi kHs are kLt kLe kGt kGe on unsigned types.
enum class Compare : uint8_t {
  kEq,
  kNe,
  kLt,
  kLe,
  kGt,
  kGe,
  kEqu,
  kNeu,
  kLtu,
  kLeu,
  kGtu,
  kGeu,
  kNum,
  kNan,
};

// T: float, double or an integer type. ne on floats is ordered: false with NaN.
template <Compare C, class T>
LOCKSTEP_NUM bool compare(T a, T b) {
  const bool unordered = std::is_floating_point_v<T> && (a != a || b != b);
  switch (C) {
    case Compare::kEq:
      return a == b;
    case Compare::kNe:
      return !unordered && a != b;
    case Compare::kLt:
      return a < b;
    case Compare::kLe:
      return a <= b;
    case Compare::kGt:
      return a > b;
    case Compare::kGe:
      return a >= b;
    case Compare::kEqu:
      return unordered || a == b;
    case Compare::kNeu:
      return a != b;
    case Compare::kLtu:
      return unordered || a < b;
    case Compare::kLeu:
      return unordered || a <= b;
    case Compare::kGtu:
      return unordered || a > b;
    case Compare::kGeu:
      return unordered || a >= b;
    case Compare::kNum:
      return !unordered;
    case Compare::kNan:
      return unordered;
  }
  return false;
}

template <Compare C, bool Ftz = false>
LOCKSTEP_NUM bool compare_f32(uint32_t a, uint32_t b) {
  return compare<C>(as_f32(flush_if<Ftz>(a)), as_f32(flush_if<Ftz>(b)));
}
template <Compare C>
LOCKSTEP_NUM bool compare_f64(uint64_t a, uint64_t b) {
  return compare<C>(as_f64(a), as_f64(b));
}

// Bits of a float of type U ordered as signed integers, -0 just below +0. NaNs excluded.
template <class U>
LOCKSTEP_NUM std::make_signed_t<U> float_order(U bits) {
  using S = std::make_signed_t<U>;
  const S value = static_cast<S>(bits);
  return static_cast<S>(value < 0 ? value ^ std::numeric_limits<S>::max() : value);
}

// min or max of one float format. PropagateNan (.NaN): any NaN gives NaN; else the other operand
// wins over a NaN. -0 is less than +0. XorSign (.xorsign.abs): of magnitudes, with the product's
// sign. `canonical` is the NaN result, `infinity` the format's positive infinity.
template <class U, bool Max, bool PropagateNan, bool XorSign>
LOCKSTEP_NUM U minmax_bits(U a, U b, U infinity, U canonical) {
  constexpr U kSign = static_cast<U>(U{1} << (8 * sizeof(U) - 1));
  const U sign = static_cast<U>((a ^ b) & kSign);
  const bool nan_a = (a & ~kSign) > infinity, nan_b = (b & ~kSign) > infinity;
  if constexpr (XorSign) {
    a = static_cast<U>(a & ~kSign);
    b = static_cast<U>(b & ~kSign);
  }
  const auto order_a = float_order(a), order_b = float_order(b);
  // No short circuits: loops over lanes are vectorised.
  const bool first = Max ? order_a >= order_b : order_a <= order_b;
  U result = (first & !nan_a) | nan_b ? a : b;
  if constexpr (XorSign) result = static_cast<U>(result | sign);
  const bool nan = PropagateNan ? nan_a | nan_b : nan_a & nan_b;
  return nan ? canonical : result;
}

template <bool Max, bool Ftz = false, bool PropagateNan = false, bool XorSign = false>
LOCKSTEP_NUM uint32_t minmax_f32(uint32_t a, uint32_t b) {
  return minmax_bits<uint32_t, Max, PropagateNan, XorSign>(flush_if<Ftz>(a), flush_if<Ftz>(b),
                                                           0x7f800000u, kNan32);
}
template <bool Ftz = false, bool PropagateNan = false, bool XorSign = false>
LOCKSTEP_NUM uint32_t min_f32(uint32_t a, uint32_t b) {
  return minmax_f32<false, Ftz, PropagateNan, XorSign>(a, b);
}
template <bool Ftz = false, bool PropagateNan = false, bool XorSign = false>
LOCKSTEP_NUM uint32_t max_f32(uint32_t a, uint32_t b) {
  return minmax_f32<true, Ftz, PropagateNan, XorSign>(a, b);
}
LOCKSTEP_NUM uint64_t min_f64(uint64_t a, uint64_t b) {
  return minmax_bits<uint64_t, false, false, false>(a, b, 0x7ff0000000000000ull, quiet64(b));
}
LOCKSTEP_NUM uint64_t max_f64(uint64_t a, uint64_t b) {
  return minmax_bits<uint64_t, true, false, false>(a, b, 0x7ff0000000000000ull, quiet64(b));
}

// testp. Zero is normal.
enum class Test : uint8_t { kFinite, kInfinite, kNumber, kNotANumber, kNormal, kSubnormal };

template <class U>
LOCKSTEP_NUM bool testp(Test test, U bits) {
  constexpr U kInfinity = sizeof(U) == 4 ? U(0x7f800000u) : U(0x7ff0000000000000ull);
  constexpr U kLeastNormal = sizeof(U) == 4 ? U(0x00800000u) : U(0x0010000000000000ull);
  const U magnitude = static_cast<U>(bits << 1) >> 1;
  switch (test) {
    case Test::kFinite:
      return magnitude < kInfinity;
    case Test::kInfinite:
      return magnitude == kInfinity;
    case Test::kNumber:
      return magnitude <= kInfinity;
    case Test::kNotANumber:
      return magnitude > kInfinity;
    case Test::kNormal:
      return magnitude < kInfinity && (magnitude == 0 || magnitude >= kLeastNormal);
    case Test::kSubnormal:
      return magnitude != 0 && magnitude < kLeastNormal;
  }
  return false;
}

// copysign d, a, b: the sign of a with the magnitude of b.
template <class U>
LOCKSTEP_NUM U copysign(U a, U b) {
  constexpr U kSign = U{1} << (8 * sizeof(U) - 1);
  return (a & kSign) | (b & ~kSign);
}

// slct with an .s32 or .f32 selector: a when c >= 0 (-0 counts, NaN does not), else b.
template <class U>
LOCKSTEP_NUM U slct_s32(U a, U b, int32_t c) {
  return c >= 0 ? a : b;
}
template <bool Ftz, class U>
LOCKSTEP_NUM U slct_f32(U a, U b, uint32_t c) {
  return as_f32(flush_if<Ftz>(c)) >= 0.0f ? a : b;
}

}  // namespace lockstep::emulator::num
