// SPDX-License-Identifier: Apache-2.0
// Holds what docs/counting.md promises: the emulator's counts against an H200's, launch by launch.
// It reads the summary of tools/compare-h200, one line a set and metric.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <map>
#include <sstream>
#include <string>

#include "tests/emulator/test_modules.h"

namespace lockstep::emulator {
namespace {

struct Summary {
  int launches = 0, equal = 0;
  double median_pct = -1, worst_pct = -1;
  std::string worst;
};

class H200 : public testing::Test {
 protected:
  void SetUp() override {
    if (file_bytes("tools/compare-h200").empty()) GTEST_SKIP() << "no tools/compare-h200";
    LOCKSTEP_NEEDS_MODULE("h200/kernels");
    LOCKSTEP_NEEDS_MODULE("h200_more/held");
  }

  using Metrics = std::map<std::string, Summary>;

  // By set, then by metric, of one run of the tool.
  static std::map<std::string, Metrics> run_tool(const std::string& options) {
    const std::string command = "tools/compare-h200 --brief" + options + " 2>&1";
    FILE* pipe = popen(command.c_str(), "r");
    std::map<std::string, Metrics> result;
    std::array<char, 512> line;
    while (pipe && std::fgets(line.data(), int(line.size()), pipe)) {
      std::istringstream in(line.data());
      std::string set, metric;
      Summary s;
      in >> set >> metric >> s.launches >> s.equal >> s.median_pct >> s.worst_pct >> s.worst;
      if (in) result[set][metric] = s;
    }
    const int status = pipe ? pclose(pipe) : -1;
    EXPECT_EQ(status, 0) << command;
    return result;
  }

  // By metric; of a whole set, for which all sets run once, or of kernels whose names contain that.
  static Metrics compare(const std::string& set, const std::string& kernel = "") {
    if (!kernel.empty()) return run_tool(" --set " + set + " --kernel " + kernel)[set];
    static std::map<std::string, Metrics> all = run_tool("");
    return all[set];
  }

  static void expect_equal(const std::map<std::string, Summary>& summary, int launches,
                           std::initializer_list<const char*> metrics) {
    for (const char* metric : metrics) {
      const auto found = summary.find(metric);
      ASSERT_NE(found, summary.end()) << metric;
      EXPECT_EQ(found->second.launches, launches) << metric;
      EXPECT_EQ(found->second.equal, launches) << metric << ", worst " << found->second.worst;
    }
  }

  static void expect_within(const std::map<std::string, Summary>& summary, const char* metric,
                            int launches, double median_pct, double worst_pct) {
    const auto found = summary.find(metric);
    ASSERT_NE(found, summary.end()) << metric;
    EXPECT_EQ(found->second.launches, launches) << metric;
    EXPECT_LE(found->second.median_pct, median_pct) << metric;
    EXPECT_LE(found->second.worst_pct, worst_pct) << metric << " of " << found->second.worst;
  }
};

constexpr std::initializer_list<const char*> kExact = {
    "shared_wavefronts",     "global_load_requests", "global_load_sectors",
    "global_store_requests", "global_store_sectors",
};

TEST_F(H200, OfTheGivenLaunchesExactCountsAreEqualAndInstructionsToo) {
  const auto summary = compare("h200");
  expect_equal(summary, 104, kExact);
  expect_equal(summary, 104, {"warp_instructions", "divergent_branches", "local_sectors"});
  expect_within(summary, "thread_instructions", 104, 0.1, 1);
  expect_within(summary, "l2_to_l1_bytes", 104, 0.1, 20);
  expect_within(summary, "l1_to_l2_bytes", 104, 1, 20);
}

// Those that differ add floats atomically, place by an atomic's order, or use approximate
// functions.
TEST_F(H200, OutputsAreTheCardsToTheBit) {
  const std::map<std::string, std::pair<int, int>> sets = {
      {"h200", {104, 102}}, {"sweeps", {244, 244}}, {"merge", {158, 158}}, {"fit", {53, 42}},
      {"held", {36, 31}},   {"fresh", {148, 140}},  {"unseen", {99, 96}},  {"exam", {117, 111}},
  };
  for (const auto& [set, expected] : sets) {
    const auto summary = compare(set);
    ASSERT_EQ(summary.count("output"), 1u) << set;
    EXPECT_EQ(summary.at("output").launches, expected.first) << set;
    EXPECT_GE(summary.at("output").equal, expected.second) << set;
  }
}

TEST_F(H200, AccessPatternsAreCountedExactly) {
  const auto summary = compare("sweeps");
  expect_equal(summary, 244, kExact);
  expect_equal(summary, 244, {"warp_instructions"});
  expect_within(summary, "thread_instructions", 244, 0.1, 3);
}

TEST_F(H200, MergedLoadsAndSharedAtomics) {
  const auto summary = compare("merge");
  // One is a lane hole in a merged load, two are 64-bit additions that all lanes contend for.
  expect_within(summary, "shared_wavefronts", 158, 0, 34);
  EXPECT_GE(summary.at("shared_wavefronts").equal, 155);
  expect_within(summary, "warp_instructions", 158, 0, 3);
}

TEST_F(H200, KernelsItWasDevelopedOn) {
  const auto summary = compare("fit");
  expect_within(summary, "warp_instructions", 53, 0.1, 4);
  expect_within(summary, "thread_instructions", 53, 0.1, 4);
  expect_within(summary, "shared_wavefronts", 53, 0, 0);
  expect_within(summary, "global_load_requests", 53, 0, 0);
  expect_within(summary, "global_store_requests", 53, 0, 0);
}

TEST_F(H200, KernelsHeldOut) {
  const auto summary = compare("held");
  expect_within(summary, "warp_instructions", 33, 0.1, 4);  // 3 contend: not available
  expect_within(summary, "thread_instructions", 33, 3, 10);
  expect_within(summary, "shared_wavefronts", 33, 0, 0);
  expect_within(summary, "global_store_requests", 35, 0, 0);  // h_atomic_cas waits
  expect_within(summary, "global_store_sectors", 35, 0, 0);
}

// Three sets by authors who had not seen the prediction (docs/h200-comparison.md).
TEST_F(H200, KernelsOfOtherAuthors) {
  const auto fresh = compare("fresh"), unseen = compare("unseen"), exam = compare("exam");
  expect_within(fresh, "warp_instructions", 150, 0.1, 9);
  expect_within(fresh, "thread_instructions", 150, 0.1, 6);
  expect_within(unseen, "warp_instructions", 96, 0.1, 1);  // the others contend: not available
  expect_within(unseen, "thread_instructions", 96, 0.1, 3);
  expect_within(exam, "warp_instructions", 115, 0.1, 4);
  expect_within(exam, "thread_instructions", 115, 0.1, 27);  // duff_copy; the next is below 3 %
  for (const char* metric : kExact) {
    expect_within(fresh, metric, 148, 0, 0);  // not in recursion
    expect_within(unseen, metric, 96, 0, 0);  // four launches wait for other warps
    // Marked predicted: triangle_work leaves an unrolled loop apart.
    EXPECT_GE(exam.at(metric).equal, exam.at(metric).launches - 2) << metric;
  }
}

TEST_F(H200, CasesOfASwitchGoOnApartWhereNoSyncStands) {
  LOCKSTEP_NEEDS_MODULE("h200_unseen/unseen");
  expect_equal(compare("unseen", "calculator_switch"), 2,
               {"warp_instructions", "thread_instructions", "divergent_branches"});
}

TEST_F(H200, AccessesThatPtxasJoinedAndPartedAgain) {
  LOCKSTEP_NEEDS_MODULE("h200_unseen/unseen");
  expect_equal(compare("unseen", "variance_welford"), 1, kExact);
}

TEST_F(H200, LanesMeetBeforeAnEndOfTheKernel) {
  LOCKSTEP_NEEDS_MODULE("h200_unseen/unseen");
  const auto summary = compare("unseen", "heat3d");
  expect_equal(summary, 2, kExact);
  // Those that waited for the others execute the sync twice.
  expect_equal(summary, 2, {"warp_instructions", "thread_instructions"});
}

TEST_F(H200, LanesThatCallThroughATableMeetAfterTheCall) {
  LOCKSTEP_NEEDS_MODULE("h200_exam/exam");
  expect_equal(compare("exam", "step_table"), 2, kExact);
}

TEST_F(H200, AnAtomicsResultComesFromL2OnceALaneOfItsAddress) {
  LOCKSTEP_NEEDS_MODULE("h200_exam/exam");
  LOCKSTEP_NEEDS_MODULE("h200_fresh/fresh");
  expect_equal(compare("exam", "atomics_tickets"), 2, {"l2_to_l1_bytes"});
  expect_equal(compare("exam", "atomic_sums_fa"), 1, {"l2_to_l1_bytes"});
  expect_equal(compare("fresh", "reduce_last_block"), 2, {"l2_to_l1_bytes"});
}

TEST_F(H200, WordsWrittenInPartComeFromL2) {
  LOCKSTEP_NEEDS_MODULE("h200_exam/exam");
  expect_equal(compare("exam", "mixed_records"), 1, {"l2_to_l1_bytes"});
  expect_equal(compare("exam", "local_mode"), 2, {"l2_to_l1_bytes"});  // local memory
}

TEST_F(H200, LanesMeetWhereTheSassHasItsSync) {
  LOCKSTEP_NEEDS_MODULE("h200_exam/exam");
  expect_equal(compare("exam", "duff_copy"), 2, kExact);
  const auto summary = compare("held", "h_fallthrough");
  expect_equal(summary, 1, kExact);
  expect_equal(summary, 1, {"warp_instructions", "divergent_branches"});
}

TEST_F(H200, ATestForDivergenceHasItsGuardOn) {
  LOCKSTEP_NEEDS_MODULE("h200_unseen/unseen");
  LOCKSTEP_NEEDS_MODULE("h200_fresh/fresh");
  expect_equal(compare("unseen", "matvec_8x"), 3, {"thread_instructions"});
  expect_equal(compare("fresh", "reduce_tile_groups"), 2, {"thread_instructions"});
}

TEST_F(H200, AVoteIsTakenMaskByMask) {
  LOCKSTEP_NEEDS_MODULE("h200_unseen/unseen");
  expect_equal(compare("unseen", "tile8_reduce"), 1,
               {"warp_instructions", "thread_instructions", "divergent_branches"});
}

TEST_F(H200, FunctionsOfLibdeviceAreTheProgramsOwn) {
  LOCKSTEP_NEEDS_MODULE("h200_unseen/unseen");
  expect_equal(compare("unseen", "double_powsin"), 1, {"warp_instructions", "thread_instructions"});
}

TEST_F(H200, SidesOfAnIfUnderAGuardLeaveByTheirOwnBranch) {
  LOCKSTEP_NEEDS_MODULE("h200_unseen/unseen");
  expect_equal(compare("unseen", "grade_chain"), 1,
               {"warp_instructions", "thread_instructions", "divergent_branches"});
}

TEST_F(H200, WhatWasTakenOutOfALoopRunsAsOftenAsWhereItWent) {
  LOCKSTEP_NEEDS_MODULE("h200_unseen/unseen");
  expect_equal(compare("unseen", "cholesky_small"), 2, {"warp_instructions"});
}

TEST_F(H200, InstructionsBetweenOthersOfTheSameGuardShareIt) {
  LOCKSTEP_NEEDS_MODULE("h200_unseen/unseen");
  expect_equal(compare("unseen", "knapsack"), 2, {"warp_instructions", "thread_instructions"});
}

TEST_F(H200, UniformInstructionsAreOnForAllLanesOrNone) {
  LOCKSTEP_NEEDS_MODULE("h200_unseen/unseen");
  expect_equal(compare("unseen", "run_length_encode"), 2, {"thread_instructions"});
}

TEST_F(H200, AwkwardOperandsTakeTheirWayThroughTheRoutine) {
  LOCKSTEP_NEEDS_MODULE("h200_exam/exam");
  for (const char* kernel : {"durand_kerner", "minmax_nan"})
    expect_equal(compare("exam", kernel), 1, {"warp_instructions", "divergent_branches"});
  expect_equal(compare("fit", "f_div_slow"), 3, {"warp_instructions", "divergent_branches"});
}

TEST_F(H200, DivisionsRoundedUpOrDownAreCallsOfARoutine) {
  LOCKSTEP_NEEDS_MODULE("h200_exam/exam");
  expect_equal(compare("exam", "interval_width"), 1, {"warp_instructions", "thread_instructions"});
}

TEST_F(H200, UnsignedDivisionCorrectsTheQuotientAsOftenAsItsEstimateIsTooSmall) {
  LOCKSTEP_NEEDS_MODULE("h200_exam/exam");
  expect_equal(compare("exam", "digit_sum"), 2, {"thread_instructions"});
}

TEST_F(H200, WhatStandsUnderTheGuardOfABranchHasItsLanes) {
  LOCKSTEP_NEEDS_MODULE("h200_fresh/fresh");
  for (const char* kernel : {"random_walk", "collatz"})
    expect_within(compare("fresh", kernel), "thread_instructions", 2, 0.1, 0.1);
}

TEST_F(H200, ComparisonsTellTheLanesOfTheGuardsTheyWrite) {
  LOCKSTEP_NEEDS_MODULE("h200_fresh/fresh");
  expect_equal(compare("held", "h_pi"), 1, {"thread_instructions"});
  expect_equal(compare("fresh", "black_scholes"), 2, {"thread_instructions"});
  expect_within(compare("fresh", "monte_carlo_pi"), "thread_instructions", 2, 0.1, 0.1);
}

TEST_F(H200, OfALocalArrayInRegistersEachLanePicksOneElement) {
  LOCKSTEP_NEEDS_MODULE("h200_exam/exam");
  expect_within(compare("exam", "subset_sum"), "thread_instructions", 1, 0.2, 0.2);
}

TEST_F(H200, LanesCallFunctionsThroughATable) {
  LOCKSTEP_NEEDS_MODULE("h200_exam/exam");
  const auto summary = compare("exam", "step_table");
  expect_equal(summary, 2, kExact);  // they meet right after the call
  // One of the functions has a loop whose turns stand under guards.
  expect_within(summary, "warp_instructions", 2, 1, 1);
  expect_within(summary, "thread_instructions", 2, 1, 1);
}

}  // namespace
}  // namespace lockstep::emulator
