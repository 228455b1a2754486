// SPDX-License-Identifier: Apache-2.0
#include "emulator/sass.h"

#include <gtest/gtest.h>

#include <cstring>

#include "emulator/cubin.h"
#include "tests/emulator/test_modules.h"

namespace lockstep::emulator {
namespace {

SassInstruction decode_one(uint64_t low, uint64_t high, int sm, int before = 0, int after = 0) {
  std::string code(size_t(before + 1 + after) * 16, '\0');
  std::memcpy(code.data() + before * 16, &low, 8);
  std::memcpy(code.data() + before * 16 + 8, &high, 8);
  return decode_sass(code, sm)[size_t(before)];
}

// Encodings and what nvdisasm 13.0 prints for them.
TEST(Sass, OperationsAsTheDisassemblerNamesThem) {
  struct Case {
    uint64_t low, high;
    SassKind kind;
    int bytes;
  };
  const Case cases[] = {
      {0x0000000404007981, 0x000ea8000c1e9900, SassKind::kGlobalLoad, 4},     // LDG.E.CONSTANT
      {0x0000000502007986, 0x000fe8000c101904, SassKind::kGlobalStore, 4},    // STG.E
      {0x0000000007077984, 0x000e220000000800, SassKind::kSharedLoad, 4},     // LDS
      {0x0000000209007388, 0x0041d80000000800, SassKind::kSharedStore, 4},    // STS [R9]
      {0x0000000603007988, 0x0041e20008000804, SassKind::kSharedStore, 4},    // STS [R3+UR4]
      {0x000000040205738d, 0x000e240001800005, SassKind::kSharedAtomic, -1},  // ATOMS.CAST.SPIN
      {0x0000000009ff7f8c, 0x0001e2000d80003f, SassKind::kSharedAtomic, -1},  // ATOMS.POPC.INC
      {0x00000006040773a9, 0x000ea400001ee107, SassKind::kGlobalAtomic, -1},  // ATOMG.E.CAS
      {0x000000050200798e, 0x002fe2000c10e188, SassKind::kGlobalAtomic, -1},  // REDG.E.ADD
      {0x00000009020079a6, 0x004fe2000c10f386, SassKind::kGlobalAtomic, -1},  // REDG.E.ADD.F32
      {0x0000000000007b1d, 0x000fe20000010000, SassKind::kBarrier, -1},       // BAR.SYNC
      {0x0c000008071d7389, 0x0000640000000009, SassKind::kShuffle, -1},       // SHFL.BFLY
      {0x0a001f0006037f89, 0x000e2200000e0000, SassKind::kShuffle, -1},       // SHFL.DOWN
      {0x0000000000047806, 0x000fc800000e0100, SassKind::kVote, -1},          // VOTE.ANY
      {0x000000000000794d, 0x000fea0003800000, SassKind::kExit, -1},
      {0x0000000000007941, 0x000fea0003800000, SassKind::kSync, -1},      // BSYNC B0
      {0x0000000000007948, 0x000fea0003800000, SassKind::kWarpSync, -1},  // WARPSYNC.ALL
  };
  for (const Case& c : cases) {
    const SassInstruction in = decode_one(c.low, c.high, 90);
    EXPECT_EQ(in.kind, c.kind) << std::hex << c.low;
    if (c.bytes >= 0) {
      EXPECT_EQ(in.bytes, c.bytes) << std::hex << c.low;
    }
  }
}

TEST(Sass, ComparisonsAndThePredicatesTheyWrite) {
  const SassInstruction nan = decode_one(0x7f8000000000780b, 0x040fe20003f0c200, 90);
  EXPECT_EQ(nan.relation, 12);  // FSETP.GTU.AND P0, PT, |R0|, +INF, PT
  EXPECT_EQ(nan.writes, 1);
  EXPECT_TRUE(nan.immediate);
  const SassInstruction less = decode_one(0x0000000605007c0c, 0x000fda000bf26070, 90);
  EXPECT_EQ(less.relation, 6);  // ISETP.GE.U32.AND P1, PT, R5, UR6, PT
  EXPECT_EQ(less.writes, 2);
  EXPECT_FALSE(less.immediate);
  // ISETP.GT.U32.OR P0, PT, R10, 0xfd, P0: more than a comparison
  EXPECT_EQ(decode_one(0x000000fd0a00780c, 0x000fda0000704470, 90).relation, 0);
  EXPECT_EQ(decode_one(0x0000001000107209, 0x040fe40003800000, 90).writes, 0);  // FMNMX
  EXPECT_EQ(decode_one(0x7fffffff00ff7812, 0x000fda000780c0ff, 90).writes, 1);  // LOP3.LUT P0
  EXPECT_EQ(decode_one(0x00000000150a8211, 0x000fe200078eb8ff, 90).writes, 0);  // LEA
}

TEST(Sass, BranchesGoWhereTheDisassemblerSays) {
  // BRA to itself: before CC 9.0, and from then on with eight low bits apart.
  EXPECT_EQ(decode_one(0xfffffff000007947, 0x000fc0000383ffff, 80, 5).target, 5);
  EXPECT_EQ(decode_one(0xfffffffc00fc7947, 0x000fc0000383ffff, 90, 5).target, 5);
  // BSSY B0 0x340 at 0xf0; @!P0 BRA 0x330 at 0x260; @P0 BRA 0x2b0 at 0x320.
  EXPECT_EQ(decode_one(0x0000024000007945, 0x000fe20003800000, 90, 0xf, 0x40).target, 0x34);
  const SassInstruction bra = decode_one(0x0000000000308947, 0x001fea0003800000, 90, 0x26, 0x40);
  EXPECT_EQ(bra.target, 0x33);
  EXPECT_TRUE(bra.guarded);
  EXPECT_EQ(decode_one(0xfffffffc00e00947, 0x000fea000383ffff, 90, 0x32).target, 0x2b);
  // Outside of the code: no target.
  EXPECT_EQ(decode_one(0xfffffffc00e00947, 0x000fea000383ffff, 90, 0).target, -1);
}

TEST(Sass, ModesOfBranches) {
  EXPECT_EQ(decode_one(0x0000000205a47947, 0x000fea000b800000, 90, 0, 999).kind,
            SassKind::kBranchDivergent);  // BRA.DIV UR5
  EXPECT_EQ(decode_one(0x000000337f007947, 0x000fea000b800000, 80, 0, 9).kind,
            SassKind::kBranchConvergent);  // BRA.CONV ~URZ
  // @P0 BRA P1: two predicates; BRA.U UP0: a uniform one; BRA: none.
  EXPECT_TRUE(decode_one(0x0000000000207947, 0x000fea0000800000, 90, 0, 9).guarded);
  EXPECT_TRUE(decode_one(0xfffffff900707547, 0x000fec000b83ffff, 100, 200, 9).guarded);
  EXPECT_FALSE(decode_one(0xfffffffc00fc7947, 0x000fc0000383ffff, 90, 5).guarded);
}

TEST(Sass, ModesOfWarpSyncs) {
  EXPECT_TRUE(decode_one(0x0000000500007348, 0x000fea0003a00000, 90).exclusive);
  EXPECT_FALSE(decode_one(0x0000000500007348, 0x000fea0003c00000, 90).exclusive);  // .COLLECTIVE
  EXPECT_FALSE(decode_one(0x0000000500007348, 0x000fea0003800000, 90).exclusive);
}

TEST(Sass, BlocksOfALoopWithASync) {
  LOCKSTEP_NEEDS_MODULE("h200/kernels");
  const Cubin cubin = Cubin::read(test_module("h200/kernels", ".cubin"));
  const CubinKernel* kernel = cubin.find_kernel("k_copy");
  ASSERT_NE(kernel, nullptr);
  const SassGraph g = build_sass_graph(decode_sass(kernel->code, 90), {}, kernel->indirect);
  int loops = 0, syncs = 0, exits = 0;
  for (const SassBlock& block : g.blocks) {
    loops += block.depth > 0;
    syncs += block.sync_of >= 0;
    for (int e : block.out) {
      exits += g.edges[e].to < 0;
      if (g.edges[e].to >= 0) {
        EXPECT_EQ(g.edges[e].from, &block - g.blocks.data());
      }
    }
  }
  EXPECT_EQ(syncs, 1);  // one BSSY
  EXPECT_EQ(exits, 4);  // two guarded EXITs, one plain, the end of the padding
  EXPECT_GE(loops, 2);  // the remainder's loop and the unrolled one
  EXPECT_EQ(g.functions.size(), 1u);
}

TEST(Sass, RoutinesOfTheCompilerAreFunctionsOfTheirOwn) {
  LOCKSTEP_NEEDS_MODULE("h200/kernels");
  const Cubin cubin = Cubin::read(test_module("h200/kernels", ".cubin"));
  const CubinKernel* kernel = cubin.find_kernel("k_diverge");  // division and square root
  ASSERT_NE(kernel, nullptr);
  const SassGraph g = build_sass_graph(decode_sass(kernel->code, 90), {}, kernel->indirect);
  ASSERT_EQ(g.functions.size(), 3u);
  EXPECT_FALSE(g.functions[0].internal);
  EXPECT_TRUE(g.functions[1].internal);
  int calls = 0;
  for (const SassBlock& block : g.blocks) calls += block.call > 0;
  EXPECT_EQ(calls, 10);  // five copies of the body, a division and a root in each
}

TEST(Sass, NoCodeIsNoGraph) {
  const SassGraph g = build_sass_graph(decode_sass("", 90), {0, 5, -1}, {{3, 4}});
  EXPECT_TRUE(g.blocks.empty());
}

}  // namespace
}  // namespace lockstep::emulator
