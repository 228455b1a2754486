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
  std::vector<uint32_t>& same = by_hash_[hash(lines)];
  for (const uint32_t i : same)
    if (std::equal(lines.piece, lines.piece + lines.count, all_[i].piece,
                   all_[i].piece + all_[i].count))
      return i;
  if (all_.size() >= kMost) return kNoShape;
  same.push_back(static_cast<uint32_t>(all_.size()));
  all_.push_back(lines);
  return same.back();
}

}  // namespace lockstep::emulator
