// SPDX-License-Identifier: Apache-2.0
// Numbers that are drawn by their magnitude: within their bounds, both of which are met, and each
// doubling as often as another.
#include "common/harness/random_input.h"

#include <gtest/gtest.h>

#include <bit>
#include <vector>

namespace lockstep {
namespace {

TEST(RandomMagnitude, EachDoublingIsAsLikely) {
  constexpr int kDraws = 10000;
  std::vector<int> doublings(10);
  for (uint64_t i = 0; i < kDraws; i++) {
    const int64_t number = random_magnitude(random_bits(1, 2, i), 1, 1023);
    ASSERT_GE(number, 1);
    ASSERT_LE(number, 1023);
    doublings[static_cast<size_t>(std::bit_width(static_cast<uint64_t>(number)) - 1)]++;
  }
  for (const int count : doublings) EXPECT_NEAR(count, kDraws / 10, kDraws / 50);
}

TEST(RandomMagnitude, MeetsItsBounds) {
  EXPECT_EQ(random_magnitude(0, 1, 7), 1);
  EXPECT_EQ(random_magnitude(~uint64_t{0}, 1, 7), 7);
  EXPECT_EQ(random_magnitude(0, 48, 600), 48);
  EXPECT_EQ(random_magnitude(~uint64_t{0}, 48, 600), 600);
}

TEST(RandomMagnitude, IsTheLeastWhereThereIsNoOther) {
  for (const uint64_t bits : {uint64_t{0}, ~uint64_t{0}}) {
    EXPECT_EQ(random_magnitude(bits, 5, 5), 5);
    EXPECT_EQ(random_magnitude(bits, 5, 4), 5);
    EXPECT_EQ(random_magnitude(bits, 64, 3), 64);
  }
}

}  // namespace
}  // namespace lockstep
