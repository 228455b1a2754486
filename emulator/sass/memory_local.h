// SPDX-License-Identifier: Apache-2.0
// Accesses to local memory: word k from the top of the stack downwards of lane l lies at k * 32 +
// l.
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

inline uint32_t local_word(const Op& op, Warp& w, const Lanes& l, int lane, bool store) {
  const uint64_t address = l.address[lane];
  if ((address & (op.bytes - 1u)) != 0 || address + op.bytes > kLocalTop)
    local_fault(w, lane, address, op.bytes, store);
  const auto last =
      static_cast<uint32_t>((kLocalTop - 1 - address) >> 2);  // of the access's first word
  if (last >= w.worker->launch->local_words) stack_fault(w, lane);
  if (w.local.size() < (last + size_t{1}) * 32)
    w.local.resize((last + size_t{1}) * 32, w.worker->launch->unwritten);
  return last;
}

// The distinct words of the active lanes, with the sectors: one holds a word of eight lanes.
inline uint32_t words_of(const Lanes& l, L1Piece* pieces) {
  uint32_t count = 0, at = 0;
  for (uint32_t rest = l.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const uint64_t word = l.address[lane] >> 2 & (kMostLocalWords - 1);
    if (at == count || !same_l1_line(pieces[at], word))
      for (at = 0; at < count && !same_l1_line(pieces[at], word);) ++at;
    if (at == count) pieces[count++] = word;
    pieces[at] |= uint64_t{1} << (kL1SectorShift + lane / 8);
  }
  return count;
}

inline void count_local(const Op& op, Warp& w, const Lanes& l, bool store) {
  Worker& worker = *w.worker;
  L1Piece pieces[32];
  Accesses& c = worker.accesses[op.access];
  const uint32_t count = words_of(l, pieces), words = op.bytes <= 4 ? 1 : op.bytes / 4u;
  for (uint32_t i = 0; i < count; ++i) c.local_sectors += words * l1_sector_count(pieces[i]);
  if (worker.l1 == nullptr) return;
  const L1Access kind = !store         ? L1Access::kLocalLoad
                        : op.bytes < 4 ? L1Access::kLocalStorePart
                                       : L1Access::kLocalStore;
  for (uint32_t k = 0; k < words; ++k) {
    worker.l1->local(static_cast<int>(w.index), op.access, kind, pieces, count);
    for (uint32_t i = 0; i < count; ++i) ++pieces[i];
  }
}

template <int Bytes, bool Signed>
inline void load_from_local(const Op& op, Warp& w, Lanes& l) {
  count_local(op, w, l, false);
  uint32_t* d = to_row(op, w);
  for (uint32_t rest = l.mask; rest != 0; rest &= rest - 1) {
    const int i = std::countr_zero(rest);
    const uint32_t at = local_word(op, w, l, i, false);
    uint32_t word[4] = {};
    for (uint32_t k = 0; k < (Bytes + 3) / 4; ++k)
      word[k] = w.local[(at - k) * size_t{32} + static_cast<size_t>(i)];
    take<Bytes, Signed>(
        d, i, reinterpret_cast<const std::byte*>(word) + (Bytes < 4 ? l.address[i] & 3 : 0));
  }
}
template <int Bytes>
inline void store_to_local(const Op& op, Warp& w, Lanes& l) {
  count_local(op, w, l, true);
  const uint32_t* s = row(op.source[1], w);
  for (uint32_t rest = l.mask; rest != 0; rest &= rest - 1) {
    const int i = std::countr_zero(rest);
    const uint32_t at = local_word(op, w, l, i, true);
    uint32_t word[4] = {w.local[at * size_t{32} + static_cast<size_t>(i)]};
    give<Bytes>(s, i, reinterpret_cast<std::byte*>(word) + (Bytes < 4 ? l.address[i] & 3 : 0));
    for (uint32_t k = 0; k < (Bytes + 3) / 4; ++k)
      w.local[(at - k) * size_t{32} + static_cast<size_t>(i)] = word[k];
  }
}
}  // namespace lockstep::emulator::sass
