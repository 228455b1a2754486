// SPDX-License-Identifier: Apache-2.0
// Accesses to global memory: bounds and alignment, requests, sectors, the record for the L1 model,
// and the move of the data. It is reached by Allocation. Which bytes are written is not followed:
// after a launch all of what it changed counts as written.
#pragma once

#include <algorithm>
#include <bit>
#include <cstring>

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

// Lanes whose lines are given, relative to that of the address first.
inline void count_lines(const Op& op, Warp& w, const AccessLines& lines, uint64_t first,
                        uint32_t on, bool store) {
  Worker& worker = *w.worker;
  worker.accesses[op.access].sectors += lines.sectors;
  L1Access kind = l1_kind(op, store);
  const uint32_t written = static_cast<uint32_t>(lane_count(on)) * op.bytes;
  if (store && op.bytes < 4 && written < 32 * lines.sectors) kind = L1Access::kStorePart;
  worker.l1->lines(static_cast<int>(w.index), op.access, kind, lines, first >> 7);
}
// Lanes within one array; first: the address of the first one.
inline void count_pattern(const Op& op, Warp& w, Pattern& p, uint64_t first, bool store) {
  Worker& worker = *w.worker;
  Accesses& c = worker.accesses[op.access];
  ++c.requests;
  if (p.run) {
    c.sectors += worker.l1->range(static_cast<int>(w.index), op.access, l1_kind(op, store), first,
                                  static_cast<uint32_t>(p.active) * op.bytes);
    return;
  }
  const Pattern& all = worker.patterns.with_lines(p, *worker.l1);
  c.conflict_eighths += all.eighths;
  count_lines(op, w, all.lines, first, all.mask, store);
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

// One lane of an access to global memory; faults.
inline std::byte* lane_place(const Op& op, Warp& w, const Lanes& l, int lane, bool store) {
  const uint64_t address = l.address[lane];
  Allocation* a = w.worker->launch->memory->owner(address);
  if (a == nullptr || address < a->begin || op.bytes > touchable(*a) ||
      address - a->begin > touchable(*a) - op.bytes || (address & (op.bytes - 1)) != 0 ||
      (store && !a->admits_store()))
    global_fault(w, lane, address, op.bytes, store);
  w.worker->note_reached(op.access, a);
  return a->data + (address - a->begin);
}

// The array that holds all of them, aligned; nullptr: look lane by lane.
inline Allocation* holder(const Op& op, Warp& w, const Pattern& p, uint64_t first) {
  Allocation*& last = w.worker->last_allocation[op.access];
  const uint64_t lowest = first + static_cast<uint64_t>(int64_t{p.low}),
                 highest = first + static_cast<uint64_t>(int64_t{p.high}) + op.bytes - 1;
  if (last == nullptr || !last->contains(lowest, highest)) {
    Allocation* const before = last;
    last = w.worker->launch->memory->owner(first);
    w.worker->note_reached(op.access, before);
    if (last == nullptr || !last->contains(lowest, highest)) return nullptr;
  }
  return ((first | p.odd) & (op.bytes - 1u)) == 0 ? last : nullptr;
}

typedef uint32_t EightWords __attribute__((vector_size(32), may_alias));

// The lanes' data, from the place of the first active one's.
template <int Bytes, bool Signed>
LOCKSTEP_INLINE void take_all(const Pattern& p, uint32_t* d, const std::byte* from) {
  if (p.group == 32) {
#pragma GCC ivdep
    for (int i = 0; i < 32; ++i) take<Bytes, Signed>(d, i, from + i * Bytes);
  } else if (Bytes == 4 && p.group >= 4) {
    for (int i = 0; i < 32; i += 4) std::memcpy(d + i, from + p.distance[i], 16);
  } else if (Bytes == 4 && p.mask == ~0u) {
    for (int i = 0; i < 32; i += 8) {
      const auto word = [&](int k) __attribute__((always_inline)) {
        uint32_t out;
        std::memcpy(&out, from + p.distance[i + k], 4);
        return out;
      };
      *reinterpret_cast<EightWords*>(d + i) =
          EightWords{word(0), word(1), word(2), word(3), word(4), word(5), word(6), word(7)};
    }
  } else if (p.mask == ~0u) {
    for (int i = 0; i < 32; ++i) take<Bytes, Signed>(d, i, from + p.distance[i]);
  } else {
    for (uint32_t rest = p.mask; rest != 0; rest &= rest - 1) {
      const int i = std::countr_zero(rest);
      take<Bytes, Signed>(d, i, from + p.distance[i]);
    }
  }
}
template <int Bytes>
LOCKSTEP_INLINE void give_all(const Pattern& p, const uint32_t* s, std::byte* to) {
  if (p.group == 32) {
#pragma GCC ivdep
    for (int i = 0; i < 32; ++i) give<Bytes>(s, i, to + i * Bytes);
  } else if (Bytes == 4 && p.group >= 4 && p.apart) {
    for (int i = 0; i < 32; i += 4) std::memcpy(to + p.distance[i], s + i, 16);
  } else if (p.mask == ~0u && p.apart) {
    for (int i = 0; i < 32; ++i) give<Bytes>(s, i, to + p.distance[i]);
  } else {
    in_store_order(p.mask, Bytes, [&](int i) { give<Bytes>(s, i, to + p.distance[i]); });
  }
}

// False: not within one array.
template <int Bytes, bool Signed>
LOCKSTEP_INLINE bool load_pattern(const Op& op, Warp& w, Pattern& p, uint64_t first) {
  const Allocation* a = holder(op, w, p, first);
  if (a == nullptr) [[unlikely]]
    return false;
  count_pattern(op, w, p, first, false);
  take_all<Bytes, Signed>(p, to_row(op, w), a->data + (first - a->begin));
  return true;
}
template <int Bytes>
LOCKSTEP_INLINE bool store_pattern(const Op& op, Warp& w, Pattern& p, uint64_t first) {
  Allocation* a = holder(op, w, p, first);
  if (a == nullptr || !a->admits_store()) [[unlikely]]
    return false;
  count_pattern(op, w, p, first, true);
  give_all<Bytes>(p, row(op.source[1], w), a->data + (first - a->begin));
  return true;
}

// By the addresses of the lanes l.mask, lane by lane where need be.
void count_lanes(const Op& op, Warp& w, const Lanes& l, bool store);

template <int Bytes, bool Signed>
void load_from_global(const Op& op, Warp& w, const Lanes& l) {
  Pattern* p = find_global_pattern(op, w, l);
  if (p != nullptr && load_pattern<Bytes, Signed>(op, w, *p, l.address[p->first])) return;
  count_lanes(op, w, l, false);
  for (uint32_t rest = l.mask; rest != 0; rest &= rest - 1) {
    const int i = std::countr_zero(rest);
    take<Bytes, Signed>(to_row(op, w), i, lane_place(op, w, l, i, false));
  }
}
template <int Bytes>
void store_to_global(const Op& op, Warp& w, const Lanes& l) {
  Pattern* p = find_global_pattern(op, w, l);
  if (p != nullptr && store_pattern<Bytes>(op, w, *p, l.address[p->first])) return;
  count_lanes(op, w, l, true);
  const uint32_t* s = row(op.source[1], w);
  in_store_order(l.mask, Bytes, [&](int i) { give<Bytes>(s, i, lane_place(op, w, l, i, true)); });
}
}  // namespace lockstep::emulator::sass
