// SPDX-License-Identifier: Apache-2.0
// Shared memory: bounds, initialization and races. Neighbouring lanes are checked as
// one range of units; any doubt, and every other pattern, goes unit by unit.
#include "emulator/check/memory_faults.h"
#include "emulator/exec/async_copies.h"
#include "emulator/exec/memory_handlers.h"
#include "emulator/exec/shared_bounds.h"
#include "emulator/watch/watch.h"

namespace lockstep::emulator {
namespace {

void to_offsets(Lanes& l) {
#pragma GCC ivdep
  for (int i = 0; i < 32; ++i) l.address[i] = shared_offset(l.address[i]);
}

// No lane reaches what an asynchronous copy is on its way to.
void check_copies(const Instr& in, Warp& w, const Lanes& l, uint32_t bytes, bool store) {
  for (uint32_t rest = l.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    check_no_copy(in, w, lane, l.address[lane], bytes, store);
  }
}

// Units first to last of shared memory, as arrays of what is remembered of each.
struct Notes {
  uint32_t *writers, *readers, *write_times, *read_times;
  explicit Notes(SharedMemory& s, uint32_t first = 0)
      : writers(s.writers() + first),
        readers(s.readers() + first),
        write_times(s.write_times() + first),
        read_times(s.read_times() + first) {}
};

// One who accesses: its tag with the lane, and the time since which its lanes have not all met.
struct Own {
  uint32_t tag, whole;
};

// Whether a load of unit i may be wrong: unwritten, or written by another warp or lane unordered.
LOCKSTEP_INLINE bool load_doubt(const Notes& n, uint32_t i, Own own) {
  const uint32_t x = n.writers[i] ^ own.tag;
  return (x - 128u < 4096u - 128u) | (n.writers[i] == 0) |
         ((x < 128u) & ((x & SharedTag::kLaneMask) != 0) & (n.write_times[i] >= own.whole));
}

LOCKSTEP_INLINE bool store_doubt(const Notes& n, uint32_t i, Own own) {
  const uint32_t x = n.writers[i] ^ own.tag, y = n.readers[i] ^ own.tag;
  const bool readers = (y & (SharedTag::kLaneMask | SharedTag::kLanes)) != 0;
  return (x - 128u < 4096u - 128u) |
         ((x < 128u) & ((x & SharedTag::kLaneMask) != 0) & (n.write_times[i] >= own.whole)) |
         (y - 128u < 4096u - 128u) | ((y < 128u) & ((n.readers[i] & SharedTag::kSpecial) != 0)) |
         ((y < 128u) & readers & (n.read_times[i] >= own.whole));
}

// The lane of each unit of a range whose lanes have 1 << per_lane units each.
struct LanesOfUnits {
  uint32_t lane[32 * 16];
  LanesOfUnits(uint32_t units, int first, int per_lane) {
#pragma GCC ivdep
    for (uint32_t i = 0; i < units; ++i) lane[i] = static_cast<uint32_t>(first) + (i >> per_lane);
  }
};

// True when no unit of the range needs a closer look.
bool range_is_clean(const Notes& n, uint32_t units, const uint32_t* lane, Own own) {
  uint32_t doubt = 0;
#pragma GCC ivdep
  for (uint32_t i = 0; i < units; ++i) doubt |= load_doubt(n, i, {own.tag | lane[i], own.whole});
  return doubt == 0;
}

bool store_range_is_clean(const Notes& n, uint32_t units, const uint32_t* lane, Own own) {
  uint32_t doubt = 0;
#pragma GCC ivdep
  for (uint32_t i = 0; i < units; ++i) doubt |= store_doubt(n, i, {own.tag | lane[i], own.whole});
  return doubt == 0;
}

void note_range_load(const Notes& n, uint32_t units, const uint32_t* lane, Own own, uint32_t now) {
#pragma GCC ivdep
  for (uint32_t i = 0; i < units; ++i) {
    const uint32_t x = n.readers[i] ^ (own.tag | lane[i]);
    const bool warps = (x < 4096u) & ((x >= 128u) | ((x & SharedTag::kSpecial) != 0));
    const bool lanes = (x < 128u) & ((x & (SharedTag::kLaneMask | SharedTag::kLanes)) != 0) &
                       (n.read_times[i] >= own.whole);
    n.readers[i] =
        own.tag | lane[i] | (warps ? SharedTag::kSpecial : 0) | (lanes ? SharedTag::kLanes : 0);
    n.read_times[i] = now;
  }
}

void note_range_store(const Notes& n, uint32_t units, const uint32_t* lane, Own own, uint32_t now) {
#pragma GCC ivdep
  for (uint32_t i = 0; i < units; ++i) {
    n.writers[i] = own.tag | lane[i];
    n.write_times[i] = now;
  }
}

struct Range {
  uint32_t first_unit, units;
  int per_lane;  // log2 of the units a lane
};
Range range_of(const Warp& w, const Lanes& l, uint32_t bytes) {
  const int shift = w.block->shared.shift();
  Range r;
  r.first_unit = static_cast<uint32_t>(l.address[l.first] >> shift);
  r.units = (static_cast<uint32_t>(l.active) * bytes) >> shift;
  r.per_lane = std::countr_zero(bytes) - shift;
  return r;
}

// The units of one lane, whose access begins at offset.
struct Units {
  uint32_t first, last;
};
LOCKSTEP_INLINE Units units_of(uint64_t offset, uint32_t bytes, int shift) {
  return {static_cast<uint32_t>(offset >> shift),
          static_cast<uint32_t>((offset + bytes - 1) >> shift)};
}

// Lanes to look at: one stands for all where they read the same place.
uint32_t distinct_lanes(const Lanes& l) {
  return l.regular && l.stride == 0 ? l.mask & (0 - l.mask) : l.mask;
}

bool lanes_are_clean(SharedMemory& shared, const Lanes& l, uint32_t lanes, uint32_t bytes, Own own,
                     bool load) {
  const Notes n(shared);
  const int shift = shared.shift();
  bool doubt = false;
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const Units units = units_of(l.address[lane], bytes, shift);
    const Own one{own.tag | static_cast<uint32_t>(lane), own.whole};
    for (uint32_t u = units.first; u <= units.last; ++u)
      doubt |= load ? load_doubt(n, u, one) : store_doubt(n, u, one);
  }
  return !doubt;
}

// Scattered lanes without a doubt: true when done.
bool load_scattered(const Instr& in, Warp& w, Lanes& l, const ElementMove& move, uint32_t bytes) {
  SharedMemory& shared = w.block->shared;
  const uint32_t tag = shared.tag(w.index), lanes = distinct_lanes(l);
  if (!lanes_are_clean(shared, l, l.mask, bytes, {tag, w.order.whole()}, true)) return false;
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const Units units = units_of(l.address[lane], bytes, shared.shift());
    for (uint32_t u = units.first; u <= units.last; ++u)
      shared.note_load(u, tag | static_cast<uint32_t>(lane), w.order, lanes != l.mask);
  }
  move.load_lanes(in, w, l, reinterpret_cast<uintptr_t>(shared.data()));
  return true;
}

// The same for stores of a stride that keeps lanes apart.
bool store_scattered(const Instr& in, Warp& w, Lanes& l, const ElementMove& move, uint32_t bytes) {
  const bool apart = l.active == 1 || (l.regular && l.stride + bytes > 2 * uint64_t{bytes} - 1);
  if (!apart) return false;
  SharedMemory& shared = w.block->shared;
  const uint32_t tag = shared.tag(w.index);
  if (!lanes_are_clean(shared, l, l.mask, bytes, {tag, w.order.whole()}, false)) return false;
  for (uint32_t rest = l.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const Units units = units_of(l.address[lane], bytes, shared.shift());
    for (uint32_t u = units.first; u <= units.last; ++u)
      shared.note_store(u, tag | static_cast<uint32_t>(lane), w.order, false);
  }
  move.store_lanes(in, w, l, reinterpret_cast<uintptr_t>(shared.data()));
  return true;
}

void load_lane_by_lane(const Instr& in, Warp& w, Lanes& l, const ElementMove& move,
                       uint32_t bytes) {
  SharedMemory& shared = w.block->shared;
  const bool ordering = (in.sub & kOrdering) != 0;
  const int shift = shared.shift();
  for (uint32_t rest = l.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const uint32_t own = shared.tag(w.index) | static_cast<uint32_t>(lane);
    const auto offset = static_cast<uint32_t>(l.address[lane]);
    for (uint32_t u = offset >> shift; u <= (offset + bytes - 1) >> shift; ++u) {
      const SharedConflict c = shared.check_load(u, own, w.order, false);
      if (c.found && (c.uninitialized || !ordering)) {
        if (c.uninitialized && w.worker->launch->values != nullptr) {
          if (watch_unwritten(w, offset)) continue;
          watch_ended(w);
        }
        shared_race_fault(in, w, lane, c, false);
      }
      if (!ordering) shared.note_load(u, own, w.order, false);
    }
    move.load_lane(in, w, lane, shared.data() + offset);
  }
}

// Lanes of one instruction that store different values to one place: one of them stays, which may
// be meant; but where the warp had read the place before (s += x), updates are lost.
bool was_read(const SharedMemory& shared, uint64_t offset, uint32_t tag) {
  const uint32_t reader = shared.readers()[offset >> shared.shift()];
  return reader != 0 && (reader ^ tag) >> SharedTag::kWarpShift == 0;
}

void check_same_place(const Instr& in, Warp& w, const Lanes& l, const ElementMove& move,
                      uint32_t bytes) {
  SharedMemory& shared = w.block->shared;
  alignas(16) std::byte wanted[32];
  for (uint32_t rest = l.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    move.store_lane(in, w, lane, wanted);
    if (std::memcmp(wanted, shared.data() + l.address[lane], bytes) == 0) continue;
    if (!was_read(shared, l.address[lane], shared.tag(w.index))) continue;
    int other = lane;
    for (uint32_t m = l.mask & ~(1u << lane); m != 0; m &= m - 1)
      if (l.address[std::countr_zero(m)] < l.address[lane] + bytes &&
          l.address[std::countr_zero(m)] + bytes > l.address[lane])
        other = std::countr_zero(m);
    same_place_fault(in, w, lane, other, l.address[lane]);
  }
}

// All lanes are checked before any is remembered: those of one instruction do not race.
void store_lane_by_lane(const Instr& in, Warp& w, Lanes& l, const ElementMove& move,
                        uint32_t bytes) {
  SharedMemory& shared = w.block->shared;
  const uint32_t tag = shared.tag(w.index);
  const bool ordering = (in.sub & kOrdering) != 0;
  const int shift = shared.shift();
  alignas(16) std::byte before[32];
  in_store_order(
      l.mask, bytes,
      [&](int lane) {
        const auto offset = static_cast<uint32_t>(l.address[lane]);
        const Units units = units_of(offset, bytes, shift);
        std::memcpy(before, shared.data() + offset, bytes);
        move.store_lane(in, w, lane, shared.data() + offset);
        for (uint32_t u = units.first; u <= units.last && !ordering; ++u) {
          const uint32_t from = u << shift > offset ? (u << shift) - offset : 0;
          const uint32_t size = std::min<uint32_t>(1u << shift, bytes);
          const bool changes = std::memcmp(before + from, shared.data() + offset + from, size) != 0;
          const SharedConflict c =
              shared.check_store(u, tag | static_cast<uint32_t>(lane), w.order, false, changes);
          if (c.found) shared_race_fault(in, w, lane, c, true);
        }
      },
      stores_otherwise(w));
  in_store_order(
      l.mask, bytes,
      [&](int lane) {
        const Units units = units_of(l.address[lane], bytes, shift);
        for (uint32_t u = units.first; u <= units.last; ++u) {
          if (ordering)
            shared.note_ordering_store(u);
          else
            shared.note_store(u, tag | static_cast<uint32_t>(lane), w.order, false);
        }
      },
      stores_otherwise(w));
  if (l.active > 1) check_same_place(in, w, l, move, bytes);
}

}  // namespace

void load_shared(const Instr& in, Warp& w, Lanes& l, const ElementMove& move, uint32_t bytes) {
  to_offsets(l);
  SharedMemory& shared = w.block->shared;
  const uint64_t first = l.address[l.first];
  const bool inside = run_is_inside(in, w, l, bytes);
  if (!inside) check_bounds(in, w, l, bytes, false);
  if (shared.any_copies()) [[unlikely]]
    check_copies(in, w, l, bytes, false);
  if ((in.sub & kOrdering) != 0) {
    w.synchronizes = true;
    w.order.all_meet();
    shared.order_after(w.index, w.block->published);
  }
  const bool ordering = (in.sub & kOrdering) != 0;
  if (inside && !ordering) {
    const Range r = range_of(w, l, bytes);
    const LanesOfUnits lanes(r.units, l.first, r.per_lane);
    const Notes notes(shared, r.first_unit);
    const Own own{shared.tag(w.index), w.order.whole()};
    if (range_is_clean(notes, r.units, lanes.lane, own)) [[likely]] {
      note_range_load(notes, r.units, lanes.lane, own, w.order.now());
      return move.load_run(in, w, l, shared.data() + first);
    }
  } else if (!ordering && load_scattered(in, w, l, move, bytes)) {
    return;
  }
  load_lane_by_lane(in, w, l, move, bytes);
}

void store_shared(const Instr& in, Warp& w, Lanes& l, const ElementMove& move, uint32_t bytes) {
  to_offsets(l);
  SharedMemory& shared = w.block->shared;
  const uint64_t first = l.address[l.first];
  const bool inside = run_is_inside(in, w, l, bytes);
  if (!inside) check_bounds(in, w, l, bytes, true);
  if (shared.any_copies()) [[unlikely]]
    check_copies(in, w, l, bytes, true);
  if ((in.sub & kOrdering) != 0) {
    w.block->published |= 1u << w.index | shared.ordered(w.index);
  } else if (inside) {
    const Range r = range_of(w, l, bytes);
    const LanesOfUnits lanes(r.units, l.first, r.per_lane);
    const Notes notes(shared, r.first_unit);
    const Own own{shared.tag(w.index), w.order.whole()};
    if (store_range_is_clean(notes, r.units, lanes.lane, own)) [[likely]] {
      note_range_store(notes, r.units, lanes.lane, own, w.order.now());
      return move.store_run(in, w, l, shared.data() + first);
    }
  } else if (store_scattered(in, w, l, move, bytes)) {
    return;
  }
  store_lane_by_lane(in, w, l, move, bytes);
}

}  // namespace lockstep::emulator
