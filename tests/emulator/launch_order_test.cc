// SPDX-License-Identifier: Apache-2.0
// Launch::order: blocks, and the warps of a block after its start and after each barrier, run in an
// order drawn from it, which repeats; where executions are counted, it is ascending.
#include <gtest/gtest.h>

#include <algorithm>

#include "emulator/exec/permutation.h"
#include "tests/emulator/ptx_runner.h"

namespace lockstep::emulator {
namespace {

constexpr uint32_t kBlocks = 5, kWarps = 4, kThreads = 32 * kWarps;
constexpr uint64_t kOrders = 200;

TEST(PermutationTest, TakesEveryThingOnce) {
  for (uint64_t n : {1, 2, 3, 7, 12, 32, 1000})
    for (uint64_t key = 0; key < 50; ++key) {
      const Permutation order(n, key);
      std::vector<int> seen(n, 0);
      for (uint64_t i = 0; i < n; ++i) {
        ASSERT_LT(order[i], n);
        ++seen[order[i]];
        if (key == 0) {
          EXPECT_EQ(order[i], i);
        }
      }
      EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), static_cast<int64_t>(n));
    }
}

TEST(PermutationTest, LetsEachOfTwoComeFirstForAboutHalfOfAllKeys) {
  for (uint64_t n : {2, 3, 9, 16, 31})
    for (uint64_t a = 0; a < n; ++a)
      for (uint64_t b = 0; b < a; ++b) {
        int first = 0;
        for (uint64_t key = 1; key <= kOrders; ++key) {
          const Permutation order(n, key);
          uint64_t i = 0;
          while (order[i] != a && order[i] != b) ++i;
          first += order[i] == a;
        }
        EXPECT_GT(first, 60) << a << " and " << b << " of " << n;
        EXPECT_LT(first, 140) << a << " and " << b << " of " << n;
      }
}

// Thread 0 of each warp draws a ticket; `before` is what the warp does first.
std::string ticket_kernel(const std::string& before) {
  return ptx_kernel(before +
                        "mov.u32 r0, 0;\nmov.u32 r1, %laneid;\nsetp.ne.u32 p0, r1, 0;\n"
                        "@p0 bra END;\natom.global.add.u32 r0, [ticket], 1;\nEND:\n" +
                        store_result("r0"),
                    ".global .align 4 .u32 ticket;\n");
}

// The warps of the grid in the order in which they drew.
std::vector<uint32_t> drawn_order(const std::string& text, uint64_t order) {
  PtxRunner runner(text);
  runner.order = order;
  const std::vector<uint32_t> out = runner.run({}, kBlocks, kThreads);
  std::vector<uint32_t> warps(kBlocks * kWarps);
  for (uint32_t w = 0; w < kBlocks * kWarps; ++w) warps.at(out[w * 32]) = w;
  return warps;
}

uint32_t place_of(const std::vector<uint32_t>& warps, uint32_t warp) {
  return static_cast<uint32_t>(std::find(warps.begin(), warps.end(), warp) - warps.begin());
}

TEST(LaunchOrderTest, NoneIsAscending) {
  const std::vector<uint32_t> warps = drawn_order(ticket_kernel(""), 0);
  EXPECT_TRUE(std::is_sorted(warps.begin(), warps.end()));
}

TEST(LaunchOrderTest, AnyBlockAndAnyWarpMayBeFirstAndTheSameOrderComesAgain) {
  // At the start, and after a barrier.
  for (const char* before : {"", "bar.sync 0;\n", "bar.sync 0;\nbar.sync 0;\n"}) {
    const std::string text = ticket_kernel(before);
    std::vector<int> first_block(kBlocks, 0), first_warp(kWarps, 0), last_warp(kWarps, 0);
    for (uint64_t order = 1; order <= kOrders; ++order) {
      const std::vector<uint32_t> warps = drawn_order(text, order);
      if (order <= 10) {
        EXPECT_EQ(drawn_order(text, order), warps);
      }
      ++first_block[warps.front() / kWarps];
      std::vector<uint32_t> of_block_0(kWarps);
      for (uint32_t w = 0; w < kWarps; ++w) of_block_0[w] = place_of(warps, w);
      ++first_warp[static_cast<size_t>(std::min_element(of_block_0.begin(), of_block_0.end()) -
                                       of_block_0.begin())];
      ++last_warp[static_cast<size_t>(std::max_element(of_block_0.begin(), of_block_0.end()) -
                                      of_block_0.begin())];
    }
    for (int count : first_block) EXPECT_GT(count, 15) << before;
    for (int count : first_warp) EXPECT_GT(count, 20) << before;
    for (int count : last_warp) EXPECT_GT(count, 20) << before;
  }
}

TEST(LaunchOrderTest, CountsAreThoseOfAscendingOrder) {
  PtxRunner runner(ticket_kernel(""));
  Backend& backend = runner.backend();
  const BufferId out = backend.allocate({"out", kBlocks * kThreads * 4});
  Launch launch;
  launch.kernel = "k";
  launch.grid.x = kBlocks;
  launch.block.x = kThreads;
  launch.arguments = {Argument::of_buffer(out), Argument::of_buffer(out), Argument::of(0u)};
  launch.order = 4;
  backend.count(launch, {}, {});
  std::vector<uint32_t> words(kBlocks * kThreads);
  backend.read(out, 0, words.data(), words.size() * 4);
  for (uint32_t w = 0; w < kBlocks * kWarps; ++w) EXPECT_EQ(words[w * 32], w);
}

// As on a card, nobody draws all of the tickets because he came first.
TEST(LaunchOrderTest, WarpsDrawTicketsInTurn) {
  const std::string draw =
      "mov.u32 r3, %laneid;\nsetp.eq.u32 p2, r3, 0;\n@p2 atom.global.add.u32 r0, [ticket], 1;\n"
      "shfl.sync.idx.b32 r0, r0, 0, 31, 0xffffffff;\n";
  PtxRunner runner(ptx_kernel("mov.u32 r4, 0;\n" + draw +
                                  "LOOP:\nsetp.ge.u32 p1, r0, 2000;\n@p1 bra END;\n"
                                  "add.u32 r4, r4, 1;\n" +
                                  draw + "bra LOOP;\nEND:\n" + store_result("r4"),
                              ".global .align 4 .u32 ticket;\n"));
  for (uint64_t order : {0, 7}) {
    runner.order = order;
    const std::vector<uint32_t> drawn = runner.run({}, kBlocks, kThreads);
    for (uint32_t w = 0; w < kBlocks * kWarps; ++w) {
      EXPECT_GE(drawn[w * 32], 95u) << order << " " << w;
      EXPECT_LE(drawn[w * 32], 105u) << order << " " << w;
    }
  }
}

// The first thread of each warp adds one to a word: what is there when all have ended.
uint32_t sum_of(const std::string& add) {
  PtxRunner runner(ptx_kernel("mov.u32 r1, %laneid;\nsetp.ne.u32 p0, r1, 0;\n@p0 bra END;\n" + add +
                                  "END:\nbarrier.sync 0;\n" +
                                  "ld.volatile.global.u32 r0, [sum];\n" + store_result("r0"),
                              ".global .align 4 .u32 sum;\n"));
  const std::vector<uint32_t> seen = runner.run({}, kBlocks, kThreads);
  return *std::max_element(seen.begin(), seen.end());
}

TEST(LaunchOrderTest, OthersComeBetweenALoadAndAStoreThatAreNoAtomicOperation) {
  const std::string add = "add.u32 r0, r0, 1;\n";
  for (const std::string kind : {"volatile", "relaxed.gpu", "acquire.gpu"})
    EXPECT_LT(sum_of("ld." + kind + ".global.u32 r0, [sum];\n" + add +
                     (kind == "volatile" ? "st.volatile" : "st.relaxed.gpu") +
                     ".global.u32 [sum], r0;\n"),
              kBlocks * kWarps / 2)
        << kind;
  EXPECT_LT(
      sum_of("atom.global.add.u32 r0, [sum], 0;\n" + add + "atom.global.exch.b32 r1, [sum], r0;\n"),
      kBlocks * kWarps / 2);
  EXPECT_EQ(sum_of("red.global.add.u32 [sum], 1;\n"), kBlocks * kWarps);
}

// Warp 0 of the first block leaves a word for the last warp of the last one, which does not wait.
TEST(LaunchOrderTest, WhatIsRightInOneOrderOnlyIsSoonWrong) {
  const std::string text = ptx_kernel(
      "mov.u32 r0, 7;\nsetp.eq.u32 p0, %t, 0;\n@p0 st.global.u32 [left], r0;\n"
      "ld.volatile.global.u32 r0, [left];\n" +
          store_result("r0"),
      ".global .align 4 .u32 left;\n");
  int wrong = 0;
  for (uint64_t order = 0; order <= kOrders; ++order) {
    PtxRunner runner(text);
    runner.order = order;
    const uint32_t seen = runner.run({}, kBlocks, kThreads).back();
    if (order == 0) {
      EXPECT_EQ(seen, 7u);
    }
    wrong += seen != 7;
  }
  EXPECT_GT(wrong, 60);
}

// Without an order it is zero, but where counts are taken: nothing tells these.
TEST(UnwrittenTest, LocalMemoryAndRegistersHoldAWordThatIsDrawn) {
  const std::string words = ptx_kernel(
      ".local .align 4 .b32 own[4];\nmov.u32 r1, own;\nsetp.gt.u32 p0, %n, 7;\n"
      "@p0 mov.u32 r3, 5;\n@p0 st.local.u32 [r1+8], 5;\nld.local.u32 r2, [r1+8];\n"
      "sub.u32 r4, r2, r3;\nsetp.ne.u32 p1, r4, 0;\n@p1 trap;\n" +
      store_result("r2"));
  std::vector<uint32_t> seen;
  for (uint64_t order = 0; order <= 30; ++order) {
    PtxRunner runner(words);
    runner.order = order;
    const std::vector<uint32_t> out = runner.run({}, 2, 64);
    EXPECT_EQ(out, std::vector<uint32_t>(128, out[0]));
    EXPECT_EQ(out[0] == 0, order == 0);
    EXPECT_EQ(std::count(seen.begin(), seen.end(), out[0]), 0) << order;
    seen.push_back(out[0]);
    EXPECT_EQ(runner.run({}, 1, 32, 8), std::vector<uint32_t>(32, 5));
  }
}

TEST(UnwrittenTest, TellsNotThatALaunchIsCounted) {
  PtxRunner runner(
      ptx_kernel(".local .align 4 .b32 own[4];\nmov.u32 r1, own;\n"
                 "ld.local.u32 r2, [r1+8];\nsetp.eq.u32 p0, r2, 0;\n@p0 trap;\n"));
  Launch launch;
  launch.kernel = "k";
  launch.block.x = 32;
  const BufferId any = runner.backend().allocate({"any", 4});
  launch.arguments = {Argument::of_buffer(any), Argument::of_buffer(any), Argument::of(0u)};
  EXPECT_THROW(runner.backend().launch(launch), KernelFault);
  for (int i = 0; i < 5; ++i) EXPECT_NO_THROW(runner.backend().count(launch, {}, {}));
}

}  // namespace
}  // namespace lockstep::emulator
