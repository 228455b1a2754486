// SPDX-License-Identifier: Apache-2.0
// Kept shapes by a hash of their pieces.
#include "emulator/l1/shapes.h"

#include <algorithm>

namespace lockstep::emulator {
namespace {

uint64_t hash(const AccessLines& lines) {
  uint64_t h = lines.count;
  for (uint32_t i = 0; i < lines.count; ++i) {
    h = (h ^ lines.piece[i]) * 0x9E3779B97F4A7C15u;
    h ^= h >> 32;
  }
  return h;
}

}  // namespace

uint32_t L1Shapes::number(const AccessLines& lines) {
  const uint64_t h = hash(lines);
  if (const auto same = by_hash_.find(h); same != by_hash_.end())
    for (const uint32_t i : same->second)
      if (std::equal(lines.piece, lines.piece + lines.count, all_[i].piece,
                     all_[i].piece + all_[i].count))
        return i;
  if (all_.size() >= kMost) return kNoShape;
  by_hash_[h].push_back(static_cast<uint32_t>(all_.size()));
  all_.push_back(lines);
  return by_hash_[h].back();
}

}  // namespace lockstep::emulator
