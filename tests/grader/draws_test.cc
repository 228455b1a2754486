// SPDX-License-Identifier: Apache-2.0
// Draws: secret ones are new each time and chosen by content; public ones come from a file that
// keeps what was measured of the solution, and go when the rubric no longer asks for their
// launches.
#include "grader/draws.h"

#include <gtest/gtest.h>

#include <set>

#include "common/base/error.h"
#include "grader/sha256.h"

namespace lockstep::grader {
namespace {

constexpr char kRubric[] = R"(homework = "hw02"
title = "t"
[[run]]
id = "count"
kernels = ["f<1>", "f<2>"]
random_vectors = { from = 64, to = 9999 }
random_shapes = { blocks = [1, 40], warps = [1, 32] }
counters = true
[[check]]
id = "fast"
title = "it is fast"
kind = "metric"
metric = "inst_per_element"
runs = ["count"]
at_most = 1.5
relative_to = "solution"
points = 30
)";

Reference measured(const Rubric& rubric, uint64_t seed) {
  Reference reference{seed, true, plan_solution(rubric, seed), {}};
  for (const GradedLaunch& launch : reference.plan) {
    Record record;
    record.kernel = launch.launch.kernel;
    record.derived["inst_per_element"] = {12.34, Tier::kPredicted};
    record.derived["l2_read_ratio"] = {1, Tier::kPredicted};
    reference.records.push_back(record);
  }
  return reference;
}

TEST(Draws, SecretsDiffer) {
  std::vector<uint64_t> seeds = secret_seeds(8), others = secret_seeds(8);
  seeds.insert(seeds.end(), others.begin(), others.end());
  EXPECT_EQ(std::set<uint64_t>(seeds.begin(), seeds.end()).size(), 16u);
  EXPECT_NE(secret_key(), secret_key());
}

TEST(Draws, AFileGetsTheSameDrawAgainAndFilesSpreadOverAll) {
  std::string key = secret_key();
  std::set<size_t> seen;
  for (int i = 0; i < 400; ++i) {
    std::string hash = sha256("submission " + std::to_string(i));
    size_t draw = draw_of(key, hash, 8);
    EXPECT_EQ(draw, draw_of(key, hash, 8));
    seen.insert(draw);
  }
  EXPECT_EQ(seen.size(), 8u);
}

TEST(Draws, TheChoiceHangsOnTheKey) {
  std::string a = secret_key(), b = secret_key();
  int same = 0;
  for (int i = 0; i < 200; ++i) {
    std::string hash = sha256(std::to_string(i));
    same += draw_of(a, hash, 8) == draw_of(b, hash, 8);
  }
  EXPECT_LT(same, 100);
}

TEST(Draws, RecordedOnesComeBack) {
  Rubric rubric = parse_rubric(kRubric, "r.toml");
  std::string text = write_recorded("", "recorded.json", rubric, "emulator", "sm_90",
                                    {measured(rubric, 3), measured(rubric, 4)});
  text = write_recorded(text, "recorded.json", rubric, "gpu", "sm_90", {measured(rubric, 5)});
  auto found = read_recorded(text, "recorded.json", rubric, "emulator", "sm_90");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[1].seed, 4u);
  EXPECT_TRUE(found[1].known);
  ASSERT_EQ(found[1].records.size(), 2u);
  EXPECT_EQ(found[1].records[0].derived.at("inst_per_element").value, 12.34);
  EXPECT_EQ(found[1].records[0].derived.count("l2_read_ratio"), 0u);  // no check asks for it
  EXPECT_EQ(read_recorded(text, "recorded.json", rubric, "gpu", "sm_90").size(), 1u);
  EXPECT_TRUE(read_recorded(text, "recorded.json", rubric, "gpu", "sm_80").empty());
  // Recorded anew, the old ones of that device go.
  text = write_recorded(text, "recorded.json", rubric, "emulator", "sm_90", {measured(rubric, 6)});
  EXPECT_EQ(read_recorded(text, "recorded.json", rubric, "emulator", "sm_90").size(), 1u);
  EXPECT_EQ(read_recorded(text, "recorded.json", rubric, "gpu", "sm_90").size(), 1u);
}

TEST(Draws, RecordedOnesOfAnotherRubricAreLeftOut) {
  Rubric rubric = parse_rubric(kRubric, "r.toml");
  std::string text =
      write_recorded("", "recorded.json", rubric, "emulator", "sm_90", {measured(rubric, 3)});
  rubric.runs[0].sizes.to = 8000;
  EXPECT_TRUE(read_recorded(text, "recorded.json", rubric, "emulator", "sm_90").empty());
}

TEST(Draws, ADamagedFileIsToldByItsName) {
  Rubric rubric = parse_rubric(kRubric, "r.toml");
  for (const char* text : {"[]", "{", "{\"draws\": 3}",
                           "{\"draws\": [{\"backend\": \"gpu\", "
                           "\"arch\": \"sm_90\"}]}",
                           "{\"draws\": [7]}"})
    try {
      read_recorded(text, "hw09/recorded.json", rubric, "gpu", "sm_90");
      ADD_FAILURE() << text;
    } catch (const Error& e) {
      EXPECT_EQ(std::string(e.what()).rfind("hw09/recorded.json: ", 0), 0u) << e.what();
    }
}

}  // namespace
}  // namespace lockstep::grader
