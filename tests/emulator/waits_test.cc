// SPDX-License-Identifier: Apache-2.0
// Loops that wait for other warps have no counts; loops that take tickets, or read what nobody
// changes, have them.
#include "emulator/exec/waits.h"

#include "common/backend/metric_names.h"
#include "tests/emulator/ptx_runner.h"

namespace lockstep::emulator {
namespace {

const char kVariables[] =
    ".global .align 4 .u32 word;\n.global .align 4 .u32 quiet = 1;\n.global .align 4 .u32 other;\n"
    ".shared .align 4 .u32 s[2];\n";

// Why the launch of two blocks of this many warps has no store requests; "": it has.
std::string why_not(const std::string& body, uint32_t warps = 2, const std::string& more = "") {
  PtxRunner runner(
      ptx_kernel("mov.u64 d0, word;\nmov.u64 d1, quiet;\nmov.u64 d2, s;\n"
                 "mov.u64 d3, other;\n" +
                     body + store_result("r1"),
                 kVariables + more));
  const BufferId out = runner.backend().allocate({"out", 4096});
  const BufferId in = runner.backend().allocate({"in", 4096, true});
  runner.backend().fill(in, 0, 4096, 1);
  const Counts counts = runner.backend().count(
      {"k",
       {2},
       {32 * warps},
       0,
       {Argument::of_buffer(out), Argument::of_buffer(in), Argument::of(40)}},
      {}, {});
  const auto why = counts.unavailable.find(metric::kGlobalStoreRequests);
  if (why != counts.unavailable.end()) return why->second;
  EXPECT_EQ(counts.find(metric::kGlobalStoreRequests)->value >= 2 * warps, true);
  return "";
}

const std::string kWaits = "timing";
testing::AssertionResult waits(const std::string& body, uint32_t warps = 2,
                               const std::string& more = "") {
  const std::string why = why_not(body, warps, more);
  if (why.find(kWaits) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "'" << why << "'";
}

std::string loop(const std::string& reading, const std::string& leaves) {
  return "L:\n" + reading + leaves + "@!p1 bra L;\n";
}
const std::string kNotZero = "setp.ne.u32 p1, r1, 0;\n", kSet = "st.global.u32 [d0], 1;\n";

TEST(Waits, OnMemoryThatOtherWarpsWrite) {
  for (const char* load :
       {"ld.volatile.global.u32 r1, [d0];\n", "ld.global.u32 r1, [d0];\n",
        "ld.relaxed.gpu.global.u32 r1, [d0];\n", "ld.acquire.gpu.u32 r1, [d0];\n"})
    EXPECT_TRUE(waits(kSet + loop(load, kNotZero))) << load;
  EXPECT_TRUE(waits("red.global.add.u32 [d0], 1;\n" +
                    loop("ld.volatile.global.u32 r1, [d0];\n", kNotZero)));
  EXPECT_TRUE(waits("st.volatile.shared.u32 [d2], 1;\n" +
                    loop("ld.volatile.shared.u32 r1, [d2];\n", kNotZero)));
}

TEST(Waits, NotOnWhatNobodyWritesNorWhereThereIsOneWarp) {
  const std::string quiet = loop("ld.volatile.global.u32 r1, [d1];\n", kNotZero);
  EXPECT_EQ(why_not(kSet + quiet), "");
  EXPECT_EQ(why_not(loop("ld.volatile.global.u32 r1, [%in];\n", kNotZero)), "");
  EXPECT_EQ(why_not("st.volatile.shared.u32 [d2], 1;\n" +
                        loop("ld.volatile.shared.u32 r1, [d2];\n", kNotZero),
                    1),
            "");
  EXPECT_EQ(why_not(kSet + "ld.volatile.global.u32 r1, [d0];\n"), "");  // decides nothing
  // Shared memory that barriers order.
  EXPECT_EQ(why_not("setp.eq.u32 p2, %t, 0;\n@p2 st.shared.u32 [d2], 1;\n"
                    "setp.ne.u32 p3, %t, 0;\nmov.u32 r2, %ctaid.x;\nsetp.ne.u32 p4, r2, 0;\n"
                    "mov.u32 r3, %tid.x;\nsetp.eq.u32 p2, r3, 0;\n@p2 st.shared.u32 [d2], 1;\n" +
                    loop("bar.sync 0;\nld.shared.u32 r1, [d2];\n", kNotZero)),
            "");
}

TEST(Waits, ByExchangeAndItsLike) {
  for (const char* atomic :
       {"atom.global.exch.b32 r1, [d0], 1;\n", "atom.global.or.b32 r1, [d0], 1;\n",
        "atom.global.max.u32 r1, [d0], 1;\n", "atom.global.cas.b32 r1, [d0], 0, 1;\n",
        "atom.global.add.u32 r1, [d0], 0;\n", "atom.shared.exch.b32 r1, [d2], 1;\n"}) {
    const std::string before = "mov.u32 r9, %tid.x;\nst.volatile.shared.u32 [d2], 1;\n" + kSet;
    EXPECT_TRUE(waits(before + loop(atomic, kNotZero))) << atomic;
  }
  // A lock by adding, given back by taking away.
  EXPECT_TRUE(waits(loop("atom.global.add.u32 r1, [d0], 1;\nred.global.add.u32 [d0], -1;\n",
                         "setp.lt.u32 p1, r1, 99;\n")));
}

TEST(Waits, NotForTickets) {
  const std::string take = "atom.global.add.u32 r1, [d0], 1;\n";
  EXPECT_EQ(why_not(loop(take, "setp.ge.u32 p1, r1, %n;\n")), "");
  EXPECT_EQ(why_not(loop("atom.global.inc.u32 r1, [d0], 100000;\n", "setp.ge.u32 p1, r1, %n;\n")),
            "");
  // A ticket decides how long a loop after it is.
  EXPECT_EQ(why_not(take + "and.b32 r2, r1, 7;\n" +
                    loop("add.u32 r2, r2, 1;\n", "setp.eq.u32 p1, r2, 9;\n")),
            "");
  // The ticket goes through shared memory to the block.
  EXPECT_EQ(why_not("mov.u32 r3, %tid.x;\nsetp.eq.u32 p2, r3, 0;\n" +
                    loop("bar.sync 0;\n@p2 atom.global.add.u32 r1, [d0], 1;\n"
                         "@p2 st.shared.u32 [d2], r1;\nbar.sync 0;\nld.shared.u32 r4, [d2];\n",
                         "setp.ge.u32 p1, r4, %n;\n")),
            "");
  // Tickets that are drawn until one fits are no such thing.
  EXPECT_TRUE(waits(loop(take + "and.b32 r2, r1, 1;\n", "setp.eq.u32 p1, r2, 0;\n")));
}

TEST(Waits, WhateverWayTheValueTakes) {
  const std::string read = "ld.volatile.global.u32 r1, [d0];\n";
  const std::string later = "setp.ne.u32 p1, r2, 0;\n";
  // By a branch,
  EXPECT_TRUE(
      waits(kSet + "mov.u32 r2, 0;\n" +
            loop(read + "setp.eq.u32 p2, r1, 0;\n@p2 bra M;\nmov.u32 r2, 1;\nM:\n", later)));
  // through shared and local memory,
  EXPECT_TRUE(waits("mov.u32 r9, %tid.x;\nmul.wide.u32 d5, r9, 0;\n" + kSet +
                    ".shared .align 4 .b8 q[512];\nmov.u64 d6, q;\nmul.wide.u32 d5, r9, 4;\n"
                    "add.u64 d6, d6, d5;\n" +
                    loop(read + "st.shared.u32 [d6], r1;\nld.shared.u32 r2, [d6];\n", later)));
  EXPECT_TRUE(waits(kSet + ".local .align 4 .b8 a[4];\nmov.u64 d6, a;\n" +
                    loop(read + "st.local.u32 [d6], r1;\nld.local.u32 r2, [d6];\n", later)));
  // between lanes,
  EXPECT_TRUE(waits(kSet + loop(read + "shfl.sync.idx.b32 r2, r1, 0, 31, -1;\n", later)));
  // and from a function.
  EXPECT_TRUE(waits(
      kSet + loop("{\n.param .b32 q;\ncall.uni (q), g, ();\nld.param.b32 r2, [q];\n}\n", later), 2,
      ".func (.param .b32 q) g()\n{\n.reg .b32 r1;\n.reg .b64 d0;\nmov.u64 d0, word;\n"
      "ld.volatile.global.u32 r1, [d0];\nst.param.b32 [q], r1;\nret;\n}\n"));
}

TEST(Waits, ForTheClock) {
  EXPECT_TRUE(waits("mov.u32 r2, %clock;\n" + loop("mov.u32 r1, %clock;\nsub.u32 r1, r1, r2;\n",
                                                   "setp.gt.u32 p1, r1, 50;\n"),
                    1));
  EXPECT_EQ(why_not("mov.u32 r1, %clock;\n"), "");
}

TEST(Waits, OnlyWhereTheLoopIsRun) {
  EXPECT_EQ(why_not(kSet + "setp.ne.u32 p3, %n, 0;\n@p3 bra Q;\n" +
                    loop("ld.volatile.global.u32 r1, [d0];\n", kNotZero) + "Q:\n"),
            "");
}

}  // namespace
}  // namespace lockstep::emulator
