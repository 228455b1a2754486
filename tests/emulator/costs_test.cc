// SPDX-License-Identifier: Apache-2.0
// Costs that no instruction count shows: words that a warp asks constant memory for, and sectors
// that atomic operations touch.
#include <gtest/gtest.h>

#include "common/backend/metric_names.h"
#include "emulator/count/wavefronts.h"
#include "tests/emulator/ptx_runner.h"

namespace lockstep::emulator {
namespace {

// One warp; index is lane / `lanes_a_word`.
Counts counts_of(const std::string& body, int lanes_a_word) {
  PtxRunner runner(ptx_kernel("div.u32 r1, %t, %n;\nmul.wide.u32 d0, r1, 4;\n" + body,
                              ".const .align 4 .b8 table[128];\n"));
  Backend& backend = runner.backend();
  const BufferId in = backend.allocate({"in", 128}), out = backend.allocate({"out", 128});
  backend.fill(in, 0, 128, 0);
  backend.fill(out, 0, 128, 0);
  const Launch launch{
      "k",
      {1},
      {32},
      0,
      {Argument::of_buffer(out), Argument::of_buffer(in), Argument::of(lanes_a_word)}};
  return backend.count(launch,
                       {metric::kConstantWavefronts, metric::kAtomicRequests, metric::kAtomicTurns,
                        metric::kFences, metric::kPrefetchSectors},
                       {});
}

double value(const Counts& counts, const char* metric) {
  const Count* count = counts.find(metric);
  return count == nullptr ? -1 : count->value;
}

TEST(Costs, ConstantMemoryServesOneWordAtATime) {
  const std::string load =
      "mov.u64 d1, table;\nadd.u64 d1, d1, d0;\nld.const.u32 r2, [d1];\n" + store_result("r2");
  EXPECT_EQ(value(counts_of(load, 1), metric::kConstantWavefronts), 32);
  EXPECT_EQ(value(counts_of(load, 8), metric::kConstantWavefronts), 4);
  EXPECT_EQ(value(counts_of(load, 32), metric::kConstantWavefronts), 1);
  EXPECT_EQ(value(counts_of(store_result("r1"), 1), metric::kConstantWavefronts), 0);
}

TEST(Costs, AtomicOperationsOfOneWordTakeTurns) {
  const std::string reduce = "add.u64 d1, %out, d0;\nred.global.add.u32 [d1], 1;\n";
  EXPECT_EQ(value(counts_of(reduce, 1), metric::kAtomicRequests), 1);
  EXPECT_EQ(value(counts_of(reduce, 32), metric::kAtomicRequests), 1);
  EXPECT_EQ(value(counts_of(reduce, 1), metric::kAtomicTurns), 4);
  EXPECT_EQ(value(counts_of(reduce, 8), metric::kAtomicTurns), 8);
  EXPECT_EQ(value(counts_of(reduce, 32), metric::kAtomicTurns), 32);
  EXPECT_EQ(value(counts_of(store_result("r1"), 1), metric::kAtomicRequests), 0);
}

TEST(Costs, FencesThatReachBeyondTheBlockAreCountedOnceAWarp) {
  const auto fences = [](const std::string& body) {
    return value(counts_of(body + "\n" + store_result("r1"), 1), metric::kFences);
  };
  EXPECT_EQ(fences(""), 0);
  for (const char* fence :
       {"membar.gl;", "membar.sys;", "fence.sc.gpu;", "fence.acq_rel.sys;",
        "st.release.gpu.global.u32 [%out], r1;", "st.release.sys.global.u32 [%out], r1;",
        "red.release.gpu.global.add.u32 [%out], 1;"})
    EXPECT_EQ(fences(fence), 1) << fence;
  for (const char* fence : {"membar.cta;", "fence.acq_rel.cta;", "fence.sc.cta;",
                            "st.release.cta.global.u32 [%out], r1;", "st.global.u32 [%out], r1;"})
    EXPECT_EQ(fences(fence), 0) << fence;
}

TEST(Costs, PrefetchesNameSectorsOfTheirOwn) {
  const auto sectors = [](const std::string& body, int lanes_a_word) {
    const std::string address =
        "add.u64 d1, %in, d0;\nmul.lo.u64 d2, d0, 32;\nadd.u64 d2, %in, d2;"
        "\nsetp.lt.u32 p1, r1, 4;\n";
    return value(counts_of(address + body + "\n" + store_result("r1"), lanes_a_word),
                 metric::kPrefetchSectors);
  };
  EXPECT_EQ(sectors("", 1), 0);
  for (const char* named :
       {"prefetch.global.L1 [d1];", "prefetch.global.L2 [d1];", "prefetch.L2 [d1];",
        "prefetchu.L1 [d1];", "prefetch.global.L2::evict_last [d1];"}) {
    EXPECT_EQ(sectors(named, 1), 4) << named;
    EXPECT_EQ(sectors(named, 32), 1) << named;
  }
  EXPECT_EQ(sectors("prefetch.global.L2 [d2];", 1), 32);  // far outside of the array: no fault
  EXPECT_EQ(sectors("@p1 prefetch.global.L2 [d2];", 1), 4);
  EXPECT_EQ(sectors("prefetch.global.L2 [d1+64];\nprefetch.global.L2 [d1];", 1), 8);
  EXPECT_EQ(sectors("applypriority.global.L2::evict_normal [d1], 128;", 1), 4);
  EXPECT_EQ(sectors("applypriority.global.L2::evict_normal [d2], 128;", 1), 128);
}

TEST(Costs, DistinctAddressesAreCounted) {
  uint64_t address[32];
  for (int i = 0; i < 32; ++i) address[i] = 8 * (i % 5);
  EXPECT_EQ(constant_wavefronts(address, ~0u), 5u);
  EXPECT_EQ(constant_wavefronts(address, 0b100001), 1u);
  EXPECT_EQ(constant_wavefronts(address, 0), 0u);
}

}  // namespace
}  // namespace lockstep::emulator
