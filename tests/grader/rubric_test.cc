// SPDX-License-Identifier: Apache-2.0
// Rubrics: what is wrong is told with file, line and what is expected; plans repeat from a seed.
#include "grader/rubric.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>

#include "common/backend/module_files.h"
#include "common/base/error.h"
#include "common/harness/draw.h"
#include "grader/cost_table.h"
#include "grader/plan.h"
#include "grader/rubric_faults.h"
#include "grader/run.h"
#include "tests/grader/temporary.h"
#include "tests/homeworks.h"

namespace lockstep::grader {
namespace {

constexpr char kGood[] = R"(homework = "hw02"
title = "t"
[[run]]
id = "small"
kernels = ["f<{8,32},1>"]
vectors = [1, 37]
random_vectors = { count = 2, from = 100, to = 200 }
blocks = [3]
warps = [1, 5]
[[run]]
id = "count"
kernels = ["f<8,1>", "g<8>"]
vectors = [64]
counters = true
[[check]]
id = "right"
title = "it is right"
kind = "correct"
runs = ["small", "count"]
points = 60
[[check]]
id = "fast"
title = "it is fast"
kind = "metric"
metric = "inst_per_element"
runs = ["count"]
kernels = ["f<8,1>"]
at_most = 1.1
relative_to = "g<$1>"
zero_at = 2
requires = ["right"]
points = 40
)";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string error_of(const std::string& text) {
  try {
    parse_rubric(text, "r.toml");
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

TEST(Rubric, ReadsRunsAndChecks) {
  Rubric r = parse_rubric(kGood, "r.toml");
  EXPECT_EQ(r.points, 100);
  EXPECT_EQ(r.file, "hw02.cu");
  EXPECT_EQ(r.runs[0].kernels, (std::vector<std::string>{"f<8,1>", "f<32,1>"}));
  EXPECT_EQ(r.checks[1].relative_to, RelativeTo::kKernel);
  EXPECT_EQ(*r.checks[1].zero_at, 2);
}

struct Mistake {
  const char* from;
  const char* to;
  const char* expected;  // the error begins and goes on so
  const char* also;
};

class RubricMistake : public testing::TestWithParam<Mistake> {};

TEST_P(RubricMistake, IsToldWithLineAndExpectation) {
  const Mistake& m = GetParam();
  std::string error = error_of(replaced(kGood, m.from, m.to));
  EXPECT_EQ(error.rfind(m.expected, 0), 0u) << error;
  EXPECT_NE(error.find(m.also), std::string::npos) << error;
}

INSTANTIATE_TEST_SUITE_P(
    All, RubricMistake,
    testing::Values(
        Mistake{"homework = \"hw02\"", "homework = 2", "r.toml:1:", "expected a text"},
        Mistake{"title = \"t\"", "titel = \"t\"", "r.toml:1:", "'title' is missing"},
        Mistake{"vectors = [1, 37]", "vectors = [1, 0]", "r.toml:6:", "whole numbers from 1"},
        Mistake{"vectors = [1, 37]", "vectors = \"many\"", "r.toml:6:", "whole numbers"},
        Mistake{"to = 200", "to = 50", "r.toml:7:", "not below"},
        Mistake{"warps = [1, 5]", "warps = [33]", "r.toml:9:", "from 1 to 32"},
        Mistake{"kind = \"correct\"", "kind = \"right\"", "r.toml:18:", "\"correct\", \"metric\""},
        Mistake{"points = 60", "points = -1", "r.toml:20:", "from 0"},
        Mistake{"metric = \"inst_per_element\"", "metric = \"insts\"", "r.toml:25:", "no metric"},
        Mistake{"kernels = [\"f<8,1>\"]", "kernels = [\"f<16,1>\"]", "r.toml:21:", "no run"},
        Mistake{"at_most = 1.1", "bound = 1.1", "r.toml:2", "expected 'at_most'"},
        Mistake{"zero_at = 2", "zero_at = 1", "r.toml:30:", "above 'at_most'"},
        Mistake{"requires = [\"right\"]", "requires = [\"fast\"]", "r.toml:21:", "no check"},
        Mistake{"relative_to = \"g<$1>\"", "relative_to = \"h<$1>\"", "r.toml:21:", "h<8>"},
        Mistake{"runs = [\"count\"]", "runs = [\"counts\"]", "r.toml:21:", "no [[run]]"},
        Mistake{"runs = [\"count\"]", "runs = [\"small\"]", "r.toml:21:", "counters = true"},
        Mistake{"id = \"fast\"", "id = \"right\"", "r.toml:21:", "is there already"},
        Mistake{"title = \"t\"", "title = \"t\"\npoints = 90", "r.toml:3:", "sum"},
        Mistake{"counters = true", "counters = true\ncolour = 1", "r.toml:15:", "unknown key"},
        Mistake{"kernels = [\"f<8,1>\", \"g<8>\"]", "kernels = [\"f*\"]",
                "r.toml:12:", "whole name"},
        Mistake{"points = 40", "points = 40\nhints = [{metric = \"insts\", hint = \"h\"}]",
                "r.toml:33:", "no metric"},
        Mistake{"points = 40", "points = 40\nhints = [{faults = [\"storm\"], hint = \"h\"}]",
                "r.toml:33:", "no \"storm\""},
        Mistake{"points = 40", "points = 40\nhints = [{metric = \"barriers\", hint = \"h\"}]",
                "r.toml:33:", "'above'"},
        Mistake{"[[run]]", "[[run]", "r.toml:3:", ""}));

TEST(Rubric, BackendsAreKnownWords) {
  std::string text = replaced(kGood, "points = 40", "points = 40\nbackends = [\"tpu\"]");
  EXPECT_NE(error_of(text).find("\"gpu\", \"emulator\""), std::string::npos);
}

TEST(Rubric, ReadsWhatLatenessCosts) {
  EXPECT_FALSE(parse_rubric(kGood, "r.toml").late.has_value());
  const std::string late =
      "[late]\ndue = \"2026-11-20T23:59:00Z\"\nper_day = 10\nmax_days = 5\ngrace_minutes = 15\n";
  const std::string whole = replaced(kGood, "[[run]]", late + "[[run]]");
  const Rubric rubric = parse_rubric(whole, "r.toml");
  ASSERT_TRUE(rubric.late.has_value());
  EXPECT_EQ(utc_text(rubric.late->due), "2026-11-20T23:59:00Z");
  EXPECT_EQ(rubric.late->per_day, 10);
  EXPECT_EQ(rubric.late->max_days, 5);
  EXPECT_EQ(rubric.late->grace_s, 900);
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"\"2026-11-20T23:59:00Z\"", "\"2026-11-20T23:59:00\""},
      {"\"2026-11-20T23:59:00Z\"", "\"tomorrow\""},
      {"per_day = 10", "per_day = 101"},
      {"per_day = 10\n", ""},
      {"max_days = 5", "max_days = -1"},
      {"grace_minutes", "grace"}};
  for (const auto& [from, to] : wrong) try {
      parse_rubric(replaced(whole, from, to), "r.toml");
      ADD_FAILURE() << to;
    } catch (const Error& e) {
      EXPECT_TRUE(std::regex_search(e.what(), std::regex("^r.toml:[3-7]: "))) << e.what();
    }
}

TEST(Rubric, BracesAndArguments) {
  EXPECT_EQ(expand_braces("f<{8,32},{1,2}>"),
            (std::vector<std::string>{"f<8,1>", "f<8,2>", "f<32,1>", "f<32,2>"}));
  EXPECT_EQ(expand_braces("f"), std::vector<std::string>{"f"});
  EXPECT_EQ(base_kernel_of("norm_group<$1,$2>", "norm_group_u<8,4,2>"), "norm_group<8,4>");
  EXPECT_EQ(base_kernel_of("a<$9>", "b<1>"), "a<$9>");
}

TEST(Plan, RepeatsFromASeedAndDiffersBetweenSeeds) {
  Rubric r = parse_rubric(kGood, "r.toml");
  auto text = [&](uint64_t seed) {
    std::vector<PlannedLaunch> launches;
    for (const GradedLaunch& g : plan_submission(r, seed)) launches.push_back(g.launch);
    return plan_to_json({launches, {}});
  };
  EXPECT_EQ(text(5), text(5));
  EXPECT_NE(text(5), text(6));
}

TEST(Plan, HasAllCombinationsAndCountsLast) {
  Rubric r = parse_rubric(kGood, "r.toml");
  auto plan = plan_submission(r, 1);
  EXPECT_EQ(plan.size(), 2u * 4 * 2 + 2);
  EXPECT_FALSE(plan.front().launch.counters);
  EXPECT_TRUE(plan.back().launch.counters);
  std::set<uint64_t> seeds;
  for (const GradedLaunch& g : plan) {
    seeds.insert(g.launch.seed);
    if (g.run == "small" && g.launch.vectors != 1 && g.launch.vectors != 37) {
      EXPECT_GE(g.launch.vectors, 100);
      EXPECT_LE(g.launch.vectors, 200);
    }
  }
  EXPECT_EQ(seeds.size(), 5u);  // one a size
}

// Sizes that people take: whole powers of two and the like, and whole SMs of blocks.
TEST(Draw, RoundSizesAndWholeSmsAreNotRare) {
  int round = 0, sms = 0;
  constexpr int kDraws = 3000;
  for (uint64_t seed = 1; seed <= kDraws; ++seed) {
    Draw draw(seed);
    const int64_t size = draw.size_as_used({1000, 1200000});
    EXPECT_TRUE(size >= 1000 && size <= 1200000) << size;
    round += size % 128 == 0;
    const int64_t blocks = draw.between_or_multiple({5, 400}, 132);
    EXPECT_TRUE(blocks >= 5 && blocks <= 400) << blocks;
    sms += blocks % 132 == 0;
    const int64_t few = draw.between_or_multiple({1, 40}, 132);
    EXPECT_TRUE(few >= 1 && few <= 40) << few;
  }
  EXPECT_GT(round, kDraws / 5);
  EXPECT_GT(sms, kDraws / 5);
  EXPECT_LT(sms, kDraws / 3);
}

TEST(Plan, SearchesWhatCountedRunsDrawFromAndAllBetween) {
  Rubric r = parse_rubric(
      replaced(replaced(kGood, "blocks = [3]\nwarps = [1, 5]\n",
                        "random_shapes = { count = 2, blocks = [1, 4], warps = [1, 32] }\n"),
               "vectors = [64]",
               "random_vectors = { count = 1, from = 5000, to = 9000 }\n"
               "random_shapes = { count = 1, blocks = [10, 20], warps = [2, 3] }"),
      "r.toml");
  const std::vector<PlannedSearch> searches = plan_searches(r, 3);
  const RunRule& checked = *r.find_run("small");
  size_t counted = 0;
  for (const PlannedSearch& s : searches) {
    EXPECT_NE(s.name == "small", s.counters);
    counted += s.counters;
    if (s.counters) {
      EXPECT_EQ(s.vectors.from, 5000);
      EXPECT_EQ(s.blocks.from, 10);
      EXPECT_EQ(s.blocks.to, 20);
      EXPECT_EQ(s.warps.to, 3);
      continue;
    }
    const bool both = s.vectors.to == 9000;
    EXPECT_EQ(s.vectors.from, checked.sizes.from);
    EXPECT_EQ(s.vectors.to, both ? 9000 : checked.sizes.to);
    EXPECT_EQ(s.blocks.from, 1);
    EXPECT_EQ(s.blocks.to, both ? 20 : 4);
    EXPECT_EQ(s.warps.to, 32);
  }
  EXPECT_GT(counted, 0u);
  EXPECT_EQ(searches.size() - counted, checked.kernels.size());
  EXPECT_NE(plan_searches(r, 4)[0].seed, searches[0].seed);
}

TEST(Plan, DrawsShapesAndKernelsWithinTheirRanges) {
  Rubric r = parse_rubric(
      replaced(replaced(kGood, "blocks = [3]\nwarps = [1, 5]\n",
                        "random_kernels = 1\n"
                        "random_shapes = { count = 2, blocks = [1, 4], warps = [1, 32] }\n"),
               "vectors = [64]", "vectors = [64]\nblocks = [3]\nwarps = [1, 5]"),
      "r.toml");
  std::set<std::string> kernels;
  std::set<int> warps;
  std::set<int64_t> blocks;
  for (uint64_t seed = 1; seed < 200; ++seed)
    for (const GradedLaunch& g : plan_submission(r, seed)) {
      if (g.run != "small") continue;
      kernels.insert(g.launch.kernel);
      warps.insert(g.launch.warps);
      blocks.insert(g.launch.blocks);
    }
  EXPECT_EQ(plan_submission(r, 1).size(), 4u * 2 + 2 * 2);
  EXPECT_EQ(kernels.size(), 2u);
  EXPECT_EQ(blocks, (std::set<int64_t>{1, 2, 3, 4}));
  EXPECT_EQ(warps.size(), 32u);
  EXPECT_EQ(*warps.begin(), 1);
}

TEST(Plan, TheSolutionIsMeasuredOnTheVeryLaunchesThatAreJudged) {
  Rubric r = parse_rubric(kGood, "r.toml");
  auto all = plan_submission(r, 9), judged = plan_solution(r, 9);
  ASSERT_EQ(judged.size(), 2u);
  EXPECT_TRUE(same_problem(all[all.size() - 2], judged[0], judged[0].launch.kernel));
  EXPECT_FALSE(same_problem(all[0], judged[0], judged[0].launch.kernel));
  EXPECT_FALSE(same_problem(plan_submission(r, 10).back(), judged[1], judged[1].launch.kernel));
}

// What is only checked covers every size from 1 to 200 and every shape of the counted run.
std::string drawn_shapes(const std::string& text) {
  const std::string bounded =
      replaced(replaced(text, "[[check]]\nid = \"fast\"",
                        "[[check]]\nid = \"costs\"\ntitle = \"nothing else costs more\"\n"
                        "kind = \"costs\"\nruns = [\"count\"]\npoints = 0\n"
                        "[[check]]\nid = \"fast\""),
               "requires = [\"right\"]", "requires = [\"right\", \"costs\"]");
  return replaced(
      replaced(bounded, "vectors = [1, 37]\nrandom_vectors = { count = 2, from = 100, to = 200 }",
               "vectors = [1]\nrandom_vectors = { count = 2, from = 2, to = 200 }"),
      "blocks = [3]\nwarps = [1, 5]", "random_shapes = { blocks = [1, 9], warps = [1, 32] }");
}

TEST(Rubric, GivenKernelsAreLaunchedBesidesThoseOfRuns) {
  Rubric r = parse_rubric(
      replaced(kGood, "title = \"t\"", "title = \"t\"\ngiven_kernels = [\"add\"]"), "r.toml");
  EXPECT_EQ(launched_kernels(r), (std::set<std::string>{"add", "f<8,1>", "f<32,1>", "g<8>"}));
  for (const GradedLaunch& g : plan_submission(r, 1)) EXPECT_NE(g.launch.kernel, "add");
}

std::string faults_of(const std::string& text) {
  std::string all;
  for (const std::string& fault : rubric_faults(parse_rubric(text, "r.toml"))) all += fault + "\n";
  return all;
}

TEST(RubricFaults, TellWhatCanBeBent) {
  std::string drawn = replaced(drawn_shapes(kGood), "vectors = [64]\n",
                               "random_vectors = { from = 10, to = 200 }\n"
                               "random_shapes = { blocks = [1, 9], warps = [1, 32] }\n");
  std::string good = replaced(drawn, "relative_to = \"g<$1>\"", "relative_to = \"solution:g<$1>\"");
  EXPECT_EQ(faults_of(good), "");
  EXPECT_NE(faults_of(drawn).find("r.toml:27: check fast compares with g<8>"), std::string::npos)
      << faults_of(drawn);
  EXPECT_NE(faults_of(kGood).find("r.toml:10: run count counts sizes that are known beforehand"),
            std::string::npos)
      << faults_of(kGood);
  EXPECT_NE(faults_of(kGood).find("a fixed launch shape"), std::string::npos);
  for (const char* metric : {"load_sectors_per_request", "threads_per_instruction", "l2_gbps"})
    EXPECT_NE(faults_of(replaced(good, "inst_per_element", metric)).find("can be diluted"),
              std::string::npos)
        << metric;
}

TEST(RubricFaults, TellWhatShowsThatAKernelIsCountedAndWhereNothingIsChecked) {
  std::string good = replaced(replaced(drawn_shapes(kGood), "vectors = [64]\n",
                                       "random_vectors = { from = 10, to = 200 }\n"
                                       "random_shapes = { blocks = [1, 9], warps = [1, 32] }\n"),
                              "relative_to = \"g<$1>\"", "relative_to = \"solution:g<$1>\"");
  EXPECT_EQ(faults_of(good), "");
  auto expect = [&](const char* from, const char* to, const char* fault) {
    std::string faults = faults_of(replaced(good, from, to));
    EXPECT_NE(faults.find(fault), std::string::npos) << faults;
  };
  expect("from = 10, to = 200", "from = 10, to = 220", "counts sizes that no other run draws");
  expect("random_shapes = { blocks = [1, 9], warps = [1, 32] }\ncounters",
         "random_shapes = { blocks = [1, 10], warps = [1, 32] }\ncounters",
         "counts launch shapes that no other run draws");
  expect("from = 2, to = 200", "from = 90, to = 200",
         "sizes between 1 and 200 that no run can draw");
}

TEST(RubricFaults, TellWhatIsLeftToLuck) {
  std::string good = replaced(replaced(drawn_shapes(kGood), "vectors = [64]\n",
                                       "random_vectors = { from = 10, to = 200 }\n"
                                       "random_shapes = { blocks = [1, 9], warps = [1, 32] }\n"),
                              "relative_to = \"g<$1>\"", "relative_to = \"solution:g<$1>\"");
  auto drawn = [&](const char* run, const char* text) {
    return faults_of(replaced(good, run, std::string(run) + text));
  };
  EXPECT_EQ(faults_of(good), "");
  EXPECT_NE(
      drawn("id = \"small\"\n", "random_kernels = 1\n").find("on some draws no run launches it"),
      std::string::npos);
  EXPECT_NE(drawn("id = \"count\"\n", "random_kernels = 1\n")
                .find("check fast: on some draws no run launches a kernel"),
            std::string::npos);
}

// Of each homework's own rubric, where that is taken away which they were found to lack.
TEST(RubricFaults, TellWhatIsLaunchedOrCountedForNothing) {
  const auto faults = [](const char* homework, const std::string& from, const std::string& to) {
    std::ifstream file(std::string(homework) + "/rubric.toml");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    EXPECT_NE(text.find(from), std::string::npos) << from;
    std::string all;
    for (const std::string& one :
         rubric_faults(parse_rubric(replaced(text, from, to), "r.toml"), {}))
      all += one + "\n";
    return all;
  };
  EXPECT_NE(faults("hw03", "kernels = [\"{few,spread}<", "kernels = [\"spread<")
                .find("run few launches few<32>, which may be wrong: no check with points looks"),
            std::string::npos);
  EXPECT_NE(
      faults("hw05", "requires = [\"others-1\", ", "requires = [")
          .find("run others counts wide_rmse_1, whose global_load_sectors no check with points"),
      std::string::npos);
  EXPECT_NE(
      faults(
          "hw06",
          "runs = [\"odd\", \"small\", \"count\"]\nkernels = "
          "[\"{,odd_}product_best<{float,double},{2,4,8}>\"]\npoints = 0\nhint = \"\"\"\nEach tile",
          "runs = [\"small\", \"count\"]\nkernels = "
          "[\"product_best<{float,double},{2,4,8}>\"]\npoints = 0\nhint = \"\"\"\nEach tile")
          .find("run odd counts odd_product_best<float,2>, whose "),
      std::string::npos);
}

TEST(RubricFaults, TellWhatNoCheckBounds) {
  const std::string good = replaced(replaced(drawn_shapes(kGood), "vectors = [64]\n",
                                             "random_vectors = { from = 10, to = 200 }\n"
                                             "random_shapes = { blocks = [1, 9], warps = [1, 32] "
                                             "}\n"),
                                    "relative_to = \"g<$1>\"", "relative_to = \"solution:g<$1>\"");
  EXPECT_EQ(faults_of(good), "");
  auto expect = [&](const char* from, const char* to, const char* fault) {
    std::string faults = faults_of(replaced(good, from, to));
    EXPECT_NE(faults.find(fault), std::string::npos) << faults;
  };
  expect(
      "[\"right\", \"costs\"]", "[\"right\"]",
      "check fast gives points for f<8,1> in run count, whose global_load_sectors no check bounds");
  expect("kind = \"costs\"\n", "kind = \"costs\"\nmetrics = [\"barriers\"]\n",
         "whose global_load_sectors no check bounds");
  expect("kind = \"costs\"\n", "kind = \"costs\"\nkernels = [\"g<8>\"]\n", "no check bounds");
  expect("from = 10, to = 200", "from = 10, to = 190", "counts smaller sizes, grids or blocks");
}

// Sizes to 200 are drawn: from 12 on they must be counted.
TEST(RubricFaults, TellWhichSizesNothingCountsAndWhichNothingReaches) {
  const std::string good = replaced(replaced(drawn_shapes(kGood), "vectors = [64]\n",
                                             "random_vectors = { from = 12, to = 200 }\n"
                                             "random_shapes = { blocks = [1, 9], warps = [1, 32] "
                                             "}\n"),
                                    "relative_to = \"g<$1>\"", "relative_to = \"solution:g<$1>\"");
  EXPECT_EQ(faults_of(good), "");
  const std::string gap = faults_of(replaced(good, "from = 12, to = 200", "from = 13, to = 200"));
  for (const char* what : {"instructions", "other costs"})
    EXPECT_NE(gap.find("check fast gives points for f<8,1>, whose " + std::string(what) +
                       " no check that matters looks at on some sizes from 12 to 200"),
              std::string::npos)
        << gap;
  EXPECT_NE(faults_of(replaced(good, "inst_per_element", "registers")).find("whose instructions"),
            std::string::npos);

  const Rubric rubric = parse_rubric(good, "r.toml");
  EXPECT_TRUE(rubric_faults(rubric, {{"f<8,1>", 200}}).empty());
  const std::vector<std::string> no_run = rubric_faults(rubric, {{"not_graded", 1000}});
  ASSERT_EQ(no_run.size(), 1u);
  EXPECT_NE(no_run[0].find("not_graded is a row of the table that ./hw02 prints, and no run"),
            std::string::npos);
  const std::vector<std::string> small = rubric_faults(rubric, {{"f<8,1>", 201}});
  ASSERT_EQ(small.size(), 1u);
  EXPECT_NE(small[0].find("f<8,1>, which no run launches with more than 200 vectors; ./hw02 itself "
                          "takes 201 on the emulator"),
            std::string::npos)
      << small[0];
}

// hw04's table has 2^20 elements, which the run "full" counts.
TEST(RubricFaults, TellWhichChecksPassByTheHomeworksOwnTable) {
  std::ifstream file("hw04/rubric.toml");
  const std::string good{std::istreambuf_iterator<char>(file), {}};
  const auto faults = [](const std::string& text) {
    std::string all;
    for (const std::string& fault :
         rubric_faults(parse_rubric(text, "r.toml"), {{"reduce_8<128>", 1 << 20}}))
      if (fault.find("has by default") != fault.npos) all += fault + "\n";
    return all;
  };
  EXPECT_EQ(faults(good), "");
  EXPECT_THROW(
      parse_rubric(replaced(good, "passes_by = [\"full\"]", "passes_by = [\"none\"]"), "r.toml"),
      Error);
  const std::string found = faults(replaced(good, "passes_by = [\"full\"]", ""));
  EXPECT_NE(
      found.find("check wide-loads does not look at run full, which counts reduce_8<128> with "
                 "as much to do as ./hw04 has by default (1048576)"),
      std::string::npos)
      << found;
}

TEST(RubricFaults, TellWhichKernelIsNeverSureToBeLaunchedAsLargeAsOthers) {
  std::ifstream file("hw02/rubric.toml");
  const std::string rubric{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(faults_of(rubric), "");
  const std::string lucky =
      replaced(replaced(rubric, "id = \"any-given\"\n", "id = \"any-given\"\nrandom_kernels = 1\n"),
               "id = \"wide\"\n", "id = \"wide\"\nrandom_kernels = 3\n");
  const std::string run =
      "random_vectors = { count = 1, from = 2000, to = 140000 }\n"
      "random_shapes = { count = 1, blocks = [1, 200], warps = [1, 32] }\n"
      "counters = true\n\n[[run]]\nid = \"given-wide\"";
  for (const auto& [from, to] :
       {std::pair("to = 140000", "to = 20000"), std::pair("[1, 200]", "[1, 40]")}) {
    const std::string faults = faults_of(replaced(lucky, run, replaced(run, from, to)));
    EXPECT_NE(faults.find("check comparison gives points for norm_group<8,8>, which no run"),
              std::string::npos)
        << faults;
  }
}

TEST(Rubric, CostsThatNoOtherCheckOfTheRunNamesAreSharedOut) {
  const Rubric rubric = load_rubric("hw02/rubric.toml");
  for (const char* run : {"small", "effort", "short", "given"})
    for (const Cost& cost : cost_table()) {
      int looked_at = 0;
      for (const CheckRule& check : rubric.checks)
        if (std::find(check.runs.begin(), check.runs.end(), run) != check.runs.end())
          for (const std::string& metric : metrics_of(check))
            looked_at += find_cost(metric) == &cost;
      EXPECT_GE(looked_at, 1) << run << " " << cost.metric;
    }
}

TEST(Plan, TheSolutionIsMeasuredOnTheKernelsThatOthersAreComparedWith) {
  Rubric r = parse_rubric(
      replaced(replaced(kGood, "id = \"count\"\n", "id = \"count\"\nrandom_kernels = 1\n"),
               "relative_to = \"g<$1>\"", "relative_to = \"solution:g<$1>\""),
      "r.toml");
  int compared = 0;
  for (uint64_t seed = 1; seed < 20; ++seed) {
    const auto all = plan_submission(r, seed), judged = plan_solution(r, seed);
    for (const GradedLaunch& graded : all) {
      if (graded.run != "count" || graded.launch.kernel == "g<8>") continue;
      ++compared;
      EXPECT_TRUE(std::any_of(judged.begin(), judged.end(), [&](const GradedLaunch& one) {
        return same_problem(graded, one, "g<8>");
      }));
    }
  }
  EXPECT_GT(compared, 0);
}

TEST(Plan, EveryOrderOfMagnitudeIsDrawn) {
  Rubric r =
      parse_rubric(replaced(kGood, "from = 100, to = 200", "from = 2, to = 100000"), "r.toml");
  int small = 0, large = 0;
  for (uint64_t seed = 1; seed < 400; ++seed)
    for (const GradedLaunch& g : plan_submission(r, seed)) {
      EXPECT_GE(g.launch.vectors, 1);
      EXPECT_LE(g.launch.vectors, 100000);
      small += g.launch.vectors > 1 && g.launch.vectors < 32 && g.launch.kernel == "f<8,1>";
      large += g.launch.vectors > 60000 && g.launch.kernel == "f<8,1>";
    }
  EXPECT_GT(small, 100);
  EXPECT_GT(large, 20);
}

TEST(RubricFaults, AComparisonWithAKernelThatIsHeldToTheSolutionStands) {
  std::string text = replaced(drawn_shapes(kGood), "vectors = [64]\n",
                              "random_vectors = { from = 10, to = 200 }\n"
                              "random_shapes = { blocks = [1, 9], warps = [1, 32] }\n");
  const std::string pin =
      "[[check]]\nid = \"pin\"\ntitle = \"as given\"\nkind = \"metric\"\n"
      "metric = \"inst_per_element\"\nruns = [\"count\"]\nkernels = [\"g<8>\"]\nat_most = 1\n"
      "relative_to = \"solution\"\npoints = 0\n";
  text = replaced(text, "[[check]]\nid = \"fast\"", pin + "[[check]]\nid = \"fast\"");
  EXPECT_NE(faults_of(text).find("compares with g<8>"), std::string::npos);  // not required
  text = replaced(text, "requires = [\"right\", \"costs\"]",
                  "requires = [\"right\", \"costs\", \"pin\"]");
  EXPECT_EQ(faults_of(text), "");
  EXPECT_NE(faults_of(replaced(text, "metric = \"inst_per_element\"", "metric = \"registers\"")),
            "");
}

TEST(Rubric, ThoseOfTheHomeworksAreInOrder) {
  Toolchain here;
  here.top = find_top();
  for (const std::string& homework : homeworks()) {
    std::string path = std::string(homework) + "/rubric.toml";
    if (!std::filesystem::exists(path)) continue;
    Rubric r = load_rubric(path);
    EXPECT_EQ(r.points, 100) << path;
    EXPECT_FALSE(plan_solution(r, 1).empty()) << path;
    const SizeOfKernel sizes = ask_default_sizes(homework, here);
    EXPECT_FALSE(sizes.empty()) << path;
    for (const std::string& fault : rubric_faults(r, sizes)) ADD_FAILURE() << fault;
  }
}

// Launches as large as a card's: instances of a template share them, each kernel that is counted
// has one, and of others each whose text no counted one shares.
TEST(Rubric, EachKernelOfTheHomeworksIsLaunchedAsLargeAsOnACard) {
  TemporaryFolder folder;
  Toolchain here;
  here.top = find_top();
  Machine machine;
  machine.backend = "emulator";
  for (const std::string& homework : homeworks()) {
    if (!std::filesystem::exists(homework + "/rubric.toml")) continue;
    const std::vector<PlannedSearch> searches =
        plan_searches(load_rubric(homework + "/rubric.toml"), 7);
    std::map<std::string, size_t> launches;
    std::set<std::string> counted;
    for (const PlannedSearch& one : searches) {
      launches[one.kernel] = 0;
      if (one.counters) counted.insert(one.kernel);
    }
    for (const GradedLaunch& one :
         ask_large_launches(homework, searches, folder.path(), machine, here)) {
      EXPECT_TRUE(one.launch.drawn);
      ++launches.at(one.launch.kernel);
    }
    for (const auto& [kernel, count] : launches) {
      EXPECT_LE(count, 3u) << kernel;
      EXPECT_GE(count, counted.contains(kernel) ? 1u : 0u) << kernel;
    }
    if (homework == "hw05") {
      EXPECT_EQ(launches.at("bounded<1>"), 1u);
    }
  }
  machine.backend = "gpu";
  EXPECT_TRUE(ask_large_launches("hw02", {}, folder.path(), machine, here).empty());
}

TEST(Rubric, ThoseOfTheHomeworksBoundVariablesAsTheHandoutsSay) {
  for (const std::string& homework : homeworks()) {
    if (!std::filesystem::exists(homework + "/rubric.toml")) continue;
    const Rubric r = load_rubric(homework + "/rubric.toml");
    const std::string said =
        "variables of more than " + std::to_string(r.policy.global_bytes >> 10) + " KiB in all";
    EXPECT_EQ(r.policy.global_bytes % 1024, 0);
    EXPECT_NE(read_file(homework + "/README.md", 1 << 20).find(said), std::string::npos) << said;
  }
}

}  // namespace
}  // namespace lockstep::grader
