// SPDX-License-Identifier: Apache-2.0
// What every access of a warp starts with: the lanes' addresses, and whether they follow each
// other.
#pragma once

#include <bit>

#include "emulator/lanes/lane_count.h"
#include "emulator/lanes/lanes.h"

namespace lockstep::emulator {

struct Lanes {
  alignas(64) uint64_t address[32];  // all lanes', the inactive ones' too
  uint32_t mask = 0;
  int first = 0;         // first active lane
  int active = 0;        // number of active lanes
  uint64_t stride = 0;   // between neighbouring lanes, where it is the same for all
  bool regular = false;  // it is, and the active lanes are neighbours
  bool run = false;      // and it is the width: their data follow each other
};

// Where several lanes store to one place, the card keeps the lowest lane's value; wide accesses
// go group by group (16 or 8 lanes), so there it is the lowest lane of the last group.
// otherwise: the highest, as nothing promises the lowest.
template <class F>
void in_store_order(uint32_t mask, uint32_t bytes, F f, bool otherwise = false) {
  if (otherwise) {
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) f(std::countr_zero(rest));
    return;
  }
  const int width = bytes <= 4 ? 32 : bytes <= 8 ? 16 : 8;
  if (mask == ~0u && width == 32) {
    for (int lane = 31; lane >= 0; --lane) f(lane);
    return;
  }
  for (int first = 0; first < 32; first += width) {
    uint32_t part = width == 32 ? mask : mask & ((1u << width) - 1) << first;
    while (part != 0) {
      const int lane = 31 - std::countl_zero(part);
      part &= ~(1u << lane);
      f(lane);
    }
  }
}

// bytes a lane.
LOCKSTEP_INLINE void find_shape(Lanes& l, uint32_t mask, uint32_t bytes) {
  l.mask = mask;
  l.regular = l.run = false;
  uint64_t different = 0;
  if (mask == ~0u) {
    l.first = 0;
    l.active = 32;
    const uint64_t start = l.address[0];
    l.stride = l.address[1] - start;
#pragma GCC ivdep
    for (int i = 0; i < 32; ++i)
      different |= l.address[i] ^ (start + static_cast<uint64_t>(i) * l.stride);
    l.regular = different == 0;
    l.run = l.regular && l.stride == bytes;
    return;
  }
  l.first = std::countr_zero(mask);
  l.active = lane_count(mask);
  const uint32_t shifted = mask >> l.first;
  if ((shifted & (shifted + 1)) != 0) return;
  const uint64_t start = l.address[l.first];
  l.stride = l.active > 1 ? l.address[l.first + 1] - start : bytes;
  for (int i = 0; i < l.active; ++i)
    different |= l.address[l.first + i] ^ (start + static_cast<uint64_t>(i) * l.stride);
  l.regular = different == 0;
  l.run = l.regular && l.stride == bytes;
}

}  // namespace lockstep::emulator
