// SPDX-License-Identifier: Apache-2.0
// What is kept as columns comes back as it was, and text that is none is refused, whatever it is.
#include "grader/columns.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "common/base/error.h"
#include "grader/packed_records.h"
#include "grader/plan.h"

namespace lockstep::grader {
namespace {

using nlohmann::json;

std::vector<json> samples() {
  std::vector<json> values;
  for (int i = 0; i < 5; ++i)
    values.push_back({{"a", i},
                      {"same", "x\"],}{\\"},
                      {"in", {{"b/c", 0.1 * i}, {"~", nullptr}, {"none", json::object()}}},
                      {"list", {1, {{"k", i}}, json::array()}},
                      {"\xC3\xA9", i == 3}});
  values.insert(values.begin() + 2, {{"a", 1e300}, {"other", -7}});
  values.push_back("no object");
  values.push_back(json::object());
  values.push_back(UINT64_MAX);
  return values;
}

TEST(Columns, GiveBackWhatTheyWereMadeOf) {
  EXPECT_EQ(from_columns(to_columns(samples()), 100), samples());
  EXPECT_EQ(from_columns(to_columns({}), 100), std::vector<json>());
  EXPECT_THROW(from_columns(to_columns(samples()), 8), Error);
}

TEST(Plans, ComeBackAsTheyWere) {
  PlannedLaunch usual{"f<1>", 37, 3, 2, 5, true}, shown = usual, opposed = usual, other = usual,
                                                  drawn = usual;
  shown.as_shown = true;
  opposed.opposed = {"_Z1f", {12}, 57};
  other.opposed = {"_Z1f", {12, 13}, 57};
  drawn.drawn = {16, 1ull << 63 | 5};
  const std::vector<GradedLaunch> plan = {
      {"count", usual}, {"count", shown}, {"count", opposed}, {"any", other}, {"any", drawn}};
  const std::vector<GradedLaunch> back = plan_from_text(plan_text(plan));
  ASSERT_TRUE(same_launches(plan, back));
  EXPECT_EQ(back[2].launch.opposed->line, 57);
  EXPECT_EQ(back[3].run, "any");
  for (size_t i = 0; i < plan.size(); ++i)
    for (size_t j = 0; j < plan.size(); ++j)
      EXPECT_EQ((plan[i].launch == back[j].launch), i == j) << i << " " << j;
  EXPECT_THROW(plan_from_text(to_columns({{{"run", "count"}}})), Error);
}

TEST(Columns, RefuseWhatIsDamaged) {
  const std::string text = to_columns(samples());
  for (size_t size = 0; size < text.size(); ++size)
    EXPECT_THROW(from_columns(text.substr(0, size), 100), Error) << size;
  std::mt19937 random(1);
  for (int i = 0; i < 3000; ++i) {
    std::string damaged = text;
    for (int n = 0; n < 2; ++n) damaged[random() % damaged.size()] = "[]{},:\"\\0a-"[random() % 11];
    try {
      from_columns(damaged, 100);
    } catch (const Error&) {
    }
    try {
      figures_from_text(damaged, {"a"});
    } catch (const Error&) {
    }
  }
  for (const char* none : {"", "[", "{}", "null", "[[]]", "[{\"at\":[],\"each\":{},\"same\":{}}]",
                           "[{\"at\":[1],\"each\":{},\"same\":{\"\":1}}]",
                           "[{\"at\":[0,0],\"each\":{},\"same\":{\"\":1}}]",
                           "[{\"at\":[0],\"each\":{\"/a\":[1,2]},\"same\":{}}]"})
    EXPECT_THROW(from_columns(none, 100), Error) << none;
}

TEST(Columns, OfRecordsAreReadInPart) {
  Record record;
  record.kernel = "f<8>";
  record.grid = {7, 1, 2};
  record.elements = 100;
  record.time_us = std::nan("");
  record.check.status = "fault";
  record.check.seed = UINT64_MAX;
  record.check.message = "a \"word\"\n";
  record.counts.values = {{"a", {1.5, Tier::kExact}}, {"b", {2, Tier::kPredicted}}};
  record.counts.unavailable = {{"a", "no"}, {"c", "none"}};
  record.derived = {{"a", {0.1, Tier::kMeasured}}};
  Record other;
  other.check.status = "correct";
  const std::string text = records_text(std::vector<Record>{record, other, record});
  const std::vector<Record> found = figures_from_text(text, {"a", "c"});
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[1].check.status, "correct");
  const Record& r = found[2];
  EXPECT_EQ(r.kernel, "f<8>");
  EXPECT_EQ(r.grid.z, 2u);
  EXPECT_TRUE(std::isnan(r.time_us.value()));
  EXPECT_EQ(r.check.seed, UINT64_MAX);
  EXPECT_EQ(r.check.message, "a \"word\"\n");
  EXPECT_EQ(r.counts.values.size(), 1u);
  EXPECT_EQ(r.counts.values.at("a").value, 1.5);
  EXPECT_EQ(r.counts.values.at("a").tier, Tier::kExact);
  EXPECT_EQ(r.counts.unavailable.at("c"), "none");
  EXPECT_EQ(r.derived.at("a").value, 0.1);
  EXPECT_EQ(to_json_line(records_from_text(text)[0]), to_json_line(record));
}

}  // namespace
}  // namespace lockstep::grader
