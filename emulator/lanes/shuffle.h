// SPDX-License-Identifier: Apache-2.0
// shfl.sync of PTX and SHFL of machine code: which lane each lane reads, and the move. PTX ISA,
// "Data Movement and Conversion Instructions: shfl.sync".
#pragma once

#include <cstdint>

#include "emulator/lanes/lanes.h"

namespace lockstep::emulator {

enum class Shuffle : uint8_t { kUp, kDown, kButterfly, kIndex };

// What a lane gets that reads from a lane which takes no part: undefined on the card; here a NaN.
inline constexpr uint32_t kShufflePoison = 0x7fffdead;

// The lane that lane i reads, and whether it lies in i's segment; b is the operand with the lane or
// distance, c that with the clamp and the mask of segments.
template <Shuffle S>
LOCKSTEP_INLINE int32_t source_lane(int32_t i, uint32_t b, uint32_t c, bool* inside) {
  const auto clamp = static_cast<int32_t>(c & 31), segment = static_cast<int32_t>(c >> 8 & 31);
  const auto by = static_cast<int32_t>(b & 31);
  const int32_t most = (i & segment) | (clamp & ~segment), least = i & segment;
  int32_t from = 0;
  if constexpr (S == Shuffle::kUp) from = i - by, *inside = from >= most;
  if constexpr (S == Shuffle::kDown) from = i + by, *inside = from <= most;
  if constexpr (S == Shuffle::kButterfly) from = i ^ by, *inside = from <= most;
  if constexpr (S == Shuffle::kIndex) from = least | (by & ~segment), *inside = from <= most;
  return *inside ? from : i;
}

typedef int32_t EightLanes __attribute__((vector_size(32), aligned(4), may_alias));

// part[lane[i] & 7] for each i.
#ifdef __clang__
LOCKSTEP_INLINE EightLanes permute_eight(EightLanes part, EightLanes lane) {
  EightLanes out;
  for (int i = 0; i < 8; ++i) out[i] = part[lane[i] & 7];
  return out;
}
#define LOCKSTEP_PERMUTE permute_eight
#else
#define LOCKSTEP_PERMUTE __builtin_shuffle
#endif

// to[i] = value[from[i]], by whole vectors: lanes of 32 bits, each from 0 to 31.
LOCKSTEP_INLINE void permute_lanes(uint32_t* to, const uint32_t* value, const int32_t* from) {
  EightLanes part[4];
  for (int k = 0; k < 4; ++k) part[k] = *reinterpret_cast<const EightLanes*>(value + 8 * k);
  for (int k = 0; k < 4; ++k) {
    const EightLanes lane = *reinterpret_cast<const EightLanes*>(from + 8 * k), which = lane >> 3;
    EightLanes out = LOCKSTEP_PERMUTE(part[0], lane);  // by the lowest three bits
    for (int j = 1; j < 4; ++j) out = which == j ? LOCKSTEP_PERMUTE(part[j], lane) : out;
    *reinterpret_cast<EightLanes*>(to + 8 * k) = out;
  }
}

// to[i] = value[i ^ by]: an eighth of the lanes comes from one. The rows may be the same.
LOCKSTEP_INLINE void exchange_lanes(uint32_t* to, const uint32_t* value, uint32_t by) {
  const EightLanes lane = EightLanes{0, 1, 2, 3, 4, 5, 6, 7} ^ static_cast<int32_t>(by & 7);
  EightLanes part[4];
#pragma GCC unroll 4
  for (uint32_t k = 0; k < 4; ++k)
    part[k] = *reinterpret_cast<const EightLanes*>(value + 8 * (k ^ by >> 3));
#pragma GCC unroll 4
  for (uint32_t k = 0; k < 4; ++k)
    *reinterpret_cast<EightLanes*>(to + 8 * k) = LOCKSTEP_PERMUTE(part[k], lane);
}

// What lanes read, into `result`; a mask of those whose source lies in their segment.
template <Shuffle S>
LOCKSTEP_INLINE uint32_t shuffle(const uint32_t* value, const uint32_t* b, const uint32_t* c,
                                 uint32_t present, uint32_t* result) {
  if constexpr (S == Shuffle::kButterfly) {  // as in nearly all sums of a warp
    if (present == ~0u && all_are(c, 31) && all_are(b, b[0])) {
      exchange_lanes(result, value, b[0] & 31);
      return ~0u;
    }
  }
  alignas(64) int32_t from[32];
  alignas(32) int8_t inside[32];
#pragma GCC ivdep
  for (int32_t i = 0; i < 32; ++i) {
    bool in_segment = false;
    from[i] = source_lane<S>(i, b[i], c[i], &in_segment);
    inside[i] = in_segment ? -1 : 0;
  }
  permute_lanes(result, value, from);
  if (present != ~0u) {
#pragma GCC ivdep
    for (int i = 0; i < 32; ++i)
      result[i] = (present >> from[i] & 1) != 0 ? result[i] : kShufflePoison;
  }
  return lanes_where([&](int i) __attribute__((always_inline)) { return inside[i] != 0; });
}

}  // namespace lockstep::emulator
