// SPDX-License-Identifier: Apache-2.0
// Counts of a card against counts worked out by hand. `make test-gpu` runs it.
#include <cmath>

#include "common/base/error.h"
#include "tests/cuda/gpu_fixture.h"

namespace lockstep {
namespace {

class GpuCounts : public GpuTest {
 protected:
  void SetUp() override {
    GpuTest::SetUp();
    if (gpu_ == nullptr) return;
    out_ = floats("out", std::vector<float>(1 << 20));
    in_ = floats("in", ramp(1 << 20));
    Counts probe = count(shape("copy_words", 1, 32, out_, in_, 32));
    if (probe.values.empty()) GTEST_SKIP() << "no counters: " << probe.unavailable.begin()->second;
  }
  Counts count(const Launch& launch) { return gpu_->count(launch, standard_metrics(), {}); }

  BufferId out_ = 0, in_ = 0;
};

TEST_F(GpuCounts, GlobalRequestsAndSectorsOfACopy) {
  Counts c = count(shape("copy_words", 64, 256, out_, in_, 64 * 256));
  const double warps = 64 * 8;
  EXPECT_EQ(value(c, metric::kGlobalLoadRequests), warps);
  EXPECT_EQ(value(c, metric::kGlobalStoreRequests), warps);
  EXPECT_EQ(value(c, metric::kGlobalLoadSectors), warps * 4);
  EXPECT_EQ(value(c, metric::kGlobalStoreSectors), warps * 4);
  EXPECT_EQ(value(c, metric::kSharedRequests), 0);
  EXPECT_EQ(value(c, metric::kSharedWavefronts), 0);
  EXPECT_EQ(value(c, metric::kSharedWavefrontsIdeal), 0);
  EXPECT_EQ(value(c, metric::kL2ToL1Bytes), warps * 128);
  EXPECT_EQ(value(c, metric::kL1ToL2Bytes), warps * 128);
  EXPECT_EQ(value(c, metric::kLocalSectors), 0);
  EXPECT_EQ(value(c, metric::kDivergentBranches), 0);
  EXPECT_EQ(std::fmod(value(c, metric::kWarpInstructions), warps), 0);
  EXPECT_LE(value(c, metric::kThreadInstructions), 32 * value(c, metric::kWarpInstructions));
  EXPECT_EQ(c.find(metric::kBarriers), nullptr) << "a GPU counts no barriers";
  EXPECT_EQ(c.unavailable.count(metric::kBarriers), 1u);
}

TEST_F(GpuCounts, PartialWarpsAreRequestsOnlyWhereALaneIsOn) {
  Counts c = count(shape("copy_words", 1, 256, out_, in_, 40));  // one warp whole, one of 8 lanes
  EXPECT_EQ(value(c, metric::kGlobalLoadRequests), 2);
  EXPECT_EQ(value(c, metric::kGlobalLoadSectors), 4 + 1);
}

TEST_F(GpuCounts, StrideInSharedMemoryIsThatManyWavefronts) {
  // 32 stores of a warp each fill the tile; then each of 8 warps loads once.
  for (int stride : {1, 2, 4, 8, 16, 32, 33}) {
    Counts c = count(shape("stride_shared", 1, 256, out_, in_, stride));
    const int ways = stride == 33 ? 1 : stride;
    EXPECT_EQ(value(c, metric::kSharedRequests), 32 + 8) << stride;
    EXPECT_EQ(value(c, metric::kSharedWavefronts), 32 + 8 * ways) << stride;
    EXPECT_EQ(value(c, metric::kSharedWavefrontsIdeal), 32 + 8) << stride;
  }
}

TEST_F(GpuCounts, ASequenceCountsAsTheSumOfItsLaunches) {
  const Launch copy = shape("copy_words", 8, 256, out_, in_, 2048);
  const Launch diverge = shape("diverge", 4, 128, out_, in_, 512);
  const Counts all = gpu_->count_sequences({{copy, diverge, copy}}, standard_metrics(), {{}}).at(0);
  const Counts a = count(copy), b = count(diverge);
  for (const char* name : {metric::kWarpInstructions, metric::kThreadInstructions,
                           metric::kGlobalLoadSectors, metric::kGlobalStoreSectors})
    EXPECT_EQ(value(all, name), 2 * value(a, name) + value(b, name)) << name;
  const auto once = gpu_->time_us(copy, {}),
             all_us = gpu_->time_sequence({copy, diverge, copy}, {});
  ASSERT_TRUE(once && all_us);
  EXPECT_GT(*all_us, *once);
}

TEST_F(GpuCounts, CountsTogetherEqualCountsOneByOne) {
  std::vector<Launch> launches = {shape("copy_words", 8, 256, out_, in_, 2048),
                                  shape("stride_shared", 2, 256, out_, in_, 8),
                                  shape("diverge", 4, 128, out_, in_, 512)};
  std::vector<int> before(3), after(3);
  std::vector<PassHooks> hooks;
  for (int i = 0; i < 3; ++i) {
    // The memset must not show in the counts.
    hooks.push_back({[&, i] { gpu_->poison(out_, 0, 1 << 20, 0x7fffffff), before[i]++; },
                     [&, i] { EXPECT_EQ(before[i], ++after[i]); }});
  }
  std::vector<Counts> together = gpu_->count_sequences(
      {{launches[0]}, {launches[1]}, {launches[2]}}, standard_metrics(), hooks);
  ASSERT_EQ(together.size(), 3u);
  for (int i = 0; i < 3; ++i) {
    EXPECT_GT(after[i], 0);
    Counts alone = count(launches[i]);
    for (const char* name :
         {metric::kWarpInstructions, metric::kThreadInstructions, metric::kDivergentBranches,
          metric::kSharedWavefronts, metric::kGlobalLoadSectors, metric::kGlobalStoreSectors}) {
      EXPECT_EQ(value(together[i], name), value(alone, name)) << launches[i].kernel << " " << name;
    }
  }
  EXPECT_GT(value(together[2], metric::kDivergentBranches), 0);
}

TEST_F(GpuCounts, RepeatExactlyAndTimingInBetweenChangesNothing) {
  Launch launch = shape("diverge", 16, 256, out_, in_, 4096);
  Counts first = count(launch);
  auto time = gpu_->time_us(launch, {});
  EXPECT_TRUE(time);
  Counts second = count(launch);
  for (const char* name : {metric::kWarpInstructions, metric::kThreadInstructions}) {
    EXPECT_EQ(value(first, name), value(second, name)) << name;
  }
}

TEST_F(GpuCounts, UnknownMetricIsUnavailableWithAReason) {
  Counts c = gpu_->count(shape("copy_words", 1, 32, out_, in_, 32),
                         {"no_such_metric", metric::kWarpInstructions}, {});
  EXPECT_EQ(c.find("no_such_metric"), nullptr);
  EXPECT_FALSE(c.unavailable["no_such_metric"].empty());
  EXPECT_GT(value(c, metric::kWarpInstructions), 0);
}

TEST_F(GpuCounts, AnErrorInAHookLeavesTheCountersUsable) {
  PassHooks throws{[] { throw Error("from the hook"); }, {}};
  Launch launch = shape("copy_words", 1, 32, out_, in_, 32);
  EXPECT_THROW(gpu_->count(launch, standard_metrics(), throws), Error);
  EXPECT_EQ(value(count(launch), metric::kGlobalLoadRequests), 1);
}

}  // namespace
}  // namespace lockstep
