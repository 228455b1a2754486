// SPDX-License-Identifier: Apache-2.0
// The L1 cache of one SM: which global loads go to L2 (N*R) and what stores send there (N*W).
// Execution records every global access, warp by warp; the model replays them interleaved, as
// the resident warps of an SM run, so the order in which warps were executed matters little.
// One object an SM: block b runs on SM b mod sm_count, blocks of an SM in rising order, all on one
// host thread. The counts then do not depend on the number of host threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "emulator/l1/l1_lines.h"
#include "emulator/l1/line_index.h"
#include "emulator/l1/shapes.h"

namespace lockstep::emulator {

enum class L1Access : uint8_t {
  kLoad = 0,
  kStore = 1,
  kAtomic = 2,      // atom and red: performed in L2
  kBypass = 3,      // loads that skip L1: .cg, .cv, .volatile, .relaxed
  kStorePart = 4,   // a store of bytes or halves that leaves gaps
  kInvalidate = 5,  // a fence: all lines go
  kLoadOnce = 6,    // a load whose sectors do not stay: .lu, .L1::no_allocate
  kLocalLoad = 7,
  kLocalStore = 8,  // to local memory; its way to L2 is not modelled
  kLocalStorePart = 9,
};

struct L1Config {
  uint64_t capacity_bytes = 128 * 1024;  // of the data cache, shared memory taken off
  bool write_through = true;             // a store's sectors go to L2 at once (CC 9.0)
  int resident_blocks = 1;               // blocks on the SM at once
};

// Bytes moved for one PTX instruction.
struct L1Traffic {
  uint64_t fill_bytes = 0;   // L2 to L1
  uint64_t write_bytes = 0;  // L1 to L2
};

class L1Model {
 public:
  // instructions: size of KernelProfile::instructions. runs: by instruction (store_runs.h); empty:
  // all are in one. shapes: of the accesses that have one; outlives it.
  L1Model(const L1Config& config, size_t instructions, std::vector<uint32_t> runs = {},
          const L1Shapes* shapes = nullptr);

  // The next block of this SM is about to run, with this many warps. Returns its first one's
  // number.
  size_t begin_block(int warps);
  // Another of the blocks that have begun has its turn.
  void resume_block(size_t first_warp) { base_ = first_warp; }

  // One warp instruction whose active, guarded-on lanes touch every byte of
  // [address, address + bytes): the coalesced case. bytes: 1 to 1024. Returns the sectors touched.
  uint32_t range(int warp, uint32_t instruction, L1Access kind, uint64_t address, uint32_t bytes) {
    const uint64_t first = address >> 5, last = (address + bytes - 1) >> 5;
    const uint64_t line = first >> 2, lines = (last >> 2) - line + 1;
    record(warp, instruction, kind, uint32_t(lines), [=](uint32_t i) {
      const uint32_t low = i == 0 ? first & 3 : 0, high = i == lines - 1 ? last & 3 : 3;
      return line + i + (uint64_t{0xFu << low & 0xFu >> (3 - high)} << kL1SectorShift);
    });
    return uint32_t(last - first + 1);
  }

  // The general case: address[i] for every lane i in `lanes` (bits), `bytes` a lane (1 to 32,
  // within one sector). lanes != 0. Returns the sectors touched.
  uint32_t lanes(int warp, uint32_t instruction, L1Access kind, const uint64_t* address,
                 uint32_t lanes, uint32_t bytes);

  AccessLines split(const uint64_t* address, uint32_t lanes);
  // Data-bank conflicts of a global access that touches so many lines (BXW's numerator), in
  // eighths, by the rule fitted on an H200 (docs/counting.md has its error). Arguments as for
  // lanes().
  uint32_t bank_conflict_eighths(const uint64_t* address, uint32_t lanes, uint32_t bytes,
                                 uint32_t lines);
  // As lanes(), for an access that was split before: its lines are moved by `distance`.
  void lines(int warp, uint32_t instruction, L1Access kind, const AccessLines& of,
             uint64_t distance) {
    const uint64_t lowest = of.lowest + distance;
    if (of.shape == kNoShape || of.count > kMostRecorded - recorded_) {
      record(warp, instruction, kind, of.count, [&](uint32_t i) { return of.piece[i] + lowest; });
      return;
    }
    uint64_t* word = warps_[base_ + size_t(warp)].record.extend(2);
    word[0] = head(of.count, kind, instruction) | kShaped;
    word[1] = uint64_t{of.shape} << kL1SectorShift | (lowest & kL1Line);
    recorded_ += of.count;
    if (recorded_ == kMostRecorded) replay();
  }

  // Local memory is interleaved by lane, so a word of all lanes is a line. pieces: distinct words
  // (32 at most) and their sectors. A warp's words have lines of their own, which the warp of a
  // later block in its place takes over. kind: one of those to local memory.
  void local(int warp, uint32_t instruction, L1Access kind, const L1Piece* pieces, uint32_t count) {
    const uint64_t first = (base_ + size_t(warp)) << kLocalWordBits;
    record(warp, instruction, kind, count, [=](uint32_t i) { return pieces[i] + first; });
  }
  static constexpr int kLocalWordBits = 17;  // 512 KiB a lane

  // A warp empties the cache.
  void invalidate(int warp, uint32_t instruction) {
    *warps_[base_ + size_t(warp)].record.extend(1) = head(0, L1Access::kInvalidate, instruction);
    if (++recorded_ == kMostRecorded) replay();
  }

  // All warps of the block have ended.
  void end_block();

  // No more blocks: replays what is left. Call before traffic().
  void finish();

  // Behind finish(): for another SM, as if new.
  void restart();

  // One entry an instruction, summed over this SM's blocks.
  const std::vector<L1Traffic>& traffic() const { return traffic_; }

 private:
  // Accesses of a warp: a head each (pieces, kind, instruction), then the pieces, or of those that
  // have a shape its number above the lowest line.
  static constexpr uint64_t kShaped = uint64_t{1} << 63;
  static uint64_t head(uint32_t pieces, L1Access kind, uint32_t instruction) {
    return pieces | uint64_t(kind) << 8 | uint64_t{instruction} << 16;
  }
  struct Record {
    std::vector<uint64_t> words;
    size_t used = 0, next = 0;  // words recorded, replayed
    uint64_t* extend(size_t count) {
      if (words.size() < used + count) words.resize(2 * (used + count));
      used += count;
      return words.data() + used - count;
    }
  };
  // piece(i): the piece of line i. An access that fills the records is taken for two.
  template <class Piece>
  void record(int warp, uint32_t instruction, L1Access kind, uint32_t lines, Piece piece) {
    for (uint32_t i = 0; i < lines;) {
      const uint32_t part = uint32_t(std::min<size_t>(lines - i, kMostRecorded - recorded_));
      uint64_t* word = warps_[base_ + size_t(warp)].record.extend(part + 1);
      *word++ = head(part, kind, instruction);
      for (const uint32_t end = i + part; i < end; ++i) *word++ = piece(i);
      recorded_ += part;
      if (recorded_ == kMostRecorded) replay();
    }
  }
  // What a record has of an access with a shape: as long as it is the same, so are its pieces.
  static constexpr uint64_t kNoKey = ~uint64_t{0};
  // The lines of a warp's last load, or store.
  struct Used {
    uint16_t places[32] = {};  // in lines_; guesses, unless it is known
    uint64_t key = kNoKey;     // of an access whose pieces all were there
    uint64_t losses = 0;       // of lines_ then
    uint32_t passed = 0;       // L1Lines::pass() of these lines' last use
    uint32_t pending = 0;      // lines of it: L1Lines::touch() is to come
  };
  // Stores that one warp issues close together meet in the write path.
  struct Run {
    std::vector<L1Piece> pieces;  // of the last store
    uint32_t sectors = 0;         // of these
    uint64_t key = kNoKey;        // theirs
    uint32_t last = 0;            // instruction
    bool close = false;           // no access to global memory but stores since
  };
  struct Warp {
    Record record;
    Run run;
    Used loaded, stored;
  };
  struct Dirty {
    uint64_t sectors = 0;  // not yet in L2, as in a piece
    uint32_t writer = 0;   // instruction that dirtied them last
  };

  void replay();
  bool replay_one(Warp* warp, size_t resident);
  bool replay_known(Warp* warp, size_t resident, L1Access kind, uint32_t instruction, uint64_t key,
                    size_t count);
  void note(Used* used, uint64_t key, const L1Piece* pieces, size_t count) const;
  void touch_pending();
  void replay_store(L1Access kind, uint32_t instruction, const L1Piece* pieces, size_t count,
                    uint16_t* places);
  void load(uint32_t instruction, const L1Piece* pieces, size_t count, uint16_t* places);
  void load_once(uint32_t instruction, const L1Piece* pieces, size_t count);
  void invalidate_all();
  void store(uint32_t instruction, const L1Piece* pieces, size_t count, uint16_t* places);
  void store_part(const L1Piece* pieces, size_t count, uint16_t* places);
  void write_back(size_t place);
  void write(uint32_t instruction, uint64_t key, const L1Piece* pieces, size_t count,
             size_t resident, Run* run);
  uint32_t sectors_again(const L1Piece* pieces, size_t count, const std::vector<L1Piece>& before);
  double merge_share(size_t lines, size_t warps, bool close) const;

  static constexpr size_t kMostRecorded = size_t{1} << 19;  // pieces: 4 MiB and the heads

  L1Config config_;
  const L1Shapes* shapes_;
  std::vector<uint32_t> runs_;  // by instruction
  std::vector<L1Traffic> traffic_;
  std::vector<double> merged_bytes_;  // by instruction
  std::vector<Warp> warps_;
  size_t base_ = 0;  // first warp of the current block
  size_t warps_in_use_ = 0;
  int blocks_recorded_ = 0;
  int live_ = 0;         // blocks that have begun and not ended
  size_t recorded_ = 0;  // pieces and invalidations in all records
  L1Lines lines_;
  std::vector<Dirty> dirty_;  // by place; empty where stores write through
  LineIndex index_;
  std::vector<Used*> pending_;
};

}  // namespace lockstep::emulator
