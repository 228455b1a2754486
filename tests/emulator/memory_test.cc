// SPDX-License-Identifier: Apache-2.0
// Loads, stores and atomic operations in every state space and width, and their exact counts.
#include <gtest/gtest.h>

#include "common/backend/metric_names.h"
#include "emulator/count/wavefronts.h"
#include "emulator/memory/definedness.h"
#include "tests/emulator/ptx_runner.h"

namespace lockstep::emulator {
namespace {

TEST(MemoryTest, NarrowLoadsExtendByTheirType) {
  PtxRunner runner(ptx_kernel(
      "ld.global.s8 r0, [%in];\nld.global.u8 r1, [%in];\nld.global.s16 r2, [%in];\n"
      "ld.global.u16 r3, [%in];\nadd.u32 r0, r0, r1;\nadd.u32 r0, r0, r2;\nsub.u32 r0, r0, r3;\n"
      "ld.global.s8 h0, [%in+1];\ncvt.s32.s16 r4, h0;\nadd.u32 r0, r0, r4;\n" +
      store_result("r0")));
  const std::vector<uint32_t> out = runner.run({0x0000f1f2}, 1, 32);
  const uint32_t expected =
      uint32_t(-14) + 0xf2 + uint32_t(int16_t(0xf1f2)) - 0xf1f2 + uint32_t(-15);
  for (uint32_t v : out) EXPECT_EQ(v, expected);
}

TEST(MemoryTest, VectorsGoToTheirRegistersInOrder) {
  PtxRunner runner(ptx_kernel(
      "mul.wide.u32 d0, %t, 16;\nadd.u64 d0, %in, d0;\nld.global.v4.u32 {r0, r1, r2, r3}, [d0];\n"
      "ld.global.v2.u64 {d1, d2}, [d0];\nshl.b32 r1, r1, 8;\nshl.b32 r2, r2, 16;\nshl.b32 r3, r3, "
      "24;\n"
      "or.b32 r0, r0, r1;\nor.b32 r0, r0, r2;\nor.b32 r0, r0, r3;\nshr.u64 d1, d1, 32;\n"
      "cvt.u32.u64 r4, d1;\nadd.u32 r0, r0, r4;\n" +
      store_result("r0")));
  std::vector<uint32_t> input(32 * 4);
  for (uint32_t i = 0; i < input.size(); ++i) input[i] = i % 4 + 1;
  for (uint32_t v : runner.run(input, 1, 32)) EXPECT_EQ(v, 0x04030201u + 2);
}

TEST(MemoryTest, LocalMemoryIsEveryLanesOwn) {
  PtxRunner runner(ptx_kernel(
      ".local .align 8 .b8 a[64];\nmov.u64 d0, a;\ncvta.local.u64 d1, d0;\nand.b32 r0, %t, 7;\n"
      "mul.wide.u32 d2, r0, 8;\nadd.u64 d3, d0, d2;\nst.local.u32 [d3], %t;\nst.local.u8 [d3+5], "
      "%t;\n"
      "add.u64 d4, d1, d2;\nld.u32 r1, [d4];\nld.u8 r2, [d4+5];\nadd.u32 r1, r1, r2;\n" +
      store_result("r1")));
  const std::vector<uint32_t> out = runner.run({}, 2, 48);
  for (uint32_t t = 0; t < out.size(); ++t) EXPECT_EQ(out[t], 2 * t);
}

TEST(MemoryTest, ConstantsAndGlobalsHaveTheirInitialValues) {
  const std::string before =
      ".const .align 4 .u32 table[4] = {10, 20, 30, 40};\n"
      ".global .align 8 .u64 pointer = generic(words)+4;\n"
      ".global .align 4 .u32 words[3] = {5, 6, 7};\n.global .align 4 .b8 zeros[16];\n"
      ".global .align 4 .f32 half = 0f3F000000;\n";
  // pointer is declared before what it points to.
  PtxRunner runner(ptx_kernel(
      "and.b32 r0, %t, 3;\nmul.wide.u32 d0, r0, 4;\nmov.u64 d1, table;\nadd.u64 d0, d1, d0;\n"
      "ld.const.u32 r1, [d0];\nld.global.u64 d2, [pointer];\nld.u32 r2, [d2];\n"
      "ld.global.u32 r3, [zeros+12];\nld.global.u32 r4, [half];\nadd.u32 r1, r1, r2;\n"
      "add.u32 r1, r1, r3;\nadd.u32 r1, r1, r4;\n" +
          store_result("r1"),
      before));
  const std::vector<uint32_t> out = runner.run({}, 1, 32);
  for (uint32_t t = 0; t < 32; ++t) EXPECT_EQ(out[t], (t % 4 + 1) * 10 + 6 + 0x3f000000);
}

TEST(MemoryTest, GenericAddressesReachEverySpaceEvenWithinOneWarp) {
  PtxRunner runner(ptx_kernel(
      ".shared .align 4 .u32 s[64];\nmul.wide.u32 d0, %t, 4;\nmov.u64 d1, s;\n"
      "cvta.shared.u64 d2, d1;\nadd.u64 d2, d2, d0;\nst.u32 [d2], %t;\nadd.u64 d3, %in, d0;\n"
      "isspacep.shared p1, d2;\nisspacep.global p2, d3;\nselp.u32 r2, 1, 0, p1;\n"
      "selp.u32 r3, 2, 0, p2;\nsetp.lt.u32 p0, %t, 9;\nselp.b64 d4, d2, d3, p0;\nld.u32 r0, [d4];\n"
      "add.u32 r0, r0, r2;\nadd.u32 r0, r0, r3;\n" +
      store_result("r0")));
  std::vector<uint32_t> input(32, 1000);
  const std::vector<uint32_t> out = runner.run(input, 1, 32);
  for (uint32_t t = 0; t < 32; ++t) EXPECT_EQ(out[t], (t < 9 ? t : 1000) + 3);
}

TEST(MemoryTest, DynamicSharedMemoryFollowsTheStatic) {
  PtxRunner runner(ptx_kernel(
      ".shared .align 4 .u32 s[3];\nmov.u32 r0, dyn;\nmov.u32 r1, s;\nsub.u32 r2, r0, r1;\n"
      "shl.b32 r3, %t, 2;\nadd.u32 r3, r0, r3;\nst.shared.u32 [r3], r2;\nld.shared.u32 r4, [r3];\n"
      "mov.u32 r5, %dynamic_smem_size;\nadd.u32 r4, r4, r5;\n" +
          store_result("r4"),
      ".extern .shared .align 16 .b8 dyn[];\n"));
  for (uint32_t v : runner.run({}, 1, 32, 0, 128)) EXPECT_EQ(v, 16u + 128u);
}

struct AtomicCase {
  const char* name;
  std::string operation;  // on [d0] with value r0 = t + 1
  uint32_t start, end;    // of the cell, 64 threads
};

class AtomicTest : public ::testing::TestWithParam<AtomicCase> {};

TEST_P(AtomicTest, CombinesAllThreadsInSharedAndGlobalMemory) {
  const AtomicCase& c = GetParam();
  for (const char* space : {"shared", "global"}) {
    const bool shared = std::string(space) == "shared";
    std::string operation = c.operation;
    for (size_t at; (at = operation.find("SPACE")) != std::string::npos;)
      operation.replace(at, 5, space);
    PtxRunner runner(ptx_kernel(
        ".shared .align 4 .u32 s[1];\nmov.u64 d1, s;\nmov.b64 d0, " +
        std::string(shared ? "d1" : "%in") +
        ";\nsetp.eq.u32 p0, %t, 0;\nld.global.u32 r5, [%in];\n" +
        (shared ? "@p0 st.shared.u32 [d0], r5;\n" : "") + "bar.sync 0;\nadd.u32 r0, %t, 1;\n" +
        operation + "bar.sync 0;\nld." + space + ".u32 r9, [d0];\n" + store_result("r9")));
    for (uint32_t v : runner.run({c.start}, 1, 64)) EXPECT_EQ(v, c.end) << space;
  }
}

const uint32_t kSum = 64 * 65 / 2;
INSTANTIATE_TEST_SUITE_P(
    Operations, AtomicTest,
    ::testing::Values(
        AtomicCase{"add", "atom.SPACE.add.u32 r1, [d0], r0;\n", 7, 7 + kSum},
        AtomicCase{"red", "red.SPACE.add.s32 [d0], r0;\n", 7, 7 + kSum},
        AtomicCase{"min", "red.SPACE.min.s32 [d0], r0;\n", 7, 1},
        AtomicCase{"maxs", "atom.SPACE.max.s32 r1, [d0], r0;\n", 0xffffffff, 64},
        AtomicCase{"maxu", "atom.SPACE.max.u32 r1, [d0], r0;\n", 0xffffffff, 0xffffffff},
        AtomicCase{"inc", "atom.SPACE.inc.u32 r1, [d0], 9;\n", 0, 4},
        AtomicCase{"dec", "atom.SPACE.dec.u32 r1, [d0], 9;\n", 3, 9},
        AtomicCase{"bitor", "red.SPACE.or.b32 [d0], r0;\n", 0, 127},
        AtomicCase{"bitand", "red.SPACE.and.b32 [d0], 12;\n", 10, 8},
        AtomicCase{"bitxor", "red.SPACE.xor.b32 [d0], 5;\n", 3, 3},
        AtomicCase{"exch", "atom.SPACE.exch.b32 r1, [d0], 77;\n", 3, 77},
        AtomicCase{"cas", "atom.SPACE.cas.b32 r1, [d0], 3, 11;\n", 3, 11},
        AtomicCase{"addf", "mov.f32 f0, 0f3F000000;\nred.SPACE.add.f32 [d0], f0;\n", 0, 0x42000000},
        AtomicCase{"addh2", "mov.b32 r7, 0x3c003800;\nred.SPACE.add.noftz.f16x2 [d0], r7;\n", 0,
                   0x54005000}),
    [](const auto& info) { return info.param.name; });

// Counts of one warp's load of `bytes` a lane at stride `stride` bytes.
Counts counts_of(const std::string& body, uint32_t threads = 32) {
  // What is loaded is used, or ptxas takes the load away.
  PtxRunner runner(ptx_kernel("mov.u32 r0, 0;\n" + body + "setp.eq.u32 p9, r0, 77;\n@p9 " +
                              "st.global.u32 [%out], r0;\n"),
                   {}, true);
  Backend& backend = runner.backend();
  const BufferId in = backend.allocate({"in", 1 << 16}), out = backend.allocate({"out", 1 << 16});
  backend.fill(in, 0, 1 << 16, 0);
  backend.fill(out, 0, 1 << 16, 0);
  Launch launch;
  launch.kernel = "k";
  launch.block.x = threads;
  launch.arguments = {Argument::of_buffer(out), Argument::of_buffer(in), Argument::of<int>(0)};
  return backend.count(launch, {}, {});
}

TEST(CountTest, SectorsAreDistinct32ByteSegments) {
  LOCKSTEP_NEEDS_PTXAS();
  const auto sectors = [](int stride, int offset, const std::string& type) {
    const std::string load = "mul.wide.u32 d0, %t, " + std::to_string(stride) +
                             ";\nadd.u64 d0, %in, d0;\nld.global." + type + ", [d0+" +
                             std::to_string(offset) + "];\n";
    const Counts counts = counts_of(load);
    EXPECT_EQ(counts.find(metric::kGlobalLoadRequests)->value, 1);
    return counts.find(metric::kGlobalLoadSectors)->value;
  };
  EXPECT_EQ(sectors(4, 0, "u32 r0"), 4);
  EXPECT_EQ(sectors(4, 4, "u32 r0"), 5);
  EXPECT_EQ(sectors(0, 0, "u32 r0"), 1);
  EXPECT_EQ(sectors(8, 0, "u32 r0"), 8);
  EXPECT_EQ(sectors(32, 0, "u32 r0"), 32);
  EXPECT_EQ(sectors(16, 0, "v4.u32 {r1, r2, r3, r0}"), 16);
  EXPECT_EQ(sectors(1, 0, "u8 r0"), 1);
}

TEST(CountTest, AnAccessWithoutLanesIsNoRequest) {
  LOCKSTEP_NEEDS_PTXAS();
  const Counts counts = counts_of("setp.eq.u32 p0, %t, 99;\n@p0 ld.global.u32 r0, [%in];\n");
  EXPECT_EQ(counts.find(metric::kGlobalLoadRequests)->value, 0);
}

std::vector<uint64_t> strided(uint64_t stride) {
  std::vector<uint64_t> out(32);
  for (uint64_t i = 0; i < 32; ++i) out[i] = i * stride;
  return out;
}

TEST(WavefrontTest, FollowTheRuleOfBanksAndGroups) {
  const auto count = [](uint64_t stride, uint32_t bytes, uint32_t lanes = ~0u) {
    return shared_wavefronts(strided(stride).data(), lanes, bytes, true).count;
  };
  EXPECT_EQ(count(4, 4), 1u);
  EXPECT_EQ(count(0, 4), 1u);
  EXPECT_EQ(count(8, 4), 2u);
  EXPECT_EQ(count(128, 4), 32u);
  EXPECT_EQ(count(132, 4), 1u);
  EXPECT_EQ(count(128, 4, 0xff), 8u);
  EXPECT_EQ(count(1, 1), 1u);
  EXPECT_EQ(count(8, 8), 2u);
  EXPECT_EQ(count(16, 8), 4u);
  EXPECT_EQ(count(16, 16), 4u);
  EXPECT_EQ(count(32, 16), 8u);
  EXPECT_EQ(count(16, 16, 0x3), 1u);
  EXPECT_EQ(shared_wavefronts(strided(16).data(), ~0u, 16, true).ideal, 4u);
}

TEST(ReturnedSectors, OnceForEveryLaneOfASectorsMostWantedAddress) {
  EXPECT_EQ(returned_sectors(strided(4).data(), ~0u), 4u);
  EXPECT_EQ(returned_sectors(strided(4).data(), 1u), 1u);
  EXPECT_EQ(returned_sectors(strided(32).data(), ~0u), 32u);
  EXPECT_EQ(returned_sectors(strided(0).data(), ~0u), 32u);
  auto address = strided(0);
  for (uint32_t i = 0; i < 32; ++i) address[i] += 4 * (i & 3);
  EXPECT_EQ(returned_sectors(address.data(), ~0u), 8u);
  for (uint32_t i = 0; i < 8; ++i) address[i] += 4096;  // a sector of its own, two lanes each
  EXPECT_EQ(returned_sectors(address.data(), ~0u), 6u + 2u);
}

TEST(DefinednessTest, KnowsEveryByte) {
  Definedness d(1003);
  EXPECT_FALSE(d.is_defined(0, 1));
  d.define(5, 3);
  EXPECT_TRUE(d.is_defined(5, 3));
  EXPECT_FALSE(d.is_defined(4, 2));
  EXPECT_EQ(d.first_undefined(5, 10), 8u);
  d.define(4, 1);
  d.define(8, 500);
  EXPECT_TRUE(d.is_defined(4, 504));
  EXPECT_FALSE(d.is_defined(4, 505));
  d.undefine(100, 1);
  EXPECT_FALSE(d.is_defined(96, 8));
  EXPECT_TRUE(d.is_defined(101, 300));
  d.define(0, 1003);
  EXPECT_TRUE(d.everything());
  d.undefine(1000, 3);
  EXPECT_EQ(d.first_undefined(0, 1003), 1000u);
  d.define(1000, 2);
  d.define(1002, 1);
  EXPECT_TRUE(d.is_defined(0, 1003));
}

}  // namespace
}  // namespace lockstep::emulator
