// SPDX-License-Identifier: Apache-2.0
// Every metric's counters, on every chip that CUPTI knows, and the arithmetic that turns counters
// into metrics. Needs libcupti, but no GPU.
#include "common/cuda/metric_alias.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "common/backend/metric_names.h"
#include "common/cuda/counter_plan.h"

namespace lockstep::cuda {
namespace {

double nan() { return std::nan(""); }

TEST(MetricAlias, EveryStandardMetricHasAnAlias) {
  for (const std::string& metric : standard_metrics()) {
    EXPECT_NE(find_alias(metric), nullptr) << metric;
  }
  EXPECT_EQ(find_alias("no_such_metric"), nullptr);
}

TEST(MetricAlias, EveryAliasHasARecipeOrSaysWhyNot) {
  std::set<std::string> names;
  for (const MetricAlias& alias : metric_aliases()) {
    EXPECT_TRUE(names.insert(alias.metric).second) << alias.metric << " stands there twice";
    EXPECT_TRUE(!alias.recipes.empty() || !alias.otherwise.empty()) << alias.metric;
  }
}

TEST(MetricAlias, SumsTermsWithTheirFactors) {
  std::vector<CounterRecipe> recipes = {{{{"a", 1}, {"b", 32}}, {}}};
  RecipeResult result = evaluate(recipes, {{"a", 5}, {"b", 2}}, "");
  ASSERT_TRUE(result.ok);
  EXPECT_EQ(result.value, 69);
}

TEST(MetricAlias, MissingOrNanCounterIsNotMeasuredAndNeverZero) {
  std::vector<CounterRecipe> recipes = {{{{"a", 1}, {"b", 1}}, {}}};
  for (const CounterValues& values :
       {CounterValues{{"a", 0}}, CounterValues{{"a", 0}, {"b", nan()}}, CounterValues{},
        CounterValues{{"a", 0}, {"b", std::numeric_limits<double>::infinity()}}}) {
    RecipeResult result = evaluate(recipes, values, "");
    EXPECT_FALSE(result.ok);
    EXPECT_FALSE(result.why.empty());
  }
}

TEST(MetricAlias, TakesTheFirstRecipeThatHolds) {
  std::vector<CounterRecipe> recipes = {{{}, {{{"total", 1}}}}, {{{"plain", 1}}, {{{"wide", 1}}}}};
  EXPECT_EQ(evaluate(recipes, {{"total", 0}, {"plain", 7}, {"wide", 3}}, "").value, 0);
  EXPECT_TRUE(evaluate(recipes, {{"total", 0}, {"plain", 7}, {"wide", 3}}, "").ok);
  EXPECT_EQ(evaluate(recipes, {{"total", 9}, {"plain", 7}, {"wide", 0}}, "").value, 7);
  RecipeResult neither = evaluate(recipes, {{"total", 9}, {"plain", 7}, {"wide", 1}}, "too wide");
  EXPECT_FALSE(neither.ok);
  EXPECT_EQ(neither.why, "too wide");
}

TEST(MetricAlias, IdealWavefrontsAreInferredOnlyWhereTheyAreCertain) {
  const MetricAlias* ideal = find_alias(metric::kSharedWavefrontsIdeal);
  ASSERT_NE(ideal, nullptr);
  CounterValues values = {{"smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum", 33},
                          {"smsp__sass_inst_executed_op_shared_ld.sum", 1},
                          {"smsp__sass_inst_executed_op_shared_st.sum", 1},
                          {"smsp__sass_inst_executed_op_shared.sum", 2},
                          {"smsp__sass_inst_executed_op_memory_64b.sum", 0},
                          {"smsp__sass_inst_executed_op_memory_128b.sum", 0},
                          {"smsp__sass_inst_executed_op_ldgsts.sum", 0}};
  RecipeResult plain = evaluate(ideal->recipes, values, ideal->otherwise);
  ASSERT_TRUE(plain.ok) << plain.why;
  EXPECT_EQ(plain.value, 2);

  for (const char* spoiler :
       {"smsp__sass_inst_executed_op_memory_64b.sum", "smsp__sass_inst_executed_op_memory_128b.sum",
        "smsp__sass_inst_executed_op_ldgsts.sum"}) {
    CounterValues wide = values;
    wide[spoiler] = 1;
    EXPECT_FALSE(evaluate(ideal->recipes, wide, ideal->otherwise).ok) << spoiler;
  }
  CounterValues atomic = values;
  atomic["smsp__sass_inst_executed_op_shared.sum"] = 3;
  EXPECT_FALSE(evaluate(ideal->recipes, atomic, ideal->otherwise).ok);

  CounterValues unused = values;
  unused["smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum"] = 0;
  unused["smsp__sass_inst_executed_op_memory_128b.sum"] = 100;  // all of it global
  RecipeResult none = evaluate(ideal->recipes, unused, ideal->otherwise);
  ASSERT_TRUE(none.ok);
  EXPECT_EQ(none.value, 0);
}

TEST(MetricAlias, AnAsynchronousCopyIsALoadAndAStore) {
  const CounterValues values = {
      {"smsp__sass_inst_executed_op_ldgsts.sum", 5},
      {"smsp__sass_inst_executed_op_global_ld.sum", 1},
      {"smsp__sass_inst_executed_op_shared_ld.sum", 2},
      {"smsp__sass_inst_executed_op_shared_st.sum", 4},
      {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum", 4},
      {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts.sum", 80}};
  const auto value = [&](const char* metric) {
    return evaluate(find_alias(metric)->recipes, values, "").value;
  };
  EXPECT_EQ(value(metric::kGlobalLoadRequests), 6);
  EXPECT_EQ(value(metric::kGlobalLoadSectors), 84);
  EXPECT_EQ(value(metric::kSharedRequests), 11);
  // Counters of the hardware leave out those that bypass L1.
  const CounterValues hardware = {{"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 7},
                                  {"smsp__inst_executed_op_ldgsts.sum", 1}};
  EXPECT_FALSE(evaluate(find_alias(metric::kGlobalLoadRequests)->recipes, hardware, "").ok);
}

#if LOCKSTEP_HAS_CUDA

class EveryChip : public testing::Test {
 protected:
  void SetUp() override {
#ifdef __SANITIZE_ADDRESS__
    GTEST_SKIP() << "libcupti opens libnvperf_host with RTLD_DEEPBIND, which ASan ends";
#endif
    std::string why;
    cupti_ = open_cupti(&why);
    if (cupti_ == nullptr) GTEST_SKIP() << why;
    // Volta and Turing are older than what Lockstep supports; GV11B has no range profiler.
    for (const std::string& chip : supported_chips(*cupti_)) {
      if (chip.compare(0, 2, "GV") != 0 && chip.compare(0, 2, "TU") != 0) chips_.push_back(chip);
    }
    ASSERT_GE(chips_.size(), 20u);
  }

  const Cupti* cupti_ = nullptr;
  std::vector<std::string> chips_;
};

// These have no memory of their own, and no counters of it.
bool shares_the_processors_memory(const std::string& chip) {
  return chip == "GA10B" || chip == "GB10B" || chip == "GB20B";
}

TEST_F(EveryChip, ResolvesEveryAlias) {
  for (const std::string& chip : chips_) {
    ProfilerHost scratch(*cupti_, chip);
    for (const MetricAlias& alias : metric_aliases()) {
      if (alias.recipes.empty()) continue;
      CounterPlan plan = plan_counters(&scratch, {alias.metric});
      if (alias.metric == metric::kDramBytes && shares_the_processors_memory(chip)) {
        EXPECT_EQ(plan.unavailable.count(alias.metric), 1u) << chip;
        continue;
      }
      EXPECT_TRUE(plan.unavailable.empty()) << chip << " has no counters for " << alias.metric;
      EXPECT_FALSE(plan.counters.empty()) << chip << " " << alias.metric;
    }
  }
}

TEST_F(EveryChip, TakesTheStandardMetricsInThreePasses) {
  for (const std::string& chip : chips_) {
    ProfilerHost scratch(*cupti_, chip);
    CounterPlan plan = plan_counters(&scratch, standard_metrics());
    ProfilerHost host(*cupti_, chip);
    ASSERT_TRUE(host.add(plan.counters)) << chip;
    EXPECT_LE(ProfilerHost::passes(*cupti_, host.config_image()), 3u) << chip;
  }
}

TEST_F(EveryChip, RefusesACounterThatIsNotThereAndGoesOn) {
  for (const std::string& chip : chips_) {
    ProfilerHost host(*cupti_, chip);
    EXPECT_FALSE(host.add({"smsp__no_such_thing.sum"})) << chip;
    EXPECT_FALSE(host.add({"smsp__inst_executed"})) << chip << " takes a name with no rollup";
    EXPECT_TRUE(host.counters().empty());
    EXPECT_TRUE(host.add({"smsp__inst_executed.sum"})) << chip;
    EXPECT_GE(ProfilerHost::passes(*cupti_, host.config_image()), 1u) << chip;
  }
}

TEST_F(EveryChip, UnknownChipIsAnErrorWithARemedy) {
  try {
    ProfilerHost host(*cupti_, "GX999");
    FAIL() << "a chip that does not exist was taken";
  } catch (const CounterError& error) {
    EXPECT_NE(std::string(error.what()).find("install"), std::string::npos) << error.what();
  }
}

#endif  // LOCKSTEP_HAS_CUDA

}  // namespace
}  // namespace lockstep::cuda
