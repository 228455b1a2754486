// SPDX-License-Identifier: Apache-2.0
// The L1 cache of one SM: which global loads go to L2 (N*R) and what stores send there (N*W).
// Execution records every global access, warp by warp; the model replays them interleaved, as
// the resident warps of an SM run, so the order in which warps were executed matters little.
// One object an SM: block b runs on SM b mod sm_count, blocks of an SM in rising order, all on one
// host thread. The counts then do not depend on the number of host threads.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lockstep::emulator {

enum class L1Access : uint8_t {
  kLoad = 0,
  kStore = 1,
  kAtomic = 2,  // atom and red: performed in L2
  kBypass = 3,  // loads that skip L1: .cg, .cv, .volatile, .relaxed
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
  // instructions: size of KernelProfile::instructions.
  L1Model(const L1Config& config, size_t instructions);

  // The next block of this SM is about to run, with this many warps.
  void begin_block(int warps);

  // One warp instruction whose active, guarded-on lanes touch every byte of
  // [address, address + bytes): the coalesced case. bytes > 0. Returns the sectors touched.
  uint32_t range(int warp, uint32_t instruction, L1Access kind, uint64_t address, uint32_t bytes) {
    const uint64_t first = address >> 5, last = (address + bytes - 1) >> 5;
    uint64_t start = kStart;
    for (uint64_t line = first >> 2; line <= last >> 2; ++line) {
      const uint32_t low = line == first >> 2 ? first & 3 : 0;
      const uint32_t high = line == last >> 2 ? last & 3 : 3;
      push(warp, pack(line, (0xFu << low) & (0xFu >> (3 - high)), kind, instruction) | start);
      start = 0;
    }
    return uint32_t(last - first + 1);
  }

  // The general case: address[i] for every lane i in `lanes` (bits), `bytes` a lane (1 to 32,
  // within one sector). lanes != 0. Returns the sectors touched.
  uint32_t lanes(int warp, uint32_t instruction, L1Access kind, const uint64_t* address,
                 uint32_t lanes, uint32_t bytes);

  // The lines (address / 128) of an access in the order of its lanes, and the sectors of each: bits.
  struct Lines {
    uint32_t count = 0, sectors = 0;  // lines; sectors in all
    uint64_t line[32];
    uint8_t sector[32];
  };
  Lines split(const uint64_t* address, uint32_t lanes);
  // As lanes(), for an access that was split before: lines are taken relative to `base`.
  void lines(int warp, uint32_t instruction, L1Access kind, const Lines& of, uint64_t base) {
    uint64_t start = kStart;
    for (uint32_t i = 0; i < of.count; ++i) {
      push(warp, pack(base + of.line[i], of.sector[i], kind, instruction) | start);
      start = 0;
    }
  }

  // All warps of the block have ended.
  void end_block();

  // No more blocks: replays what is left. Call before traffic().
  void finish();

  // One entry an instruction, summed over this SM's blocks.
  const std::vector<L1Traffic>& traffic() const { return traffic_; }

 private:
  // An entry of a warp's record: line (36 bits), sectors (4), kind (2), first of its
  // instruction (1), instruction (21).
  static constexpr uint64_t kStart = uint64_t{1} << 42;
  static uint64_t pack(uint64_t line, uint32_t sectors, L1Access kind, uint32_t instruction) {
    return (line & 0xF'FFFF'FFFFull) | uint64_t{sectors} << 36 | uint64_t(kind) << 40 |
           uint64_t(instruction & 0x1F'FFFF) << 43;
  }
  void push(int warp, uint64_t entry) {
    warps_[base_ + size_t(warp)].record.push_back(entry);
    if (++recorded_ >= kMostRecorded) replay();
  }
  // Stores that one warp issues close together meet in the write path.
  struct Run {
    struct Piece {
      uint64_t line = 0;
      uint32_t sectors = 0;
    };
    std::vector<Piece> pieces;
    uint32_t last = 0;   // instruction
    bool close = false;  // nothing but a few arithmetic instructions since
  };
  struct Warp {
    std::vector<uint64_t> record;
    size_t next = 0;
    Run run;
  };
  struct Line {
    uint64_t tag = ~uint64_t{0};
    uint32_t sectors = 0;  // valid
    uint32_t used = 0;     // time of last use
    uint32_t dirty = 0;    // write-back caches: sectors not yet in L2
    uint32_t writer = 0;   // instruction that dirtied them last
  };

  void replay();
  size_t replay_one(Warp* warp, size_t resident);
  void load(uint64_t line, uint32_t sectors, uint32_t instruction);
  void store(uint64_t line, uint32_t sectors, uint32_t instruction);
  Line& find(uint64_t line);
  void evict(Line* line);
  size_t home(uint64_t tag) const;
  void forget(uint64_t tag);
  size_t victim();
  double merge_share(size_t lines, size_t warps, bool close) const;

  static constexpr size_t kMostRecorded = size_t{1} << 19;  // 4 MiB of entries
  static constexpr int kCandidates = 8;  // the oldest of as many lines, taken at random, goes

  L1Config config_;
  std::vector<L1Traffic> traffic_;
  std::vector<double> merged_bytes_;  // by instruction
  std::vector<Warp> warps_;
  size_t base_ = 0;  // first warp of the current block
  size_t warps_in_use_ = 0;
  int blocks_recorded_ = 0;
  size_t recorded_ = 0;
  std::vector<Line> lines_;  // as many as the cache holds
  size_t lines_used_ = 0;
  std::vector<uint32_t> table_;  // open hash table of line numbers + 1, by tag
  uint32_t now_ = 0;
  uint64_t random_ = 0x2545F4914F6CDD1Dull;
  // lanes(): where a line stands among those of this access.
  struct Slot {
    uint64_t line = 0;
    uint32_t stamp = 0;
    uint32_t index = 0;
  };
  Slot slots_[64];
  uint32_t stamp_ = 0;
};

// Global L1 data-bank conflicts of one warp access by its addresses (BXW's numerator), in eighths,
// by the rule fitted on an H200 (docs/counting.md has its error). Arguments as for lanes().
uint32_t global_bank_conflict_eighths(const uint64_t* address, uint32_t lanes, uint32_t bytes);

}  // namespace lockstep::emulator
