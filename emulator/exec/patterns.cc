// SPDX-License-Identifier: Apache-2.0
// Remembered counts of regular patterns.
#include "emulator/exec/patterns.h"

#include "emulator/exec/memory_access.h"
#include "emulator/l1_model.h"

namespace lockstep::emulator {

PatternCounts::Key PatternCounts::key_of(const Lanes& l, uint32_t bytes, bool load) {
  const auto place = static_cast<uint32_t>(l.address[l.first] & 127);
  return {l.stride, l.mask, place << 8 | bytes << 1 | (load ? 1 : 0)};
}

Wavefronts PatternCounts::wavefronts(const Lanes& l, uint32_t bytes, bool load) {
  if (!l.regular) return shared_wavefronts(l.address, l.mask, bytes, load);
  const Key key = key_of(l, bytes, load);
  Entry<Wavefronts>& entry = wavefronts_[key.slot()];
  if (entry.key != key) entry = {key, shared_wavefronts(l.address, l.mask, bytes, load)};
  return entry.value;
}

uint32_t PatternCounts::conflict_eighths(const Lanes& l, uint32_t bytes) {
  if (!l.regular) return global_bank_conflict_eighths(l.address, l.mask, bytes);
  const Key key = key_of(l, bytes, true);
  Entry<uint32_t>& entry = conflicts_[key.slot()];
  if (entry.key != key) entry = {key, global_bank_conflict_eighths(l.address, l.mask, bytes)};
  return entry.value;
}

}  // namespace lockstep::emulator
