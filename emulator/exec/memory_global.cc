// SPDX-License-Identifier: Apache-2.0
// Global memory: bounds, alignment and initialization of a whole warp access at once where its
// lanes are neighbours, lane by lane else; requests, sectors and the record for the L1 model.
#include <algorithm>

#include "emulator/check/memory_faults.h"
#include "emulator/count/lane_count.h"
#include "emulator/count/wavefronts.h"
#include "emulator/exec/memory_handlers.h"
#include "emulator/exec/waits.h"

namespace lockstep::emulator {
namespace {

L1Access l1_kind(const Instr& in, bool store) {
  if (store) return L1Access::kStore;
  if ((in.sub & kBypassL1) != 0) return L1Access::kBypass;
  return (in.sub & kLeavesL1) != 0 ? L1Access::kLoadOnce : L1Access::kLoad;
}

// Neighbouring lanes have no bank conflicts, whatever their width.
void count_run(const Instr& in, Warp& w, uint64_t first, uint64_t last, bool store) {
  Worker& worker = *w.worker;
  MemoryCounters& c = worker.memory[in.aux];
  ++c.requests;
  c.sectors += (last >> 5) - (first >> 5) + 1;
  if (worker.l1 != nullptr)
    worker.l1->range(static_cast<int>(w.index), in.profile, l1_kind(in, store), first,
                     static_cast<uint32_t>(last - first + 1));
}

void count_lanes(const Instr& in, Warp& w, const Lanes& l, uint32_t bytes, bool store) {
  Worker& worker = *w.worker;
  MemoryCounters& c = worker.memory[in.aux];
  ++c.requests;
  if (worker.l1 == nullptr) {
    c.sectors += distinct_sectors(l.address, l.mask);
    return;  // a launch without counts
  }
  const PatternCounts::Global& pattern = worker.patterns.global(l, in.aux, bytes, *worker.l1);
  c.sectors += pattern.lines.sectors;
  c.bank_conflicts += pattern.eighths;
  L1Access kind = l1_kind(in, store);
  const uint32_t written = static_cast<uint32_t>(lane_count(l.mask)) * bytes;
  if (store && bytes < 4 && written < 32 * pattern.lines.sectors) kind = L1Access::kStorePart;
  worker.l1->lines(static_cast<int>(w.index), in.profile, kind, pattern.lines,
                   l.address[l.first] >> 7);
}

// Whether an active lane lies outside of [begin, begin + most], and all their address bits.
struct Span {
  uint64_t odd = 0;
  bool outside = false;
};
LOCKSTEP_INLINE Span spread_body(const Lanes& l, uint64_t begin, uint64_t most) {
  uint64_t odd = 0, outside = 0;
#pragma GCC ivdep
  for (int i = 0; i < 32; ++i) {
    const uint64_t active = 0 - static_cast<uint64_t>(l.mask >> i & 1);
    const uint64_t offset = (l.address[i] - begin) & active;
    odd |= l.address[i] & active;
    outside |= static_cast<uint64_t>(offset > most);
  }
  return {odd, outside != 0};
}
LOCKSTEP_V3 Span spread_v3(const Lanes& l, uint64_t begin, uint64_t most) {
  return spread_body(l, begin, most);
}
Span spread_base(const Lanes& l, uint64_t begin, uint64_t most) {
  return spread_body(l, begin, most);
}
Span spread(const Lanes& l, uint64_t begin, uint64_t most) {
  static const auto chosen = processor_is_v3() ? &spread_v3 : &spread_base;
  return chosen(l, begin, most);
}

// The allocation that all active lanes lie in, aligned, or nullptr: ask lane by lane.
Allocation* common_allocation(const Instr& in, Warp& w, const Lanes& l, uint32_t bytes) {
  Allocation*& last = w.worker->last_allocation[in.aux];
  for (int attempt = 0; attempt < 2; ++attempt) {
    if (last != nullptr && bytes <= last->bytes()) {
      const uint64_t begin = last->begin, most = last->bytes() - bytes;
      constexpr uint64_t kFar = uint64_t{1} << 40;
      if (l.regular && l.stride + kFar < 2 * kFar) {  // the ends tell about all
        const uint64_t one = l.address[l.first], two = l.address[l.first + l.active - 1];
        if (one - begin <= most && two - begin <= most)
          return ((one | l.stride) & (bytes - 1)) == 0 ? last : nullptr;
      }
      const Span span = spread(l, begin, most);
      if (!span.outside) return (span.odd & (bytes - 1)) == 0 ? last : nullptr;
    }
    last = w.worker->launch->memory->owner(l.address[l.first]);
  }
  return nullptr;
}

// The same for neighbouring lanes: [first, last].
LOCKSTEP_INLINE Allocation* run_allocation(const Instr& in, Warp& w, uint64_t first, uint64_t last,
                                           uint32_t bytes) {
  Allocation*& cached = w.worker->last_allocation[in.aux];
  if (cached == nullptr || !cached->contains(first, last)) {
    cached = w.worker->launch->memory->owner(first);
    if (cached == nullptr || !cached->contains(first, last)) return nullptr;
  }
  return (first & (bytes - 1)) == 0 ? cached : nullptr;
}

// Every lane's words are defined (true), or some lane needs a closer look.
bool all_defined(const Allocation& a, const Lanes& l, uint32_t bytes) {
  if (a.defined->everything()) return true;
  if (bytes > 16) return false;
  bool defined = true;
  for (uint32_t rest = l.mask; rest != 0; rest &= rest - 1)
    defined &= a.defined->words_defined(l.address[std::countr_zero(rest)] - a.begin, bytes);
  return defined;
}

// The host address that device address 0 would have, modulo 2^64.
uintptr_t origin_of(const Allocation& a) { return reinterpret_cast<uintptr_t>(a.data) - a.begin; }

void load_lanes(const Instr& in, Warp& w, Lanes& l, const ElementMove& move, uint32_t bytes) {
  count_lanes(in, w, l, bytes, false);
  const Allocation* common = common_allocation(in, w, l, bytes);
  if (common != nullptr && all_defined(*common, l, bytes))
    return move.load_lanes(in, w, l, origin_of(*common));
  for (uint32_t rest = l.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const uint64_t address = l.address[lane];
    const Allocation& a = check_global(in, w, lane, address, bytes, false);
    const uint64_t offset = address - a.begin;
    if (!a.defined->is_defined(offset, bytes)) undefined_fault(in, w, lane, a, offset, bytes);
    move.load_lane(in, w, lane, a.data + offset);
  }
}

void store_lanes_of(const Instr& in, Warp& w, Lanes& l, const ElementMove& move, uint32_t bytes) {
  count_lanes(in, w, l, bytes, true);
  Allocation* common = common_allocation(in, w, l, bytes);
  if (common != nullptr && common->admits_store()) {
    move.store_lanes(in, w, l, origin_of(*common));
    if (all_defined(*common, l, bytes)) return;
    for (uint32_t rest = l.mask; rest != 0; rest &= rest - 1)
      common->defined->define(l.address[std::countr_zero(rest)] - common->begin, bytes);
    return;
  }
  in_store_order(l.mask, bytes, [&](int lane) {
    const uint64_t address = l.address[lane];
    Allocation& a = check_global(in, w, lane, address, bytes, true);
    const uint64_t offset = address - a.begin;
    move.store_lane(in, w, lane, a.data + offset);
    a.defined->define(offset, bytes);
  });
}

void empty_l1(const Instr& in, Warp& w, uint32_t mask) {
  if (in.sub == kFlagGuarded) mask &= predicate(w, in.guard) ^ in.guard_flip;
  if (mask != 0 && w.worker->l1 != nullptr)
    w.worker->l1->invalidate(static_cast<int>(w.index), in.profile);
}

// Whole pieces of in.wide bytes: of an address all that its piece holds.
void prefetch(const Instr& in, Warp& w, uint32_t mask) {
  Lanes l;
  find_addresses(in, w, l);
  for (uint64_t& address : l.address) address = address / in.wide * 32;
  MemoryCounters& c = w.worker->memory[in.aux];
  ++c.requests;
  c.sectors += uint64_t{distinct_sectors(l.address, mask)} * (in.wide / 32);
}

}  // namespace

Handler find_prefetch() { return &prefetch; }

Allocation& check_global(const Instr& in, const Warp& w, int lane, uint64_t address, uint32_t bytes,
                         bool store, uint8_t change) {
  Allocation* a = w.worker->launch->memory->owner(address);
  if (a == nullptr) no_array_fault(in, w, lane, address, bytes, store);
  if (address < a->begin || bytes > a->bytes() || address - a->begin > a->bytes() - bytes)
    bounds_fault(in, w, lane, *a, address, bytes, store);
  if ((address & (bytes - 1)) != 0) alignment_fault(in, w, lane, *a, address, bytes, store);
  if (store && !a->admits_store(change)) read_only_fault(in, w, lane, *a, address, bytes);
  return *a;
}

Handler find_empty_l1() { return &empty_l1; }

void load_global(const Instr& in, Warp& w, Lanes& l, const ElementMove& move, uint32_t bytes) {
  const bool ordering = (in.sub & kOrdering) != 0;
  if (ordering) {
    w.synchronizes = true;
    w.order.all_meet();
    w.block->shared.order_after(w.index, w.block->published & ~(1u << w.index));
  }
  if ((in.sub & kDecides) != 0) note_global_reading(in, w, l.address, l.mask);
  if (l.run) {
    const uint64_t first = l.address[l.first];
    const uint64_t last = first + static_cast<uint64_t>(l.active) * bytes - 1;
    Allocation* a = run_allocation(in, w, first, last, bytes);
    if (a != nullptr && a->defined->is_defined(first - a->begin, last - first + 1)) [[likely]] {
      count_run(in, w, first, last, false);
      if (ordering) return move.load_lanes(in, w, l, origin_of(*a));
      return move.load_run(in, w, l, a->data + (first - a->begin));
    }
  }
  load_lanes(in, w, l, move, bytes);
}

void store_global(const Instr& in, Warp& w, Lanes& l, const ElementMove& move, uint32_t bytes) {
  const bool ordering = (in.sub & kOrdering) != 0;
  if (ordering) w.block->published |= 1u << w.index | w.block->shared.ordered(w.index);
  if (l.run) {
    const uint64_t first = l.address[l.first];
    const uint64_t last = first + static_cast<uint64_t>(l.active) * bytes - 1;
    Allocation* a = run_allocation(in, w, first, last, bytes);
    if (a != nullptr && a->admits_store()) [[likely]] {
      count_run(in, w, first, last, true);
      if (ordering)
        move.store_lanes(in, w, l, origin_of(*a));
      else
        move.store_run(in, w, l, a->data + (first - a->begin));
      return a->defined->define(first - a->begin, last - first + 1);
    }
  }
  store_lanes_of(in, w, l, move, bytes);
}

void load_const(const Instr& in, Warp& w, Lanes& l, const ElementMove& move, uint32_t bytes) {
  MemoryCounters& c = w.worker->memory[in.aux];
  ++c.requests;
  c.wavefronts += constant_wavefronts(l.address, l.mask);
  Allocation* common = common_allocation(in, w, l, bytes);
  for (uint32_t rest = l.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    Allocation& a =
        common != nullptr ? *common : check_global(in, w, lane, l.address[lane], bytes, false);
    move.load_lane(in, w, lane, a.data + (l.address[lane] - a.begin));
  }
}

}  // namespace lockstep::emulator
