// SPDX-License-Identifier: Apache-2.0
// Costs and findings by source line, from counts that are made up.
#include "common/harness/line_report.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "common/backend/metric_names.h"
#include "common/harness/findings.h"

namespace lockstep {
namespace {

LineCounts line_of(int line, const std::map<const char*, double>& values) {
  LineCounts out{"hw99.cu", line, {}};
  for (const auto& [name, value] : values) out.counts[name] = {value, Tier::kExact};
  return out;
}

std::vector<std::string> found(const std::vector<LineCounts>& lines, int64_t writable = 1 << 20,
                               bool doubles = false) {
  Counts counts;
  counts.lines = lines;
  FoundIn in;
  in.writable = writable;
  in.doubles = doubles;
  in.student_file = "hw99.cu";
  std::vector<std::string> words;
  for (const Finding& f : findings(counts, in))
    words.push_back(f.place + ": " + f.words + f.of_line);
  return words;
}

TEST(Findings, NameWhatCostsAndNothingElse) {
  const LineCounts good = line_of(5, {{metric::kWarpInstructions, 1000},
                                      {metric::kThreadInstructions, 32000},
                                      {metric::kGlobalLoadSectors, 400},
                                      {metric::kLoadedSectors, 400},
                                      {metric::kGlobalLoadRequests, 100}});
  EXPECT_TRUE(found({good}).empty());
  LineCounts apart = good;
  apart.line = 7;
  apart.counts[metric::kGlobalLoadSectors].value = 3200;
  ASSERT_EQ(found({good, apart}).size(), 1u);
  EXPECT_EQ(found({good, apart})[0].rfind("hw99.cu:7: reads 32.0 sectors of 32 bytes a request "
                                          "where 4.0",
                                          0),
            0u);
  // One thread that stores moves a sector, and less would not do.
  EXPECT_TRUE(found({good, line_of(8, {{metric::kGlobalStoreSectors, 100},
                                       {metric::kStoredSectors, 12.5},
                                       {metric::kGlobalStoreRequests, 100}})})
                  .empty());
  EXPECT_EQ(found({good, line_of(9, {{metric::kDoubleInstructions, 5}})}).size(), 1u);
  EXPECT_TRUE(found({good, line_of(9, {{metric::kDoubleInstructions, 5}})}, 1, true).empty());
  EXPECT_EQ(found({good, line_of(9, {{metric::kLocalSectors, 100}})}).size(), 1u);
  EXPECT_EQ(found({good, line_of(9, {{metric::kSharedWavefronts, 80},
                                     {metric::kSharedWavefrontsIdeal, 10}})})[0],
            "hw99.cu:9: takes 8.0 passes of shared memory where 1 would do: bank conflicts");
  // Of another file nothing is said.
  apart.file = "given.cuh";
  EXPECT_TRUE(found({good, apart}).empty());
}

// Few passes too many of shared memory are less than what so many instructions take.
TEST(Findings, ComeInTheOrderOfTheTimeThatTheyCost) {
  const LineCounts idle =
      line_of(5, {{metric::kWarpInstructions, 40000}, {metric::kThreadInstructions, 40000}});
  const auto conflicts = [](double passes) {
    return line_of(9, {{metric::kSharedWavefronts, passes}, {metric::kSharedWavefrontsIdeal, 10}});
  };
  ASSERT_EQ(found({idle, conflicts(320)}).size(), 2u);
  EXPECT_EQ(found({idle, conflicts(320)})[0].rfind("hw99.cu:5: ", 0), 0u);
  EXPECT_EQ(found({idle, conflicts(32000)})[0].rfind("hw99.cu:9: ", 0), 0u);
}

TEST(LineReport, AnnotatesTheWholeFile) {
  const std::string folder = testing::TempDir() + "lockstep-annotate-" + std::to_string(getpid());
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/hw99.cu") << "one\ntwo\x1b[1m\nthree\n";
  Counts counts;
  counts.lines = {line_of(2, {{metric::kWarpInstructions, 30},
                              {metric::kGlobalLoadSectors, 40},
                              {metric::kLoadedSectors, 10},
                              {metric::kGlobalLoadRequests, 10}}),
                  line_of(3, {{metric::kWarpInstructions, 10}})};
  for (LineCounts& line : counts.lines) line.file = folder + "/hw99.cu";
  UsefulWork work;
  work.elements = 320;
  const std::string text = annotated_source(counts, work, "hw99.cu", 80);
  std::filesystem::remove_all(folder);
  EXPECT_NE(text.find("ld 4.0 of 1.0\n 75.0 %   3.0 I/el     2 two"), std::string::npos) << text;
  EXPECT_NE(text.find(" 25.0 %   1.0 I/el     3 three\n"), std::string::npos) << text;
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(annotated_source({}, work, "hw99.cu", 80), "");
}

}  // namespace
}  // namespace lockstep
