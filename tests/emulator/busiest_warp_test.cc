// SPDX-License-Identifier: Apache-2.0
// The instructions of the busiest warp: what sums over warps do not tell; and tickets, which warps
// draw in turn, wherever in the grid they are.
#include <gtest/gtest.h>

#include "common/backend/metric_names.h"
#include "tests/emulator/ptx_runner.h"

namespace lockstep::emulator {
namespace {

constexpr uint32_t kBlocks = 5, kThreads = 64, kTurns = 2000;

// Each thread that comes to LOOP takes turns: from r0 on, r1 further each time, while below 2000.
double busiest(const std::string& body, const std::string& next, int threads) {
  BackendOptions options;
  options.threads = threads;
  PtxRunner runner(ptx_kernel(body + "LOOP:\nsetp.ge.u32 p1, r0, 2000;\n@p1 bra END;\n" +
                                  "add.u32 r4, r4, r0;\nxor.b32 r4, r4, 5;\n" + next +
                                  "bra LOOP;\nEND:\n" + store_result("r4"),
                              ".global .align 4 .u32 ticket;\n"),
                   options);
  Backend& backend = runner.backend();
  const BufferId in = backend.allocate({"in", 128});
  const BufferId out = backend.allocate({"out", kBlocks * kThreads * 4});
  const Launch launch{"k",
                      {kBlocks},
                      {kThreads},
                      0,
                      {Argument::of_buffer(out), Argument::of_buffer(in), Argument::of(0)}};
  const Counts counts = backend.count(launch, {metric::kBusiestWarp}, {});
  const Count* found = counts.find(metric::kBusiestWarp);
  return found == nullptr ? -1 : found->value;
}

const std::string kDraw =
    "mov.u32 r3, %laneid;\nsetp.eq.u32 p2, r3, 0;\n@p2 atom.global.add.u32 r0, [ticket], 1;\n"
    "shfl.sync.idx.b32 r0, r0, 0, 31, 0xffffffff;\n";

TEST(BusiestWarp, HasItsShareWhereAllWork) {
  const std::string share = "shr.u32 r0, %t, 5;\n", next = "add.u32 r0, r0, 10;\n";
  const double alike = busiest(share, next, 1);
  EXPECT_GT(alike, 6 * kTurns / 10);
  EXPECT_LT(alike, 6 * kTurns / 10 + 40);
  EXPECT_EQ(busiest(share, next, 2), alike);
}

TEST(BusiestWarp, HasAllWhereItWorksAlone) {
  const std::string first = "setp.gt.u32 p0, %t, 31;\nselp.u32 r0, 2000, 0, p0;\n";
  const double alone = busiest(first, "add.u32 r0, r0, 1;\n", 1);
  EXPECT_GT(alone, 6 * kTurns);
  EXPECT_LT(alone, 6 * kTurns + 40);
}

TEST(BusiestWarp, DrawsNoMoreTicketsThanTheOthers) {
  const double queue = busiest(kDraw, kDraw, 1);
  const double alike = 9 * kTurns / 10;  // of ten warps; 9 instructions a ticket
  EXPECT_GT(queue, alike);
  EXPECT_LT(queue, 1.1 * alike + 40);
  EXPECT_EQ(busiest(kDraw, kDraw, 2), queue);
}

TEST(BusiestWarp, IsFoundThoughItDrawsTickets) {
  const std::string first = "setp.gt.u32 p0, %t, 31;\n@p0 bra END;\n" + kDraw;
  EXPECT_GT(busiest(first, kDraw, 1), 9 * kTurns);
}

}  // namespace
}  // namespace lockstep::emulator
