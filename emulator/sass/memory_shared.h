// SPDX-License-Identifier: Apache-2.0
// Accesses to shared memory, by offset.
#pragma once

#include <algorithm>
#include <bit>
#include <cstring>

#include "emulator/count/wavefronts.h"
#include "emulator/lanes/access.h"
#include "emulator/sass/alu.h"
#include "emulator/sass/fault.h"
#include "emulator/sass/memory_global.h"

namespace lockstep::emulator::sass {

inline void count_shared(const Op& op, Warp& w, const Lanes& l, bool load) {
  Accesses& c = w.worker->accesses[op.access];
  ++c.shared_requests;
  if (l.run && l.mask == ~0u) {  // neighbours: each bank at most once a group
    const uint32_t ideal = op.bytes <= 4 ? 1 : op.bytes / 4u;
    const bool split = op.bytes < 4 && (l.address[0] & 3) != 0;
    c.wavefronts += split ? shared_wavefronts(l.address, l.mask, op.bytes, load).count : ideal;
    c.wavefronts_ideal += ideal;
    return;
  }
  const Wavefronts count = w.worker->patterns.wavefronts(l, op.access, op.bytes, load);
  c.wavefronts += count.count;
  c.wavefronts_ideal += count.ideal;
}

inline void check_shared(const Op& op, Warp& w, const Lanes& l, bool store) {
  const uint64_t size = w.block->shared.size(), bytes = op.bytes;
  uint64_t most = 0, odd = 0;
#pragma GCC ivdep
  for (int i = 0; i < 32; ++i) {
    const uint64_t active = 0 - static_cast<uint64_t>(l.mask >> i & 1);
    const uint64_t offset = l.address[i] & active;
    most = offset > most ? offset : most;
    odd |= offset;
  }
  if (most + bytes <= size && (odd & (bytes - 1)) == 0) return;
  for (uint32_t rest = l.mask; rest != 0; rest &= rest - 1) {
    const int i = std::countr_zero(rest);
    if (l.address[i] + bytes > size || (l.address[i] & (bytes - 1)) != 0)
      shared_fault(w, i, l.address[i], op.bytes, store);
  }
}

// A value is there when it has been stored, not before.
template <int Bytes>
void wait_for_stores(Warp& w, const Lanes& l) {
  const uint64_t path = w.path();
  if (w.block->last_stored <= path) return;  // as a barrier leaves it
  const uint64_t* stored = w.block->stored.data();
  uint64_t longest = path;
  for (uint32_t rest = l.mask; rest != 0; rest &= rest - 1) {
    const uint64_t address = l.address[std::countr_zero(rest)];
    for (size_t k = address / 4; k <= (address + Bytes - 1) / 4; ++k)
      longest = std::max(longest, stored[k]);
  }
  w.waited += longest - path;
}
template <int Bytes>
void note_stores(Warp& w, const Lanes& l) {
  const uint64_t path = w.path();
  uint64_t* stored = w.block->stored.data();
  w.block->last_stored = std::max(w.block->last_stored, path);
  if (l.run && Bytes >= 4) {
    const uint64_t first = l.address[l.first] / 4;
    std::fill_n(stored + first, static_cast<size_t>(l.active) * Bytes / 4, path);
    return;
  }
  for (uint32_t rest = l.mask; rest != 0; rest &= rest - 1) {
    const uint64_t address = l.address[std::countr_zero(rest)];
    for (size_t k = address / 4; k <= (address + Bytes - 1) / 4; ++k) stored[k] = path;
  }
}

template <int Bytes, bool Signed>
LOCKSTEP_INLINE void load_from_shared(const Op& op, Warp& w, Lanes& l) {
  count_shared(op, w, l, true);
  check_shared(op, w, l, false);
  wait_for_stores<Bytes>(w, l);
  const std::byte* from = w.block->shared.data();
  uint32_t* d = to_row(op, w);
  if (l.mask == ~0u) {
    for (int i = 0; i < 32; ++i) take<Bytes, Signed>(d, i, from + l.address[i]);
    return;
  }
  for (uint32_t rest = l.mask; rest != 0; rest &= rest - 1) {
    const int i = std::countr_zero(rest);
    take<Bytes, Signed>(d, i, from + l.address[i]);
  }
}
template <int Bytes>
LOCKSTEP_INLINE void store_to_shared(const Op& op, Warp& w, Lanes& l) {
  count_shared(op, w, l, false);
  check_shared(op, w, l, true);
  note_stores<Bytes>(w, l);
  std::byte* to = w.block->shared.data();
  const uint32_t* s = row(op.source[1], w);
  if (l.run) {
    for (int i = 0; i < l.active; ++i) give<Bytes>(s, l.first + i, to + l.address[l.first + i]);
    return;
  }
  in_store_order(l.mask, Bytes, [&](int i) { give<Bytes>(s, i, to + l.address[i]); });
}
}  // namespace lockstep::emulator::sass
