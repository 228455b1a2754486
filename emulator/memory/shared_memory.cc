// SPDX-License-Identifier: Apache-2.0
// Race and initialization checks of shared memory, the careful way; handlers test whole ranges
// first and come here only where something may be wrong.
#include "emulator/memory/shared_memory.h"

#include <algorithm>
#include <cstring>

namespace lockstep::emulator {
namespace {

constexpr uint32_t warp_of(uint32_t entry) { return entry >> SharedTag::kWarpShift & 31; }
constexpr uint32_t phase_of(uint32_t entry) { return entry >> SharedTag::kPhaseShift; }

}  // namespace

void SharedMemory::begin_block(uint32_t bytes, int shift) {
  const size_t units = (size_t{bytes} >> shift) + 1;
  if (bytes_ != bytes || shift_ != shift || data_ == nullptr) {
    storage_.assign(size_t{bytes} + 128, std::byte{0});
    const auto base = reinterpret_cast<uintptr_t>(storage_.data());
    data_ = storage_.data() + (64 - base % 64) % 64;
    bytes_ = bytes;
    shift_ = shift;
    writers_.assign(units, 0);
    readers_.assign(units, 0);
    clocks_.clear();
  } else {
    std::memset(writers_.data(), 0, units * sizeof writers_[0]);
    std::memset(readers_.data(), 0, units * sizeof readers_[0]);
  }
  phase_ = 1;
  std::fill(std::begin(ordered_), std::end(ordered_), 0);
}

void SharedMemory::next_phase() {
  std::fill(std::begin(ordered_), std::end(ordered_), 0);
  if (++phase_ <= SharedTag::kMostPhases) return;
  phase_ = 1;
  for (uint32_t& w : writers_) w = w != 0 ? 1 : 0;
  std::fill(readers_.begin(), readers_.end(), 0);
}

void SharedMemory::note_clock(uint32_t unit, uint32_t clock) {
  if (clocks_.empty()) clocks_.resize(writers_.size());
  clocks_[unit] = clock;
}

SharedConflict SharedMemory::conflict(uint32_t unit, uint32_t entry, bool wrote) const {
  SharedConflict out;
  out.found = true;
  out.unit = unit;
  out.other_warp = warp_of(entry);
  out.other_lane = entry & SharedTag::kLaneMask;
  out.other_wrote = wrote;
  return out;
}

bool SharedMemory::own_lanes_race(uint32_t unit, uint32_t entry, uint32_t tag, uint32_t group,
                                  uint32_t clock) const {
  return (entry ^ tag) >> SharedTag::kWarpShift == 0 && (entry & SharedTag::kDiverged) != 0 &&
         (group >> (entry & SharedTag::kLaneMask) & 1) == 0 && !clocks_.empty() &&
         clocks_[unit] == clock;
}

SharedConflict SharedMemory::check_load(uint32_t unit, uint32_t tag, uint32_t group, uint32_t clock,
                                        bool atomic) const {
  const uint32_t entry = writers_[unit];
  if (entry == 0) {
    SharedConflict out;
    out.found = out.uninitialized = true;
    out.unit = unit;
    return out;
  }
  if (atomic && (entry & SharedTag::kSpecial) != 0) return {};
  if (phase_of(entry) != phase_of(tag)) return {};
  if (warp_of(entry) == warp_of(tag)) {
    if (own_lanes_race(unit, entry, tag, group, clock)) return conflict(unit, entry, true);
    return {};
  }
  if ((ordered_[warp_of(tag)] >> warp_of(entry) & 1) != 0) return {};
  return conflict(unit, entry, true);
}

SharedConflict SharedMemory::check_store(uint32_t unit, uint32_t tag, uint32_t group,
                                         uint32_t clock, bool atomic, bool changes) const {
  if (!changes) return {};
  const uint32_t me = warp_of(tag), writer = writers_[unit], reader = readers_[unit];
  if (writer != 0 && phase_of(writer) == phase_of(tag) &&
      !(atomic && (writer & SharedTag::kSpecial) != 0)) {
    const bool own = warp_of(writer) == me;
    if (own ? own_lanes_race(unit, writer, tag, group, clock)
            : (ordered_[me] >> warp_of(writer) & 1) == 0)
      return conflict(unit, writer, true);
  }
  if (reader != 0 && phase_of(reader) == phase_of(tag)) {
    const bool several = (reader & SharedTag::kSpecial) != 0;
    const bool other = warp_of(reader) != me;
    if (other && (ordered_[me] >> warp_of(reader) & 1) == 0) return conflict(unit, reader, false);
    if (!other && several && ordered_[me] == 0) {
      SharedConflict out = conflict(unit, reader, false);
      out.several = true;
      return out;
    }
  }
  return {};
}

}  // namespace lockstep::emulator
