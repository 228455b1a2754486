// SPDX-License-Identifier: Apache-2.0
// What one SM's L1 cache holds: 128-byte lines of four sectors, any line anywhere; when it is full,
// the oldest of a few lines goes. Used by l1_model.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lockstep::emulator {

// A line (address / 128, 40 bits) and some of its sectors (4 bits above them) in one word.
using L1Piece = uint64_t;
inline constexpr int kL1SectorShift = 40;
inline constexpr uint64_t kL1Line = (uint64_t{1} << kL1SectorShift) - 1;
inline constexpr uint64_t kL1Sectors = uint64_t{15} << kL1SectorShift;
// In the cache, four bits more: of the valid sectors, those that came from L2.
inline constexpr uint64_t kL1Fetched = kL1Sectors << 4;
inline bool same_l1_line(L1Piece a, L1Piece b) {
  return ((a ^ b) & ~(kL1Sectors | kL1Fetched)) == 0;
}
// How many sectors: from a table of sixteen 4-bit entries.
inline uint32_t l1_sector_count(L1Piece piece) {
  return 0x4332'3221'3221'2110u >> ((piece & kL1Sectors) >> (kL1SectorShift - 2)) & 15;
}

class L1Lines {
 public:
  // lines: how many the cache holds, 1 to 65536.
  explicit L1Lines(size_t lines);
  size_t size() const { return pieces_.size(); }
  // Places in use: the first ones.
  size_t taken() const { return taken_; }

  // Uses the lines of `count` pieces, one after the other, and makes their sectors valid. places[i]
  // is a guess where the line is, or any place; afterwards where it is. Calls replaced(place) when
  // a line is about to leave its place. fetched: what was not valid comes from L2, else it was
  // written. Returns how many of the sectors were not valid.
  template <class Replaced>
  uint32_t use(const L1Piece* pieces, size_t count, uint16_t* places, bool fetched,
               Replaced replaced) {
    uint32_t missing = 0;
    uint32_t now = now_;
    for (size_t i = 0; i < count; ++i) {
      const L1Piece piece = pieces[i];
      size_t place = places[i];
      if (!same_l1_line(pieces_[place], piece)) {
        place = find(piece);
        if (place == kNone) {
          place = choose(now);
          replaced(place);
          replace(place, piece);
        }
        places[i] = uint16_t(place);
      }
      used_[place] = ++now;
      const L1Piece sectors = piece & ~pieces_[place];
      if (sectors == 0) continue;
      missing += l1_sector_count(sectors);
      pieces_[place] |= fetched ? sectors | sectors << 4 : sectors;
    }
    now_ = now;
    return missing;
  }

  // As use() for `count` pieces that are known to be there, with their sectors: now in part, and
  // when touch() is called for what this returns, their places and their count, which has to be
  // before the next use().
  uint32_t pass(size_t count) {
    now_ += uint32_t(count);
    return now_ - uint32_t(count);
  }
  void touch(uint32_t passed, const uint16_t* places, size_t count) {
    for (size_t i = 0; i < count; ++i) {
      uint32_t& used = used_[places[i]];
      const uint32_t time = passed + uint32_t(i) + 1;
      used = int32_t(time - used) > 0 ? time : used;
    }
  }
  // Whether pieces are there, with their sectors.
  bool there(const L1Piece* pieces, size_t count, const uint16_t* places) const {
    for (size_t i = 0; i < count; ++i) {
      const L1Piece at = pieces_[places[i]];
      if (!same_l1_line(at, pieces[i]) || (pieces[i] & ~at) != 0) return false;
    }
    return true;
  }
  // How often anything has left, or stopped to be valid.
  uint64_t losses() const { return losses_; }

  // Makes a piece's sectors invalid, where its line is there. Returns how many were not valid.
  uint32_t take(L1Piece piece);

  // All lines go. Takes time by the lines that came since the last time.
  void clear();
  // As if new.
  void restart();

  // Sectors of the line at a place are written in part: valid are those that came from L2.
  void spoil(size_t place, L1Piece piece) {
    ++losses_;
    pieces_[place] &= ~(piece & kL1Sectors) | (pieces_[place] & kL1Fetched) >> 4;
  }

 private:
  static constexpr size_t kNone = ~size_t{0};
  static constexpr L1Piece kEmpty = ~uint64_t{0};
  static constexpr int kCandidates = 8;  // the oldest of as many lines, taken at random, goes

  size_t home(uint64_t line) const { return line * 0x9E3779B97F4A7C15u >> table_shift_; }
  size_t find(L1Piece piece) const;
  size_t choose(uint32_t now);
  void replace(size_t place, L1Piece piece);
  void forget(uint64_t line);

  std::vector<L1Piece> pieces_;  // by place: a line and its valid sectors
  std::vector<uint32_t> used_;   // by place: time of last use
  size_t taken_ = 0;             // places, the first ones
  uint32_t now_ = 0;
  uint64_t losses_ = 0;
  static constexpr uint64_t kSeed = 0x2545F4914F6CDD1D;
  uint64_t random_ = kSeed;
  // Open hash table: the line and, in the bits above, its place + 1. 0: free.
  std::vector<uint64_t> table_;
  int table_shift_ = 0;
};

}  // namespace lockstep::emulator
