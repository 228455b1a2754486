// SPDX-License-Identifier: Apache-2.0
// Joins that the SASS contradicts, on graphs of one-instruction blocks: instruction and block i
// come from line i + 1.
#include "emulator/code/sass_joins.h"

#include <gtest/gtest.h>

namespace lockstep::emulator {
namespace {

constexpr uint32_t kThrough = ~0u;

// ways: by block, where its branch goes; kThrough: on to the next block. The last block returns.
struct Graph {
  explicit Graph(const std::vector<uint32_t>& ways, const std::vector<uint32_t>& always = {}) {
    for (uint32_t i = 0; i < ways.size(); ++i) {
      InstructionFlow flow;
      if (ways[i] != kThrough) flow = {Flow::kBranch, true, {ways[i]}};
      for (uint32_t a : always)
        if (a == i) flow.guarded = false;
      flows.push_back(flow);
      lines.push_back(i + 1);
    }
    flows.push_back({Flow::kReturn, false, {}});
    lines.push_back(uint32_t(ways.size()) + 1);
    cfg = build_cfg(flows);
    joins = find_joins(cfg, flows, true);
  }

  void correct(std::vector<SyncedBranch> branches, std::vector<SyncRegion> regions) {
    correct_joins(cfg, flows, lines, SyncHints(std::move(branches), std::move(regions)), &joins);
  }

  std::vector<InstructionFlow> flows;
  std::vector<uint32_t> lines;
  Cfg cfg;
  Joins joins;
};

// 0: to 3 or on; 1: to 4, past the case that both come to, or on; 2; 3: the case; 4: all meet.
const std::vector<uint32_t> kFallThrough = {3, 4, kThrough, kThrough, kThrough};

TEST(SassJoins, LanesMeetSoonerAndThoseThatPassByDropOut) {
  Graph g(kFallThrough);
  ASSERT_EQ(g.joins.join[0], 4u);
  g.correct({{1, false, 0}}, {{{3}, {4}, false}});
  EXPECT_EQ(g.joins.join[0], 3u);
  ASSERT_NE(g.joins.left[0][1], Joins::kNone);
  EXPECT_TRUE(g.joins.loops[g.joins.left[0][1]][3]);
  EXPECT_FALSE(g.joins.loops[g.joins.left[0][1]][4]);
  EXPECT_EQ(g.joins.left[1][1], Joins::kNone);
}

TEST(SassJoins, AroundALoopIsNoWayToTheMeeting) {
  Graph g({3, 4, kThrough, kThrough, 0});  // 4 goes back to 0, or on
  ASSERT_EQ(g.joins.join[0], 4u);
  g.correct({{1, false, 0}}, {{{3}, {4}, false}});
  EXPECT_EQ(g.joins.join[0], 3u);
  ASSERT_NE(g.joins.left[0][1], Joins::kNone);
  EXPECT_FALSE(g.joins.loops[g.joins.left[0][1]][4]);
}

TEST(SassJoins, AJoinThatIsExecutedBeforeTheSyncIsNone) {
  Graph g({2, kThrough, 2, kThrough});  // 2: a loop that both ways come to
  ASSERT_EQ(g.joins.join[0], 2u);
  g.correct({{1, false, 0}}, {{{3}, {}, true}});
  EXPECT_EQ(g.joins.join[0], g.cfg.end_block());
}

TEST(SassJoins, WhatTheSassDoesNotTellStays) {
  const auto with = [](std::vector<SyncedBranch> branches, std::vector<SyncRegion> regions) {
    Graph g(kFallThrough);
    g.correct(std::move(branches), std::move(regions));
    return g.joins.join[0];
  };
  EXPECT_EQ(with({{1, false, 0}, {1, false, 1}}, {{{3}, {4}, false}, {{3}, {5}, false}}), 4u);
  EXPECT_EQ(with({{1, false, 0}}, {{{3}, {4, 5}, false}}), 4u);  // no majority
  EXPECT_EQ(with({{1, false, 0}}, {{{}, {3}, false}}), 4u);      // not where both come
  EXPECT_EQ(with({{1, false, 0}}, {{{}, {}, true}}), 4u);        // no access of 4 before the sync
  EXPECT_EQ(with({{99, false, 0}}, {{{99}, {98}, false}}), 4u);  // lines of another function
}

TEST(SassJoins, MeetingsNestOrStayAsTheyAre) {
  // 1 parts on a side of 0; all come to 4, which has an access, and to 6.
  const auto joins = [](std::vector<SyncedBranch> branches) {
    Graph g({4, 3, 4, kThrough, 6, kThrough, kThrough}, {2});
    EXPECT_EQ(g.joins.join[0], 4u);
    EXPECT_EQ(g.joins.join[1], 4u);
    g.correct(std::move(branches), {{{5}, {7}, false}});
    return std::pair(g.joins.join[0], g.joins.join[1]);
  };
  EXPECT_EQ(joins({{2, false, 0}}), std::pair(4u, 4u));
  EXPECT_EQ(joins({{1, false, 0}, {2, false, 0}}), std::pair(6u, 6u));
}

}  // namespace
}  // namespace lockstep::emulator
