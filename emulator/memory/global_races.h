// SPDX-License-Identifier: Apache-2.0
// Who accessed which place of global memory in a launch, and what orders two accesses: a race is
// two that nothing orders, by different threads, of which one changes the place. One host thread.
//
// Each warp has a clock: up to when it knows what every warp of the grid has done. A fence fixes
// what a warp has done and knows; an atomic operation or a store that orders leaves that in its
// place; one with a result, or a load that acquires, takes it from there. Barriers unite the clocks
// of a block. Within a block, and within a warp, orders are those of shared memory.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "emulator/memory/address_space.h"
#include "emulator/memory/shared_memory.h"
#include "emulator/memory/stale_sectors.h"

namespace lockstep::emulator {

// One lane's access; of thread number `thread` of the grid, where each block has whole warps.
struct GlobalAccess {
  uint32_t time = 0;  // of the launch's steps; before its begin: none
  uint32_t thread = 0;
  uint32_t order = 0;        // WarpOrder::now() of its warp
  uint32_t instruction = 0;  // into Program::instructions
  uint32_t warp() const { return thread >> 5; }
  uint32_t lane() const { return thread & 31; }
};

// Found where an access is not ordered after an earlier one.
struct GlobalConflict {
  enum class Kind : uint8_t {
    kWritten,         // the other wrote the place
    kRead,            // it read it, and now it is changed
    kAtomic,          // it changed it atomically, or by a store that orders
    kAtomicOfABlock,  // both are atomic, one of them among the threads of its block only
    kOfConstants,     // it changed it, and a load reads it of what a kernel does not write
  };
  Kind kind = Kind::kWritten;
  GlobalAccess other;
  bool updated = false;  // the other wrote what it had read from there
};

class GlobalRaces {
 public:
  // A warp that accesses memory now.
  struct Who {
    uint32_t block = 0;
    uint32_t index = 0;                // of the warp in its block
    const SharedMemory* of = nullptr;  // the block's: barriers, and which warps are ordered
    const WarpOrder* order = nullptr;  // of the warp's lanes
    uint32_t instruction = 0;
  };
  // The units of an access: neighbours.
  struct Units {
    uint32_t first = 0, count = 0;
    const Allocation* of = nullptr;
  };

  static constexpr uint64_t kMostBytes = 4 << 20;  // of buffers that kernels may write, by word
  static constexpr uint64_t kMostWarps = 1 << 16;
  // Of the module's variables so much is followed, of what is accessed first.
  static constexpr size_t kMostPagesOfVariables = 256;

  // False where the launch is too large to be followed. A unit has 1 << shift bytes.
  bool begin(const AddressSpace& memory, uint64_t blocks, uint32_t warps_a_block, int shift);

  // Where an access lies; a count of 0: not all of it in an array that is followed.
  Units units_of(uint64_t address, uint32_t bytes) {
    const Array* a = last_array_;
    if (a == nullptr || !a->allocation->contains(address, address + bytes - 1)) {
      a = find_array(address, address + bytes - 1);
      if (a == nullptr) return {};
    }
    const uint64_t offset = address - a->allocation->begin;
    const uint32_t first = a->first + static_cast<uint32_t>(offset >> shift_);
    const uint32_t last = a->first + static_cast<uint32_t>((offset + bytes - 1) >> shift_);
    if (!has_page(*a, first) || !has_page(*a, last)) return {};
    return {first, last - first + 1, a->allocation};
  }
  const Allocation& array_of(uint32_t unit, uint64_t* offset) const;

  // What blocks may find in L1; nullptr: what is there. To be said after begin().
  void keep_stale(bool keep) { stale_.clear(), keeps_stale_ = keep; }
  StaleSectors* stale() { return keeps_stale_ ? &stale_ : nullptr; }
  void end_stale(uint32_t block) {
    if (keeps_stale_) stale_.fence(block);
  }

  // Nobody has accessed it before, in this launch.
  bool is_fresh(uint32_t unit) const { return unit_at(unit).last <= begin_ && syncs_.empty(); }
  bool are_fresh(Units units) const {
    bool fresh = syncs_.empty();
    for (uint32_t i = 0; i < units.count; ++i) fresh &= unit_at(units.first + i).last <= begin_;
    return fresh;
  }

  // Accesses by warps of what is followed, in this launch, and the most that are: 2^20, and four
  // for each unit of the buffers. Beyond it a launch is not followed further, so it must be cut.
  uint32_t accesses() const { return now_ - begin_; }
  uint32_t most_accesses() const { return most_accesses_; }

  // Before the accesses of each instruction.
  void step(const Who& who);
  // A fence for all threads of the device: what was done and is known may be handed on; what was
  // seen is known.
  void fence(const Who& who);
  void take_seen(const Who& who);

  // Of one lane and unit, which are noted when all of the instruction's were checked. atomic: also
  // stores that order; of_a_block: one whose scope is its block.
  std::optional<GlobalConflict> check_load(const Who& who, uint32_t lane, uint32_t unit) const;
  // Of a load that need not see what the launch writes, in whatever order (ld.global.nc).
  std::optional<GlobalConflict> check_load_of_constants(uint32_t unit) const;
  std::optional<GlobalConflict> check_store(const Who& who, uint32_t lane, uint32_t unit) const;
  std::optional<GlobalConflict> check_atomic(const Who& who, uint32_t lane, uint32_t unit,
                                             bool of_a_block) const;
  void note_load(const Who& who, uint32_t lane, uint32_t unit);
  // changes: it stores another value than the one that is there.
  void note_store(const Who& who, uint32_t lane, uint32_t unit, bool changes) {
    const Unit u = unit_at(unit);
    const GlobalAccess fresh = access_of(who, lane);
    if (!changes && is_there(u.same) && u.same.thread != fresh.thread) {
      note_same_store(who, u.same, fresh);
    } else if (!changes) {
      u.same = fresh;
    } else {
      u.writer = fresh;
      if (u.last > begin_) u.same.time = 0;
      if (!syncs_.empty()) syncs_.erase(unit);
    }
    u.last = now_;
  }
  // Of fresh units, 1 << per_lane for each lane from `lane` on, which all change.
  void note_fresh_stores(const Who& who, uint32_t lane, int per_lane, Units units) {
    const GlobalAccess fresh = access_of(who, lane);
    for (uint32_t i = 0; i < units.count; ++i) {
      const Unit u = unit_at(units.first + i);
      u.writer = fresh;
      u.writer.thread += i >> per_lane;
      u.last = now_;
    }
  }
  // has_result: it has seen all that others did to the unit atomically.
  void note_atomic(const Who& who, uint32_t lane, uint32_t unit, bool has_result, bool of_a_block);

  // What was left in the unit is known now (an atomic operation with a result, a load that
  // acquires), or from the next fence on (another load that orders).
  void acquire(const Who& who, uint32_t unit);
  void see(const Who& who, uint32_t unit);
  // What was fenced is left in the unit, beside what is there (an atomic operation) or instead of
  // it (a store that orders).
  void release(const Who& who, uint32_t unit, bool replaces);

  // Whether a thread of the warp has read the unit since the last barrier.
  bool was_read(const Who& who, uint32_t unit) const;

  uint32_t block_of(const GlobalAccess& access) const { return access.warp() / warps_a_block_; }
  uint32_t warp_in_block(const GlobalAccess& access) const {
    return access.warp() % warps_a_block_;
  }

 private:
  // By warp of the grid: up to when what it did is known. Empty: nothing is.
  using Times = std::vector<uint32_t>;
  using Clock = std::shared_ptr<const Times>;
  struct WarpState {
    Clock known, fenced, seen;
  };
  struct BlockState {
    uint32_t phase = 0;
    uint32_t barrier = 0;  // what its warps did up to then is ordered among them
    bool has_clocks = false;
  };
  // What most units never need is apart from what all do.
  static constexpr uint32_t kPageBits = 10, kPageUnits = 1 << kPageBits;
  struct Others {
    GlobalAccess same;  // stored later what was there already; kSeveral: and others
    GlobalAccess readers[2];
  };
  struct Page {
    uint32_t last[kPageUnits] = {};  // when it was accessed
    GlobalAccess writers[kPageUnits];
    Others others[kPageUnits];
  };
  struct Unit {
    uint32_t& last;
    GlobalAccess &writer, &same;
    GlobalAccess (&readers)[2];
  };
  // Of a place of atomic operations and of stores that order.
  struct Sync {
    Clock released;
    GlobalAccess atomics[2];
  };
  StaleSectors stale_;
  bool keeps_stale_ = false;
  static constexpr size_t kMostPagesKept = 1 << 14;  // also of those that are not touched
  static constexpr uint32_t kSeveral = 1u << 31;     // in same.instruction
  static constexpr uint32_t kOfABlock = 1u << 31;    // in the instruction of an atomic one
  // Entries of clocks; beyond it, who would know more than before knows all.
  static constexpr uint64_t kMostWork = uint64_t{1} << 24;
  struct Array {
    const Allocation* allocation;
    uint32_t first, end;  // units
  };

  const Array* find_array(uint64_t first, uint64_t last);
  bool has_page(const Array& a, uint32_t unit) {
    return pages_[unit >> kPageBits] != nullptr || make_page(a, unit);
  }
  bool make_page(const Array& a, uint32_t unit);
  Unit unit_at(uint32_t unit) const {
    Page& page = *pages_[unit >> kPageBits];
    const uint32_t i = unit % kPageUnits;
    return {page.last[i], page.writers[i], page.others[i].same, page.others[i].readers};
  }
  bool is_costly() const { return work_ > kMostWork; }
  const Clock& everything();
  bool is_there(const GlobalAccess& a) const { return a.time > begin_; }
  uint32_t warp_of(const Who& who) const { return who.block * warps_a_block_ + who.index; }
  // Whether it comes before what the lane does now.
  bool is_before(const GlobalAccess& a, const Who& who, uint32_t lane) const;
  bool races(const GlobalAccess& a, const Who& who, uint32_t lane) const {
    return is_there(a) && !is_before(a, who, lane);
  }
  GlobalAccess access_of(const Who& who, uint32_t lane) const {
    return {now_, warp_of(who) << 5 | lane, who.order->now(), who.instruction};
  }
  void note_same_store(const Who& who, GlobalAccess& before, const GlobalAccess& fresh) const;
  std::optional<GlobalConflict> check_writers(const Unit& u, const Who& who, uint32_t lane) const;
  bool has_updated(const Unit& u, const GlobalAccess& writer) const;
  void keep_two(GlobalAccess two[2], const GlobalAccess& fresh, const Who& who);
  int distance(const GlobalAccess& a, const GlobalAccess& b) const;
  const Sync* sync_at(uint32_t unit) const;
  void unite(Clock* into, const Clock& other);
  void pass_barrier(const Who& who, BlockState* block);
  void unite_of_block(uint32_t block, Clock WarpState::*which);

  int shift_ = 2;
  uint32_t warps_a_block_ = 1;
  uint32_t begin_ = 0, now_ = 0, most_accesses_ = 0;
  uint64_t work_ = 0;
  std::vector<Array> arrays_;  // by address
  const Array* last_array_ = nullptr;
  std::vector<std::unique_ptr<Page>> pages_;
  size_t pages_of_variables_ = 0;
  Clock everything_;
  std::vector<BlockState> blocks_;
  std::vector<WarpState> warps_;
  std::unordered_map<uint32_t, Sync> syncs_;  // by unit
};

}  // namespace lockstep::emulator
