// SPDX-License-Identifier: Apache-2.0
// cvt, inline and typed: floats to integers and back, between floats, between integers, rounding
// to an integral float, packed and tf32 forms. convert_table.h finds the right one by name.
// Float to integer clamps to the destination; NaN gives 0, or the top bit alone when the source
// is f64 or the destination has 64 bits.
#pragma once

#include <type_traits>

#include "emulator/numerics/half.h"
#include "emulator/numerics/integer.h"
#include "emulator/numerics/soft64.h"

namespace lockstep::emulator::num {

inline constexpr uint64_t kTopBit64 = uint64_t{1} << 63;
LOCKSTEP_NUM float magnitude_of(float value) { return as_f32(bits_of(value) & 0x7fffffffu); }
LOCKSTEP_NUM double magnitude_of(double value) { return as_f64(bits_of(value) & ~kTopBit64); }
LOCKSTEP_NUM float with_sign_of(float size, float sign) {
  return as_f32((bits_of(size) & 0x7fffffffu) | (bits_of(sign) & 0x80000000u));
}
LOCKSTEP_NUM double with_sign_of(double size, double sign) {
  return as_f64((bits_of(size) & ~kTopBit64) | (bits_of(sign) & kTopBit64));
}

// Rounds a float or double to an integral value, keeping the sign of zero. R: .rni .rzi .rmi .rpi.
template <Round R, class F>
LOCKSTEP_NUM F round_integral(F value) {
  constexpr F kIntegral = sizeof(F) == 4 ? F(0x1p23) : F(0x1p52);  // no fraction from here on
  const F magnitude = magnitude_of(value);
  F rounded = (magnitude + kIntegral) - kIntegral;  // nearest even
  if constexpr (R == Round::kZero) {
    rounded = rounded > magnitude ? rounded - F(1) : rounded;
  } else if constexpr (R == Round::kDown || R == Round::kUp) {
    const bool outwards = (value < 0) == (R == Round::kDown);
    const F lower = rounded > magnitude ? rounded - F(1) : rounded;
    const F upper = rounded < magnitude ? rounded + F(1) : rounded;
    rounded = outwards ? upper : lower;
  }
  const F result = magnitude < kIntegral ? rounded : magnitude;  // NaN: itself
  return with_sign_of(result, value);
}

// An integral double to an integer type, clamped; `nan` for NaN.
template <class I>
LOCKSTEP_NUM I clamp_to(double value, I nan) {
  constexpr I kMax = std::numeric_limits<I>::max(), kMin = std::numeric_limits<I>::min();
  constexpr double kEnd = static_cast<double>(kMax / 2 + 1) * 2.0;  // max + 1, exactly
  if (value != value) return nan;
  if (value >= kEnd) return kMax;
  if (value <= static_cast<double>(kMin)) return kMin;
  return static_cast<I>(value);
}
template <class I>
inline constexpr I kTopBit = static_cast<I>(uint64_t{1} << (8 * sizeof(I) - 1));

// The same from f32 to 32 bits, without branches.
LOCKSTEP_NUM int32_t clamp_to_s32(float value) {
  const float number = value == value ? value : 0.0f;
  const float low = number > -0x1p31f ? number : -0x1p31f;
  const bool over = low >= 0x1p31f;
  const auto inside = static_cast<int32_t>(over ? 0.0f : low);
  return over ? std::numeric_limits<int32_t>::max() : inside;
}
LOCKSTEP_NUM uint32_t clamp_to_u32(float value) {
  const float number = value > 0.0f ? value : 0.0f;
  const bool upper = number >= 0x1p31f, over = number >= 0x1p32f;
  const float rest = upper ? number - 0x1p31f : number;
  const auto inside = static_cast<uint32_t>(static_cast<int32_t>(over ? 0.0f : rest));
  return over ? ~0u : inside + (upper ? 0x80000000u : 0u);
}

template <class I, Round R = Round::kZero, bool Ftz = false>
LOCKSTEP_NUM I int_from_f32(uint32_t a) {
  const float value = round_integral<R>(as_f32(flush_if<Ftz>(a)));
  if constexpr (std::is_same_v<I, int32_t>) return clamp_to_s32(value);
  if constexpr (std::is_same_v<I, uint32_t>) return clamp_to_u32(value);
  return clamp_to<I>(value, sizeof(I) == 8 ? kTopBit<I> : I{0});
}
template <class I, Round R = Round::kZero>
LOCKSTEP_NUM I int_from_f64(uint64_t a) {
  return clamp_to<I>(round_integral<R>(as_f64(a)), kTopBit<I>);
}
template <class Format, class I, Round R = Round::kZero>
LOCKSTEP_NUM I int_from_half(uint16_t a) {
  return int_from_f32<I, R>(widen_half<Format>(a));
}

template <class I>
LOCKSTEP_NUM SoftValue soft_integer(I value) {
  const bool negative = value < 0;
  const uint64_t magnitude =
      negative ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  return {negative, 0, magnitude};
}

template <class I, Round R = Round::kNearest, bool Sat = false>
LOCKSTEP_NUM uint32_t f32_from_int(I value) {
  uint32_t bits;
  if constexpr (R == Round::kNearest) {
    bits = bits_of(static_cast<float>(value));
  } else if constexpr (sizeof(I) < 8) {
    bits = bits_of(narrow32<R>(static_cast<double>(value)));
  } else {
    bits = static_cast<uint32_t>(soft_round<R, 23, 8>(soft_integer(value)));
  }
  return Sat ? saturate32(bits) : bits;
}
template <class I, Round R = Round::kNearest, bool Sat = false>
LOCKSTEP_NUM uint64_t f64_from_int(I value) {
  uint64_t bits;
  if constexpr (R == Round::kNearest || sizeof(I) < 8) {
    bits = bits_of(static_cast<double>(value));
  } else {
    bits = soft_round64<R>(soft_integer(value));
  }
  return Sat ? saturate64(bits) : bits;
}
template <class Format, class I, Round R = Round::kNearest, bool Sat = false>
LOCKSTEP_NUM uint16_t half_from_int(I value) {
  const uint64_t bits = soft_round<R, Format::kFraction, Format::kExponent>(soft_integer(value));
  return finish_half<Format, Sat, false>(static_cast<uint16_t>(bits));
}

// Conversions between f64 and the others keep a NaN's sign and upper payload, and make it quiet.
template <int Fraction, int Exponent>
LOCKSTEP_NUM uint32_t nan_from_f64(uint64_t a) {
  const uint64_t sign = a >> 63 << (Fraction + Exponent);
  const uint64_t quiet = ((uint64_t{2} << Exponent) - 1) << (Fraction - 1);
  return static_cast<uint32_t>(sign | quiet | (a & 0x7ffffffffffffull) >> (52 - Fraction));
}

template <Round R = Round::kNearest, bool Ftz = false, bool Sat = false>
LOCKSTEP_NUM uint32_t f32_from_f64(uint64_t a) {
  if (is_nan64(a) && !Sat) return nan_from_f64<23, 8>(a);
  return round32<R, Ftz, Sat>(as_f64(a));
}
template <bool Ftz = false, bool Sat = false>
LOCKSTEP_NUM uint64_t f64_from_f32(uint32_t a) {
  if (Ftz && is_nan32(a)) a = kNan32;
  const uint64_t bits = bits_of(static_cast<double>(as_f32(flush_if<Ftz>(a))));
  return Sat ? saturate64(bits) : bits;
}
// cvt.f32.bf16 moves bits, NaN or not; cvt.f32.f16 makes the canonical NaN.
template <class Format, bool Ftz = false, bool Sat = false>
LOCKSTEP_NUM uint32_t f32_from_half(uint16_t a) {
  const uint32_t wide = widen_half<Format>(a);
  return Format::kExponent == 8 && !Ftz && !Sat ? wide : finish32<Ftz, Sat>(as_f32(wide));
}
template <class Format, bool Sat = false>
LOCKSTEP_NUM uint64_t f64_from_half(uint16_t a) {
  return f64_from_f32<false, Sat>(widen_half<Format>(a));
}
// .satfinite: overflow and infinity to the largest finite number. .ftz changes nothing here: the
// card flushes neither the f32 nor the half.
template <class Format, Round R = Round::kNearest, bool Sat = false, bool Relu = false,
          bool SatFinite = false>
LOCKSTEP_NUM uint16_t half_from_f32(uint32_t a) {
  uint16_t half = narrow_half<Format, R>(as_f32(a));
  if constexpr (SatFinite) {
    if ((half & 0x7fffu) == Format::kInfinity) half -= 1;
  }
  return finish_half<Format, Sat, Relu>(half);
}
template <class Format, Round R = Round::kNearest, bool Sat = false>
LOCKSTEP_NUM uint16_t half_from_f64(uint64_t a) {
  if (is_nan64(a) && !Sat) return nan_from_f64<Format::kFraction, Format::kExponent>(a);
  return finish_half<Format, Sat, false>(narrow_half<Format, R>(as_f64(a)));
}

// cvt.r.f16x2.f32 and .bf16x2: a to the upper half, b to the lower.
template <class Format, Round R = Round::kNearest, bool Relu = false, bool SatFinite = false>
LOCKSTEP_NUM uint32_t half2_from_f32(uint32_t a, uint32_t b) {
  const uint32_t high = half_from_f32<Format, R, false, Relu, SatFinite>(a);
  return high << 16 | half_from_f32<Format, R, false, Relu, SatFinite>(b);
}

// cvt.rna.tf32.f32: 10 fraction bits, halves away from zero. .satfinite: no infinities.
// A NaN is cut off like a number, on this form alone, and may come out infinite.
template <bool SatFinite = false>
LOCKSTEP_NUM uint32_t tf32_rna(uint32_t a) {
  const bool special = (a & 0x7f800000u) == 0x7f800000u;
  const uint32_t rounded = (special ? a : a + 0x1000u) & 0xffffe000u;
  const bool overflows = (rounded & 0x7f800000u) == 0x7f800000u;
  return SatFinite && overflows ? rounded - 0x2000u : rounded;
}
// cvt.rn.tf32.f32 and .rz, with .relu.
template <Round R, bool Relu = false>
LOCKSTEP_NUM uint32_t tf32_from_f32(uint32_t a) {
  if (is_nan32(a)) return kNan32 & 0xffffe000u;
  const uint32_t half = R == Round::kNearest ? 0xfffu + ((a >> 13) & 1) : 0;
  const uint32_t rounded = (a & 0x7f800000u) == 0x7f800000u ? a : (a + half) & 0xffffe000u;
  return Relu && rounded >> 31 != 0 ? 0 : rounded;
}

// cvt.rni.f32.f32 and its like, f64, f16.
template <Round R, bool Ftz = false, bool Sat = false>
LOCKSTEP_NUM uint32_t integral_f32(uint32_t a) {
  return finish32<Ftz, Sat>(round_integral<R>(as_f32(flush_if<Ftz>(a))));
}
template <Round R, bool Sat = false>
LOCKSTEP_NUM uint64_t integral_f64(uint64_t a) {
  const uint64_t bits = bits_of(round_integral<R>(as_f64(a)));
  return Sat ? saturate64(bits) : quiet64(bits);
}
template <class Format, Round R, bool Sat = false>
LOCKSTEP_NUM uint16_t integral_half(uint16_t a) {
  const float value = round_integral<R>(as_f32(widen_half<Format>(a)));
  return finish_half<Format, Sat, false>(narrow_half<Format>(value));
}

// Integer to integer: truncated or extended by the source's sign; .sat clamps instead.
template <class D, class S, bool Sat = false>
LOCKSTEP_NUM D int_from_int(S value) {
  if constexpr (Sat) {
    const Int128 wide = value;
    constexpr Int128 kMax = std::numeric_limits<D>::max(), kMin = std::numeric_limits<D>::min();
    return static_cast<D>(wide > kMax ? kMax : wide < kMin ? kMin : wide);
  }
  return static_cast<D>(value);
}

// cvt.pack.sat.u16.s32 and .s16: a above b, each clamped.
template <class D>
LOCKSTEP_NUM uint32_t cvt_pack16(uint32_t a, uint32_t b) {
  const uint32_t high = static_cast<uint16_t>(int_from_int<D, int32_t, true>(int32_t(a)));
  return high << 16 | static_cast<uint16_t>(int_from_int<D, int32_t, true>(int32_t(b)));
}
// cvt.pack.sat.u8.s32.b32 and .s8: the clamped bytes of a and b below c's lower half.
template <class D>
LOCKSTEP_NUM uint32_t cvt_pack8(uint32_t a, uint32_t b, uint32_t c) {
  const uint32_t high = static_cast<uint8_t>(int_from_int<D, int32_t, true>(int32_t(a)));
  const uint32_t low = static_cast<uint8_t>(int_from_int<D, int32_t, true>(int32_t(b)));
  return c << 16 | high << 8 | low;
}

}  // namespace lockstep::emulator::num
