// SPDX-License-Identifier: Apache-2.0
// What becomes of counts when CUPTI refuses, drops ranges or gives no numbers: tried against a
// CUPTI without a card (fake_cupti.h).
#include <gtest/gtest.h>

#include <set>

#include "common/backend/metric_names.h"
#include "common/cuda/gpu_counters.h"
#include "tests/cuda/fake_cupti.h"

#if LOCKSTEP_HAS_CUDA

namespace lockstep::cuda {
namespace {

const std::vector<std::string> kMetrics = {metric::kWarpInstructions, metric::kL2ToL1Bytes};

class Counting : public testing::Test {
 protected:
  void SetUp() override { fake() = FakeCupti(); }

  std::vector<Counts> count(size_t n, const std::vector<std::string>& metrics = kMetrics) {
    return counters_.count(metrics, n, [this](size_t i, const auto& push, const auto& pop) {
      executed_.push_back(i);
      push();
      pop();
    });
  }
  static std::string why(const Counts& counts) {
    auto found = counts.unavailable.find(metric::kWarpInstructions);
    return found != counts.unavailable.end() ? found->second : "";
  }

  GpuCounters counters_{nullptr, 0, 0, &fake_cupti()};
  std::vector<size_t> executed_;
};

TEST_F(Counting, ExecutesEveryLaunchOnceAPassAndTellsThemApart) {
  std::vector<Counts> all = count(2);
  EXPECT_EQ(executed_, (std::vector<size_t>{0, 1, 0, 1, 0, 1}));
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].values.at(metric::kWarpInstructions).value, 10);
  EXPECT_EQ(all[1].values.at(metric::kWarpInstructions).value, 20);
  EXPECT_EQ(all[1].values.at(metric::kWarpInstructions).tier, Tier::kMeasured);
}

TEST_F(Counting, WhatIsPreparedBesideOtherWorkIsCountedAlike) {
  counters_.prepare(kMetrics);
  counters_.disarm();  // as before a timed launch, while that goes on
  EXPECT_EQ(count(1)[0].values.at(metric::kWarpInstructions).value, 10);
  EXPECT_EQ(count(1, {metric::kWarpInstructions})[0].values.size(), 1u) << "and others after it";
}

TEST_F(Counting, ARefusalOfWhatIsPreparedIsUnavailable) {
  fake().initialize = CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
  counters_.prepare(kMetrics);
  EXPECT_NE(why(count(1)[0]).find("another profiler"), std::string::npos);
  GpuCounters unused(nullptr, 0, 0, &fake_cupti());
  unused.prepare(kMetrics);  // and is never counted with
}

TEST_F(Counting, RefusalIsUnavailableWithARemedyAndIsNotTriedAgain) {
  fake().start = CUPTI_ERROR_INSUFFICIENT_PRIVILEGES;
  std::vector<Counts> all = count(2);
  for (const Counts& counts : all) {
    EXPECT_TRUE(counts.values.empty());
    EXPECT_EQ(counts.unavailable.size(), kMetrics.size());
    EXPECT_NE(why(counts).find("NVreg_RestrictProfilingToAdminUsers=0"), std::string::npos);
    EXPECT_EQ(why(counts).find('\n'), std::string::npos);
  }
  EXPECT_TRUE(executed_.empty());
  const int started = fake().started;
  EXPECT_EQ(why(count(1)[0]), why(all[0]));
  EXPECT_EQ(fake().started, started);
}

TEST_F(Counting, RefusalAtAnyDoorIsUnavailable) {
  fake().initialize = CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
  EXPECT_NE(why(count(1)[0]).find("another profiler"), std::string::npos);
  fake() = FakeCupti();
  fake().enable = CUPTI_ERROR_HARDWARE_BUSY;
  GpuCounters busy(nullptr, 0, 0, &fake_cupti());
  Counts counts = busy.count(kMetrics, 1, [](size_t, const auto&, const auto&) {})[0];
  EXPECT_NE(why(counts).find("another program"), std::string::npos);
  fake() = FakeCupti();
  fake().virtual_gpu = CUPTI_PROFILER_CONFIGURATION_DISABLED;
  GpuCounters virtual_gpu(nullptr, 0, 0, &fake_cupti());
  counts = virtual_gpu.count(kMetrics, 1, [](size_t, const auto&, const auto&) {})[0];
  EXPECT_NE(why(counts).find("virtual GPU"), std::string::npos);
}

TEST_F(Counting, CountersThatAreBusyForAMomentAreWaitedFor) {
  fake().busy_starts = 2;
  EXPECT_EQ(count(1)[0].values.at(metric::kWarpInstructions).value, 10);
  EXPECT_EQ(fake().started, 2 + 3);
}

TEST_F(Counting, DroppedRangesAreNotMeasured) {
  fake().dropped = 1;
  for (const Counts& counts : count(2)) {
    EXPECT_TRUE(counts.values.empty());
    EXPECT_FALSE(why(counts).empty());
  }
}

TEST_F(Counting, ARangeThatIsMissingIsNotMeasuredAndTheOthersAre) {
  fake().ranges_lost = 1;
  std::vector<Counts> all = count(2);
  EXPECT_EQ(all[0].values.at(metric::kWarpInstructions).value, 10);
  EXPECT_TRUE(all[1].values.empty());
  EXPECT_EQ(all[1].unavailable.size(), kMetrics.size());
}

TEST_F(Counting, NanIsNotMeasured) {
  fake().nan = true;
  Counts counts = count(1)[0];
  EXPECT_TRUE(counts.values.empty());
  EXPECT_EQ(counts.unavailable.size(), kMetrics.size());
}

TEST_F(Counting, ReplayWithoutAnEndIsGivenUp) {
  fake().passes = size_t{1} << 40;
  Counts counts = count(1)[0];
  EXPECT_TRUE(counts.values.empty());
  EXPECT_LE(executed_.size(), 1000u);
  EXPECT_EQ(fake().enabled, fake().disabled);
}

TEST_F(Counting, AnErrorWhileExecutingGoesThroughAndTheNextCountWorks) {
  EXPECT_THROW(counters_.count(kMetrics, 1,
                               [](size_t, const auto&, const auto&) { throw Error("a fault"); }),
               Error);
  EXPECT_EQ(fake().disabled, 1);
  EXPECT_EQ(count(1)[0].values.at(metric::kWarpInstructions).value, 10);
}

TEST_F(Counting, StaysArmedForTheSameSetAndIsArmedAnewForMore) {
  count(2);
  count(1);
  EXPECT_EQ(fake().enabled, 1);
  count(3);  // more ranges than before
  EXPECT_EQ(fake().enabled, 2);
  count(1, {metric::kThreadInstructions});  // other counters
  EXPECT_EQ(fake().enabled, 3);
  counters_.disarm();
  EXPECT_EQ(fake().disabled, 3);
  count(1);
  EXPECT_EQ(fake().enabled, 4);
}

TEST_F(Counting, ManyLaunchesAreSplitIntoSessions) {
  std::vector<Counts> all = count(150);
  ASSERT_EQ(all.size(), 150u);
  EXPECT_EQ(executed_.size(), 450u);
  EXPECT_EQ(std::set<size_t>(executed_.begin(), executed_.end()).size(), 150u);
  for (const Counts& counts : all) EXPECT_EQ(counts.unavailable.size(), 0u);
  EXPECT_LE(fake().ranges_configured, 64u);
}

TEST_F(Counting, MetricsWithoutCountersNeedNoExecution) {
  Counts counts = count(1, {metric::kBarriers, "no_such_metric"})[0];
  EXPECT_TRUE(executed_.empty());
  EXPECT_EQ(counts.unavailable.size(), 2u);
}

TEST(CounterErrors, EachSaysWhatToDo) {
  for (CUptiResult result :
       {CUPTI_ERROR_INSUFFICIENT_PRIVILEGES, CUPTI_ERROR_HARDWARE_BUSY,
        CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED,
        CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES,
        CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED, CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED,
        CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED, CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED,
        CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED, CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED,
        CUPTI_ERROR_NOT_INITIALIZED, CUPTI_ERROR_INVALID_CHIP_NAME}) {
    const std::string text = counter_error_text(result);
    EXPECT_NE(text.find(';'), std::string::npos) << text << " has no remedy";
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
  }
  EXPECT_NE(counter_error_text(CUPTI_ERROR_UNKNOWN).find("999"), std::string::npos);
}

}  // namespace
}  // namespace lockstep::cuda

#endif  // LOCKSTEP_HAS_CUDA
