// SPDX-License-Identifier: Apache-2.0
// add, sub, mul, fma, div, rcp, sqrt of f32 in the four rounding modes, with .ftz and .sat;
// abs and neg. Bit-equal to the card. Nearest without .ftz costs one host instruction and a NaN
// select; the directed modes go through an exact double and never touch the host's rounding mode.
#pragma once

#include "emulator/numerics/exact.h"

namespace lockstep::emulator::num {

template <Round R = Round::kNearest, bool Ftz = false, bool Sat = false>
LOCKSTEP_NUM uint32_t add_f32(uint32_t a, uint32_t b) {
  a = flush_if<Ftz>(a);
  b = flush_if<Ftz>(b);
  if constexpr (R == Round::kNearest) {
    return finish32<Ftz, Sat>(as_f32(a) + as_f32(b));
  }
  const double x = as_f32(a), y = as_f32(b);
  return round32<R, Ftz, Sat>(zero_sum<R>(add_odd(x, y), x, y));
}

template <Round R = Round::kNearest, bool Ftz = false, bool Sat = false>
LOCKSTEP_NUM uint32_t sub_f32(uint32_t a, uint32_t b) {
  return add_f32<R, Ftz, Sat>(a, b ^ 0x80000000u);
}

template <Round R = Round::kNearest, bool Ftz = false, bool Sat = false>
LOCKSTEP_NUM uint32_t mul_f32(uint32_t a, uint32_t b) {
  const float x = as_f32(flush_if<Ftz>(a)), y = as_f32(flush_if<Ftz>(b));
  if constexpr (R == Round::kNearest && !Ftz) return finish32<Ftz, Sat>(x * y);
  return round32<R, Ftz, Sat>(double{x} * double{y});  // 48 bits: exact
}

// a * b + c with one rounding.
template <Round R = Round::kNearest, bool Ftz = false, bool Sat = false, bool Fma = kHasFma>
LOCKSTEP_NUM uint32_t fma_f32(uint32_t a, uint32_t b, uint32_t c) {
  const float x = as_f32(flush_if<Ftz>(a)), y = as_f32(flush_if<Ftz>(b));
  const float z = as_f32(flush_if<Ftz>(c));
  if constexpr (R == Round::kNearest && Fma && !Ftz) {
    return finish32<Ftz, Sat>(__builtin_fmaf(x, y, z));
  }
  const double product = double{x} * double{y};
  return round32<R, Ftz, Sat>(zero_sum<R>(add_odd(product, double{z}), product, double{z}));
}

// Division. The rounded quotient times the divisor is exact in double: its side of `a` says which
// way the quotient was rounded.
template <Round R = Round::kNearest, bool Ftz = false, bool Sat = false>
LOCKSTEP_NUM uint32_t div_f32(uint32_t a, uint32_t b) {
  const float x = as_f32(flush_if<Ftz>(a)), y = as_f32(flush_if<Ftz>(b));
  float quotient = x / y;
  bool flushed = false;
  if constexpr (Ftz) {  // no quotient below 2^-126 rounds to it with 24 bits
    const double limit = __builtin_fabs(double{y}) * 0x1p-126;
    flushed = (__builtin_fabs(double{x}) < limit) & (limit < 0x1p3);  // not x / infinity
    quotient = flushed ? __builtin_copysignf(0.0f, quotient) : quotient;
  }
  if constexpr (R == Round::kNearest) return finish32<Ftz, Sat>(quotient);
  const bool exact = !flushed && (bits_of(x) & 0x7f800000u) != 0x7f800000u &&
                     (bits_of(y) & 0x7f800000u) != 0x7f800000u && y != 0.0f;
  const double product = double{quotient} * double{y};
  const bool over = y > 0.0f ? product > double{x} : product < double{x};
  const bool under = y > 0.0f ? product < double{x} : product > double{x};
  const uint32_t bits = direct32<R>(bits_of(quotient), exact && over, exact && under);
  return finish32<Ftz, Sat>(as_f32(bits));
}

template <Round R = Round::kNearest, bool Ftz = false>
LOCKSTEP_NUM uint32_t rcp_f32(uint32_t a) {
  return div_f32<R, Ftz, false>(0x3f800000u, a);
}

template <Round R = Round::kNearest, bool Ftz = false>
LOCKSTEP_NUM uint32_t sqrt_f32(uint32_t a) {
  const float x = as_f32(flush_if<Ftz>(a));
  const float root = __builtin_sqrtf(x);
  if constexpr (R == Round::kNearest) return finish32<Ftz, false>(root);
  const double square = double{root} * double{root};
  const bool over = square > double{x}, under = square < double{x};
  return finish32<Ftz, false>(as_f32(direct32<R>(bits_of(root), over, under)));
}

// abs and neg are arithmetic to the card: a NaN becomes the canonical one.
template <bool Ftz = false>
LOCKSTEP_NUM uint32_t abs_f32(uint32_t a) {
  return is_nan32(a) ? kNan32 : flush_if<Ftz>(a) & 0x7fffffffu;
}
template <bool Ftz = false>
LOCKSTEP_NUM uint32_t neg_f32(uint32_t a) {
  return is_nan32(a) ? kNan32 : flush_if<Ftz>(a) ^ 0x80000000u;
}

}  // namespace lockstep::emulator::num
