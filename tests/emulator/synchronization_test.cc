// SPDX-License-Identifier: Apache-2.0
// Barriers, shuffles, votes, matches and reductions of a warp; special registers; printf; the
// step budget; results and counts that do not depend on the number of host threads.
#include <gtest/gtest.h>

#include "common/backend/metric_names.h"
#include "tests/emulator/ptx_runner.h"
#include "tests/emulator/test_modules.h"

namespace lockstep::emulator {
namespace {

// r0 = operation on r1 = in[t] of the warp's lanes; out[t] = r0.
std::vector<uint32_t> warp_result(const std::string& operation, const std::vector<uint32_t>& input,
                                  uint32_t lane_order = 0) {
  BackendOptions options;
  options.lane_order = lane_order;
  PtxRunner runner(
      ptx_kernel("mul.wide.u32 d0, %t, 4;\nadd.u64 d0, %in, d0;\nld.global.u32 r1, [d0];\n" +
                 operation + store_result("r0")),
      options);
  return runner.run(input, 1, static_cast<uint32_t>(input.size()));
}

std::vector<uint32_t> squares() {
  std::vector<uint32_t> out(32);
  for (uint32_t i = 0; i < 32; ++i) out[i] = i * i + 100;
  return out;
}

struct ShuffleCase {
  const char* mode;
  uint32_t b, c;
  int source(int lane) const {
    const int segment = static_cast<int>(c >> 8 & 31), clamp = static_cast<int>(c & 31);
    const int most = (lane & segment) | (clamp & ~segment), d = static_cast<int>(b);
    const std::string m = mode;
    int from = m == "up"     ? lane - d
               : m == "down" ? lane + d
               : m == "bfly" ? lane ^ d
                             : (lane & segment) | (d & ~segment);
    const bool inside = m == "up" ? from >= most : from <= most;
    return inside ? from : -1;
  }
};

TEST(ShuffleTest, EveryModeAndWidthReadsTheRightLane) {
  for (const char* mode : {"up", "down", "bfly", "idx"})
    for (uint32_t width : {32u, 16u, 8u, 4u, 2u})
      for (uint32_t b : {0u, 1u, 3u, 8u, 17u, 31u}) {
        const uint32_t c = (32 - width) << 8 | (std::string(mode) == "up" ? 0 : 31);
        const ShuffleCase shuffle{mode, b, c};
        const std::vector<uint32_t> out = warp_result(
            "shfl.sync." + std::string(mode) + ".b32 r0|p1, r1, " + std::to_string(b) + ", " +
                std::to_string(c) + ", -1;\nselp.u32 r2, 0x10000, 0, p1;\nadd.u32 r0, r0, r2;\n",
            squares());
        for (int lane = 0; lane < 32; ++lane) {
          const int from = shuffle.source(lane);
          const uint32_t expected = from < 0 ? squares()[static_cast<size_t>(lane)]
                                             : squares()[static_cast<size_t>(from)] + 0x10000;
          ASSERT_EQ(out[static_cast<size_t>(lane)], expected)
              << mode << b << " " << width << " " << lane;
        }
      }
}

TEST(VoteTest, CountsOnlyLanesOfTheMask) {
  const std::string half =
      "setp.gt.u32 p2, %t, 3;\nsetp.lt.u32 p0, %t, 16;\n@!p0 bra OTHER;\n"
      "vote.sync.ballot.b32 r0, p2, 0xffff;\nbra.uni END;\nOTHER:\n"
      "vote.sync.ballot.b32 r0, !p2, 0xffff0000;\nEND:\n";
  for (uint32_t order : {0u, 3u}) {
    const std::vector<uint32_t> out = warp_result(half, squares(), order);
    EXPECT_EQ(out[0], 0xfff0u);
    EXPECT_EQ(out[31], 0u);
  }
  const std::string all =
      "setp.ge.u32 p2, r1, 100;\nvote.sync.all.pred p3, p2, -1;\n"
      "setp.gt.u32 p2, r1, 1000;\nvote.sync.any.pred p4, p2, -1;\n"
      "vote.sync.uni.pred p5, p2, -1;\nselp.u32 r0, 1, 0, p3;\n"
      "selp.u32 r2, 2, 0, p4;\nselp.u32 r3, 4, 0, p5;\nadd.u32 r0, r0, r2;\n"
      "add.u32 r0, r0, r3;\n";
  for (uint32_t v : warp_result(all, squares())) EXPECT_EQ(v, 3u);
}

TEST(MatchTest, FindsEqualLanes) {
  std::vector<uint32_t> input(32);
  for (uint32_t i = 0; i < 32; ++i) input[i] = i % 3;
  const std::vector<uint32_t> out = warp_result("match.any.sync.b32 r0, r1, -1;\n", input);
  EXPECT_EQ(out[0], 0x49249249u);
  EXPECT_EQ(out[1], 0x92492492u);
  const std::vector<uint32_t> all = warp_result(
      "match.all.sync.b32 r0|p1, r1, -1;\nselp.u32 r2, 1, 0, p1;\nadd.u32 r0, r0, r2;\n",
      std::vector<uint32_t>(32, 5));
  EXPECT_EQ(all[7], 0u);  // ~0 + 1
}

TEST(ReduxTest, CombinesTheMask) {
  EXPECT_EQ(warp_result("redux.sync.add.u32 r0, r1, -1;\n", squares())[5],
            31u * 32 * 63 / 6 + 3200);
  EXPECT_EQ(warp_result("redux.sync.max.s32 r0, r1, -1;\n", squares())[9], 961u + 100);
  EXPECT_EQ(warp_result("redux.sync.xor.b32 r0, r1, -1;\n", std::vector<uint32_t>(32, 7))[0], 0u);
}

TEST(BarrierTest, ReductionsCountEveryThread) {
  const std::string body =
      "setp.lt.u32 p0, %t, 37;\nbar.red.popc.u32 r0, 0, p0;\n"
      "bar.red.or.pred p1, 0, p0;\nbar.red.and.pred p2, 0, p0;\n"
      "selp.u32 r1, 1000, 0, p1;\nselp.u32 r2, 10000, 0, p2;\n"
      "add.u32 r0, r0, r1;\nadd.u32 r0, r0, r2;\n" +
      store_result("r0");
  for (uint32_t order : {0u, 9u}) {
    BackendOptions options;
    options.lane_order = order;
    PtxRunner runner(ptx_kernel(body), options);
    const std::vector<uint32_t> out = runner.run({}, 2, 100);
    for (uint32_t t = 0; t < 200; ++t) EXPECT_EQ(out[t], t < 100 ? 1037u : 0u) << t;
  }
}

TEST(BarrierTest, ArriveLetsProducersGoOn) {
  // Warp 0 produces and goes on; warp 1 waits for it.
  const std::string body =
      ".shared .align 4 .u32 s[32];\nmov.u32 r0, s;\nand.b32 r1, %t, 31;\nshl.b32 r2, r1, 2;\n"
      "add.u32 r0, r0, r2;\nmov.u32 r3, 0;\nsetp.ge.u32 p0, %t, 32;\n@p0 bra CONSUMER;\n"
      "st.shared.u32 [r0], %t;\nbar.arrive 3, 64;\nbra.uni END;\nCONSUMER:\nbar.sync 3, 64;\n"
      "ld.shared.u32 r3, [r0];\nEND:\n" +
      store_result("r3");
  PtxRunner runner(ptx_kernel(body));
  const std::vector<uint32_t> out = runner.run({}, 1, 64);
  for (uint32_t t = 32; t < 64; ++t) EXPECT_EQ(out[t], t - 32);
}

TEST(SpecialRegisterTest, TellWhoAndWhere) {
  PtxRunner runner(ptx_kernel(
      "mov.u32 r0, %laneid;\nmov.u32 r1, %warpid;\nmov.u32 r2, %ctaid.x;\nmov.u32 r3, %nctaid.x;\n"
      "mov.u32 r4, %lanemask_lt;\npopc.b32 r4, r4;\nsub.u32 r4, r4, r0;\nshl.b32 r1, r1, 8;\n"
      "shl.b32 r2, r2, 16;\nshl.b32 r3, r3, 24;\nadd.u32 r0, r0, r1;\nadd.u32 r0, r0, r2;\n"
      "add.u32 r0, r0, r3;\nadd.u32 r0, r0, r4;\n" +
      store_result("r0")));
  const std::vector<uint32_t> out = runner.run({}, 3, 70);
  for (uint32_t t = 0; t < out.size(); ++t) {
    const uint32_t in_block = t % 70, block = t / 70;
    EXPECT_EQ(out[t], in_block % 32 + (in_block / 32 << 8) + (block << 16) + (3u << 24));
  }
}

TEST(SpecialRegisterTest, TheClockDoesNotStandStill) {
  PtxRunner runner(
      ptx_kernel("mov.u64 d0, %clock64;\nmov.u32 r1, 0;\nL:\nadd.u32 r1, r1, 1;\n"
                 "setp.lt.u32 p0, r1, 100;\n@p0 bra L;\nmov.u64 d1, %clock64;\n"
                 "sub.u64 d1, d1, d0;\ncvt.u32.u64 r0, d1;\n" +
                 store_result("r0")));
  for (uint32_t v : runner.run({}, 1, 64)) EXPECT_GT(v, 100u);
}

TEST(SpecialRegisterTest, HalvesOfTheTimerAreTheTimers) {
  PtxRunner runner(
      ptx_kernel("mov.u64 d0, %globaltimer;\nmov.u32 r0, %globaltimer_hi;\n"
                 "mov.u32 r1, %globaltimer_lo;\ncvt.u64.u32 d1, r0;\n"
                 "shl.b64 d1, d1, 32;\ncvt.u64.u32 d2, r1;\nor.b64 d1, d1, d2;\n"
                 "sub.u64 d1, d1, d0;\nshr.u64 d1, d1, 33;\ncvt.u32.u64 r2, d1;\n" +
                 store_result("r2")));
  for (uint32_t v : runner.run({}, 1, 32)) EXPECT_EQ(v, 0u);  // 8 s apart at most
}

TEST(PrintTest, FormatsWhatDeviceCodePacks) {
  const std::string before =
      ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n"
      ".global .align 1 .b8 text[24] = {116, 61, 37, 100, 32, 37, 46, 50, 102, 32, 37, 115, 32, "
      "37, "
      "108, 108, 120, 37, 37, 10};\n.global .align 1 .b8 word[3] = {104, 105};\n";
  PtxRunner runner(ptx_kernel(
      ".local .align 8 .b8 a[32];\nmov.u64 d0, a;\ncvta.local.u64 d1, d0;\nst.local.u32 [d0], %t;\n"
      "cvt.rn.f64.u32 g0, %t;\nst.local.f64 [d0+8], g0;\nmov.u64 d2, word;\nst.local.u64 [d0+16], "
      "d2;\n"
      "mov.u64 d3, 0x123456789a;\nst.local.u64 [d0+24], d3;\nmov.u64 d4, text;\n"
      "{ .param .b64 x; .param .b64 y; .param .b32 z; st.param.b64 [x], d4; st.param.b64 [y], d1;\n"
      "call.uni (z), vprintf, (x, y);\nld.param.b32 r0, [z]; }\n" +
          store_result("r0"),
      before));
  runner.run({}, 1, 2);
  EXPECT_EQ(runner.backend().take_output(), "t=0 0.00 hi 123456789a%\nt=1 1.00 hi 123456789a%\n");
  EXPECT_EQ(runner.backend().take_output(), "");
}

TEST(BudgetTest, AnEndlessLoopIsTooSlow) {
  BackendOptions options;
  options.step_budget = 100000;
  std::string message;
  EXPECT_EQ(fault_of(ptx_kernel("L:\nbra.uni L;\n"), 32, options, &message), "too_slow");
  EXPECT_NE(message.find("too slow: the launch was cut after 100000 warp instructions"),
            std::string::npos)
      << message;
}

// n turns of a loop, in a launch of many short warps as well as of a long one.
std::string counting_kernel() {
  return ptx_kernel(
      "mov.u32 r0, 0;\nL:\nadd.u32 r0, r0, 1;\nsetp.lt.u32 p0, r0, %n;\n@p0 bra L;\n" +
      store_result("r0"));
}

uint64_t steps_of(uint32_t blocks, uint32_t n) {
  PtxRunner runner(counting_kernel());
  runner.run({}, blocks, 32, n);
  return runner.backend().steps();
}

TEST(BudgetTest, HoldsForManyShortWarpsToTheLastInstruction) {
  const uint64_t needed = steps_of(500, 10);
  EXPECT_GT(needed, 500u * 30);
  for (int threads : {1, 3}) {
    BackendOptions options;
    options.threads = threads;
    options.step_budget = needed;
    EXPECT_NO_THROW(PtxRunner(counting_kernel(), options).run({}, 500, 32, 10));
    options.step_budget = needed - 1;
    EXPECT_THROW(PtxRunner(counting_kernel(), options).run({}, 500, 32, 10), KernelFault);
  }
}

// Nothing comes out of "%.0s", but its text is read, by each thread.
TEST(BudgetTest, WhatPrintfReadsIsPaidFor) {
  std::string bytes;
  for (int i = 0; i < 4000; ++i) bytes += "97, ";
  const std::string kernel = ptx_kernel(
      ".local .align 8 .b8 a[8];\nmov.u64 d0, a;\ncvta.local.u64 d1, d0;\nmov.u64 d2, word;\n"
      "st.local.u64 [d0], d2;\nmov.u64 d4, text;\n"
      "{ .param .b64 x; .param .b64 y; .param .b32 z; st.param.b64 [x], d4; st.param.b64 [y], d1;\n"
      "call.uni (z), vprintf, (x, y);\nld.param.b32 r0, [z]; }\n" +
          store_result("r0"),
      ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n.global .align 1 .b8 "
      "text[5] = {37, 46, 48, 115, 0};\n.global .align 1 .b8 word[4001] = {" +
          bytes + "0};\n");
  PtxRunner runner(kernel);
  runner.run({}, 1, 32);
  EXPECT_EQ(runner.backend().take_output(), "");
  EXPECT_GT(runner.backend().steps(), 32u * 4005);
  EXPECT_LT(runner.backend().steps(), 32u * 4100);
  BackendOptions options;
  options.step_budget = 100000;
  std::string message;
  EXPECT_EQ(fault_of(kernel, 32, options, &message), "too_slow");
  EXPECT_EQ(fault_of(kernel, 16, options, &message), "");
}

TEST(BudgetTest, AllLaunchesTogetherHaveABoundOfTheirOwn) {
  const uint64_t each = steps_of(1, 1000);
  BackendOptions options;
  options.step_budget = 2 * each;
  options.total_step_budget = 3 * each + each / 2;
  PtxRunner runner(counting_kernel(), options);
  for (int i = 0; i < 3; ++i) EXPECT_NO_THROW(runner.run({}, 1, 32, 1000));
  EXPECT_EQ(runner.backend().steps(), 3 * each);
  for (int i = 0; i < 2; ++i) try {
      runner.run({}, 1, 32, 1000000);
      ADD_FAILURE() << "not cut";
    } catch (const KernelFault& fault) {
      EXPECT_EQ(fault.kind(), "too_slow");
      const std::string message = fault.what();
      EXPECT_NE(message.find("too slow: all launches together have passed their bound of " +
                             std::to_string(options.total_step_budget)),
                std::string::npos)
          << message;
    }
}

TEST(ThreadsTest, CountsDoNotDependOnTheNumberOfHostThreads) {
  LOCKSTEP_NEEDS_MODULE("h200/kernels");
  const auto counts = [](int threads, const std::string& kernel) {
    BackendOptions options;
    options.threads = threads;
    const std::unique_ptr<Backend> backend = make_emulator_backend(options);
    backend->load_module(
        {test_module("h200/kernels", ".ptx"), test_module("h200/kernels", ".cubin")});
    constexpr size_t kBytes = size_t{4} << 20;
    const BufferId in = backend->allocate({"in", kBytes}), out = backend->allocate({"out", kBytes});
    backend->fill(in, 0, kBytes, bits(0.5f));
    backend->fill(out, 0, kBytes, 0);
    Launch launch;
    launch.kernel = kernel;
    launch.grid.x = 132;
    launch.block.x = 256;
    launch.arguments = {Argument::of_buffer(out), Argument::of_buffer(in),
                        Argument::of<int>(1 << 18)};
    std::map<std::string, double> values;
    for (const auto& [name, count] : backend->count(launch, {}, {}).values)
      values[name] = count.value;
    return values;
  };
  for (const char* kernel : {"k_stride", "norm_group_8_4", "k_red1"}) {
    const auto one = counts(1, kernel);
    EXPECT_GT(one.size(), 8u);
    EXPECT_EQ(one, counts(2, kernel)) << kernel;
    EXPECT_EQ(one, counts(7, kernel)) << kernel;
  }
}

}  // namespace
}  // namespace lockstep::emulator
