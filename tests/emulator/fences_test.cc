// SPDX-License-Identifier: Apache-2.0
// What PTX between two loads of the same 128 bytes makes of the second: bytes from L2, as an H200
// counted them (l1tex__m_xbar2l1tex_read_sectors; without a cubin the PTX alone tells).
#include "emulator/code/fences.h"

#include <gtest/gtest.h>

#include "common/backend/metric_names.h"
#include "tests/emulator/ptx_runner.h"

namespace lockstep::emulator {
namespace {

// Sectors from L2 to L1.
double sectors_with(const std::string& between) {
  const std::string load = "ld.global.u32 r1, [d0];\n";
  PtxRunner runner(ptx_kernel("mul.wide.u32 d0, %t, 4;\nadd.u64 d0, %in, d0;\n" + load +
                              "setp.eq.u32 p1, %n, 1;\n" + between + "\n" + load +
                              store_result("r1")));
  Backend& backend = runner.backend();
  const BufferId in = backend.allocate({"in", 128}), out = backend.allocate({"out", 128});
  backend.fill(in, 0, 128, 0);
  backend.fill(out, 0, 128, 0);
  const Launch launch{
      "k", {1}, {32}, 0, {Argument::of_buffer(out), Argument::of_buffer(in), Argument::of(0)}};
  const Counts counts = backend.count(launch, {metric::kL2ToL1Bytes}, {});
  const Count* bytes = counts.find(metric::kL2ToL1Bytes);
  return bytes == nullptr ? -1 : bytes->value / 32;
}

TEST(Fences, ThatReachBeyondTheBlockEmptyL1) {
  EXPECT_EQ(sectors_with(""), 4);
  for (const char* fence : {"membar.gl;", "membar.sys;", "fence.sc.gpu;", "fence.acq_rel.sys;",
                            "fence.acquire.gpu;", "@!p1 membar.gl;"})
    EXPECT_EQ(sectors_with(fence), 8) << fence;
  for (const char* fence :
       {"membar.cta;", "fence.sc.cta;", "fence.acq_rel.cta;", "fence.release.gpu;",
        "@p1 membar.gl;", "prefetch.global.L1 [d0];", "prefetch.global.L2 [d0];"})
    EXPECT_EQ(sectors_with(fence), 4) << fence;
}

TEST(Fences, AcquiringEmptiesL1AfterTheAccess) {
  EXPECT_EQ(sectors_with("ld.relaxed.gpu.global.u32 r2, [d0];"), 8);
  EXPECT_EQ(sectors_with("ld.acquire.gpu.global.u32 r2, [d0];"), 12);
  EXPECT_EQ(sectors_with("@p1 ld.acquire.gpu.global.u32 r2, [d0];"), 4);
  EXPECT_EQ(sectors_with("ld.acquire.cta.global.u32 r2, [d0];"), 4);
  EXPECT_EQ(sectors_with("ld.relaxed.cta.global.u32 r2, [d0];"), 4);
  EXPECT_EQ(sectors_with("@!p1 ld.acquire.gpu.global.u32 r2, [d0];"), 12);
}

TEST(Fences, LoadsThatAreNotKept) {
  EXPECT_EQ(sectors_with("ld.global.lu.u32 r2, [d0];"), 8);
  EXPECT_EQ(sectors_with("ld.global.L1::no_allocate.u32 r2, [d0];"), 8);
  EXPECT_EQ(sectors_with("ld.global.L1::evict_first.u32 r2, [d0];"), 4);
}

TEST(Fences, TheSassTellsWhereThereIsOne) {
  const std::string stem = "build/modules/tests/emulator/kernels/fences";
  std::ifstream file(stem + ".cubin");
  if (!file) GTEST_SKIP() << "no CUDA toolkit";
  const Cubin cubin = Cubin::read(stem + ".cubin");
  const SassFences device(cubin, "device_fence", {}), block(cubin, "block_fence", {});
  bool found = false;
  for (int line = 0; line < 1000; ++line) {
    found |= device.empties_l1(Opcode("add.u32"), line);
    EXPECT_FALSE(block.empties_l1(Opcode("membar.gl"), line));
  }
  EXPECT_TRUE(found);
}

}  // namespace
}  // namespace lockstep::emulator
