// SPDX-License-Identifier: Apache-2.0
#include "emulator/exec/stale_loads.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace lockstep::emulator {

StaleMemory::StaleMemory(const Warp& w, const uint64_t* address, uint32_t lanes, uint32_t bytes) {
  GlobalRaces& races = *w.worker->launch->races;
  const auto block = static_cast<uint32_t>(w.block->linear);
  for (; lanes != 0; lanes &= lanes - 1) {
    const uint64_t first = address[std::countr_zero(lanes)];
    const GlobalRaces::Units units = races.units_of(first, bytes);
    if (units.count == 0) continue;
    uint64_t sector = first / StaleSectors::kBytes * StaleSectors::kBytes;
    for (; sector < first + bytes; sector += StaleSectors::kBytes)
      if (StaleSectors::Sector* kept = races.stale()->of(block, sector))
        take(*units.of, sector, kept);
  }
}

StaleMemory::~StaleMemory() {
  for (auto one = replaced_.rbegin(); one != replaced_.rend(); ++one)
    std::memcpy(one->at, one->bytes, one->size);
}

// What of the sector at `begin` lies in the array.
void StaleMemory::take(const Allocation& array, uint64_t begin, StaleSectors::Sector* kept) {
  const uint64_t first = std::max(begin, array.begin);
  const uint64_t end = std::min(begin + StaleSectors::kBytes, array.begin + array.bytes());
  std::byte* const now = array.data + (first - array.begin);
  Replaced before{now, end - first, {}};
  std::memcpy(before.bytes, now, before.size);
  bool differs = false;
  for (uint64_t i = 0; i < before.size; ++i) {
    const uint64_t at = first - begin + i;
    if ((kept->mask >> at & 1) == 0) kept->bytes[at] = now[i];
    differs |= kept->bytes[at] != now[i];
    now[i] = kept->bytes[at];
    kept->mask |= 1u << at;
  }
  if (differs) replaced_.push_back(before);
}

void note_own_change(const Warp& w, const uint64_t* address, uint32_t lanes, uint32_t bytes) {
  StaleSectors* const stale = w.worker->launch->races->stale();
  for (; stale != nullptr && lanes != 0; lanes &= lanes - 1)
    stale->change(static_cast<uint32_t>(w.block->linear), address[std::countr_zero(lanes)], bytes);
}

}  // namespace lockstep::emulator
