// SPDX-License-Identifier: Apache-2.0
// The L1 model against its reference on random accesses: equal traffic, instruction by instruction.
#include "tests/emulator/l1_reference.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

namespace lockstep::emulator {
namespace {

constexpr uint32_t kInstructions = 12;
constexpr int kBlocks = 6, kWarps = 4, kResident = 2;

struct Stream {
  size_t lines;  // that the cache holds
  bool write_through;
  uint64_t bytes;  // that are accessed
  int accesses;    // a block
};

// An access as both models take it: neighbours, a stride, or anywhere.
class Both {
 public:
  Both(const Stream& stream, uint32_t seed)
      : stream_(stream),
        random_(seed),
        reference_(stream.lines, stream.write_through, kInstructions),
        model_({stream.lines * 128, stream.write_through, kResident}, kInstructions) {}

  void run() {
    std::vector<std::vector<L1Reference::Access>> records(kWarps * kResident);
    for (int block = 0; block < kBlocks; ++block) {
      model_.begin_block(kWarps);
      for (int i = 0; i < stream_.accesses; ++i) {
        const int warp = int(below(kWarps));
        records[size_t(block % kResident * kWarps + warp)].push_back(access(warp));
      }
      model_.end_block();
      if (block % kResident == kResident - 1) reference_.replay(records);
    }
    model_.finish();
    const std::vector<L1Traffic> expected = reference_.finish();
    for (size_t i = 0; i < kInstructions; ++i) {
      EXPECT_EQ(model_.traffic()[i].fill_bytes, expected[i].fill_bytes) << i;
      EXPECT_EQ(model_.traffic()[i].write_bytes, expected[i].write_bytes) << i;
      bytes += expected[i].fill_bytes + expected[i].write_bytes;
    }
  }
  uint64_t bytes = 0;

 private:
  uint64_t below(uint64_t end) { return random_() % end; }

  L1Reference::Access access(int warp) {
    L1Reference::Access out;
    out.instruction = uint32_t(below(kInstructions));
    out.kind = std::array{
        L1Access::kLoad,  L1Access::kLoad,  L1Access::kLoad,   L1Access::kStore,
        L1Access::kStore, L1Access::kStore, L1Access::kAtomic, L1Access::kBypass}[below(8)];
    const uint64_t base = below(stream_.bytes) & ~uint64_t{3};
    uint64_t address[32];
    const uint64_t shape = below(3), stride = 4 * (1 + below(64));
    for (uint64_t lane = 0; lane < 32; ++lane)
      address[lane] = shape == 0   ? base + 4 * lane
                      : shape == 1 ? base + stride * lane
                                   : below(stream_.bytes) & ~uint64_t{3};
    const uint32_t mask = shape == 0 ? ~0u : uint32_t(random_()) | 1;
    for (int lane = 0; lane < 32; ++lane) {
      if ((mask >> lane & 1) == 0) continue;
      const uint64_t line = address[lane] / 128;
      if (out.sectors.count(line) == 0) out.lines.push_back(line);
      out.sectors[line] |= 1u << (address[lane] / 32 & 3);
    }
    if (shape == 0)
      model_.range(warp, out.instruction, out.kind, base, 128);
    else
      model_.lanes(warp, out.instruction, out.kind, address, mask, 4);
    return out;
  }

  Stream stream_;
  std::mt19937 random_;
  L1Reference reference_;
  L1Model model_;
};

#ifdef __SANITIZE_ADDRESS__
constexpr uint32_t kSeeds = 2;  // twenty times slower
#else
constexpr uint32_t kSeeds = 8;
#endif

TEST(L1Model, RandomAccessesAsInTheReference) {
  for (const bool write_through : {true, false}) {
    for (const Stream& stream :
         {Stream{64, write_through, 6000, 300}, Stream{64, write_through, 20000, 300},
          Stream{1, write_through, 2000, 100}, Stream{1984, write_through, 400000, 2000},
          Stream{100, write_through, uint64_t{1} << 30, 200}}) {
      for (uint32_t seed = 0; seed < kSeeds; ++seed) {
        Both both(stream, seed);
        both.run();
        EXPECT_GT(both.bytes, 0u);
      }
    }
  }
}

}  // namespace
}  // namespace lockstep::emulator
