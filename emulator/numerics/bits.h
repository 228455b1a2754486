// SPDX-License-Identifier: Apache-2.0
// Ground of the PTX arithmetic: rounding modes, bit casts, canonical NaNs, flushing, saturation.
// Every function of this folder takes and gives register bits (b16, b32, b64), never a float, so
// that the interpreter keeps one kind of register. All are inlined by force: loops over 32 lanes
// vectorise, and units compiled for different processors cannot share a wrong copy.
// Compile with -ffp-contract=off and without -ffast-math.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

#define LOCKSTEP_NUM [[gnu::always_inline]] inline

namespace lockstep::emulator::num {

// .rn .rz .rm .rp of PTX; for conversions to integers the same four stand for .rni .rzi .rmi .rpi.
enum class Round : uint8_t { kNearest, kZero, kDown, kUp };

// True when this unit may use fused multiply-add instructions. Code inside a function with a
// target attribute does not define __FMA__: pass true as the last template argument there.
#ifdef __FMA__
inline constexpr bool kHasFma = true;
#else
inline constexpr bool kHasFma = false;
#endif

inline constexpr uint32_t kNan32 = 0x7fffffffu;            // what f32 arithmetic makes of any NaN
inline constexpr uint16_t kNan16 = 0x7fffu;                // f16 and bf16 alike
inline constexpr uint64_t kNan64 = 0xfff8000000000000ull;  // an invalid f64 operation

LOCKSTEP_NUM float as_f32(uint32_t bits) { return std::bit_cast<float>(bits); }
LOCKSTEP_NUM double as_f64(uint64_t bits) { return std::bit_cast<double>(bits); }
LOCKSTEP_NUM uint32_t bits_of(float value) { return std::bit_cast<uint32_t>(value); }
LOCKSTEP_NUM uint64_t bits_of(double value) { return std::bit_cast<uint64_t>(value); }

LOCKSTEP_NUM bool is_nan32(uint32_t a) { return (a & 0x7fffffffu) > 0x7f800000u; }
LOCKSTEP_NUM bool is_nan64(uint64_t a) { return (a << 1) > 0xffe0000000000000ull; }
LOCKSTEP_NUM bool is_nan_f16(uint32_t a) { return (a & 0x7fffu) > 0x7c00u; }
LOCKSTEP_NUM bool is_nan_bf16(uint32_t a) { return (a & 0x7fffu) > 0x7f80u; }

// A subnormal becomes a zero of the same sign; anything else is unchanged.
LOCKSTEP_NUM uint32_t flush32(uint32_t a) { return (a & 0x7f800000u) == 0 ? a & 0x80000000u : a; }
LOCKSTEP_NUM uint16_t flush_f16(uint16_t a) {
  return (a & 0x7c00u) == 0 ? uint16_t(a & 0x8000u) : a;
}

template <bool Ftz>
LOCKSTEP_NUM uint32_t flush_if(uint32_t a) {
  return Ftz ? flush32(a) : a;
}

// A NaN made quiet; anything else is unchanged.
LOCKSTEP_NUM uint64_t quiet64(uint64_t a) { return is_nan64(a) ? a | 0x0008000000000000ull : a; }

// .sat: clamped to [0, 1]; NaN and -0 give +0.
LOCKSTEP_NUM uint32_t saturate32(uint32_t a) {
  const float value = as_f32(a);
  return value > 0.0f ? (value < 1.0f ? a : 0x3f800000u) : 0u;
}
LOCKSTEP_NUM uint64_t saturate64(uint64_t a) {
  const double value = as_f64(a);
  return value > 0.0 ? (value < 1.0 ? a : 0x3ff0000000000000ull) : 0u;
}

// The last step of every f32 operation: canonical NaN, flush, saturation.
template <bool Ftz, bool Sat>
LOCKSTEP_NUM uint32_t finish32(float value) {
  uint32_t bits = bits_of(value);
  if constexpr (Sat) {
    bits = saturate32(bits);
  } else {
    bits = value != value ? kNan32 : bits;
  }
  return flush_if<Ftz>(bits);
}

}  // namespace lockstep::emulator::num
