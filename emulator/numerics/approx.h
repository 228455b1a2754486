// SPDX-License-Identifier: Apache-2.0
// The approximate operations: rcp, sqrt, rsqrt, sin, cos, lg2, ex2, tanh, div.approx, div.full.
// Special values are the card's; other results are the true value rounded to f32 (computed in
// double), so they lie within the documented error, but need not have the card's last bits.
// The polynomials are plain arithmetic, so that loops over lanes vectorise.
#pragma once

#include "emulator/numerics/float32.h"
#include "emulator/numerics/float64.h"
#include "emulator/numerics/half.h"

namespace lockstep::emulator::num {

template <bool Ftz = false>
LOCKSTEP_NUM uint32_t rcp_approx(uint32_t a) {
  return rcp_f32<Round::kNearest, Ftz>(a);
}
template <bool Ftz = false>
LOCKSTEP_NUM uint32_t sqrt_approx(uint32_t a) {
  return sqrt_f32<Round::kNearest, Ftz>(a);
}
template <bool Ftz = false>
LOCKSTEP_NUM uint32_t rsqrt_approx(uint32_t a) {
  const double value = as_f32(flush_if<Ftz>(a));
  const double root = value == 0.0 ? value : __builtin_sqrt(value);  // keeps -0: gives -infinity
  return finish32<Ftz, false>(static_cast<float>(1.0 / root));
}

// The product with the reciprocal, which is rounded, as in machine code: a kernel cannot tell which
// of the two is executed. Subnormal divisors are scaled before; large ones, too, by div.full, whereas
// div.approx gives 0 for those above 2^126.
template <bool Ftz, bool Full>
LOCKSTEP_NUM uint32_t div_by_reciprocal(uint32_t a, uint32_t b) {
  const float x = as_f32(flush_if<Ftz>(a)), y = as_f32(flush_if<Ftz>(b));
  const bool small = y < 0x1p-126f && y > -0x1p-126f, large = y > 0x1p126f || y < -0x1p126f;
  const double scale = small && !Ftz ? 0x1p24 : large && Full ? 0x1p-2 : 1.0;
  const double reciprocal = double{static_cast<float>(1.0 / (double{y} * scale))};
  const bool vanishes = reciprocal < 0x1p-126 && reciprocal > -0x1p-126;
  const double factor = vanishes ? __builtin_copysign(0.0, reciprocal) : reciprocal;
  return round32<Round::kNearest, Ftz, false>(double{x} * scale * factor);
}
template <bool Ftz = false>
LOCKSTEP_NUM uint32_t div_approx(uint32_t a, uint32_t b) {
  return div_by_reciprocal<Ftz, false>(a, b);
}
template <bool Ftz = false>
LOCKSTEP_NUM uint32_t div_full(uint32_t a, uint32_t b) {
  return div_by_reciprocal<Ftz, true>(a, b);
}

// 2^x for |x| <= 1100, relative error below 1e-11.
LOCKSTEP_NUM double exp2_value(double x) {
  constexpr double kMagic = 0x1.8p52;
  const double whole = (x + kMagic) - kMagic;
  const double t = (x - whole) * 0.693147180559945309;
  double p = 1.0 / 3628800;
  p = p * t + 1.0 / 362880;
  p = p * t + 1.0 / 40320;
  p = p * t + 1.0 / 5040;
  p = p * t + 1.0 / 720;
  p = p * t + 1.0 / 120;
  p = p * t + 1.0 / 24;
  p = p * t + 1.0 / 6;
  p = p * t + 0.5;
  p = p * t + 1.0;
  p = p * t + 1.0;
  const int64_t power = static_cast<int64_t>(static_cast<int32_t>(whole)) + 1023;
  return p * as_f64(static_cast<uint64_t>(power) << 52);
}

template <bool Ftz = false>
LOCKSTEP_NUM uint32_t ex2_approx(uint32_t a) {
  const float x = as_f32(flush_if<Ftz>(a));
  const double bounded = x > 1000.0f ? 1000.0 : x < -1000.0f ? -1000.0 : double{x};
  const double value = exp2_value(x != x ? 0.0 : bounded);
  return x != x ? kNan32 : finish32<Ftz, false>(static_cast<float>(value));
}

// log2 of a positive normal double.
LOCKSTEP_NUM double log2_value(double x) {
  const uint64_t bits = bits_of(x);
  // Mantissa in [sqrt(1/2), sqrt(2)): the series in s = (m - 1) / (m + 1) converges fast.
  const uint64_t offset = bits - 0x3fe6a09e667f3bcdull;
  const int32_t exponent = static_cast<int32_t>(static_cast<int64_t>(offset) >> 52);
  const double m = as_f64(bits - (static_cast<uint64_t>(static_cast<int64_t>(exponent)) << 52));
  const double s = (m - 1.0) / (m + 1.0), z = s * s;
  double p = 1.0 / 17;
  p = p * z + 1.0 / 15;
  p = p * z + 1.0 / 13;
  p = p * z + 1.0 / 11;
  p = p * z + 1.0 / 9;
  p = p * z + 1.0 / 7;
  p = p * z + 1.0 / 5;
  p = p * z + 1.0 / 3;
  p = p * z + 1.0;
  return exponent + s * p * 2.885390081777926815;  // 2 / ln 2
}

template <bool Ftz = false>
LOCKSTEP_NUM uint32_t lg2_approx(uint32_t a) {
  const float x = as_f32(flush_if<Ftz>(a));
  const bool usual = x > 0.0f && x <= 0x1.fffffep127f;
  const float value = static_cast<float>(log2_value(usual ? double{x} : 1.0));
  const float special = x == 0.0f ? -__builtin_inff() : x > 0.0f ? x : __builtin_nanf("");
  return finish32<Ftz, false>(usual ? value : special);
}

// sin(2 pi t) for |t| <= 1/4.
LOCKSTEP_NUM double sine_of_turns(double t) {
  const double x = t * 6.283185307179586477, z = x * x;
  double p = -1.0 / 1307674368000;
  p = p * z + 1.0 / 6227020800;
  p = p * z - 1.0 / 39916800;
  p = p * z + 1.0 / 362880;
  p = p * z - 1.0 / 5040;
  p = p * z + 1.0 / 120;
  p = p * z - 1.0 / 6;
  return x + x * z * p;
}

// The card turns radians into turns by one f32 product first, rounded towards zero; for large
// arguments that rounding is most of the error, so it is done here too (24 bits of the double).
template <bool Ftz, bool Cosine>
LOCKSTEP_NUM uint32_t sin_cos(uint32_t a) {
  constexpr double kPerTurn = 0x1.45f306p-3;  // 1 / (2 pi) as f32
  const uint32_t input = flush_if<Ftz>(a);
  const double product = double{as_f32(input)} * kPerTurn;
  const double turns = as_f64(bits_of(product) & 0xffffffffe0000000ull);
  const double bounded = __builtin_fabs(turns) < 0x1p50 ? turns : 0.0;
  constexpr double kMagic = 0x1.8p52;
  const double fraction = bounded - ((bounded + kMagic) - kMagic);  // in [-1/2, 1/2]
  const double size = __builtin_fabs(fraction);
  const double folded = size > 0.25 ? 0.5 - size : size;
  const double value = sine_of_turns(Cosine ? 0.25 - size : folded);
  const auto result = static_cast<float>(Cosine ? value : __builtin_copysign(value, fraction));
  const bool special = (input & 0x7f800000u) == 0x7f800000u;
  return special ? kNan32 : finish32<Ftz, false>(result);
}
template <bool Ftz = false>
LOCKSTEP_NUM uint32_t sin_approx(uint32_t a) {
  return sin_cos<Ftz, false>(a);
}
template <bool Ftz = false>
LOCKSTEP_NUM uint32_t cos_approx(uint32_t a) {
  return sin_cos<Ftz, true>(a);
}

LOCKSTEP_NUM double tanh_value(double x) {
  const double size = x < 0 ? -x : x;
  const double decay = exp2_value(-2.885390081777926815 * (size < 20.0 ? size : 20.0));
  const double large = (1.0 - decay) / (1.0 + decay), z = size * size;
  const double small = size * (1.0 - z * (1.0 / 3 - z * (2.0 / 15)));
  return __builtin_copysign(size < 0.01 ? small : large, x);
}

LOCKSTEP_NUM uint32_t tanh_approx(uint32_t a) {
  const float x = as_f32(a);
  return x != x ? kNan32 : bits_of(static_cast<float>(tanh_value(x)));
}

template <class Format>
LOCKSTEP_NUM uint16_t tanh_half(uint16_t a) {
  const double x = half_value<Format>(a);
  return x != x ? kNan16 : narrow_half<Format>(tanh_value(x));
}
// ex2.approx.f16 and ex2.approx.ftz.bf16.
template <class Format, bool Ftz = false>
LOCKSTEP_NUM uint16_t ex2_half(uint16_t a) {
  const float x = as_f32(widen_half<Format>(flush_half<Format, Ftz>(a)));
  const double bounded = x > 300.0f ? 300.0 : x < -300.0f ? -300.0 : double{x};
  const uint16_t half = narrow_half<Format>(exp2_value(x != x ? 0.0 : bounded));
  return x != x ? kNan16 : flush_half<Format, Ftz>(half);
}

// rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64: only the upper 32 bits of operand and result count.
LOCKSTEP_NUM uint64_t flush64(uint64_t a) {
  return (a & 0x7ff0000000000000ull) == 0 ? a & 0x8000000000000000ull : a;
}
LOCKSTEP_NUM uint64_t upper_half64(double value) {
  constexpr uint64_t kNan = uint64_t{kNan32} << 32;
  return value != value ? kNan : flush64(bits_of(value)) & 0xffffffff00000000ull;
}
LOCKSTEP_NUM uint64_t rcp_approx_f64(uint64_t a) {
  a = flush64(a & 0xffffffff00000000ull);
  return upper_half64(1.0 / as_f64(a));
}
LOCKSTEP_NUM uint64_t rsqrt_approx_f64(uint64_t a) {
  a = flush64(a & 0xffffffff00000000ull);
  const double value = as_f64(a);
  return upper_half64(1.0 / (value == 0.0 ? value : __builtin_sqrt(value)));
}

}  // namespace lockstep::emulator::num
