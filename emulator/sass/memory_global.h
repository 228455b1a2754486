// SPDX-License-Identifier: Apache-2.0
// Accesses to global memory: bounds and alignment, requests, sectors, the record for the L1 model,
// and the move of the data. It is reached by Allocation. Which bytes are written is not followed:
// after a launch all of what it changed counts as written.
#pragma once

#include <algorithm>
#include <bit>
#include <cstring>

#include "emulator/count/wavefronts.h"
#include "emulator/lanes/access.h"
#include "emulator/sass/alu.h"
#include "emulator/sass/fault.h"
#include "emulator/sass/memory.h"

namespace lockstep::emulator::sass {

inline L1Access l1_kind(const Op& op, bool store) {
  if (store) return L1Access::kStore;
  if ((op.flags & kPassesL1) != 0) return L1Access::kBypass;
  return (op.flags & kLeavesL1) != 0 ? L1Access::kLoadOnce : L1Access::kLoad;
}

inline void count_run(const Op& op, Warp& w, uint64_t first, uint64_t last, bool store) {
  Worker& worker = *w.worker;
  Accesses& c = worker.accesses[op.access];
  ++c.requests;
  c.sectors += (last >> 5) - (first >> 5) + 1;
  if (worker.l1 != nullptr)
    worker.l1->range(static_cast<int>(w.index), op.access, l1_kind(op, store), first,
                     static_cast<uint32_t>(last - first + 1));
}

inline void count_lanes(const Op& op, Warp& w, const Lanes& l, bool store) {
  Worker& worker = *w.worker;
  Accesses& c = worker.accesses[op.access];
  ++c.requests;
  if (worker.l1 == nullptr) {
    c.sectors += distinct_sectors(l.address, l.mask);
    return;
  }
  const PatternCounts::Global& pattern = worker.patterns.global(l, op.access, op.bytes, *worker.l1);
  c.sectors += pattern.lines.sectors;
  c.conflict_eighths += pattern.eighths;
  L1Access kind = l1_kind(op, store);
  const uint32_t written = static_cast<uint32_t>(lane_count(l.mask)) * op.bytes;
  if (store && op.bytes < 4 && written < 32 * pattern.lines.sectors) kind = L1Access::kStorePart;
  worker.l1->lines(static_cast<int>(w.index), op.access, kind, pattern.lines,
                   l.address[l.first] >> 7);
}

// A lane's data to its registers, from `from`.
template <int Bytes, bool Signed>
LOCKSTEP_INLINE void take(uint32_t* d, int i, const std::byte* from) {
  if constexpr (Bytes == 1) {
    const auto value = static_cast<uint8_t>(*from);
    d[i] = Signed ? static_cast<uint32_t>(int32_t{static_cast<int8_t>(value)}) : value;
  } else if constexpr (Bytes == 2) {
    uint16_t value;
    std::memcpy(&value, from, 2);
    d[i] = Signed ? static_cast<uint32_t>(int32_t{static_cast<int16_t>(value)}) : value;
  } else {
    uint32_t word[Bytes / 4];
    std::memcpy(word, from, Bytes);
    for (int k = 0; k < Bytes / 4; ++k) d[i + 32 * k] = word[k];
  }
}
template <int Bytes>
LOCKSTEP_INLINE void give(const uint32_t* s, int i, std::byte* to) {
  if constexpr (Bytes < 4) {
    std::memcpy(to, &s[i], Bytes);
  } else {
    uint32_t word[Bytes / 4];
    for (int k = 0; k < Bytes / 4; ++k) word[k] = s[i + 32 * k];
    std::memcpy(to, word, Bytes);
  }
}

// The allocation that holds all addresses of the lanes, aligned; nullptr: look lane by lane.
inline Allocation* common_allocation(const Op& op, Warp& w, const Lanes& l) {
  Allocation*& last = w.worker->last_allocation[op.access];
  const uint32_t bytes = op.bytes;
  for (int attempt = 0; attempt < 2; ++attempt) {
    if (last != nullptr && bytes <= last->bytes()) {
      const uint64_t begin = last->begin, most = last->bytes() - bytes;
      uint64_t odd = 0, outside = 0;
#pragma GCC ivdep
      for (int i = 0; i < 32; ++i) {
        const uint64_t active = 0 - static_cast<uint64_t>(l.mask >> i & 1);
        odd |= l.address[i] & active;
        outside |= static_cast<uint64_t>(((l.address[i] - begin) & active) > most);
      }
      if (outside == 0) return (odd & (bytes - 1)) == 0 ? last : nullptr;
    }
    last = w.worker->launch->memory->owner(l.address[l.first]);
  }
  return nullptr;
}
inline Allocation* run_allocation(const Op& op, Warp& w, uint64_t first, uint64_t last) {
  Allocation*& cached = w.worker->last_allocation[op.access];
  if (cached == nullptr || !cached->contains(first, last)) {
    cached = w.worker->launch->memory->owner(first);
    if (cached == nullptr || !cached->contains(first, last)) return nullptr;
  }
  return (first & (op.bytes - 1)) == 0 ? cached : nullptr;
}

// One lane of an access to global memory; faults.
inline std::byte* lane_place(const Op& op, Warp& w, const Lanes& l, int lane, bool store) {
  const uint64_t address = l.address[lane];
  Allocation* a = w.worker->launch->memory->owner(address);
  if (a == nullptr || address < a->begin || op.bytes > touchable(*a) ||
      address - a->begin > touchable(*a) - op.bytes || (address & (op.bytes - 1)) != 0 ||
      (store && !a->admits_store()))
    global_fault(w, lane, address, op.bytes, store);
  return a->data + (address - a->begin);
}

// `active` lanes from `lane` on, whose data follow each other from `first` on. False: not within
// one array.
template <int Bytes, bool Signed>
LOCKSTEP_INLINE bool load_run(const Op& op, Warp& w, uint64_t first, int lane, int active) {
  const uint64_t last = first + static_cast<uint64_t>(active) * Bytes - 1;
  const Allocation* a = run_allocation(op, w, first, last);
  if (a == nullptr) [[unlikely]]
    return false;
  count_run(op, w, first, last, false);
  const std::byte* from = a->data + (first - a->begin);
  uint32_t* d = to_row(op, w);
  if (active == 32) {
#pragma GCC ivdep
    for (int i = 0; i < 32; ++i) take<Bytes, Signed>(d, i, from + i * Bytes);
  } else {
    for (int i = 0; i < active; ++i) take<Bytes, Signed>(d, lane + i, from + i * Bytes);
  }
  return true;
}
template <int Bytes>
LOCKSTEP_INLINE bool store_run(const Op& op, Warp& w, uint64_t first, int lane, int active) {
  const uint64_t last = first + static_cast<uint64_t>(active) * Bytes - 1;
  Allocation* a = run_allocation(op, w, first, last);
  if (a == nullptr || !a->admits_store()) [[unlikely]]
    return false;
  count_run(op, w, first, last, true);
  std::byte* to = a->data + (first - a->begin);
  const uint32_t* s = row(op.source[1], w);
  if (active == 32) {
#pragma GCC ivdep
    for (int i = 0; i < 32; ++i) give<Bytes>(s, i, to + i * Bytes);
  } else {
    for (int i = 0; i < active; ++i) give<Bytes>(s, lane + i, to + i * Bytes);
  }
  return true;
}

template <int Bytes, bool Signed>
LOCKSTEP_INLINE void load_from_global(const Op& op, Warp& w, Lanes& l) {
  if (l.run && load_run<Bytes, Signed>(op, w, l.address[l.first], l.first, l.active)) [[likely]]
    return;
  uint32_t* d = to_row(op, w);
  count_lanes(op, w, l, false);
  if (const Allocation* a = common_allocation(op, w, l); a != nullptr) {
    const uintptr_t origin = reinterpret_cast<uintptr_t>(a->data) - a->begin;
    for (uint32_t rest = l.mask; rest != 0; rest &= rest - 1) {
      const int i = std::countr_zero(rest);
      take<Bytes, Signed>(d, i, reinterpret_cast<const std::byte*>(origin + l.address[i]));
    }
    return;
  }
  for (uint32_t rest = l.mask; rest != 0; rest &= rest - 1) {
    const int i = std::countr_zero(rest);
    take<Bytes, Signed>(d, i, lane_place(op, w, l, i, false));
  }
}

template <int Bytes>
LOCKSTEP_INLINE void store_to_global(const Op& op, Warp& w, Lanes& l) {
  if (l.run && store_run<Bytes>(op, w, l.address[l.first], l.first, l.active)) [[likely]]
    return;
  const uint32_t* s = row(op.source[1], w);
  count_lanes(op, w, l, true);
  if (Allocation* a = common_allocation(op, w, l); a != nullptr && a->admits_store()) {
    const uintptr_t origin = reinterpret_cast<uintptr_t>(a->data) - a->begin;
    in_store_order(
        l.mask, Bytes, [&](int i) __attribute__((always_inline)) {
          give<Bytes>(s, i, reinterpret_cast<std::byte*>(origin + l.address[i]));
        });
    return;
  }
  in_store_order(l.mask, Bytes, [&](int i) { give<Bytes>(s, i, lane_place(op, w, l, i, true)); });
}
}  // namespace lockstep::emulator::sass
