// SPDX-License-Identifier: Apache-2.0
// Finds lines by a hash table and chooses the one that goes: with the oldest of eight a loop over
// more than fits misses by degrees, as measured on an H200.
#include "emulator/l1/l1_lines.h"

#include <algorithm>
#include <bit>

namespace lockstep::emulator {

L1Lines::L1Lines(size_t lines)
    : pieces_(lines, kEmpty), used_(lines), table_(std::bit_ceil(lines * 2)) {
  table_shift_ = 64 - std::countr_zero(table_.size());
}

size_t L1Lines::find(L1Piece piece) const {
  const uint64_t line = piece & kL1Line;
  const size_t mask = table_.size() - 1;
  for (size_t at = home(line); table_[at] != 0; at = (at + 1) & mask)
    if ((table_[at] & kL1Line) == line) return (table_[at] >> kL1SectorShift) - 1;
  return kNone;
}

uint32_t L1Lines::take(L1Piece piece) {
  const size_t place = find(piece);
  if (place == kNone) return l1_sector_count(piece);
  ++losses_;
  const L1Piece missing = piece & ~pieces_[place] & kL1Sectors;
  pieces_[place] &= ~((piece & kL1Sectors) | (piece & kL1Sectors) << 4);
  return l1_sector_count(missing);
}

void L1Lines::clear() {
  ++losses_;
  for (size_t place = 0; place < taken_; ++place) {
    forget(pieces_[place] & kL1Line);
    pieces_[place] = kEmpty;
  }
  taken_ = 0;
}

void L1Lines::restart() {
  ++losses_;
  std::fill_n(pieces_.begin(), taken_, kEmpty);
  std::fill(table_.begin(), table_.end(), 0);
  taken_ = 0;
  now_ = 0;
  random_ = kSeed;
}

// Where a new line comes: a free place, or that of the line that goes.
size_t L1Lines::choose(uint32_t now) {
  if (taken_ < pieces_.size()) return taken_++;
  size_t oldest = 0;
  uint32_t most = 0;
  for (int i = 0; i < kCandidates; i += 2) {
    random_ ^= random_ << 13;
    random_ ^= random_ >> 7;
    random_ ^= random_ << 17;
    for (const uint64_t part : {random_ & 0xFFFFFFFF, random_ >> 32}) {
      const size_t candidate = size_t(part * pieces_.size() >> 32);
      const uint32_t age = now - used_[candidate];
      if (age < most) continue;
      most = age;
      oldest = candidate;
    }
  }
  return oldest;
}

void L1Lines::replace(size_t place, L1Piece piece) {
  const uint64_t line = piece & kL1Line;
  if (pieces_[place] != kEmpty) {
    forget(pieces_[place] & kL1Line);
    ++losses_;
  }
  pieces_[place] = line;
  const size_t mask = table_.size() - 1;
  size_t at = home(line);
  while (table_[at] != 0) at = (at + 1) & mask;
  table_[at] = line | uint64_t(place + 1) << kL1SectorShift;
}

// Takes a line out of the hash table and moves up what was displaced by it.
void L1Lines::forget(uint64_t line) {
  const size_t mask = table_.size() - 1;
  size_t hole = home(line);
  while ((table_[hole] & kL1Line) != line) hole = (hole + 1) & mask;
  for (size_t at = (hole + 1) & mask; table_[at] != 0; at = (at + 1) & mask) {
    const size_t wanted = home(table_[at] & kL1Line);
    if (((at - wanted) & mask) < ((at - hole) & mask)) continue;
    table_[hole] = table_[at];
    hole = at;
  }
  table_[hole] = 0;
}

}  // namespace lockstep::emulator
