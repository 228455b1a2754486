// SPDX-License-Identifier: Apache-2.0
// Global memory: bounds, alignment and initialization of a whole warp access at once where its
// lanes are neighbours, lane by lane else.
#include <algorithm>

#include "emulator/check/fault.h"
#include "emulator/check/memory_faults.h"
#include "emulator/exec/memory_handlers.h"

namespace lockstep::emulator {
namespace {

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
  return bytes <= 16 && a.defined->lanes_defined(l.address, l.mask, a.begin, bytes);
}

// The host address that device address 0 would have, modulo 2^64.
uintptr_t origin_of(const Allocation& a) { return reinterpret_cast<uintptr_t>(a.data) - a.begin; }

void load_lanes(const Instr& in, Warp& w, Lanes& l, const ElementMove& move, uint32_t bytes) {
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
  Allocation* common = common_allocation(in, w, l, bytes);
  if (common != nullptr && common->admits_store()) {
    move.store_lanes(in, w, l, origin_of(*common));
    return common->defined->define_lanes(l.address, l.mask, common->begin, bytes);
  }
  in_store_order(
      l.mask, bytes,
      [&](int lane) {
        const uint64_t address = l.address[lane];
        Allocation& a = check_global(in, w, lane, address, bytes, true);
        const uint64_t offset = address - a.begin;
        move.store_lane(in, w, lane, a.data + offset);
        a.defined->define(offset, bytes);
      },
      stores_otherwise(w));
}

void look_at_stored(const Instr& in, const Warp& w, const Lanes& l, uint32_t bytes) {
  const LaunchState& launch = *w.worker->launch;
  for (uint32_t rest = l.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const Allocation* a = launch.memory->owner(l.address[lane]);
    if (a != nullptr && !launch.stored(*a, l.address[lane] - a->begin, bytes))
      fault(w, in, lane, "stored", "stores what it should not");
  }
}

void store_unseen(const Instr& in, Warp& w, Lanes& l, const ElementMove& move, uint32_t bytes) {
  const bool ordering = (in.sub & kOrdering) != 0;
  if (ordering) w.block->published |= 1u << w.index | w.block->shared.ordered(w.index);
  if (l.run) {
    const uint64_t first = l.address[l.first];
    const uint64_t last = first + static_cast<uint64_t>(l.active) * bytes - 1;
    Allocation* a = run_allocation(in, w, first, last, bytes);
    if (a != nullptr && a->admits_store()) [[likely]] {
      if (ordering)
        move.store_lanes(in, w, l, origin_of(*a));
      else
        move.store_run(in, w, l, a->data + (first - a->begin));
      return a->defined->define(first - a->begin, last - first + 1);
    }
  }
  store_lanes_of(in, w, l, move, bytes);
}

}  // namespace

Allocation& check_global(const Instr& in, const Warp& w, int lane, uint64_t address, uint32_t bytes,
                         bool store) {
  Allocation* a = w.worker->launch->memory->owner(address);
  if (a == nullptr) no_array_fault(in, w, lane, address, bytes, store);
  if (address < a->begin || bytes > a->bytes() || address - a->begin > a->bytes() - bytes)
    bounds_fault(in, w, lane, *a, address, bytes, store);
  if ((address & (bytes - 1)) != 0) alignment_fault(in, w, lane, *a, address, bytes, store);
  if (store && !a->admits_store()) read_only_fault(in, w, lane, *a, address, bytes);
  return *a;
}

void load_global(const Instr& in, Warp& w, Lanes& l, const ElementMove& move, uint32_t bytes) {
  const bool ordering = (in.sub & kOrdering) != 0;
  if (ordering) {
    w.synchronizes = true;
    w.order.all_meet();
    w.block->shared.order_after(w.index, w.block->published & ~(1u << w.index));
  }
  if (l.run) {
    const uint64_t first = l.address[l.first];
    const uint64_t last = first + static_cast<uint64_t>(l.active) * bytes - 1;
    Allocation* a = run_allocation(in, w, first, last, bytes);
    if (a != nullptr && a->defined->is_defined(first - a->begin, last - first + 1)) [[likely]] {
      if (ordering) return move.load_lanes(in, w, l, origin_of(*a));
      return move.load_run(in, w, l, a->data + (first - a->begin));
    }
  }
  load_lanes(in, w, l, move, bytes);
}

void store_global(const Instr& in, Warp& w, Lanes& l, const ElementMove& move, uint32_t bytes) {
  store_unseen(in, w, l, move, bytes);
  if (w.worker->launch->stored) look_at_stored(in, w, l, bytes);
}

void load_const(const Instr& in, Warp& w, Lanes& l, const ElementMove& move, uint32_t bytes) {
  Allocation* common = common_allocation(in, w, l, bytes);
  for (uint32_t rest = l.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    Allocation& a =
        common != nullptr ? *common : check_global(in, w, lane, l.address[lane], bytes, false);
    move.load_lane(in, w, lane, a.data + (l.address[lane] - a.begin));
  }
}

}  // namespace lockstep::emulator
