// SPDX-License-Identifier: Apache-2.0
// The approximate operations of PTX: rcp, sqrt, rsqrt, sin, cos, lg2, ex2, tanh, div.approx,
// div.full. What ptxas makes of each is done here: the multi-function unit, which knows no
// subnormal numbers, and products before and behind it where there may be some.
#pragma once

#include "emulator/numerics/float32.h"
#include "emulator/numerics/half.h"
#include "emulator/numerics/multifunction.h"

namespace lockstep::emulator::num {

inline constexpr uint32_t k2To24 = 0x4b800000u, k2To12 = 0x45800000u, k2ToMinus12 = 0x39800000u,
                          kQuarter = 0x3e800000u, kHalf = 0x3f000000u, kMinus24 = 0xc1c00000u;

// Of the size: below 2^-126; above 2^126. Both false of NaN.
LOCKSTEP_NUM bool is_tiny32(uint32_t a) { return (a & ~kSign32) < 0x00800000u; }
LOCKSTEP_NUM bool is_huge32(uint32_t a) {
  return (a & ~kSign32) > 0x7e800000u && (a & ~kSign32) <= kInfinity32;
}

template <bool Ftz = false>
LOCKSTEP_NUM uint32_t rcp_approx(uint32_t a) {
  if (Ftz) return mufu_rcp(a);
  const uint32_t scale = is_huge32(a) ? kQuarter : is_tiny32(a) ? k2To24 : kOne32;
  return mul_f32<>(scale, mufu_rcp(mul_f32<>(a, scale)));
}
template <bool Ftz = false>
LOCKSTEP_NUM uint32_t sqrt_approx(uint32_t a) {
  if (Ftz || !is_tiny32(a)) return mufu_sqrt(a);
  return mul_f32<>(mufu_sqrt(mul_f32<>(a, k2To24)), k2ToMinus12);
}
template <bool Ftz = false>
LOCKSTEP_NUM uint32_t rsqrt_approx(uint32_t a) {
  if (Ftz || !is_tiny32(a)) return mufu_rsq(a);
  return mul_f32<>(mufu_rsq(mul_f32<>(a, k2To24)), k2To12);
}

template <bool Ftz, bool Full>
LOCKSTEP_NUM uint32_t div_by_reciprocal(uint32_t a, uint32_t b) {
  const uint32_t scale = Full && is_huge32(b) ? kQuarter : !Ftz && is_tiny32(b) ? k2To24 : kOne32;
  if (scale != kOne32) {
    a = mul_f32<Round::kNearest, Ftz>(a, scale);
    b = mul_f32<Round::kNearest, Ftz>(b, scale);
  }
  return mul_f32<Round::kNearest, Ftz>(a, mufu_rcp(b));
}
template <bool Ftz = false>
LOCKSTEP_NUM uint32_t div_approx(uint32_t a, uint32_t b) {
  return div_by_reciprocal<Ftz, false>(a, b);
}
template <bool Ftz = false>
LOCKSTEP_NUM uint32_t div_full(uint32_t a, uint32_t b) {
  return div_by_reciprocal<Ftz, true>(a, b);
}

template <bool Ftz = false>
LOCKSTEP_NUM uint32_t ex2_approx(uint32_t a) {
  if (Ftz || !(as_f32(a) < -126.0f)) return mufu_ex2(a);
  const uint32_t root = mufu_ex2(mul_f32<>(a, kHalf));
  return mul_f32<>(root, root);
}
template <bool Ftz = false>
LOCKSTEP_NUM uint32_t lg2_approx(uint32_t a) {
  if (Ftz || !is_tiny32(a)) return mufu_lg2(a);
  return add_f32<>(mufu_lg2(mul_f32<>(a, k2To24)), kMinus24);
}

// The card turns radians into turns by one f32 product first, rounded towards zero.
template <bool Ftz>
LOCKSTEP_NUM uint32_t turns_of(uint32_t radians) {
  constexpr uint32_t kPerTurn = 0x3e22f983u;  // 1 / (2 pi)
  return mul_f32<Round::kZero, Ftz>(radians, kPerTurn);
}
template <bool Ftz = false>
LOCKSTEP_NUM uint32_t sin_approx(uint32_t a) {
  return mufu_sin(turns_of<Ftz>(a));
}
template <bool Ftz = false>
LOCKSTEP_NUM uint32_t cos_approx(uint32_t a) {
  return mufu_cos(turns_of<Ftz>(a));
}

LOCKSTEP_NUM uint32_t tanh_approx(uint32_t a) { return mufu_tanh(a); }

// Halves are computed as floats and cut; what is too large is infinite.
template <class Format>
LOCKSTEP_NUM uint16_t cut_half(uint32_t a) {
  if constexpr (Format::kExponent == 8) return static_cast<uint16_t>(a >> 16);
  const bool large = (a & ~kSign32) >= 0x47800000u && !is_nan32(a);  // 2^16
  return large ? static_cast<uint16_t>((a & kSign32) >> 16 | Format::kInfinity)
               : narrow_half<Format, Round::kZero>(double{as_f32(a)});
}
template <class Format>
LOCKSTEP_NUM uint16_t tanh_half(uint16_t a) {
  return cut_half<Format>(mufu_tanh(widen_half<Format>(a)));
}
// ex2.approx.f16 and ex2.approx.ftz.bf16.
template <class Format, bool Ftz = false>
LOCKSTEP_NUM uint16_t ex2_half(uint16_t a) {
  return flush_half<Format, Ftz>(
      cut_half<Format>(mufu_ex2(widen_half<Format>(flush_half<Format, Ftz>(a)))));
}

// rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64: only the upper 32 bits of operand and result count.
LOCKSTEP_NUM uint64_t rcp_approx_f64(uint64_t a) {
  return uint64_t{mufu_rcp64h(static_cast<uint32_t>(a >> 32))} << 32;
}
LOCKSTEP_NUM uint64_t rsqrt_approx_f64(uint64_t a) {
  return uint64_t{mufu_rsq64h(static_cast<uint32_t>(a >> 32))} << 32;
}

}  // namespace lockstep::emulator::num
