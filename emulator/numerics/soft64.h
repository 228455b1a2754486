// SPDX-License-Identifier: Apache-2.0
// Exact numbers of up to 128 bits and their one rounding to f64 (or a shorter float), in any mode:
// the slow and plain road behind the directed modes of f64 and conversions of 64-bit integers.
#pragma once

#include "emulator/numerics/bits.h"

namespace lockstep::emulator::num {

using Int128 = __int128;
using Uint128 = unsigned __int128;

// (-1)^negative * magnitude * 2^exponent; the lowest bit is sticky: it may stand for any
// non-zero rest below it, provided the magnitude has more bits than the target format plus two.
struct SoftValue {
  bool negative = false;
  int exponent = 0;
  Uint128 magnitude = 0;
};

LOCKSTEP_NUM bool is_finite64(uint64_t a) { return (a << 1) < 0xffe0000000000000ull; }

// Position of the highest set bit; value must not be zero.
LOCKSTEP_NUM int top_bit(Uint128 value) {
  const uint64_t high = static_cast<uint64_t>(value >> 64);
  return high != 0 ? 127 - std::countl_zero(high)
                   : 63 - std::countl_zero(static_cast<uint64_t>(value));
}

// value / 2^count, every lost bit kept in the lowest ("jammed").
LOCKSTEP_NUM Uint128 shift_right_jam(Uint128 value, int count) {
  if (count <= 0) return value;
  if (count > 127) return value != 0 ? 1 : 0;
  const Uint128 kept = value >> count;
  return kept | ((kept << count) != value ? 1 : 0);
}

inline SoftValue soft_value(uint64_t bits) {
  const int field = static_cast<int>((bits >> 52) & 0x7ff);
  const uint64_t fraction = bits & 0xfffffffffffffull;
  if (field == 0) return {bits >> 63 != 0, -1074, fraction};
  return {bits >> 63 != 0, field - 1075, fraction | (uint64_t{1} << 52)};
}

inline SoftValue soft_product(uint64_t a, uint64_t b) {
  const SoftValue x = soft_value(a), y = soft_value(b);
  return {x.negative != y.negative, x.exponent + y.exponent, x.magnitude * y.magnitude};
}

// Whether a magnitude with `rest` of `unit` left over is rounded up.
template <Round R>
LOCKSTEP_NUM bool rounds_up(bool negative, bool odd, Uint128 rest, Uint128 unit) {
  if constexpr (R == Round::kZero) return false;
  if constexpr (R == Round::kDown) return negative && rest != 0;
  if constexpr (R == Round::kUp) return !negative && rest != 0;
  const Uint128 half = unit >> 1;
  return rest > half || (rest == half && odd);
}

// Rounds to a binary format with `Fraction` stored fraction bits and `Exponent` exponent bits, and
// gives its bits. Overflow gives infinity, or the largest number where R rounds towards zero.
template <Round R, int Fraction, int Exponent>
inline uint64_t soft_round(SoftValue value) {
  constexpr int kBias = (1 << (Exponent - 1)) - 1;
  const uint64_t sign = uint64_t{value.negative} << (Fraction + Exponent);
  if (value.magnitude == 0) return sign;
  const int top = top_bit(value.magnitude) + value.exponent;  // of the number
  const int lowest = (top < 1 - kBias ? 1 - kBias : top) - Fraction;
  const int drop = lowest - value.exponent;
  uint64_t kept;
  if (drop <= 0) {
    kept = static_cast<uint64_t>(value.magnitude << -drop);
  } else if (drop > 127) {  // below half of the smallest number: only its being there counts
    kept = rounds_up<R>(value.negative, false, 1, 4) ? 1 : 0;
  } else {
    const Uint128 unit = Uint128{1} << drop;
    kept = static_cast<uint64_t>(value.magnitude >> drop);
    kept += rounds_up<R>(value.negative, (kept & 1) != 0, value.magnitude & (unit - 1), unit);
  }
  // A carry out of the fraction walks into the exponent by itself.
  const int steps = lowest + Fraction + kBias - 1;
  constexpr uint64_t kInfinity = ((uint64_t{1} << Exponent) - 1) << Fraction;
  constexpr bool kMayStay = R != Round::kNearest;
  const uint64_t bits = (static_cast<uint64_t>(steps) << Fraction) + kept;
  if (steps >= (1 << Exponent) - 2 || bits >= kInfinity) {
    const bool to_infinity =
        !kMayStay || (R == Round::kDown && value.negative) || (R == Round::kUp && !value.negative);
    return sign | (to_infinity ? kInfinity : kInfinity - 1);
  }
  return sign | bits;
}

template <Round R>
inline uint64_t soft_round64(SoftValue value) {
  return soft_round<R, 52, 11>(value);
}

// a + b. Each magnitude has at most 106 bits (a product of f64s, or less).
template <Round R>
inline uint64_t soft_add64(SoftValue a, SoftValue b) {
  if (a.magnitude == 0 && b.magnitude == 0) {
    const bool unlike = a.negative != b.negative;
    return uint64_t{unlike ? R == Round::kDown : a.negative} << 63;
  }
  if (a.magnitude == 0) return soft_round64<R>(b);
  if (b.magnitude == 0) return soft_round64<R>(a);
  // The one with the higher top bit goes to bit 125; the other follows, jammed.
  const int top_a = top_bit(a.magnitude) + a.exponent, top_b = top_bit(b.magnitude) + b.exponent;
  SoftValue& large = top_a >= top_b ? a : b;
  SoftValue& small = top_a >= top_b ? b : a;
  const int raise = 125 - top_bit(large.magnitude);
  large.magnitude <<= raise;
  large.exponent -= raise;
  const int shift = large.exponent - small.exponent;
  small.magnitude =
      shift >= 0 ? shift_right_jam(small.magnitude, shift) : small.magnitude << -shift;
  SoftValue sum = large;
  if (large.negative == small.negative) {
    sum.magnitude += small.magnitude;
  } else if (large.magnitude >= small.magnitude) {
    sum.magnitude -= small.magnitude;
  } else {
    sum.magnitude = small.magnitude - large.magnitude;
    sum.negative = small.negative;
  }
  if (sum.magnitude == 0) return uint64_t{R == Round::kDown} << 63;
  return soft_round64<R>(sum);
}

// a / b, both finite and b not zero.
template <Round R>
inline uint64_t soft_div64(uint64_t a, uint64_t b) {
  SoftValue x = soft_value(a), y = soft_value(b);
  const bool negative = x.negative != y.negative;
  if (x.magnitude == 0) return uint64_t{negative} << 63;
  const int raise = 126 - top_bit(x.magnitude), level = 52 - top_bit(y.magnitude);
  x.magnitude <<= raise;
  y.magnitude <<= level;
  const Uint128 quotient = x.magnitude / y.magnitude;
  const bool rest = x.magnitude % y.magnitude != 0;
  return soft_round64<R>(
      {negative, x.exponent - raise - y.exponent + level, quotient | (rest ? 1 : 0)});
}

// The root of a positive finite number: the nearest root, moved by the sign of its square's error.
template <Round R>
inline uint64_t soft_sqrt64(uint64_t a) {
  const uint64_t nearest = bits_of(__builtin_sqrt(as_f64(a)));
  const SoftValue square = soft_product(nearest, nearest);
  SoftValue exact = soft_value(a);
  const int raise = exact.exponent - square.exponent;  // the root's unit is the smaller one
  const Uint128 target = raise >= 0 ? exact.magnitude << raise : exact.magnitude >> -raise;
  if (square.magnitude > target && R != Round::kUp) return nearest - 1;
  if (square.magnitude < target && R == Round::kUp) return nearest + 1;
  return nearest;
}

}  // namespace lockstep::emulator::num
