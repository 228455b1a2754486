// SPDX-License-Identifier: Apache-2.0
// What a plain load finds in L1 that others have changed since. See
// emulator/memory/stale_sectors.h.
#pragma once

#include <vector>

#include "emulator/launch/launch.h"
#include "emulator/memory/global_races.h"

namespace lockstep::emulator {

// While it lives, memory is as the warp's block may find it: for one load, by the one host thread.
class StaleMemory {
 public:
  // Of these lanes' accesses of so many bytes to what is followed.
  StaleMemory(const Warp& w, const uint64_t* address, uint32_t lanes, uint32_t bytes);
  ~StaleMemory();
  StaleMemory(const StaleMemory&) = delete;
  StaleMemory& operator=(const StaleMemory&) = delete;

 private:
  void take(const Allocation& array, uint64_t begin, StaleSectors::Sector* kept);

  struct Replaced {
    std::byte* at;
    uint64_t size;
    std::byte bytes[StaleSectors::kBytes];
  };
  std::vector<Replaced> replaced_;
};

// These lanes of the warp have changed so many bytes each.
void note_own_change(const Warp& w, const uint64_t* address, uint32_t lanes, uint32_t bytes);

}  // namespace lockstep::emulator
