// SPDX-License-Identifier: Apache-2.0
// The L1 model on access streams whose traffic an H200 was measured at (tests/data).
#include "emulator/l1/l1_model.h"

#include <gtest/gtest.h>

#include <numeric>
#include <utility>

#include "emulator/device/device_profile.h"

namespace lockstep::emulator {
namespace {

constexpr int64_t kKiB = 1024;

L1Traffic total(const L1Model& model) {
  L1Traffic sum;
  for (const L1Traffic& t : model.traffic()) {
    sum.fill_bytes += t.fill_bytes;
    sum.write_bytes += t.write_bytes;
  }
  return sum;
}

L1Config h200(int64_t capacity_kib, int resident = 1) {
  L1Config config;
  config.capacity_bytes = uint64_t(capacity_kib * kKiB);
  config.resident_blocks = resident;
  return config;
}

// l1_reuse: one block of 32 warps reads n lines a warp three times over. The card's share of
// sectors that came from L2, 1/3 when all of it fits.
double reuse_misses(int n) {
  L1Model model(h200(248), 1);
  model.begin_block(32);
  uint64_t sectors = 0;
  for (int warp = 0; warp < 32; ++warp) {
    for (int k = 0; k < 3; ++k) {
      for (int i = 0; i < n; ++i) {
        sectors += model.range(warp, 0, L1Access::kLoad, uint64_t(i * 32 + warp) * 128, 128);
      }
    }
  }
  model.end_block();
  model.finish();
  return double(total(model).fill_bytes) / double(sectors * 32);
}

// Bytes fetched by loads of one sector after what `before` does; 32 the first time, then 0.
template <class Before>
std::pair<uint64_t, uint64_t> fetched_after(Before before) {
  L1Model model(h200(248), 3);
  const uint64_t address[32] = {4096};
  model.begin_block(1);
  before(model, address);
  model.lanes(0, 1, L1Access::kLoad, address, 1, 1);
  model.lanes(0, 2, L1Access::kLoad, address, 1, 1);
  model.end_block();
  model.finish();
  return {model.traffic()[1].fill_bytes, model.traffic()[2].fill_bytes};
}

// As an H200 does it (l1tex__m_xbar2l1tex_read_sectors).
TEST(L1Model, AFenceEmptiesIt) {
  using Bytes = std::pair<uint64_t, uint64_t>;
  EXPECT_EQ(fetched_after([](L1Model& m, const uint64_t* a) {
              m.lanes(0, 0, L1Access::kLoad, a, 1, 4);
              m.invalidate(0, 0);
            }),
            Bytes(32, 0));
  EXPECT_EQ(fetched_after([](L1Model& m, const uint64_t* a) {
              m.lanes(0, 0, L1Access::kStore, a, 1, 4);
              m.invalidate(0, 0);
            }),
            Bytes(32, 0));
}

TEST(L1Model, EmptiedAgainAndAgainItStillHoldsWhatFits) {
  L1Model model(h200(16), 2);
  model.begin_block(1);
  for (int turn = 0; turn < 100; ++turn) {
    for (uint64_t line = 0; line < 64; ++line) model.range(0, 0, L1Access::kLoad, line * 128, 128);
    for (uint64_t line = 0; line < 64; ++line) model.range(0, 1, L1Access::kLoad, line * 128, 128);
    model.invalidate(0, 0);
  }
  model.end_block();
  model.finish();
  EXPECT_EQ(model.traffic()[0].fill_bytes, 100u * 64 * 128);
  EXPECT_EQ(model.traffic()[1].fill_bytes, 0u);
}

// Where lines wait in L1 to be written, a fence writes them.
TEST(L1Model, AFenceLosesNoStore) {
  L1Config config = h200(16);
  config.write_through = false;
  L1Model model(config, 2);
  model.begin_block(1);
  model.range(0, 0, L1Access::kStore, 0, 128);
  model.invalidate(0, 1);
  model.range(0, 0, L1Access::kStore, 0, 128);
  model.end_block();
  model.finish();
  EXPECT_EQ(model.traffic()[0].write_bytes, 256u);
}

TEST(L1Model, LoadsThatLeaveNothingAreFetchedAgain) {
  using Bytes = std::pair<uint64_t, uint64_t>;
  EXPECT_EQ(fetched_after(
                [](L1Model& m, const uint64_t* a) { m.lanes(0, 0, L1Access::kLoadOnce, a, 1, 4); }),
            Bytes(32, 0));
}

TEST(L1Model, WordsWrittenInPartAreFetchedOnce) {
  using Bytes = std::pair<uint64_t, uint64_t>;
  EXPECT_EQ(fetched_after([](L1Model& m, const uint64_t* a) {
              m.lanes(0, 0, L1Access::kStorePart, a, 1, 1);
            }),
            Bytes(32, 0));
  EXPECT_EQ(fetched_after([](L1Model& m, const uint64_t* a) {
              m.lanes(0, 0, L1Access::kStore, a, 1, 8);
              m.lanes(0, 0, L1Access::kStorePart, a, 1, 1);
            }),
            Bytes(32, 0));
  EXPECT_EQ(fetched_after([](L1Model& m, const uint64_t* a) {
              m.lanes(0, 0, L1Access::kLoad, a, 1, 1);
              m.lanes(0, 0, L1Access::kStorePart, a, 1, 1);
            }),
            Bytes(0, 0));
}

TEST(L1Model, CapacityAsMeasured) {
  EXPECT_NEAR(reuse_misses(32), 0.333, 0.001);
  EXPECT_NEAR(reuse_misses(48), 0.334, 0.01);
  EXPECT_NEAR(reuse_misses(56), 0.348, 0.02);
  EXPECT_NEAR(reuse_misses(60), 0.387, 0.06);
  EXPECT_NEAR(reuse_misses(64), 0.537, 0.06);
  EXPECT_NEAR(reuse_misses(72), 0.769, 0.08);
  EXPECT_NEAR(reuse_misses(96), 1.000, 0.01);
}

// norm_base: one thread a vector of d floats: reads it all, then reads and writes it again.
L1Traffic norm_base(int d, int warps, int blocks) {
  L1Model model(h200(248), 3);
  uint64_t address[32];
  for (int block = 0; block < blocks; ++block) {
    model.begin_block(warps);
    for (int warp = 0; warp < warps; ++warp) {
      const auto vectors = [&](uint64_t base, int i) {
        for (int lane = 0; lane < 32; ++lane) {
          const int h = (block * warps + warp) * 32 + lane;
          address[lane] = base + (uint64_t(h) * d + i) * 4;
        }
      };
      for (int i = 0; i < d; ++i) {
        vectors(0, i);
        model.lanes(warp, 0, L1Access::kLoad, address, ~0u, 4);
      }
      for (int i = 0; i < d; ++i) {
        vectors(0, i);
        model.lanes(warp, 1, L1Access::kLoad, address, ~0u, 4);
        vectors(1 << 24, i);
        model.lanes(warp, 2, L1Access::kStore, address, ~0u, 4);
      }
    }
    model.end_block();
  }
  model.finish();
  return total(model);
}

TEST(L1Model, StridedStoresReachL2OneByOne) {
  // N*W of norm_base on the card: 4 at d = 4, 8 from d = 8 on, with one warp.
  const L1Traffic four = norm_base(4, 1, 8), sixteen = norm_base(16, 1, 8);
  EXPECT_EQ(four.write_bytes, 4u * 4 * 32 * 4 * 8);
  EXPECT_EQ(sixteen.write_bytes, 8u * 4 * 32 * 16 * 8);
  EXPECT_EQ(four.fill_bytes, 4u * 32 * 4 * 8);  // N*R is 1
}

TEST(L1Model, ManyWarpsOfLongVectorsThrash) {
  // N*R on the card: 1 at d = 16 with 32 warps a block, 2.98 at d = 32.
  const L1Traffic sixteen = norm_base(16, 32, 1), thirty_two = norm_base(32, 32, 1);
  EXPECT_NEAR(double(sixteen.fill_bytes) / (4.0 * 1024 * 16), 1.0, 0.1);
  EXPECT_GT(double(thirty_two.fill_bytes) / (4.0 * 1024 * 32), 1.3);
}

TEST(L1Model, StoresInOneGoMeetOnTheirWay) {
  // l1_stores: four consecutive stores to one sector a thread; from one warp they arrive as one.
  L1Model model(h200(248), 8);
  uint64_t address[32];
  model.begin_block(1);
  for (uint32_t i = 0; i < 4; ++i) {
    for (int lane = 0; lane < 32; ++lane) address[lane] = uint64_t(lane) * 16 + i * 4;
    EXPECT_EQ(model.lanes(0, i, L1Access::kStore, address, ~0u, 4), 16u);
  }
  model.end_block();
  model.finish();
  EXPECT_EQ(total(model).write_bytes, 512u);
}

TEST(L1Model, LoadsOfWhatWasStoredHit) {
  L1Model model(h200(248), 2);
  model.begin_block(4);
  for (int warp = 0; warp < 4; ++warp) {
    model.range(warp, 0, L1Access::kStore, uint64_t(warp) * 128, 128);
    model.range(warp, 1, L1Access::kLoad, uint64_t(warp) * 128, 128);
  }
  model.end_block();
  model.finish();
  EXPECT_EQ(total(model).fill_bytes, 0u);
  EXPECT_EQ(total(model).write_bytes, 512u);
}

TEST(L1Model, SectorsOfRangesAndLanes) {
  L1Model model(h200(128), 1);
  model.begin_block(1);
  EXPECT_EQ(model.range(0, 0, L1Access::kLoad, 0x1000, 128), 4u);
  EXPECT_EQ(model.range(0, 0, L1Access::kLoad, 0x1004, 128), 5u);
  EXPECT_EQ(model.range(0, 0, L1Access::kLoad, 0x1000, 512), 16u);
  EXPECT_EQ(model.range(0, 0, L1Access::kLoad, 0x101f, 1), 1u);
  uint64_t address[32];
  for (int i = 0; i < 32; ++i) address[i] = 0x2000 + uint64_t(i) * 128;
  EXPECT_EQ(model.lanes(0, 0, L1Access::kLoad, address, ~0u, 4), 32u);
  EXPECT_EQ(model.lanes(0, 0, L1Access::kLoad, address, 0x80000001u, 4), 2u);
  for (int i = 0; i < 32; ++i) address[i] = 0x2000 + uint64_t(i % 8) * 4;
  EXPECT_EQ(model.lanes(0, 0, L1Access::kLoad, address, ~0u, 4), 1u);
  model.end_block();
  model.finish();
}

// One-warp sweeps on the card: conflicts a load, by stride in elements.
TEST(GlobalBankConflicts, StridesAsMeasured) {
  const auto conflicts = [](uint64_t stride, uint32_t bytes) {
    uint64_t address[32];
    for (uint64_t i = 0; i < 32; ++i) address[i] = 0x100000 + i * stride * bytes;
    L1Model model(L1Config(), 1);
    const uint32_t lines = model.split(address, ~0u).count;
    return model.bank_conflict_eighths(address, ~0u, bytes, lines) / 8.0;
  };
  struct Case {
    uint64_t stride;
    uint32_t bytes;
    double measured;
  };
  for (const Case& c : {Case{1, 4, 0}, Case{2, 4, 1}, Case{3, 4, 0}, Case{4, 4, 3}, Case{5, 4, 0},
                        Case{17, 4, 0}, Case{1, 8, 0}, Case{2, 8, 2}, Case{4, 8, 6}, Case{17, 8, 0},
                        Case{1, 16, 0}, Case{2, 16, 4}, Case{3, 16, 0}}) {
    EXPECT_EQ(conflicts(c.stride, c.bytes), c.measured) << c.stride << " " << c.bytes;
  }
  // Over several lines loads and stores differ by the cache's state; between the two.
  EXPECT_NEAR(conflicts(8, 4), 6.5, 0.5);    // 6.0 to 7.0
  EXPECT_NEAR(conflicts(16, 4), 13.2, 1.3);  // 12.0 to 15.0
  EXPECT_NEAR(conflicts(32, 4), 26.8, 2.9);  // 24.0 to 31.0
}

TEST(DeviceProfiles, EveryOneIsWhole) {
  for (const std::string& key : device_profile_keys()) {
    const DeviceProfile& p = device_profile(key);
    EXPECT_GE(p.info.cc_major, 8) << key;
    EXPECT_GT(p.info.sm_count, 0) << key;
    EXPECT_TRUE(p.info.clock_khz && *p.info.clock_khz > 500000) << key;
    EXPECT_TRUE(p.info.memory_clock_khz && *p.info.memory_clock_khz > 500000) << key;
    EXPECT_GT(p.info.l2_bytes, 1 << 20) << key;
    EXPECT_GT(p.info.shared_per_block_optin, p.info.shared_per_block) << key;
    EXPECT_EQ(p.info.shared_per_sm, p.carve_outs.back()) << key;
    EXPECT_LT(p.info.shared_per_sm, p.l1_bytes) << key;
  }
  EXPECT_EQ(device_profile("").key, "h200");
  EXPECT_EQ(device_profile("RTX 4090").key, "rtx4090");
  EXPECT_ANY_THROW(device_profile("voodoo2"));
}

TEST(DeviceProfiles, BlocksThatFitAsTheOccupancyCalculatorSays) {
  const DeviceProfile& h200 = device_profile("h200");
  EXPECT_EQ(max_blocks_per_sm(h200, {256, 32, 0}), 8);          // threads
  EXPECT_EQ(max_blocks_per_sm(h200, {32, 16, 0}), 32);          // blocks
  EXPECT_EQ(max_blocks_per_sm(h200, {256, 128, 0}), 2);         // registers
  EXPECT_EQ(max_blocks_per_sm(h200, {128, 32, 48 * 1024}), 4);  // shared memory and its reserve
  EXPECT_EQ(max_blocks_per_sm(h200, {1024, 64, 0}), 1);
  EXPECT_EQ(max_blocks_per_sm(h200, {1025, 32, 0}), 0);
  EXPECT_EQ(max_blocks_per_sm(h200, {128, 32, 300 * 1024}), 0);
  EXPECT_EQ(max_blocks_per_sm(device_profile("rtx4090"), {256, 32, 0}), 6);
  EXPECT_EQ(max_blocks_per_sm(device_profile("rtx3090"), {64, 32, 0}), 16);
}

TEST(DeviceProfiles, SharedMemoryTakesFromL1) {
  const DeviceProfile& p = device_profile("h200");
  EXPECT_EQ(l1_capacity(p, {1024, 32, 0}), (256 - 8) * kKiB);
  EXPECT_LT(l1_capacity(p, {256, 32, 16 * 1024}), (256 - 100) * kKiB);
  EXPECT_GE(l1_capacity(p, {256, 32, 200 * 1024}), 28 * kKiB);
}

// What a warp does with the lines of its last access is replayed without looking at each of them.
TEST(L1Model, ShapesChangeNothing) {
  constexpr size_t kInstructions = 6;
  constexpr int kWarps = 12;
  for (const bool write_through : {true, false})
    for (const uint64_t capacity : {uint64_t{2} << 10, uint64_t{16} << 10, uint64_t{128} << 10}) {
      L1Config config;
      config.capacity_bytes = capacity;
      config.write_through = write_through;
      L1Shapes shapes;
      L1Model plain(config, kInstructions), shaped(config, kInstructions, {}, &shapes);
      uint64_t random = 12345;
      const auto draw = [&](uint64_t below) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        return (random >> 33) % below;
      };
      for (int block = 0; block < 4; ++block) {
        plain.begin_block(kWarps);
        shaped.begin_block(kWarps);
        uint64_t start[kWarps] = {};
        for (int turn = 0; turn < 4000; ++turn) {
          const int warp = static_cast<int>(draw(kWarps));
          if (draw(8) == 0) start[warp] = draw(4096) * 4;  // else the lines of the last access
          uint64_t address[32];
          const uint64_t stride = uint64_t{4} << 2 * draw(4);
          for (uint64_t i = 0; i < 32; ++i) address[i] = 4096 + start[warp] + i * stride;
          const uint64_t draws = draw(40);
          const L1Access kind = draws < 20   ? L1Access::kLoad
                                : draws < 33 ? L1Access::kStore
                                : draws < 35 ? L1Access::kStorePart
                                : draws < 37 ? L1Access::kBypass
                                : draws < 39 ? L1Access::kLoadOnce
                                             : L1Access::kAtomic;
          const auto instruction = static_cast<uint32_t>(draw(kInstructions));
          const auto lanes = draw(3) == 0 ? static_cast<uint32_t>(draw(1u << 31) + 1) : ~0u;
          if (draw(500) == 0) {
            plain.invalidate(warp, instruction);
            shaped.invalidate(warp, instruction);
          }
          AccessLines of = plain.split(address, lanes);
          plain.lines(warp, instruction, kind, of, 0);
          of.shape = shapes.number(of);
          shaped.lines(warp, instruction, kind, of, 0);
        }
        plain.end_block();
        shaped.end_block();
      }
      plain.finish();
      shaped.finish();
      for (size_t i = 0; i < kInstructions; ++i) {
        EXPECT_EQ(plain.traffic()[i].fill_bytes, shaped.traffic()[i].fill_bytes) << capacity;
        EXPECT_EQ(plain.traffic()[i].write_bytes, shaped.traffic()[i].write_bytes) << capacity;
        EXPECT_GT(plain.traffic()[i].fill_bytes, 0u);
      }
    }
}

}  // namespace
}  // namespace lockstep::emulator
