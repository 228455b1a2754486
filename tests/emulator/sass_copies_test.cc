// SPDX-License-Identifier: Apache-2.0
// Copies that ptxas makes of loops of several blocks: they take as many turns as were executed, and
// where their counts do not add up, that is said.
#include "emulator/sass_copies.h"

#include <gtest/gtest.h>

#include "common/backend/backend.h"
#include "common/backend/metric_names.h"
#include "emulator/ptx_loops.h"
#include "tests/emulator/test_modules.h"

namespace lockstep::emulator {
namespace {

const std::string kStem = "build/modules/tests/emulator/kernels/unrolled";

Counts counts_of(const std::string& kernel, int n, int step) {
  BackendOptions options;
  options.threads = 1;
  const auto backend = make_emulator_backend(options);
  backend->load_module({kStem + ".ptx", kStem + ".cubin"});
  const BufferId out = backend->allocate({"out", 4096});
  const BufferId data = backend->allocate({"data", 8192});
  backend->fill(out, 0, 4096, 0);
  backend->fill(data, 0, 8192, 0x3f);
  const Launch launch{
      kernel,
      {1},
      {64},
      0,
      {Argument::of_buffer(out), Argument::of_buffer(data), Argument::of(n), Argument::of(step)}};
  return backend->count(launch, {metric::kWarpInstructions, metric::kGlobalLoadRequests}, {});
}

double value(const Counts& counts, const char* name) {
  const Count* found = counts.find(name);
  return found ? found->value : -1;
}

TEST(SassCopies, OfALoopWithAnIfTakeAsManyTurnsAsItsTwinWithoutCopies) {
  if (file_bytes(kStem + ".cubin").empty()) GTEST_SKIP() << "no CUDA toolkit";
  for (const std::string kernel : {"bounded", "chosen"}) {
    for (int step : {1, 3, 7, 400}) {
      const Counts copies = counts_of(kernel + "_4", 1000, step);
      const Counts twin = counts_of(kernel + "_1", 1000, step);
      EXPECT_EQ(value(copies, metric::kGlobalLoadRequests),
                value(twin, metric::kGlobalLoadRequests))
          << kernel << " " << step;
      const double less = value(copies, metric::kWarpInstructions);
      const double more = value(twin, metric::kWarpInstructions);
      if (step < 400) {
        EXPECT_LT(less, more) << kernel << " " << step;
      }
      EXPECT_GT(less, 0.4 * more) << kernel << " " << step;
    }
  }
}

// Every 16 elements (a round of the largest copy) cost the same.
TEST(SassCopies, InstructionsRiseWithTheTurns) {
  if (file_bytes(kStem + ".cubin").empty()) GTEST_SKIP() << "no CUDA toolkit";
  const auto instructions = [](int turns) {
    return value(counts_of("bounded_4", turns, 1), metric::kWarpInstructions);
  };
  const double part = instructions(32) - instructions(16);
  EXPECT_GT(part, 0);
  EXPECT_EQ(instructions(48) - instructions(32), part);
  EXPECT_EQ(instructions(480) - instructions(464), part);
}

// Two blocks with the only load of a kernel, as often executed as given.
class TwoCopies : public testing::Test {
 protected:
  TwoCopies() {
    InstructionProfile load;
    load.op = OpClass::kGlobalLoad;
    load.ptx_line = 12;
    load.warps = 100;
    load.lanes = 3200;
    profile.instructions = {load};
    map.graph.code.resize(2);
    map.graph.code[0].kind = map.graph.code[1].kind = SassKind::kGlobalLoad;
    map.graph.block_of = {0, 1};
    map.cold = {false, false};
    map.parted = {false};
    map.continues = {false, false};
    map.graph.blocks.resize(2);
    map.ptx_depth = {0};
    map.sass = {{0, 1}};
  }
  std::string why(SassFlow::Count one, SassFlow::Count two) {
    SassFlow flow;
    flow.blocks = {one, two};
    return copies_do_not_add_up(map, profile, flow);
  }
  SassMap map;
  KernelProfile profile;
};

TEST_F(TwoCopies, ThatEachHaveTheWholeCountAreTooMany) {
  const std::string reason = why({100, 3200}, {100, 3200});
  EXPECT_NE(reason.find("line 12 of the PTX"), std::string::npos) << reason;
  EXPECT_NE(why({100, 3200}, {20, 640}), "");
}

TEST_F(TwoCopies, ThatShareItAreKnown) {
  EXPECT_EQ(why({60, 1920}, {40, 1280}), "");
  EXPECT_EQ(why({0, 0}, {100, 3200}), "");
}

TEST_F(TwoCopies, ThatPartTheLanesOfAWarpHaveMoreWarps) {
  EXPECT_EQ(why({100, 1600}, {100, 1600}), "");
}

TEST_F(TwoCopies, UnderAGuardTellNothing) {
  map.graph.code[1].guarded = true;
  EXPECT_EQ(why({100, 3200}, {100, 3200}), "");
}

TEST_F(TwoCopies, ThatTogetherHaveTooLittleAreToldFromOnesThatMeetSooner) {
  EXPECT_NE(why({25, 800}, {25, 800}).find("line 12 of the PTX"), std::string::npos);
  EXPECT_NE(why({0, 0}, {50, 1600}), "");
  EXPECT_EQ(why({25, 1600}, {25, 1600}), "");
  profile.instructions[0].op = OpClass::kOther;  // ptxas may leave it out
  EXPECT_EQ(why({25, 800}, {25, 800}), "");
}

TEST_F(TwoCopies, DoNotServeGroupsThatLackLanes) {
  profile.instructions[0].op = OpClass::kShuffle;
  for (SassInstruction& in : map.graph.code) in.kind = SassKind::kShuffle;
  EXPECT_NE(why({20, 640}, {20, 640}), "");
  profile.instructions[0].apart = {60, 1920};
  EXPECT_EQ(why({20, 640}, {20, 640}), "");
  profile.instructions[0].apart = {10, 320};
  EXPECT_NE(why({20, 640}, {20, 640}), "");
}

TEST_F(TwoCopies, OfWhichOneContinuesTheOtherAreOne) {
  map.continues[1] = true;
  EXPECT_EQ(why({100, 3200}, {100, 3200}), "");
  EXPECT_NE(why({50, 1600}, {50, 1600}), "");
}

TEST_F(TwoCopies, OneOfThemTakenOutOfTheLoopMayHaveLess) {
  map.ptx_depth = {1};
  EXPECT_NE(why({1, 32}, {1, 32}), "");
  map.sass = {{0}};
  EXPECT_EQ(why({1, 32}, {0, 0}), "");
  map.graph.blocks[0].depth = 1;
  EXPECT_NE(why({1, 32}, {0, 0}), "");
}

BlockProfile block(int at, std::vector<int> successors) {
  BlockProfile out;
  out.first = at;
  out.last = at + 1;
  out.successors = std::move(successors);
  return out;
}

KernelProfile profile_of(std::vector<BlockProfile> blocks, std::vector<uint64_t> lanes) {
  KernelProfile profile;
  profile.blocks = std::move(blocks);
  profile.instructions.resize(lanes.size());
  for (size_t i = 0; i < lanes.size(); ++i) profile.instructions[i].lanes = lanes[i];
  return profile;
}

TEST(PtxLoops, OfSeveralBlocksHaveOneWayInAndOneOut) {
  KernelProfile p =
      profile_of({block(0, {1}), block(1, {2, 3}), block(2, {3}), block(3, {1, 4}), block(4, {})},
                 {32, 320, 20, 320, 32});
  EXPECT_TRUE(innermost_loops(p).empty());  // nothing is known of its turns
  p.blocks[1].trip_counts[10] = 1;
  const std::vector<PtxLoop> loops = innermost_loops(p);
  ASSERT_EQ(loops.size(), 1u);
  EXPECT_EQ(loops[0].header, 1);
  EXPECT_EQ(loops[0].latch, 3);
  EXPECT_EQ(loops[0].body, (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(loops[0].every_turn, (std::vector<int>{1, 3}));
  EXPECT_TRUE(loops[0].contains(2));
  EXPECT_FALSE(loops[0].contains(4));
  p.blocks[2].successors = {3, 4};  // a break
  EXPECT_TRUE(innermost_loops(p).empty());
  p.blocks[2].successors = {3};
  p.blocks[0].successors = {1, 2};  // a second way in
  EXPECT_TRUE(innermost_loops(p).empty());
}

TEST(PtxLoops, ThatHoldALoopAreNotInnermost) {
  KernelProfile p =
      profile_of({block(0, {1}), block(1, {2}), block(2, {2, 3}), block(3, {1, 4}), block(4, {-1})},
                 {32, 64, 640, 64, 32});
  p.blocks[1].trip_counts[2] = 1;
  p.blocks[2].trip_counts[10] = 2;
  const std::vector<PtxLoop> loops = innermost_loops(p);
  ASSERT_EQ(loops.size(), 1u);
  EXPECT_EQ(loops[0].header, 2);
  EXPECT_EQ(loops[0].latch, 2);
  EXPECT_EQ(loop_depths(p.blocks), (std::vector<int>{0, 1, 2, 1, 0}));
}

}  // namespace
}  // namespace lockstep::emulator
