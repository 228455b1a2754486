// SPDX-License-Identifier: Apache-2.0
// What remarks compare with: found by launch, true of the solutions as they are, and what is told
// of kernels that need more.
#include "common/harness/goals.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "common/backend/metric_names.h"
#include "common/base/error.h"
#include "common/harness/findings.h"
#include "tests/homeworks.h"

namespace lockstep {
namespace {

Record record_of(int64_t elements, uint32_t threads, double instructions) {
  Record r;
  r.kernel = "k<1>";
  r.parameters["n"] = elements;
  r.elements = elements;
  r.block.x = threads;
  r.check.status = "correct";
  r.counts.values[metric::kWarpInstructions] = {instructions, Tier::kExact};
  return r;
}

std::string file_with(const std::string& text) {
  const std::string path = testing::TempDir() + "goals-" + std::to_string(getpid()) + ".json";
  std::ofstream(path) << text;
  return path;
}

Goals read_again(const Goals& goals) {
  const std::string path = file_with(goals.text("hw99"));
  Goals again = Goals::of_file(path);
  std::filesystem::remove(path);
  return again;
}

TEST(Goals, AreFoundByKernelProblemAndShape) {
  Goals written;
  written.keep(record_of(1000, 32, 100));
  written.keep(record_of(1000, 256, 140));
  Record wrong = record_of(1000, 512, 1);
  wrong.check.status = "wrong";
  written.keep(wrong);
  const Goals goals = read_again(written);
  ASSERT_EQ(goals.launches().size(), 2u);
  const auto needed = [&](const Record& r, bool free) {
    const std::optional<Goal> goal = goals.find(r, free);
    return goal ? std::pair(goal->of(metric::kWarpInstructions), goal->same_problem)
                : std::pair(-1.0, false);
  };
  EXPECT_EQ(needed(record_of(1000, 256, 1), false), std::pair(140.0, true));
  // Another shape: where it is the student's, any of the solution's; else scaled from the nearest.
  EXPECT_EQ(needed(record_of(1000, 64, 1), true), std::pair(140.0, true));
  EXPECT_EQ(needed(record_of(1000, 64, 1), false), std::pair(100.0, false));
  EXPECT_EQ(needed(record_of(4000, 32, 1), false), std::pair(400.0, false));
  Record other = record_of(1000, 32, 1);
  other.kernel = "l";
  EXPECT_FALSE(goals.find(other, true).has_value());
}

TEST(Goals, OfAFileThatIsNoneAreAnErrorThatNamesIt) {
  EXPECT_TRUE(Goals::of_file("/nonexistent/goals.json").empty());
  for (const char* text : {"", "[]", "{\"launches\": [{}]}", "{\"launches\": [{\"kernel\": 1}]}"}) {
    const std::string path = file_with(text);
    try {
      Goals::of_file(path);
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(path), std::string::npos);
    }
    std::filesystem::remove(path);
  }
}

LineCounts line_of(int line, const std::map<const char*, double>& values) {
  LineCounts out{"hw99.cu", line, {}};
  for (const auto& [name, value] : values) out.counts[name] = {value, Tier::kExact};
  return out;
}

std::vector<Finding> found(const std::vector<LineCounts>& lines,
                           const std::map<std::string, double>& needed, bool same_problem = true,
                           const KernelInfo& kernel = {}) {
  Counts counts;
  counts.lines = lines;
  FoundIn in;
  in.elements = 3200;
  in.student_file = "hw99.cu";
  in.kernel = kernel;
  in.goal = Goal{needed, same_problem};
  return findings(counts, in);
}

TEST(Findings, CompareWithWhatTheSolutionNeeds) {
  const LineCounts gather = line_of(7, {{metric::kWarpInstructions, 1000},
                                        {metric::kThreadInstructions, 32000},
                                        {metric::kGlobalLoadSectors, 3200},
                                        {metric::kLoadedSectors, 400},
                                        {metric::kGlobalLoadRequests, 100}});
  const std::map<std::string, double> same = {{metric::kWarpInstructions, 1000},
                                              {metric::kGlobalLoadSectors, 3200}};
  EXPECT_TRUE(found({gather}, same).empty());  // the solution does no better
  std::map<std::string, double> less = same;
  less[metric::kGlobalLoadSectors] = 400;
  ASSERT_EQ(found({gather}, less).size(), 1u);
  EXPECT_EQ(found({gather}, less)[0].place, "hw99.cu:7");
  // From another size, what is somewhat more is not worth a word.
  less[metric::kGlobalLoadSectors] = 2500;
  EXPECT_TRUE(found({gather}, less, false).empty());
}

// Of what there is more than needed is told what it is for, and the line that has most of that.
TEST(Findings, TellWhatInstructionsAreFor) {
  const LineCounts reckons = line_of(7, {{metric::kWarpInstructions, 1200},
                                         {metric::kThreadInstructions, 38400},
                                         {metric::kFloatInstructions, 1200}});
  const LineCounts shuffles = line_of(9, {{metric::kWarpInstructions, 800},
                                          {metric::kThreadInstructions, 25600},
                                          {metric::kExchangeInstructions, 800}});
  const std::map<std::string, double> needed = {{metric::kWarpInstructions, 1300},
                                                {metric::kFloatInstructions, 1200},
                                                {metric::kExchangeInstructions, 100}};
  const std::vector<Finding> all = found({reckons, shuffles}, needed);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].place, "hw99.cu:9");
  EXPECT_EQ(all[0].words,
            "the kernel executes 20.0 instructions an element, where 13.0 are enough; 8.0 of them "
            "exchange values between threads (shuffles, votes), where 1.0 are enough");
  // Goals that were recorded before that tell nothing of it.
  EXPECT_EQ(found({reckons, shuffles}, {{metric::kWarpInstructions, 1300}}).at(0).place,
            "hw99.cu:7");
}

// An array whose index the compiler does not know, in registers; not where floats are reckoned
// with.
TEST(Findings, TellThatRegistersHaveNoIndex) {
  KernelInfo kernel;
  kernel.array_bytes = 16;
  kernel.array_lines = {9};
  const auto place = [&](const char* purpose) {
    const LineCounts most =
        line_of(7, {{metric::kWarpInstructions, 1500}, {metric::kThreadInstructions, 48000}});
    const LineCounts picks = line_of(
        9,
        {{metric::kWarpInstructions, 900}, {metric::kThreadInstructions, 28800}, {purpose, 900}});
    return found({most, picks},
                 {{metric::kWarpInstructions, 1500}, {metric::kFloatInstructions, 1}}, true,
                 kernel)[0];
  };
  EXPECT_EQ(place(metric::kComparisonInstructions).place, "hw99.cu:9");
  EXPECT_NE(place(metric::kComparisonInstructions).of_line.find("arrays of 16 bytes"),
            std::string::npos);
  EXPECT_EQ(place(metric::kFloatInstructions).of_line.find("arrays of"), std::string::npos);
}

// Registers that do not suffice since the kernel's bounds leave few, and arrays in memory.
TEST(Findings, TellWhyThereIsLocalMemory) {
  const LineCounts spills = line_of(9, {{metric::kWarpInstructions, 100},
                                        {metric::kThreadInstructions, 3200},
                                        {metric::kLocalSectors, 500}});
  const auto said = [&](const KernelInfo& kernel) {
    const std::vector<Finding> all =
        found({spills}, {{metric::kWarpInstructions, 100}}, true, kernel);
    return all.size() == 1 ? all[0].place + " " + all[0].words : "";
  };
  KernelInfo kernel;
  EXPECT_EQ(said(kernel),
            "hw99.cu:9 uses local memory: an array whose index the compiler does not know, or "
            "registers that did not suffice");
  kernel.registers = 64, kernel.array_bytes = 32, kernel.spill_bytes = 0;
  EXPECT_EQ(said(kernel),
            "hw99.cu:9 uses local memory: arrays, 32 bytes, with an index that the compiler does "
            "not know");
  kernel.array_bytes = 0, kernel.spill_bytes = 8;
  EXPECT_EQ(said(kernel), "hw99.cu:9 uses local memory: 64 registers do not suffice a thread");
  kernel.wanted_blocks = 4, kernel.max_threads_per_block = 256;
  kernel.place.file = "hw99.cu", kernel.place.line = 3;
  EXPECT_TRUE(said(kernel).starts_with(
      "hw99.cu:3 `__launch_bounds__` wants 4 blocks of 256 threads on an SM at once, which leaves "
      "64 registers a thread"))
      << said(kernel);
  // A stack that is no spill, and registers that the bounds do not hold down.
  kernel.spill_bytes = 0;
  EXPECT_TRUE(said(kernel).starts_with("hw99.cu:9 uses local memory: an array whose index"));
  kernel.spill_bytes = 8, kernel.wanted_blocks = 2;
  EXPECT_EQ(said(kernel), "hw99.cu:9 uses local memory: 64 registers do not suffice a thread");
}

TEST(Findings, NameTheTestsThatAlwaysComeOutTheSame) {
  const LineCounts work =
      line_of(7, {{metric::kWarpInstructions, 1000}, {metric::kThreadInstructions, 32000}});
  const LineCounts test = line_of(9, {{metric::kWarpInstructions, 200},
                                      {metric::kThreadInstructions, 6400},
                                      {metric::kSettledBranches, 100}});
  const std::map<std::string, double> needed = {{metric::kWarpInstructions, 1000}};
  ASSERT_EQ(found({work, test}, needed).size(), 1u);
  EXPECT_EQ(found({work, test}, needed)[0].place, "hw99.cu:9");
  EXPECT_EQ(found({work, test}, needed)[0].words,
            "tests what came out the same way each time; the kernel executes 12.0 instructions an "
            "element, where 10.0 are enough");
  // Of as many as the solution has nothing is told, nor where the launch is another.
  EXPECT_TRUE(found({work, test}, {{metric::kWarpInstructions, 1150}}).empty());
  EXPECT_TRUE(found({work, test}, needed, false).empty());
}

TEST(Findings, TellTheTurnsOfALoopThatTheCompilerCouldNotWriteOut) {
  const auto words = [](double turns) {
    const LineCounts loop = line_of(7, {{metric::kWarpInstructions, 2000},
                                        {metric::kThreadInstructions, 64000},
                                        {metric::kLoopEntries, 320},
                                        {metric::kLoopTurns, 320 * turns}});
    const auto all = found({loop}, {{metric::kWarpInstructions, 1000}});
    return all.size() == 1 ? all[0].words + all[0].of_line : "";
  };
  const std::string ends = "has the most instructions, 100 % of all";
  EXPECT_TRUE(words(1).ends_with(ends)) << words(1);
  EXPECT_TRUE(words(8.25).ends_with(ends +
                                    "; it is in a loop that takes 8.2 turns each time, and "
                                    "the compiler does not know how many, or was told to keep it"))
      << words(8.25);
  EXPECT_TRUE(words(1000).ends_with("; it is in a loop that takes 1000.0 turns each time"))
      << words(1000);
}

TEST(Findings, NameWhatThereIsMoreOf) {
  const LineCounts line = line_of(7, {{metric::kWarpInstructions, 1000},
                                      {metric::kThreadInstructions, 32000},
                                      {metric::kGlobalLoadSectors, 800},
                                      {metric::kLoadedSectors, 800},
                                      {metric::kGlobalLoadRequests, 200},
                                      {metric::kGlobalBankConflicts, 600},
                                      {metric::kAtomicRequests, 500}});
  const auto kinds = [&](const std::map<std::string, double>& needed) {
    std::string all;
    for (const Finding& f : found({line}, needed)) all += f.kind + " ";
    return all;
  };
  std::map<std::string, double> needed = {{metric::kWarpInstructions, 1000},
                                          {metric::kGlobalLoadSectors, 800},
                                          {metric::kGlobalBankConflicts, 600},
                                          {metric::kAtomicRequests, 500}};
  EXPECT_EQ(kinds(needed), "");
  needed[metric::kGlobalLoadSectors] = 400;
  EXPECT_EQ(kinds(needed), "global_load_sectors ");
  needed[metric::kGlobalLoadSectors] = 800, needed[metric::kGlobalBankConflicts] = 0;
  EXPECT_EQ(kinds(needed), "global_bank_conflicts ");
  needed[metric::kGlobalBankConflicts] = 600, needed[metric::kAtomicRequests] = 10;
  EXPECT_EQ(kinds(needed), "global_atomic_requests ");
}

// Run `make goals` where this fails: the solutions, or how they are compiled, have changed.
class RecordedGoals : public testing::TestWithParam<std::string> {};

TEST_P(RecordedGoals, AreWhatTheSolutionNeeds) {
  const std::string homework = GetParam();
  const std::string program = "solutions/" + homework + "/" + homework + "-sol";
  if (!std::filesystem::exists(program + ".ptx"))
    GTEST_SKIP() << "device code cannot be compiled here";
  FILE* pipe = popen((program + " --backend emulator --json").c_str(), "r");
  std::string text;
  char part[65536];
  while (const size_t got = std::fread(part, 1, sizeof part, pipe)) text.append(part, got);
  ASSERT_EQ(pclose(pipe), 0);
  const Goals goals = Goals::of_file(homework + "/goals.json");
  Goals now;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const Record record = record_from_json_line(line);
    now.keep(record);
    const std::optional<Goal> goal = goals.find(record, false);
    ASSERT_TRUE(goal && goal->same_problem) << record.kernel << ": no goal; run make goals";
    for (const auto& [name, value] : now.launches().back().counts)
      EXPECT_NEAR(goal->of(name), value, 0.02 * value + 0.5) << record.kernel << " " << name;
  }
  EXPECT_EQ(now.launches().size(), goals.launches().size());
}

INSTANTIATE_TEST_SUITE_P(Homeworks, RecordedGoals, testing::ValuesIn(homeworks()));

}  // namespace
}  // namespace lockstep
