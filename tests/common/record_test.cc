// SPDX-License-Identifier: Apache-2.0
// Records: what is written is read back, and nothing else is read.
#include "common/harness/record.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

namespace lockstep {
namespace {

Record sample() {
  Record r;
  r.homework = "hw02";
  r.kernel = "norm_group_u<8,8,4>";
  r.parameters = {{"d_l", 8}, {"n_l", 589824}};
  r.backend = "emulator";
  r.device = "NVIDIA H200";
  r.module_hash = "85944171f73967e8";
  r.seed = 18446744073709551615u;
  r.input_bytes = 18874368;
  r.grid = {132, 1, 1};
  r.block = {256, 1, 1};
  r.registers = 26;
  r.shared_bytes = 0;
  r.check.status = "wrong";
  r.check.checked = 4718592;
  r.check.errors = 2;
  r.check.first = {{"l_out", 17, 0.1, std::numeric_limits<double>::quiet_NaN()},
                   {"l_out", 18, -0.25, -std::numeric_limits<double>::infinity()}};
  r.check.message = "two lines\nwith \"quotes\" and \x1b";
  r.check.quoted = Quoted("what the runner said\n\"[pass]\"");
  r.check.seed = 18446744073709551614u;
  r.check.repeat = "./hw02 3 8 --seed 18446744073709551614";
  r.check.fault_line = 0;
  r.time_us = 12.125;
  r.counts.values = {{"warp_instructions", {123456789012.0, Tier::kPredicted}},
                     {"shared_wavefronts", {7, Tier::kExact}}};
  r.counts.unavailable = {{"dram_bytes", "needs a GPU"}};
  LineCounts line;
  line.file = "hw02/hw02.cu";
  line.line = 88;
  line.counts = {{"warp_instructions", {99, Tier::kPredicted}}};
  r.counts.lines = {line};
  r.derived = {{"inst_per_element", {13.3, Tier::kMeasured}}};
  return r;
}

TEST(Record, ComesBackAsItWas) {
  const Record r = sample();
  const std::string line = to_json_line(r);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  const Record back = record_from_json_line(line);
  EXPECT_EQ(to_json_line(back), line);
  EXPECT_EQ(back.seed, r.seed);
  EXPECT_EQ(back.parameters, r.parameters);
  EXPECT_EQ(back.block.x, 256u);
  EXPECT_EQ(back.local_bytes, -1) << "not known stays not known";
  EXPECT_EQ(back.time_us, 12.125);
  EXPECT_TRUE(std::isnan(back.check.first[0].got));
  EXPECT_EQ(back.check.first[1].got, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(back.check.message, r.check.message);
  EXPECT_EQ(back.check.quoted.raw(), r.check.quoted.raw());
  EXPECT_EQ(back.check.seed, r.check.seed);
  EXPECT_EQ(back.check.repeat, r.check.repeat);
  EXPECT_EQ(back.counts.values.at("warp_instructions").value, 123456789012.0);
  EXPECT_EQ(back.counts.values.at("shared_wavefronts").tier, Tier::kExact);
  EXPECT_EQ(back.counts.unavailable.at("dram_bytes"), "needs a GPU");
  EXPECT_EQ(back.counts.lines.at(0).line, 88);
}

TEST(Record, WithoutTimeOrCountsComesBackToo) {
  const Record back = record_from_json_line(to_json_line(Record()));
  EXPECT_FALSE(back.time_us.has_value());
  EXPECT_EQ(back.check.status, "not_run");
  EXPECT_EQ(back.registers, -1);
}

TEST(Record, TextThatIsNoUtf8DoesNotBreakTheLine) {
  Record r = sample();
  r.check.message = "\xff\xfe\n\xc3";
  EXPECT_NO_THROW(record_from_json_line(to_json_line(r)));
}

// Each case changes one thing of a good record.
TEST(Record, NothingButARecordIsRead) {
  using Json = nlohmann::json;
  const Json good = Json::parse(to_json_line(sample()));
  const std::vector<std::pair<const char*, std::function<void(Json&)>>> changes = {
      {"version", [](Json& j) { j["record"] = 1; }},
      {"version as text", [](Json& j) { j["record"] = "2"; }},
      {"quoted missing", [](Json& j) { j["check"].erase("quoted"); }},
      {"failing seed negative", [](Json& j) { j["check"]["seed"] = -1; }},
      {"a field less", [](Json& j) { j.erase("seed"); }},
      {"a field more", [](Json& j) { j["points"] = 100; }},
      {"status unknown", [](Json& j) { j["check"]["status"] = "perfect"; }},
      {"status not text", [](Json& j) { j["check"]["status"] = 1; }},
      {"a field more in check", [](Json& j) { j["check"]["grade"] = "A"; }},
      {"errors a fraction", [](Json& j) { j["check"]["errors"] = 0.5; }},
      {"too many mismatches",
       [](Json& j) {
         for (int i = 0; i < 9; i++) j["check"]["first"].push_back(j["check"]["first"][0]);
       }},
      {"negative seed", [](Json& j) { j["seed"] = -1; }},
      {"seed a real", [](Json& j) { j["seed"] = 1e30; }},
      {"two grid numbers",
       [](Json& j) {
         j["grid"] = {1, 2};
       }},
      {"grid too large",
       [](Json& j) {
         j["grid"] = {4294967296, 1, 1};
       }},
      {"negative registers", [](Json& j) { j["registers"] = -2; }},
      {"time as text", [](Json& j) { j["time_us"] = "fast"; }},
      {"tier unknown", [](Json& j) { j["derived"]["inst_per_element"]["tier"] = "guessed"; }},
      {"value missing", [](Json& j) { j["counts"]["warp_instructions"].erase("value"); }},
      {"value true", [](Json& j) { j["counts"]["warp_instructions"]["value"] = true; }},
      {"reason a number", [](Json& j) { j["unavailable"]["dram_bytes"] = 3; }},
      {"lines an object", [](Json& j) { j["lines"] = Json::object(); }},
      {"parameters an array", [](Json& j) { j["parameters"] = Json::array(); }},
  };
  for (const auto& [what, change] : changes) {
    Json bad = good;
    change(bad);
    EXPECT_THROW(record_from_json_line(bad.dump()), Error) << what;
  }
}

TEST(Record, HostileLinesAreRefused) {
  const std::string good = to_json_line(sample());
  for (size_t cut = 0; cut < good.size(); cut += 7)
    EXPECT_THROW(record_from_json_line(good.substr(0, cut)), Error) << cut;
  const std::vector<std::string> hostile = {"",
                                            "null",
                                            "[]",
                                            "{}",
                                            "1",
                                            "\"x\"",
                                            std::string(100000, '['),
                                            good + good,
                                            good + " x",
                                            std::string((16 << 20) + 1, ' ')};
  for (const std::string& line : hostile)
    EXPECT_THROW(record_from_json_line(line), Error) << line.substr(0, 20);
}

}  // namespace
}  // namespace lockstep
