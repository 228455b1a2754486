// SPDX-License-Identifier: Apache-2.0
#include "emulator/exec/stale_loads.h"

#include <cstring>

#include "emulator/exec/memory_access.h"

namespace lockstep::emulator {
namespace {

// The word and its neighbours of a sector, as they are there now.
uint32_t load_word(GlobalRaces& races, uint32_t block, uint32_t unit) {
  uint64_t offset = 0;
  const Allocation& array = races.array_of(unit, &offset);
  const auto at = [&](uint64_t place) {
    uint32_t now = 0;
    std::memcpy(&now, array.data + place, sizeof now);
    return now;
  };
  StaleWords& stale = *races.stale();
  if (!stale.has(block, unit)) {
    const uint64_t sector = offset / (4 * StaleWords::kOfASector) * (4 * StaleWords::kOfASector);
    for (uint64_t place = sector; place < sector + 4 * StaleWords::kOfASector; place += 4)
      if (place + 4 <= array.bytes())
        stale.load(block,
                   unit + static_cast<uint32_t>(place / 4) - static_cast<uint32_t>(offset / 4),
                   at(place));
  }
  return stale.load(block, unit, at(offset));
}

}  // namespace

void take_stale_words(const Instr& in, Warp& w, uint32_t lane, const GlobalRaces::Units& units) {
  const uint32_t bytes = w.worker->program->accesses[in.aux].bytes;
  const uint32_t width = in.wide & kRegisterBytes;
  if (bytes != width || (bytes != 4 && bytes != 8) || units.count != in.count * bytes / 4) return;
  GlobalRaces& races = *w.worker->launch->races;
  const auto block = static_cast<uint32_t>(w.block->linear);
  for (uint32_t k = 0; k < in.count; ++k) {
    if (in.o[k] == kNoOperand) continue;
    const uint32_t first = units.first + k * bytes / 4;
    if (bytes == 4) {
      at<uint32_t>(w, in.o[k])[lane] = load_word(races, block, first);
    } else {
      const uint64_t low = load_word(races, block, first);
      at<uint64_t>(w, in.o[k])[lane] = low | uint64_t{load_word(races, block, first + 1)} << 32;
    }
  }
}

}  // namespace lockstep::emulator
