// SPDX-License-Identifier: Apache-2.0
#include "common/harness/index_set.h"

#include <gtest/gtest.h>

#include "common/base/text.h"

namespace lockstep {
namespace {

std::string words(int64_t n, const std::function<bool(int64_t)>& among) {
  return describe_indices(n, among, [](int64_t i) { return std::to_string(i); });
}

TEST(IndexSet, IsDescribedByItsPattern) {
  EXPECT_EQ(words(10, [](int64_t) { return false; }), "");
  EXPECT_EQ(words(10, [](int64_t) { return true; }), "all");
  EXPECT_EQ(words(10, [](int64_t i) { return i == 4; }), "4");
  EXPECT_EQ(words(10, [](int64_t i) { return i >= 7; }), "the last 3, from 7 on");
  EXPECT_EQ(words(10, [](int64_t i) { return i < 3; }), "the first 3, up to 2");
  EXPECT_EQ(words(40, [](int64_t i) { return i % 10 > 7; }),
            "2 of every 10: 8 to 9, then again from 18 on");
  EXPECT_EQ(words(35, [](int64_t i) { return i % 10 > 3; }),
            "6 of every 10: 4 to 9, then again from 14 on");
  EXPECT_EQ(words(20, [](int64_t i) { return i == 1 || i == 5 || i == 6 || i == 12 || i == 19; }),
            "1, 5 to 6, 12 and 1 more stretch");
  EXPECT_EQ(words(100, [](int64_t i) { return i < 8 && i % 2 == 1; }),
            "1 of every 2: 1, then again from 3 to 7");
}

TEST(Wrapped, BreaksBetweenWordsAndIndentsWhatGoesOn) {
  EXPECT_EQ(wrapped("one two three", 80, 4), "one two three\n");
  EXPECT_EQ(wrapped("one two three", 9, 2), "one two\n  three\n");
  EXPECT_EQ(wrapped("  one two three", 11, 2), "  one two\n    three\n");
  EXPECT_EQ(wrapped("a\nveryverylongword b", 8, 1), "a\nveryverylongword\n b\n");
}

}  // namespace
}  // namespace lockstep
