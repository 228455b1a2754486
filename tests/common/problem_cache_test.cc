// SPDX-License-Identifier: Apache-2.0
// Problems are made once for launches that follow each other, and never mixed up.
#include "common/harness/problem_cache.h"

#include <gtest/gtest.h>

#include "tests/common/test_homework.h"

namespace lockstep {
namespace {

std::vector<float> bytes(const std::shared_ptr<const Problem>& problem) {
  const std::span<const float> in = problem->inputs.at(0).as<float>();
  return {in.begin(), in.end()};
}

Case case_of(const Assignment& assignment, int64_t vectors) {
  ProblemSize size;
  size.vectors = vectors;
  return assignment.cases(size).at(0);
}

TEST(ProblemCache, KeepsTheTwoThatWereUsedLast) {
  const harness_test::TestHomework assignment;
  const Case five = case_of(assignment, 5), six = case_of(assignment, 6);

  ProblemCache cache;
  const auto first = cache.get(assignment, five, 1);
  const auto second = cache.get(assignment, five, 2);
  EXPECT_NE(first, second);
  EXPECT_EQ(cache.get(assignment, five, 1), first);
  const auto larger = cache.get(assignment, six, 1);
  EXPECT_NE(larger, first);
  EXPECT_EQ(cache.get(assignment, five, 1), first);
  const auto again = cache.get(assignment, five, 2);  // was used the longest ago
  EXPECT_NE(again, second);
  EXPECT_EQ(bytes(again), bytes(second));
  EXPECT_EQ(bytes(first), bytes(std::make_shared<Problem>(assignment, five, 1)));
  EXPECT_NE(bytes(first), bytes(second));
}

TEST(ProblemCache, WhatIsExpectedIsWhatWouldHaveBeenMade) {
  const harness_test::TestHomework assignment;
  const Case five = case_of(assignment, 5), many = case_of(assignment, 300);
  std::vector<ProblemCache::Wanted> order;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    order.push_back({five, seed});
    order.push_back({five, seed});
    order.push_back({many, seed});
  }
  ProblemCache cache;
  cache.expect(assignment, order);
  for (size_t i = 0; i < order.size(); i++) {
    if (i / 3 == 7) continue;  // some are left out, and others come that nobody expected
    const auto& [c, seed] = order[i];
    EXPECT_EQ(bytes(cache.get(assignment, c, seed)),
              bytes(std::make_shared<Problem>(assignment, c, seed)));
    const uint64_t other = 1000 + seed;
    EXPECT_EQ(bytes(cache.get(assignment, c, other)),
              bytes(std::make_shared<Problem>(assignment, c, other)));
  }
  cache.expect(assignment, order);
  cache.expect(assignment, {{many, 3}});
  EXPECT_EQ(bytes(cache.get(assignment, many, 3)),
            bytes(std::make_shared<Problem>(assignment, many, 3)));
}

}  // namespace
}  // namespace lockstep
