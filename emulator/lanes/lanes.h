// SPDX-License-Identifier: Apache-2.0
// Loops over the 32 lanes of a warp. What uses them exists twice, for any x86-64 and for processors
// with AVX2 and FMA; the choice is made once.
#pragma once

#include <emmintrin.h>

#include <cstdint>

namespace lockstep::emulator {

#define LOCKSTEP_V3 __attribute__((target("avx2,fma,bmi,bmi2,lzcnt,popcnt,f16c")))
#define LOCKSTEP_INLINE [[gnu::always_inline]] inline

// True where the processor has what LOCKSTEP_V3 asks for.
bool processor_is_v3();

// Body::run for this processor, as a function of the type of Function: that of V3 with fused
// multiply-add where Body3 is another.
template <class Function, class Body, class Body3 = Body>
struct Versions;
template <class Body, class Body3, class... Arguments>
struct Versions<void (*)(Arguments...), Body, Body3> {
  LOCKSTEP_V3 static void v3(Arguments... arguments) { Body3::run(arguments...); }
  static void base(Arguments... arguments) { Body::run(arguments...); }
};
template <class Function, class Body, class Body3 = Body>
Function version_of() {
  using All = Versions<Function, Body, Body3>;
  return processor_is_v3() ? &All::v3 : &All::base;
}

// d[i] = f(i) for the lanes in mask. f must be free of side effects.
template <class D, class F>
LOCKSTEP_INLINE void each_lane(D* d, uint32_t mask, F f) {
  if (mask == ~0u) {
#pragma GCC ivdep
    for (int i = 0; i < 32; ++i) d[i] = f(i);
  } else {
#pragma GCC ivdep
    for (int i = 0; i < 32; ++i) {
      const D value = f(i);
      d[i] = (mask >> i & 1) != 0 ? value : d[i];
    }
  }
}

// A mask of the lanes for which f(i) holds. f must be free of side effects.
template <class F>
LOCKSTEP_INLINE uint32_t lanes_where(F f) {
  alignas(32) int8_t truth[32];
#pragma GCC ivdep
  for (int i = 0; i < 32; ++i) truth[i] = f(i) ? -1 : 0;
  const __m128i low = _mm_load_si128(reinterpret_cast<const __m128i*>(truth));
  const __m128i high = _mm_load_si128(reinterpret_cast<const __m128i*>(truth + 16));
  return static_cast<uint32_t>(_mm_movemask_epi8(low)) |
         static_cast<uint32_t>(_mm_movemask_epi8(high)) << 16;
}

// Whether the lanes in mask hold this word.
LOCKSTEP_INLINE bool all_are(const uint32_t* row, uint32_t value, uint32_t mask = ~0u) {
  uint32_t different = 0;
  if (mask == ~0u) {
#pragma GCC ivdep
    for (int i = 0; i < 32; ++i) different |= row[i] ^ value;
  } else {
#pragma GCC ivdep
    for (int i = 0; i < 32; ++i) different |= (row[i] ^ value) & (0 - (mask >> i & 1));
  }
  return different == 0;
}

}  // namespace lockstep::emulator
