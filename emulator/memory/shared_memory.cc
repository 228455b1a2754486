// SPDX-License-Identifier: Apache-2.0
// Race and initialization checks of shared memory, the careful way; handlers test whole ranges
// first and come here only where something may be wrong.
#include "emulator/memory/shared_memory.h"

#include <algorithm>

namespace lockstep::emulator {
namespace {

constexpr uint32_t warp_of(uint32_t entry) { return entry >> SharedTag::kWarpShift & 31; }
constexpr uint32_t phase_of(uint32_t entry) { return entry >> SharedTag::kPhaseShift; }
constexpr uint32_t lane_of(uint32_t entry) { return entry & SharedTag::kLaneMask; }

// Of one warp, in one phase.
constexpr bool same_warp(uint32_t a, uint32_t b) { return (a ^ b) >> SharedTag::kWarpShift == 0; }

// What is remembered of synchronizations of some lanes only; then all count as ordered.
constexpr size_t kMostParts = 64;

}  // namespace

void WarpOrder::meet(uint32_t mask) {
  if (parts_.size() == kMostParts) return all_meet();
  parts_.push_back({++now_, mask});
}

// By way of other lanes, too: each synchronization hands on what its lanes have seen.
bool WarpOrder::ordered(uint32_t then, uint32_t from, uint32_t to) const {
  if (then < whole_ || from == to) return true;
  uint32_t seen = 1u << from;
  for (const Part& part : parts_)
    if (part.time > then && (part.mask & seen) != 0) seen |= part.mask;
  return (seen >> to & 1) != 0;
}

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
    write_times_.assign(units, 0);
    read_times_.assign(units, 0);
  } else {
    std::fill(writers_.begin(), writers_.end(), 0);
    std::fill(readers_.begin(), readers_.end(), 0);
  }
  phase_ = 1;
  std::fill(std::begin(ordered_), std::end(ordered_), 0);
  copies_.clear();
  copied_units_ = 0;
}

void SharedMemory::begin_copy(uint32_t first_unit, uint32_t last_unit) {
  if (copies_.empty()) copies_.assign(writers_.size(), 0);
  for (uint32_t u = first_unit; u <= last_unit; ++u) ++copies_[u];
  copied_units_ += last_unit - first_unit + 1;
}

void SharedMemory::end_copy(uint32_t first_unit, uint32_t last_unit) {
  for (uint32_t u = first_unit; u <= last_unit; ++u) --copies_[u];
  copied_units_ -= last_unit - first_unit + 1;
}

void SharedMemory::next_phase() {
  std::fill(std::begin(ordered_), std::end(ordered_), 0);
  if (++phase_ <= SharedTag::kMostPhases) return;
  phase_ = 1;
  for (uint32_t& w : writers_) w = w != 0 ? 1 : 0;
  std::fill(readers_.begin(), readers_.end(), 0);
}

void SharedMemory::note_load(uint32_t unit, uint32_t tag, const WarpOrder& order, bool lanes) {
  const uint32_t before = readers_[unit];
  const bool own = same_warp(before, tag);
  const bool warps =
      phase_of(before) == phase_of(tag) && (!own || (before & SharedTag::kSpecial) != 0);
  // Who read since all lanes met and is not this lane.
  lanes |= own && read_times_[unit] >= order.whole() &&
           (lane_of(before) != lane_of(tag) || (before & SharedTag::kLanes) != 0);
  readers_[unit] = tag | (warps ? SharedTag::kSpecial : 0) | (lanes ? SharedTag::kLanes : 0);
  read_times_[unit] = order.now();
}

void SharedMemory::note_store(uint32_t unit, uint32_t tag, const WarpOrder& order, bool atomic) {
  // A plain store of the same warp in this phase is not forgotten for an atomic operation: other
  // warps' accesses race with it.
  const uint32_t before = writers_[unit];
  const bool own = same_warp(before, tag);
  if (atomic && own && (before & SharedTag::kSpecial) == 0) return;
  // Lanes that store one value at once: any of them may be the one.
  const bool lanes = own && write_times_[unit] == order.now() && lane_of(before) != lane_of(tag);
  writers_[unit] = atomic ? tag | SharedTag::kSpecial : tag;
  write_times_[unit] = lanes ? 0 : order.now();
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

SharedConflict SharedMemory::check_load(uint32_t unit, uint32_t tag, const WarpOrder& order,
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
  const bool after = warp_of(entry) == warp_of(tag)
                         ? order.ordered(write_times_[unit], lane_of(entry), lane_of(tag))
                         : (ordered_[warp_of(tag)] >> warp_of(entry) & 1) != 0;
  return after ? SharedConflict() : conflict(unit, entry, true);
}

SharedConflict SharedMemory::check_store(uint32_t unit, uint32_t tag, const WarpOrder& order,
                                         bool atomic, bool changes) const {
  if (!changes) return {};
  const uint32_t me = warp_of(tag), writer = writers_[unit], reader = readers_[unit];
  if (writer != 0 && phase_of(writer) == phase_of(tag) &&
      !(atomic && (writer & SharedTag::kSpecial) != 0)) {
    const bool after = warp_of(writer) == me
                           ? order.ordered(write_times_[unit], lane_of(writer), lane_of(tag))
                           : (ordered_[me] >> warp_of(writer) & 1) != 0;
    if (!after) return conflict(unit, writer, true);
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
    if (!other && !order.ordered(read_times_[unit], lane_of(reader), lane_of(tag)))
      return conflict(unit, reader, false);
    if (!other && (reader & SharedTag::kLanes) != 0 && order.none_met(read_times_[unit])) {
      SharedConflict out = conflict(unit, reader, false);
      out.several = out.own_warp = true;
      return out;
    }
  }
  return {};
}

}  // namespace lockstep::emulator
