// SPDX-License-Identifier: Apache-2.0
// Which blocks run whenever another one does, and which are aside.
#include "emulator/ptx_paths.h"

#include <gtest/gtest.h>

namespace lockstep::emulator {
namespace {

// if (a) 1; 2; if (b) 3; 4 and another function, 5
std::vector<BlockProfile> two_ifs() {
  std::vector<BlockProfile> blocks(6);
  blocks[0].successors = {2, 1};
  blocks[1].successors = {2};
  blocks[2].successors = {4, 3};
  blocks[3].successors = {4};
  return blocks;
}

TEST(PtxPaths, TheBodyOfAnIfIsAsideOfWhatRunsAnyway) {
  PtxPaths paths(two_ifs());
  EXPECT_TRUE(paths.aside(1, 0));
  EXPECT_TRUE(paths.aside(1, 2));
  EXPECT_TRUE(paths.aside(1, 4));
  EXPECT_TRUE(paths.aside(1, 3));
}

TEST(PtxPaths, WhatRunsAnywayIsAsideOfNothing) {
  PtxPaths paths(two_ifs());
  for (int by = 0; by < 5; ++by) {
    EXPECT_FALSE(paths.aside(0, by)) << by;
    EXPECT_FALSE(paths.aside(2, by)) << by;
    EXPECT_FALSE(paths.aside(4, by)) << by;
  }
  EXPECT_FALSE(paths.aside(1, 1));
}

TEST(PtxPaths, BlocksOfAnotherFunctionAreAside) {
  PtxPaths paths(two_ifs());
  EXPECT_TRUE(paths.aside(5, 2));
  EXPECT_TRUE(paths.aside(2, 5));
}

TEST(PtxPaths, ALoopThatNeverEndsIsOnEveryWay) {
  std::vector<BlockProfile> blocks(3);
  blocks[0].successors = {1};
  blocks[1].successors = {1, 2};
  blocks[2].successors = {1};
  PtxPaths paths(blocks);
  EXPECT_FALSE(paths.aside(1, 0));
  EXPECT_FALSE(paths.aside(1, 2));
}

}  // namespace
}  // namespace lockstep::emulator
