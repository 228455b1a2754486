// SPDX-License-Identifier: Apache-2.0
// Accesses to shared memory, by the offset of the first lane and the lanes' pattern.
#pragma once

#include <algorithm>
#include <bit>
#include <cstring>

#include "emulator/sass/alu.h"
#include "emulator/sass/memory_global.h"

namespace lockstep::emulator::sass {

inline void count_shared(const Op& op, Warp& w, Pattern& p, bool load) {
  Accesses& c = w.worker->accesses[op.access];
  const Wavefronts& count = Patterns::wavefronts(p, load);
  ++c.shared_requests;
  c.wavefronts += count.count;
  c.wavefronts_ideal += count.ideal;
}

// Throws where a lane's offset is outside or askew.
void fault_in_shared(const Op& op, Warp& w, const Pattern& p, uint64_t first, bool store);
inline void check_shared(const Op& op, Warp& w, const Pattern& p, uint64_t first, bool store) {
  const auto least = static_cast<int64_t>(first) + p.low;  // of the huge ones: huge
  const bool within = least >= 0 && first + static_cast<uint64_t>(int64_t{p.high}) + op.bytes <=
                                        w.block->shared.size();
  if (!within || ((first | p.odd) & (op.bytes - 1u)) != 0) fault_in_shared(op, w, p, first, store);
}

// A value is there when it has been stored, not before.
template <int Bytes>
void wait_for_stores(Warp& w, const Pattern& p, uint64_t first) {
  const uint64_t path = w.path();
  if (w.block->last_stored <= path) return;  // as a barrier leaves it
  const uint64_t* stored = w.block->stored.data();
  uint64_t longest = path;
  for (uint32_t rest = p.mask; rest != 0; rest &= rest - 1) {
    const uint64_t offset = p.address(first, std::countr_zero(rest));
    for (size_t k = offset / 4; k <= (offset + Bytes - 1) / 4; ++k)
      longest = std::max(longest, stored[k]);
  }
  w.waited += longest - path;
}
template <int Bytes>
void note_stores(Warp& w, const Pattern& p, uint64_t first) {
  const uint64_t path = w.path();
  uint64_t* stored = w.block->stored.data();
  w.block->last_stored = std::max(w.block->last_stored, path);
  if (p.run && Bytes >= 4) {
    std::fill_n(stored + first / 4, static_cast<size_t>(p.active) * Bytes / 4, path);
    return;
  }
  for (uint32_t rest = p.mask; rest != 0; rest &= rest - 1) {
    const uint64_t offset = p.address(first, std::countr_zero(rest));
    for (size_t k = offset / 4; k <= (offset + Bytes - 1) / 4; ++k) stored[k] = path;
  }
}

// first: the offset of the first lane.
template <int Bytes, bool Signed>
LOCKSTEP_INLINE void load_from_shared(const Op& op, Warp& w, Pattern& p, uint64_t first) {
  check_shared(op, w, p, first, false);
  count_shared(op, w, p, true);
  wait_for_stores<Bytes>(w, p, first);
  take_all<Bytes, Signed>(p, to_row(op, w), w.block->shared.data() + first);
}
template <int Bytes>
LOCKSTEP_INLINE void store_to_shared(const Op& op, Warp& w, Pattern& p, uint64_t first,
                                     const uint32_t* data) {
  check_shared(op, w, p, first, true);
  count_shared(op, w, p, false);
  note_stores<Bytes>(w, p, first);
  give_all<Bytes>(p, data, w.block->shared.data() + first);
}
template <int Bytes, bool Signed>
void load_from_shared(const Op& op, Warp& w, const Lanes& l) {
  Pattern& p = find_pattern(op, w, l, 3);
  load_from_shared<Bytes, Signed>(op, w, p, l.address[p.first]);
}
template <int Bytes>
void store_to_shared(const Op& op, Warp& w, const Lanes& l, const uint32_t* data) {
  Pattern& p = find_pattern(op, w, l, 3);
  store_to_shared<Bytes>(op, w, p, l.address[p.first], data);
}
}  // namespace lockstep::emulator::sass
