// SPDX-License-Identifier: Apache-2.0
// Counts set bits in line: the library call that any x86-64 can run costs more than the rest of
// what the hot paths do with a mask.
#pragma once

#include <cstdint>

namespace lockstep::emulator {

[[gnu::always_inline]] inline int lane_count(uint32_t mask) {
  mask -= mask >> 1 & 0x55555555u;
  mask = (mask & 0x33333333u) + (mask >> 2 & 0x33333333u);
  return static_cast<int>(((mask + (mask >> 4)) & 0x0f0f0f0fu) * 0x01010101u >> 24);
}

}  // namespace lockstep::emulator
