// SPDX-License-Identifier: Apache-2.0
// Some blocks that stand for all of a grid.
#include "emulator/sass/drawn_blocks.h"

#include <gtest/gtest.h>

#include <set>

#include "common/backend/metric_names.h"
#include "common/base/error.h"
#include "tests/emulator/ptx_runner.h"

namespace lockstep::emulator {
namespace {

constexpr uint32_t kBlocks = 3000;

struct Drawn {
  Counts counts;
  std::set<uint32_t> written;  // blocks

  double value(const char* name) const { return counts.values.at(name).value; }
};

// Each block stores its number; `body` comes before. Counted, or only checked.
Drawn execute_drawn(const std::string& body, uint32_t drawn, uint64_t from,
                    const std::string& variables, bool counted) {
  PtxRunner runner(ptx_kernel(body + "mul.wide.u32 d9, r31, 4;\nadd.u64 d9, %out, d9;\n"
                                     "st.global.u32 [d9], r31;\n",
                              variables),
                   {}, true);
  Backend& backend = runner.backend();
  const BufferId in = backend.allocate({"in", 4096}), out = backend.allocate({"out", 4 * kBlocks});
  backend.fill(in, 0, 4096, 0);
  backend.fill(out, 0, 4 * kBlocks, ~0u);
  Launch launch{"k",
                {kBlocks},
                {32},
                0,
                {Argument::of_buffer(out), Argument::of_buffer(in), Argument::of(7)}};
  launch.drawn_blocks = drawn;
  launch.drawn_from = from;
  launch.step_budget = 1'000'000;
  Drawn result;
  if (counted)
    result.counts = backend.count_sequences({{launch}}, {}, {{}})[0];
  else
    backend.launch(launch);
  std::vector<uint32_t> words(kBlocks);
  backend.read(out, 0, words.data(), 4 * kBlocks);
  for (const uint32_t word : words)
    if (word != ~0u) result.written.insert(word);
  return result;
}

Drawn count_drawn(const std::string& body, uint32_t drawn, uint64_t from = 5,
                  const std::string& variables = "") {
  return execute_drawn(body, drawn, from, variables, true);
}

TEST(DrawnBlocks, StandForAll) {
  LOCKSTEP_NEEDS_PTXAS();
  const Drawn some = count_drawn("", 16), all = count_drawn("", kBlocks);
  EXPECT_EQ(some.written.size(), 16u);
  EXPECT_EQ(all.written.size(), kBlocks);
  for (const char* name : {metric::kWarpInstructions, metric::kThreadInstructions,
                           metric::kGlobalStoreSectors, metric::kCriticalPath})
    EXPECT_EQ(some.value(name), all.value(name)) << name;
  EXPECT_EQ(some.value(metric::kUnevenBlocks), 0);
}

TEST(DrawnBlocks, AreDrawnByTheirSeed) {
  const auto drawn = sass::draw_blocks(kBlocks, 16, 5);
  EXPECT_EQ(drawn, sass::draw_blocks(kBlocks, 16, 5));
  EXPECT_NE(drawn, sass::draw_blocks(kBlocks, 16, 6));
  EXPECT_EQ(drawn.size(), 16u);
  EXPECT_TRUE(std::is_sorted(drawn.begin(), drawn.end()));
  EXPECT_EQ(sass::draw_blocks(3, 16, 5), (std::vector<uint64_t>{0, 1, 2}));
}

// What is looked for in small launches is found in them: here, threads that race for a word.
TEST(DrawnBlocks, AreCheckedAsSmallLaunchesAre) {
  LOCKSTEP_NEEDS_PTXAS();
  const Drawn checked = execute_drawn("", 16, 5, "", false);
  EXPECT_EQ(checked.written.size(), 16u);
  EXPECT_EQ(checked.written, count_drawn("", 16).written);
  try {
    execute_drawn(
        "mov.u32 r1, %tid.x;\nshl.b32 r2, r1, 2;\nmov.u32 r3, words;\n"
        "add.u32 r2, r2, r3;\nst.shared.u32 [r2], r1;\nxor.b32 r2, r2, 4;\n"
        "ld.shared.u32 r2, [r2];\nadd.u32 r31, r31, r2;\n",
        16, 5, ".shared .align 128 .b8 words[128];\n", false);
    ADD_FAILURE() << "no fault";
  } catch (const KernelFault& fault) {
    EXPECT_EQ(fault.kind(), "race");
  }
}

// A quarter of the blocks has a loop of hundreds of turns.
TEST(DrawnBlocks, TellWhereTheyDifferTooMuch) {
  LOCKSTEP_NEEDS_PTXAS();
  const std::string body =
      "mov.u32 r1, %ctaid.x;\nand.b32 r1, r1, 3;\nsetp.ne.u32 p1, r1, 0;\n@p1 bra END;\n"
      "mov.u32 r2, 0;\nLOOP:\nld.volatile.global.u32 r3, [%in];\nadd.u32 r2, r2, 1;\n"
      "setp.lt.u32 p2, r2, 300;\n@p2 bra LOOP;\nEND:\n";
  EXPECT_GT(count_drawn(body, 16).value(metric::kUnevenBlocks), 0);
  EXPECT_EQ(count_drawn(body, kBlocks).value(metric::kUnevenBlocks), 0);
}

// Who counts those before him knows how many are executed.
TEST(DrawnBlocks, DoNotStandForAllWhereTheyHangOnOthers) {
  LOCKSTEP_NEEDS_PTXAS();
  const std::string body =
      "atom.global.add.u32 r1, [taken], 1;\nsetp.lt.u32 p1, r1, 2048;\n@p1 bra END;\n"
      "ld.volatile.global.u32 r3, [%in];\nEND:\n";
  EXPECT_GT(count_drawn(body, 16, 5, ".global .u32 taken;\n").value(metric::kUnevenBlocks), 0);
}

// Where all are executed nothing is missing.
TEST(DrawnBlocks, ThatAreAllMayFail) {
  LOCKSTEP_NEEDS_PTXAS();
  EXPECT_THROW(count_drawn("bar.sync 1, 64;\n", kBlocks), KernelFault);
  EXPECT_EQ(count_drawn("bar.sync 1, 64;\n", 16).counts.find(metric::kWarpInstructions), nullptr);
}

TEST(DrawnBlocks, AreNoFaultWhateverEndsThem) {
  LOCKSTEP_NEEDS_PTXAS();
  for (const char* body : {"LOOP:\nld.volatile.global.u32 r3, [%in];\nsetp.ne.u32 p2, r3, 7;\n"
                           "@p2 bra LOOP;\n",
                           "st.global.u32 [%out+1073741824], %n;\n"}) {
    const Drawn drawn = count_drawn(body, 16);
    EXPECT_EQ(drawn.counts.find(metric::kWarpInstructions), nullptr);
    EXPECT_FALSE(drawn.counts.unavailable.at(metric::kWarpInstructions).empty());
  }
}

}  // namespace
}  // namespace lockstep::emulator
