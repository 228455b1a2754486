// SPDX-License-Identifier: Apache-2.0
// Shared memory of one block, with what the checks need: for every unit (a word, or a byte where
// a kernel has narrower accesses) who wrote and who read it last. A race is two accesses by
// different warps with no barrier between, one of them a write that changes the value; or by two
// lanes of one warp with no synchronization between that both take part in, however they ran.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lockstep::emulator {

// The one who accesses: fields of a tag, which is what a unit remembers.
struct SharedTag {
  static constexpr uint32_t kLaneMask = 31;
  static constexpr uint32_t kLanes = 1 << 5;    // reader: several lanes of the warp
  static constexpr uint32_t kSpecial = 1 << 6;  // writer: atomic; reader: several warps
  static constexpr int kWarpShift = 7;
  static constexpr int kPhaseShift = 12;
  static constexpr uint32_t kMostPhases = (1u << 20) - 1;
};

// What the lanes of one warp have synchronized so far. Time passes with each synchronization.
class WarpOrder {
 public:
  void begin() { now_ = whole_ = 1, parts_.clear(); }
  uint32_t now() const { return now_; }
  // Accesses before this time are ordered before all that comes.
  uint32_t whole() const { return whole_; }
  // All lanes of the warp synchronize, or those of a mask.
  void all_meet() { whole_ = ++now_, parts_.clear(); }
  void meet(uint32_t mask);
  // Whether what lane `from` did at time `then` comes before what lane `to` does now.
  bool ordered(uint32_t then, uint32_t from, uint32_t to) const;
  // Whether no lanes have synchronized since some time after `then`.
  bool none_met(uint32_t then) const { return then >= whole_ && parts_.empty(); }

 private:
  uint32_t now_ = 1, whole_ = 1;
  struct Part {
    uint32_t time, mask;
  };
  std::vector<Part> parts_;  // since whole_
};

struct SharedConflict {
  bool found = false;
  bool uninitialized = false;
  uint32_t other_warp = 0, other_lane = 0;
  bool other_wrote = false;  // else it read
  bool several = false;      // others than the named one read, too
  bool own_warp = false;     // these are of the same warp
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
  uint32_t phase() const { return phase_; }

  uint32_t tag(uint32_t warp) const {
    return phase_ << SharedTag::kPhaseShift | warp << SharedTag::kWarpShift;
  }
  uint32_t* writers() { return writers_.data(); }
  const uint32_t* writers() const { return writers_.data(); }
  uint32_t* readers() { return readers_.data(); }
  const uint32_t* readers() const { return readers_.data(); }
  // When that was, in the time of the one's warp.
  uint32_t* write_times() { return write_times_.data(); }
  uint32_t* read_times() { return read_times_.data(); }

  // Whether a load or store of the unit by `tag` (with its lane) races. order: of its warp.
  // changes: whether the store changes the unit.
  SharedConflict check_load(uint32_t unit, uint32_t tag, const WarpOrder& order, bool atomic) const;
  SharedConflict check_store(uint32_t unit, uint32_t tag, const WarpOrder& order, bool atomic,
                             bool changes) const;
  // lanes: several of the warp's load it at once.
  void note_load(uint32_t unit, uint32_t tag, const WarpOrder& order, bool lanes);
  void note_store(uint32_t unit, uint32_t tag, const WarpOrder& order, bool atomic);
  // A store that orders (volatile, release): defined, and never in a race.
  void note_ordering_store(uint32_t unit) { writers_[unit] = 1, readers_[unit] = 0; }

  // Asynchronous copies to units that were begun and whose threads have not waited for them yet.
  bool any_copies() const { return copied_units_ != 0; }
  uint32_t copies_to(uint32_t unit) const { return copies_[unit]; }
  void begin_copy(uint32_t first_unit, uint32_t last_unit);
  void end_copy(uint32_t first_unit, uint32_t last_unit);

 private:
  SharedConflict conflict(uint32_t unit, uint32_t entry, bool wrote) const;

  std::vector<std::byte> storage_;
  std::byte* data_ = nullptr;
  uint32_t bytes_ = 0;
  int shift_ = 2;
  uint32_t phase_ = 1;
  std::vector<uint32_t> writers_, readers_;  // tags; 0: never
  std::vector<uint32_t> write_times_, read_times_;
  uint32_t ordered_[64] = {};
  std::vector<uint32_t> copies_;  // by unit; empty until the first one begins
  uint64_t copied_units_ = 0;     // their sum
};

}  // namespace lockstep::emulator
