// SPDX-License-Identifier: Apache-2.0
// Shared memory of one block, with what the checks need: for every unit (a word, or a byte where
// a kernel has narrower accesses) who wrote and who read it last. A race is two accesses by
// different warps with no barrier between, one of them a write that changes the value; or by
// lanes of one warp in different branches with no synchronization between.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lockstep::emulator {

// The one who accesses: fields of a tag, which is what a unit remembers.
struct SharedTag {
  static constexpr uint32_t kLaneMask = 31;
  static constexpr uint32_t kDiverged = 1 << 5;  // by a part of the warp's lanes
  static constexpr uint32_t kSpecial = 1 << 6;   // writer: atomic; reader: several warps
  static constexpr int kWarpShift = 7;
  static constexpr int kPhaseShift = 12;
  static constexpr uint32_t kMostPhases = (1u << 20) - 1;
};

struct SharedConflict {
  bool found = false;
  bool uninitialized = false;
  uint32_t other_warp = 0, other_lane = 0;
  bool other_wrote = false;  // else it read
  bool several = false;      // warps other than the named one read, too
  uint32_t unit = 0;
};

class SharedMemory {
 public:
  // bytes of a block; a unit has 1 << shift bytes.
  void begin_block(uint32_t bytes, int shift);
  std::byte* data() { return data_; }
  uint32_t bytes() const { return bytes_; }
  int shift() const { return shift_; }

  // A barrier of the whole block: what was before is ordered before what comes.
  void next_phase();
  // Warp u is ordered after all that the warps in `mask` did so far in this phase.
  void order_after(uint32_t u, uint32_t mask) { ordered_[u] |= mask; }
  uint32_t ordered(uint32_t u) const { return ordered_[u]; }

  uint32_t tag(uint32_t warp, bool diverged) const {
    return phase_ << SharedTag::kPhaseShift | warp << SharedTag::kWarpShift |
           (diverged ? SharedTag::kDiverged : 0);
  }
  uint32_t* writers() { return writers_.data(); }
  const uint32_t* writers() const { return writers_.data(); }
  uint32_t* readers() { return readers_.data(); }
  const uint32_t* readers() const { return readers_.data(); }

  // Whether a load or store of the unit by `tag` (with its lane) races. group: the lanes that run
  // together; clock: Warp::sync_clock. changes: whether the store changes the unit.
  SharedConflict check_load(uint32_t unit, uint32_t tag, uint32_t group, uint32_t clock,
                            bool atomic) const;
  SharedConflict check_store(uint32_t unit, uint32_t tag, uint32_t group, uint32_t clock,
                             bool atomic, bool changes) const;
  void note_load(uint32_t unit, uint32_t tag) {
    const uint32_t before = readers_[unit], x = before ^ tag;
    const bool several = (x >> SharedTag::kPhaseShift) == 0 &&
                         ((x >> SharedTag::kWarpShift) != 0 || (before & SharedTag::kSpecial) != 0);
    readers_[unit] = several ? tag | SharedTag::kSpecial : tag;
  }
  void note_store(uint32_t unit, uint32_t tag, uint32_t clock, bool atomic) {
    // A plain store of the same warp in this phase is not forgotten for an atomic operation: other
    // warps' accesses race with it.
    const uint32_t before = writers_[unit];
    const bool plain =
        (before ^ tag) >> SharedTag::kWarpShift == 0 && (before & SharedTag::kSpecial) == 0;
    if (atomic && plain) return;
    writers_[unit] = atomic ? tag | SharedTag::kSpecial : tag;
    if ((tag & SharedTag::kDiverged) != 0) note_clock(unit, clock);
  }
  // A store that orders (volatile, release): defined, and never in a race.
  void note_ordering_store(uint32_t unit) { writers_[unit] = 1, readers_[unit] = 0; }

 private:
  void note_clock(uint32_t unit, uint32_t clock);
  SharedConflict conflict(uint32_t unit, uint32_t entry, bool wrote) const;
  bool own_lanes_race(uint32_t unit, uint32_t entry, uint32_t tag, uint32_t group,
                      uint32_t clock) const;

  std::vector<std::byte> storage_;
  std::byte* data_ = nullptr;
  uint32_t bytes_ = 0;
  int shift_ = 2;
  uint32_t phase_ = 1;
  std::vector<uint32_t> writers_, readers_;  // tags; 0: never
  std::vector<uint32_t> clocks_;             // of diverged writers; made when needed
  uint32_t ordered_[64] = {};
};

}  // namespace lockstep::emulator
