// SPDX-License-Identifier: Apache-2.0
// Derived metrics and bars, held against rows that an RTX 4090 printed in a university course:
// EE 7722 at LSU, homework 2 of 2024, and homework 1's norm_base<4>.
#include "common/harness/metrics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "common/harness/bars.h"
#include "problems/norm_problem.h"
#include "tests/common/fake_backend.h"
#include "tests/common/test_homework.h"

namespace lockstep {
namespace {

using harness_test::rtx4090;

constexpr int64_t kElements = 4718592;  // 18 MiB: 589824 * 8 and 147456 * 32

UsefulWork normalization_work() {
  UsefulWork work;
  work.elements = kElements;
  work.bytes_read = work.bytes_written = 4 * kElements;
  work.fp_operations = 2 * kElements;
  work.load_stores = 3 * kElements;
  return work;
}

struct SampleRow {
  int time_us, peak_percent, l2_gbps, dram_gbps, fp_gflops;
  const char* bars;  // nullptr where the sample did not come through whole
};

constexpr SampleRow kSamples[] = {
    {58, 13, 649, 68, 162, "-***"},      {31, 24, 1225, 132, 306, "--******"},
    {24, 31, 1605, 170, 401, nullptr},   {17, 42, 2184, 237, 546, nullptr},
    {58, 13, 649, 70, 162, "-***"},      {31, 24, 1229, 132, 307, "--******"},
    {23, 31, 1621, 173, 405, nullptr},   {73, 10, 518, 56, 130, "-**"},
    {38, 19, 996, 104, 249, nullptr},    {28, 26, 1335, 145, 334, nullptr},
    {21, 35, 1805, 195, 451, nullptr},   {101, 7, 372, 40, 93, "-*"},
    {52, 14, 722, 76, 180, "-****"},     {38, 19, 986, 103, 246, nullptr},
    {59, 12, 644, 68, 161, "-***"},      {31, 23, 1204, 131, 301, nullptr},
    {33, 22, 1138, 126, 284, "--*****"}, {19, 39, 2024, 218, 506, nullptr},
    {20, 36, 1874, 206, 468, nullptr},   {66, 11, 576, 62, 144, "-***"},
    {35, 21, 1088, 117, 272, "--*****"}, {26, 28, 1458, 158, 365, nullptr},
    {15, 49, 2541, 275, 635, nullptr},   {81, 9, 467, 50, 117, "-**"},
    {111, 7, 341, 37, 85, "**"},         {57, 13, 662, 68, 165, "-***"},
    {21, 35, 1821, 200, 455, nullptr},   {40, 18, 952, 178, 238, nullptr},
    {22, 34, 1746, 194, 436, nullptr},   {13, 56, 2904, 225, 726, nullptr},
    {32, 23, 1169, 77, 292, nullptr},    {13, 59, 3020, 188, 755, nullptr},
    {12, 63, 3246, 197, 810, nullptr},   {36, 42, 2193, 65, 264, nullptr},
};

// The time and the traffic that such a row was printed from, as far as its digits tell.
void make_launch(const SampleRow& row, LaunchFacts* facts, Counts* counts) {
  facts->work = normalization_work();
  facts->time_us = 2.0 * kElements / row.fp_gflops / 1e3;
  const double l2_bytes = row.l2_gbps * 1e3 * *facts->time_us;
  counts->values[metric::kL2ToL1Bytes] = {l2_bytes * 0.6, Tier::kMeasured};
  counts->values[metric::kL1ToL2Bytes] = {l2_bytes * 0.4, Tier::kMeasured};
  counts->values[metric::kDramBytes] = {row.dram_gbps * 1e3 * *facts->time_us, Tier::kMeasured};
}

TEST(Metrics, RatesAndPeakAreThoseOfTheSampleRows) {
  for (const SampleRow& row : kSamples) {
    LaunchFacts facts;
    Counts counts;
    make_launch(row, &facts, &counts);
    const auto derived = derive_metrics(counts, facts, rtx4090());
    EXPECT_EQ(std::lround(derived.at(metric::kFpGflops).value), row.fp_gflops);
    EXPECT_EQ(std::lround(derived.at(metric::kL2Gbps).value), row.l2_gbps);
    EXPECT_EQ(std::lround(derived.at(metric::kDramGbps).value), row.dram_gbps);
    // The sample's rate is rounded: 0.6 % of a percent point.
    EXPECT_NEAR(derived.at(metric::kL2PeakPercent).value, row.peak_percent, 0.51) << row.l2_gbps;
    EXPECT_NEAR(derived.at(metric::kTimeUs).value, row.time_us, 0.5 + 0.006 * row.time_us);
  }
}

TEST(Bars, AreThoseOfTheSampleRows) {
  constexpr int kWidth = 33;
  int compared = 0;
  for (const SampleRow& row : kSamples) {
    if (row.bars == nullptr) continue;
    LaunchFacts facts;
    Counts counts;
    make_launch(row, &facts, &counts);
    const auto derived = derive_metrics(counts, facts, rtx4090());
    EXPECT_EQ(draw_bars(busy_fractions(derived, facts, rtx4090()), kWidth), row.bars)
        << row.l2_gbps;
    compared++;
  }
  EXPECT_GE(compared, 12);
}

TEST(Bars, TheLongestShowsBeyondTheOthers) {
  EXPECT_EQ(draw_bars({0.1, 0.3, 0.5}, 10), "+--**");
  EXPECT_EQ(draw_bars({0.5, 0.3, 0.1}, 10), "*--++");
  EXPECT_EQ(draw_bars({0.2, 0.2, 0.2}, 10), "++");
  EXPECT_EQ(draw_bars({0.04, 0.06, 1.0}, 10), "-*********");
}

TEST(Bars, LongerThanTheRoomAreCut) {
  EXPECT_EQ(draw_bars({0.1, 0.2, 3.0}, 10), "+-*******>");
  EXPECT_EQ(draw_bars({0.1, 0.2, 1e300}, 4), "-**>");
  EXPECT_EQ(draw_bars({1.0, 0.2, 0.1}, 4), "-+++") << "exactly full is not cut";
  EXPECT_EQ(draw_bars({0.5, 0.5, 0.5}, 0), "");
  EXPECT_EQ(draw_bars({0.5, 0.5, 0.5}, -3), "");
}

TEST(Bars, WhatIsNotKnownHasNone) {
  EXPECT_EQ(draw_bars({std::nullopt, std::nullopt, 0.5}, 4), "**");
  EXPECT_EQ(draw_bars({}, 4), "");
  EXPECT_EQ(draw_bars({std::numeric_limits<double>::quiet_NaN(), 0.25, 0.5}, 4), "-*");
}

TEST(Bars, HeadingFillsTheWidth) {
  for (int width = 27; width < 120; width++) {
    EXPECT_EQ(static_cast<int>(bars_heading(width, false).size()), width);
    EXPECT_NE(bars_heading(width, true).find("Mem**"), std::string::npos);
  }
  EXPECT_EQ(bars_heading(10, false), "");
  EXPECT_EQ(bars_heading(-1, false), "");
  EXPECT_EQ(bars_heading(33, false), "=== Util: FP++ Insn-- L2** ======");
}

double utilization(int d_l, int group_size, int unroll, int warps) {
  const NormProblem* problem = nullptr;
  const harness_test::TestHomework homework;
  problem = &homework;
  Case c;
  c.parameters = {
      {"d_l", d_l}, {"group_size", group_size}, {"unroll", unroll}, {"n_l", kElements / d_l}};
  Launch launch;
  launch.grid.x = 128;
  launch.block.x = static_cast<uint32_t>(warps * 32);
  return problem->utilization(c, {launch});
}

TEST(Utilization, IsThatOfTheSampleRows) {
  for (const int warps : {4, 8, 12, 16, 24, 32})
    for (const int unroll : {0, 1, 2, 4})
      EXPECT_DOUBLE_EQ(utilization(8, 8, unroll, warps), 1.0) << warps << " " << unroll;
  EXPECT_DOUBLE_EQ(utilization(8, 8, 8, 16), 1.0);
  EXPECT_DOUBLE_EQ(utilization(8, 8, 8, 32), 0.9);
  EXPECT_DOUBLE_EQ(utilization(32, 32, 4, 24), 1.0);
}

TEST(Metrics, CountsBecomeRatios) {
  Counts counts;
  const auto set = [&](const char* name, double value, Tier tier) {
    counts.values[name] = {value, tier};
  };
  set(metric::kWarpInstructions, 3000, Tier::kPredicted);
  set(metric::kThreadInstructions, 90000, Tier::kPredicted);
  set(metric::kGlobalLoadRequests, 100, Tier::kExact);
  set(metric::kGlobalStoreRequests, 50, Tier::kExact);
  set(metric::kGlobalLoadSectors, 800, Tier::kExact);
  set(metric::kGlobalStoreSectors, 200, Tier::kExact);
  set(metric::kGlobalBankConflicts, 450, Tier::kPredicted);
  set(metric::kL2ToL1Bytes, 8000, Tier::kPredicted);
  set(metric::kL1ToL2Bytes, 12000, Tier::kPredicted);
  set(metric::kSharedRequests, 10, Tier::kExact);
  set(metric::kSharedWavefronts, 40, Tier::kExact);
  set(metric::kSharedWavefrontsIdeal, 10, Tier::kExact);
  LaunchFacts facts;
  facts.work.elements = 3200;
  facts.work.bytes_read = 4000;
  facts.work.bytes_written = 4000;
  facts.utilization = 0.75;
  facts.resident_warps = 16;
  const auto d = derive_metrics(counts, facts, rtx4090());
  EXPECT_EQ(d.at(metric::kInstPerElement).value, 30);
  EXPECT_EQ(d.at(metric::kInstPerElement).tier, Tier::kPredicted);
  EXPECT_EQ(d.at(metric::kConflictsPerGlobalRequest).value, 3);
  EXPECT_EQ(d.at(metric::kL2ReadRatio).value, 2);
  EXPECT_EQ(d.at(metric::kL2WriteRatio).value, 3);
  EXPECT_EQ(d.at(metric::kLoadSectorsPerRequest).value, 8);
  EXPECT_EQ(d.at(metric::kLoadSectorsPerRequest).tier, Tier::kExact);
  EXPECT_EQ(d.at(metric::kStoreSectorsPerRequest).value, 4);
  EXPECT_EQ(d.at(metric::kSharedConflicts).value, 30);
  EXPECT_EQ(d.at(metric::kSharedConflictsPerRequest).value, 3);
  EXPECT_EQ(d.at(metric::kThreadsPerInstruction).value, 30);
  EXPECT_EQ(d.at(metric::kUtilization).value, 0.75);
  EXPECT_EQ(d.at(metric::kResidentWarps).value, 16);
  for (const char* name : {metric::kTimeUs, metric::kL2Gbps, metric::kL2PeakPercent,
                           metric::kFpGflops, metric::kDramGbps})
    EXPECT_FALSE(d.count(name)) << name << " without a time";
}

TEST(Metrics, AResidencyShortfallIsOfWhatTheLaunchCouldHave) {
  LaunchFacts facts;
  facts.work.elements = 1;
  facts.threads = 256;
  facts.blocks_per_sm = 2;
  facts.resident_warps = 16;
  const DeviceInfo device = rtx4090();  // 48 warps an SM
  const auto shortfall = [&](int64_t blocks) {
    facts.blocks = static_cast<uint64_t>(blocks);
    return derive_metrics({}, facts, device).at(metric::kResidencyShortfall).value;
  };
  EXPECT_EQ(shortfall(1000 * device.sm_count), 48.0 / 23) << "nearly a block more could be there";
  EXPECT_EQ(shortfall(3 * device.sm_count), 24.0 / 23);
  EXPECT_EQ(shortfall(device.sm_count), 1) << "an SM has no more to hold";
}

TEST(Metrics, WhatIsMissingOrNoNumberIsLeftOut) {
  Counts counts;
  counts.values[metric::kGlobalBankConflicts] = {5, Tier::kMeasured};
  counts.values[metric::kGlobalLoadRequests] = {0, Tier::kMeasured};
  counts.values[metric::kGlobalStoreRequests] = {0, Tier::kMeasured};
  counts.values[metric::kWarpInstructions] = {std::numeric_limits<double>::quiet_NaN(),
                                              Tier::kMeasured};
  counts.values[metric::kL2ToL1Bytes] = {-1, Tier::kMeasured};
  LaunchFacts facts;
  facts.work = normalization_work();
  facts.time_us = std::numeric_limits<double>::quiet_NaN();
  const auto d = derive_metrics(counts, facts, rtx4090());
  for (const char* name :
       {metric::kConflictsPerGlobalRequest, metric::kInstPerElement, metric::kL2ReadRatio,
        metric::kL2WriteRatio, metric::kTimeUs, metric::kFpGflops})
    EXPECT_FALSE(d.count(name)) << name;
}

TEST(Metrics, PercentOfPeakNeedsAClock) {
  DeviceInfo unknown = rtx4090();
  unknown.clock_khz.reset();
  LaunchFacts facts;
  Counts counts;
  make_launch(kSamples[0], &facts, &counts);
  const auto d = derive_metrics(counts, facts, unknown);
  EXPECT_FALSE(d.count(metric::kL2PeakPercent));
  EXPECT_TRUE(d.count(metric::kL2Gbps));
  EXPECT_EQ(draw_bars(busy_fractions(d, facts, unknown), 33), "");
}

TEST(Metrics, StarsAreMemoryWhereTheDataIsLargerThanTheL2) {
  UsefulWork work = normalization_work();
  EXPECT_FALSE(data_is_in_memory(work, rtx4090()));
  work.bytes_read = int64_t{1} << 30;
  EXPECT_TRUE(data_is_in_memory(work, rtx4090()));
  LaunchFacts facts;
  facts.work = work;
  facts.time_us = 2000;
  Counts counts;
  counts.values[metric::kDramBytes] = {1008.1e9 / 4 * 2e-3, Tier::kMeasured};
  const auto d = derive_metrics(counts, facts, rtx4090());
  EXPECT_NEAR(*busy_fractions(d, facts, rtx4090()).data, 0.25, 0.001);
}

TEST(MetricList, NamesEachMetricOnceAndAllStandardOnes) {
  std::map<std::string, int> seen;
  for (const MetricInfo& m : all_metrics()) {
    seen[m.name]++;
    EXPECT_FALSE(m.meaning.empty()) << m.name;
  }
  for (const auto& [name, times] : seen) EXPECT_EQ(times, 1) << name;
  for (const std::string& name : standard_metrics()) EXPECT_TRUE(seen.count(name)) << name;
}

}  // namespace
}  // namespace lockstep
