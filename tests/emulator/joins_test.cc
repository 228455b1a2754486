// SPDX-License-Identifier: Apache-2.0
// Where lanes of a warp meet again in the PTX: as soon as on the card, seen in how many groups of
// lanes load after the meeting; and whatever leaves a loop or the kernel, no one waits for it.
#include <gtest/gtest.h>

#include "tests/emulator/ptx_runner.h"

namespace lockstep::emulator {
namespace {

struct Outcome {
  std::vector<uint32_t> out;
  uint32_t load_requests = 0;
};

// The lowest lane of each group that loads counts it, behind the input.
std::string with_counted_loads(std::string body) {
  const std::string load = "ld.global.u32 r5, [d1];\n";
  for (size_t at = body.find(load); at != std::string::npos; at = body.find(load, at + 1))
    body.insert(at + load.size(),
                "activemask.b32 r20;\nmov.u32 r21, %lanemask_lt;\nand.b32 r21, r20, r21;\n"
                "setp.eq.u32 p15, r21, 0;\n@p15 red.global.add.u32 [%in+128], 1;\n");
  return body;
}

// One warp; in[t] = t.
Outcome execute(const std::string& body, uint32_t lane_order = 0) {
  BackendOptions options;
  options.lane_order = lane_order;
  PtxRunner runner(ptx_kernel(with_counted_loads(body)), options);
  Backend& backend = runner.backend();
  std::vector<uint32_t> input(33);
  for (uint32_t i = 0; i < 32; ++i) input[i] = i;
  const BufferId in = backend.allocate({"in", 132}), out = backend.allocate({"out", 128});
  backend.write(in, 0, input.data(), 132);
  backend.fill(out, 0, 128, 0);
  Launch launch;
  launch.kernel = "k";
  launch.block.x = 32;
  launch.arguments = {Argument::of_buffer(out), Argument::of_buffer(in), Argument::of(0u)};
  backend.launch(launch);
  Outcome result;
  result.out.resize(32);
  backend.read(out, 0, result.out.data(), 128);
  backend.read(in, 128, &result.load_requests, 4);
  return result;
}

constexpr char kAddress[] = "mul.wide.u32 d1, %t, 4;\nadd.u64 d1, %in, d1;\n";

// Lanes t + i even go on at once, the others may leave at i == `leave`; eight turns.
std::string loop_with_break(int leave) {
  return std::string(kAddress) +
         "mov.u32 r1, 0;\nmov.u32 r6, 0;\n"
         "LOOP:\nadd.u32 r2, %t, r1;\nand.b32 r2, r2, 1;\nsetp.eq.u32 p1, r2, 0;\n"
         "@p1 bra NEXT;\n"
         "setp.eq.u32 p2, r1, " +
         std::to_string(leave) +
         ";\n@p2 bra OUT;\n"
         "NEXT:\nld.global.u32 r5, [d1];\nadd.u32 r6, r6, r5;\nadd.u32 r1, r1, 1;\n"
         "setp.lt.u32 p3, r1, 8;\n@p3 bra LOOP;\n"
         "OUT:\n" +
         store_result("r6");
}

TEST(Joins, ContinueMeetsTheRestInTheLoopThoughABreakIsThere) {
  const Outcome r = execute(loop_with_break(99));
  for (uint32_t t = 0; t < 32; ++t) EXPECT_EQ(r.out[t], 8 * t);
  EXPECT_EQ(r.load_requests, 8u);
}

TEST(Joins, LanesThatBreakAreNotWaitedFor) {
  const Outcome r = execute(loop_with_break(3));  // t even: t + 3 is odd
  for (uint32_t t = 0; t < 32; ++t) EXPECT_EQ(r.out[t], (t % 2 ? 8 : 3) * t);
  EXPECT_EQ(r.load_requests, 8u);
}

TEST(Joins, AllMayBreakAtOnce) {
  const Outcome r = execute(std::string(kAddress) +
                            "mov.u32 r1, 0;\nLOOP:\nand.b32 r2, %t, 1;\nsetp.eq.u32 p1, r2, 0;\n"
                            "@p1 bra ODD;\nsetp.eq.u32 p2, r1, 2;\n@p2 bra OUT;\nbra.uni NEXT;\n"
                            "ODD:\nsetp.eq.u32 p2, r1, 2;\n@p2 bra OUT;\n"
                            "NEXT:\nadd.u32 r1, r1, 1;\nbra.uni LOOP;\n"
                            "OUT:\nld.global.u32 r5, [d1];\nadd.u32 r5, r5, r1;\n" +
                            store_result("r5"));
  for (uint32_t t = 0; t < 32; ++t) EXPECT_EQ(r.out[t], t + 2);
  EXPECT_EQ(r.load_requests, 1u);
}

TEST(Joins, AReturnInABranchDoesNotKeepTheOthersApart) {
  const Outcome r = execute(std::string(kAddress) +
                            "setp.ge.u32 p1, %t, 16;\n@p1 bra AFTER;\nsetp.lt.u32 p2, %t, 4;\n"
                            "@p2 bra DONE;\nAFTER:\nld.global.u32 r5, [d1];\n" +
                            store_result("r5") + "DONE:\n");
  for (uint32_t t = 0; t < 32; ++t) EXPECT_EQ(r.out[t], t < 4 ? 0 : t);
  EXPECT_EQ(r.load_requests, 1u);
}

TEST(Joins, LanesThatSkipAnElseMeetThoughItsLanesEndTheKernel) {
  const Outcome r = execute(std::string(kAddress) +
                            "setp.lt.u32 p1, %t, 8;\n@p1 bra EDGE;\nsetp.ge.u32 p2, %t, 24;\n"
                            "@p2 bra EDGE;\nbra.uni INSIDE;\nEDGE:\nld.global.u32 r5, [d1];\n" +
                            store_result("r5") + "bra.uni DONE;\nINSIDE:\nmov.u32 r5, 99;\n" +
                            store_result("r5") + "DONE:\n");
  for (uint32_t t = 0; t < 32; ++t) EXPECT_EQ(r.out[t], t < 8 || t >= 24 ? t : 99);
  EXPECT_EQ(r.load_requests, 1u);
}

TEST(Joins, BreakOutOfTwoLoops) {
  // for i < 4, j < 4: even lanes skip a step, lane t leaves both loops at i * 4 + j == t.
  const Outcome r = execute(
      "mov.u32 r1, 0;\nmov.u32 r6, 0;\n"
      "OUTER:\nmov.u32 r2, 0;\n"
      "INNER:\nand.b32 r3, %t, 1;\nsetp.eq.u32 p1, r3, 0;\n@p1 bra SKIP;\n"
      "add.u32 r6, r6, 100;\n"
      "SKIP:\nmad.lo.u32 r4, r1, 4, r2;\nsetp.eq.u32 p2, r4, %t;\n@p2 bra OUT;\n"
      "add.u32 r6, r6, 1;\nadd.u32 r2, r2, 1;\nsetp.lt.u32 p3, r2, 4;\n"
      "@p3 bra INNER;\nadd.u32 r1, r1, 1;\nsetp.lt.u32 p3, r1, 4;\n"
      "@p3 bra OUTER;\n"
      "OUT:\n" +
      store_result("r6"));
  for (uint32_t t = 0; t < 32; ++t) {
    const uint32_t turns = t < 16 ? t : 16, hundreds = t < 16 ? t + 1 : 16;
    EXPECT_EQ(r.out[t], turns + (t % 2 ? 100 * hundreds : 0)) << t;
  }
}

TEST(Joins, AnInnerLoopsEndMeetsThoughTheInnerLoopMayLeaveBoth) {
  // Four turns; lane t goes t % 4 + 1 times round the inner loop, then all load.
  const Outcome r = execute(std::string(kAddress) +
                            "mov.u32 r1, 0;\nmov.u32 r6, 0;\nand.b32 r3, %t, 3;\n"
                            "OUTER:\nmov.u32 r2, 0;\n"
                            "INNER:\nsetp.eq.u32 p2, r6, 9999;\n@p2 bra OUT;\n"
                            "add.u32 r2, r2, 1;\nsetp.le.u32 p3, r2, r3;\n@p3 bra INNER;\n"
                            "ld.global.u32 r5, [d1];\nadd.u32 r6, r6, r5;\n"
                            "add.u32 r1, r1, 1;\nsetp.lt.u32 p3, r1, 4;\n@p3 bra OUTER;\n"
                            "OUT:\n" +
                            store_result("r6"));
  for (uint32_t t = 0; t < 32; ++t) EXPECT_EQ(r.out[t], 4 * t);
  EXPECT_EQ(r.load_requests, 4u);
}

TEST(Joins, AnyOrderOfLanesGivesTheSameResults) {
  for (uint32_t order = 1; order <= 5; ++order) {
    const Outcome r = execute(loop_with_break(3), order);
    for (uint32_t t = 0; t < 32; ++t) EXPECT_EQ(r.out[t], (t % 2 ? 8 : 3) * t);
  }
}

}  // namespace
}  // namespace lockstep::emulator
