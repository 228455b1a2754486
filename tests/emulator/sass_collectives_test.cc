// SPDX-License-Identifier: Apache-2.0
// Lanes that part and meet in .sync operations: instructions as an H200 counted them
// (smsp__inst_executed, one warp, driver 580.159.04, ptxas 13.0.88), and where that is not known.
#include "emulator/sass_collectives.h"

#include <gtest/gtest.h>

#include "common/backend/backend.h"
#include "common/backend/metric_names.h"
#include "tests/emulator/test_modules.h"

namespace lockstep::emulator {
namespace {

const std::string kStem = "build/modules/tests/emulator/kernels/parted";

Counts counts_of(const std::string& kernel) {
  BackendOptions options;
  options.threads = 1;
  const auto backend = make_emulator_backend(options);
  backend->load_module({kStem + ".ptx", kStem + ".cubin"});
  const BufferId out = backend->allocate({"out", 128}), in = backend->allocate({"in", 128});
  backend->fill(out, 0, 128, 0);
  backend->fill(in, 0, 128, 0);
  const Launch launch{
      kernel, {1}, {32}, 0, {Argument::of_buffer(out), Argument::of_buffer(in), Argument::of(20)}};
  return backend->count(launch, {metric::kWarpInstructions}, {});
}

TEST(Collectives, GroupsThatMeetInASyncOperationTakeAsManyInstructionsAsOnACard) {
  if (file_bytes(kStem + ".cubin").empty()) GTEST_SKIP() << "no CUDA toolkit";
  struct Case {
    const char* kernel;
    double measured;
  };
  for (const Case& c : {Case{"shuffle_two", 39}, Case{"shuffle_four", 66},
                        Case{"shuffle_often", 64}, Case{"reduce_two", 36}, Case{"vote_two", 38},
                        Case{"match_two", 36}, Case{"sync_two", 45}, Case{"mask_of_group", 29}}) {
    const Counts counts = counts_of(c.kernel);
    const Count* found = counts.find(metric::kWarpInstructions);
    ASSERT_NE(found, nullptr) << c.kernel;
    EXPECT_EQ(found->value, c.measured) << c.kernel;
  }
}

// ptxas unrolled both loops, each with one test for all turns of a part.
TEST(Collectives, UnrolledTurnsAreAsManyAsExecuted) {
  if (file_bytes(kStem + ".cubin").empty()) GTEST_SKIP() << "no CUDA toolkit";
  const Counts counts = counts_of("shuffle_loop");
  const Count* found = counts.find(metric::kWarpInstructions);
  ASSERT_NE(found, nullptr);
  EXPECT_NEAR(found->value, 305, 0.02 * 305);
}

struct Instruction {
  uint64_t low, high;
};
constexpr Instruction kBranch{0x0000000000107947, 0x000fec0003800000};
constexpr Instruction kIfDiverged{0x0000000206047947, 0x000fea000b800000};  // BRA.DIV, two further
constexpr Instruction kShuffle{0x0c201f0002057f89, 0x02006400000e0000};
constexpr Instruction kExit{0x000000000000794d, 0x000fea0003800000};
constexpr Instruction kCollective{0x0000000004087348, 0x020fea0003c00000};
constexpr Instruction kEndCollective{0x000000000000791b, 0x003fe20003800000};

TEST(Collectives, AreDecoded) {
  std::string code;
  for (const Instruction& i : {kCollective, kEndCollective, kIfDiverged, kShuffle, kExit, kBranch})
    code.append(reinterpret_cast<const char*>(&i), sizeof i);
  const std::vector<SassInstruction> sass = decode_sass(code, 90);
  EXPECT_TRUE(sass[0].collective);
  EXPECT_EQ(sass[1].kind, SassKind::kEndCollective);
  EXPECT_EQ(sass[2].kind, SassKind::kBranchDivergent);
  EXPECT_FALSE(sass[2].collective);
}

// A cold way that only ends: what it costs is not known, and that is said.
TEST(Collectives, AWayThatIsNotUnderstoodIsNotCounted) {
  std::string code;
  for (const Instruction& i : {kIfDiverged, kShuffle, kExit})
    code.append(reinterpret_cast<const char*>(&i), sizeof i);
  SassMap map;
  map.graph = build_sass_graph(decode_sass(code, 90), {}, {});
  map.ptx = {0, 0, -1};
  map.sass = {{0, 1}};
  map.cold.assign(map.graph.blocks.size(), false);
  KernelProfile profile;
  profile.instructions.resize(1);
  profile.instructions[0].opcode = "shfl.sync.bfly.b32";
  SassFlow flow;
  flow.blocks.assign(map.graph.blocks.size(), {1, 32});
  flow.edges.assign(map.graph.edges.size(), {1, 32});
  count_collectives(map, profile, &flow);
  EXPECT_EQ(flow.not_known, "");
  profile.instructions[0].apart = {2, 32};
  count_collectives(map, profile, &flow);
  EXPECT_NE(flow.not_known.find("shfl.sync.bfly.b32"), std::string::npos);
}

}  // namespace
}  // namespace lockstep::emulator
