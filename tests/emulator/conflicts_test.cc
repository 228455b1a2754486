// SPDX-License-Identifier: Apache-2.0
// Which threads of a warp meet in a bank of shared memory, as remarks on conflicts name them.
#include <gtest/gtest.h>

#include "emulator/watch/conflicts.h"

namespace lockstep::emulator {
namespace {

template <class F>
Meeting meet(uint32_t mask, uint32_t bytes, F offset_of) {
  uint64_t offsets[32] = {};
  for (uint32_t lane = 0; lane < 32; ++lane) offsets[lane] = offset_of(lane);
  return fullest_bank(offsets, mask, bytes);
}

TEST(FullestBank, IsOfThreadsWhoseWordsDiffer) {
  const Meeting apart = meet(~0u, 4, [](uint32_t lane) { return 4 * lane; });
  EXPECT_EQ(apart.lanes, 1u);
  EXPECT_EQ(apart.banks, 32u);
  const Meeting column = meet(~0u, 4, [](uint32_t lane) { return 128 * lane; });
  EXPECT_EQ(column.lanes, ~0u);
  EXPECT_EQ(column.banks, 1u);
  const Meeting one_word = meet(~0u, 4, [](uint32_t) { return 64; });
  EXPECT_EQ(one_word.lanes, 1u);
  const Meeting eighth = meet(~0u, 4, [](uint32_t lane) { return 128 * lane + 4 * (lane & 7); });
  EXPECT_EQ(eighth.lanes, 0x01010101u);
  EXPECT_EQ(eighth.banks, 8u);
}

// Those that one pass serves: halves of a warp with 8 bytes each, quarters with 16.
TEST(FullestBank, IsOfAHalfOrAQuarterWhereWordsAreWide) {
  EXPECT_EQ(meet(~0u, 8, [](uint32_t lane) { return 8 * lane; }).lanes, 1u);
  EXPECT_EQ(meet(~0u, 8, [](uint32_t lane) { return 128 * lane; }).lanes, 0xffffu);
  EXPECT_EQ(meet(~0u, 16, [](uint32_t lane) { return 128 * lane; }).lanes, 0xffu);
  EXPECT_EQ(meet(0xf000, 16, [](uint32_t lane) { return 128 * lane; }).lanes, 0xf000u);
}

}  // namespace
}  // namespace lockstep::emulator
