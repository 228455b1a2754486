// SPDX-License-Identifier: Apache-2.0
// Remembered counts of patterns.
#include "emulator/l1/patterns.h"

#include "emulator/lanes/access.h"

namespace lockstep::emulator {
namespace {

// Distances from the first active lane; of inactive lanes 0. True where they are those of before.
struct Distances {
  LOCKSTEP_INLINE static uint64_t of(const Lanes& l, int i, uint64_t first) {
    const uint64_t active = 0 - static_cast<uint64_t>(l.mask >> i & 1);
    return (l.address[i] - first) & active;
  }
  LOCKSTEP_INLINE static bool same_body(const Lanes& l, const uint64_t* before) {
    const uint64_t first = l.address[l.first];
    uint64_t different = 0;
#pragma GCC ivdep
    for (int i = 0; i < 32; ++i) different |= of(l, i, first) ^ before[i];
    return different == 0;
  }
};
LOCKSTEP_V3 bool same_v3(const Lanes& l, const uint64_t* before) {
  return Distances::same_body(l, before);
}
bool same_base(const Lanes& l, const uint64_t* before) { return Distances::same_body(l, before); }

}  // namespace

PatternCounts::Entry& PatternCounts::find(const Lanes& l, uint32_t slot, uint32_t bytes) {
  static const auto same = processor_is_v3() ? &same_v3 : &same_base;
  const auto place = static_cast<uint32_t>(l.address[l.first] & 127);
  Entry& entry = entries_[(slot * 4 + (place >> 5)) % kEntries];
  if (entry.mask == l.mask && entry.slot == slot && entry.place == place && entry.bytes == bytes &&
      same(l, entry.distance))
    return entry;
  entry.mask = l.mask;
  entry.slot = slot;
  entry.place = place;
  entry.bytes = bytes;
  entry.has_wavefronts = entry.has_global = false;
  const uint64_t first = l.address[l.first];
  for (int i = 0; i < 32; ++i) entry.distance[i] = Distances::of(l, i, first);
  return entry;
}

Wavefronts PatternCounts::wavefronts(const Lanes& l, uint32_t slot, uint32_t bytes, bool load) {
  Entry& entry = find(l, slot, bytes);
  if (!entry.has_wavefronts) entry.wavefronts = shared_wavefronts(l.address, l.mask, bytes, load);
  entry.has_wavefronts = true;
  return entry.wavefronts;
}

const PatternCounts::Global& PatternCounts::global(const Lanes& l, uint32_t slot, uint32_t bytes,
                                                   L1Model& l1) {
  Entry& entry = find(l, slot, bytes);
  if (entry.has_global) return entry.global;
  entry.has_global = true;
  entry.global.eighths = global_bank_conflict_eighths(l.address, l.mask, bytes);
  entry.global.lines = l1.split(l.address, l.mask);
  entry.global.lines.lowest -= l.address[l.first] >> 7;
  return entry.global;
}

}  // namespace lockstep::emulator
