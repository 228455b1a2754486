// SPDX-License-Identifier: Apache-2.0
// Which elements a result depends on is told in full, or said to be a part.
#include "common/harness/dependence.h"

#include <gtest/gtest.h>

#include "problems/norm_problem.h"

namespace lockstep {
namespace {

class Wide : public NormProblem {
 public:
  Wide() : NormProblem({{"norm_group<32,32>", 32, 32, 0, true}}) {}
  std::string name() const override { return "hw99"; }
};

// A result of a vector of 32 depends on all of them, and on nothing of the other vectors.
class Elements : public ::testing::Test {
 protected:
  explicit Elements(int64_t vectors = 100)
      : case_(homework_.cases({0, vectors}).at(0)),
        inputs_(homework_.make_inputs(case_, 1)),
        reference_(homework_, case_, 1, inputs_, 0, 0) {
    for (size_t i = 1; i < inputs_[0].size(); i++) others_.push_back({0, i});
  }
  Wide homework_;
  Case case_;
  std::vector<HostArray> inputs_;
  Dependence reference_;
  std::vector<Dependence::Element> others_;
};

TEST_F(Elements, ThatAreNeededAreAllNamed) {
  const std::optional<SomeElements> found = some_needed(reference_, others_);
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->others);
  ASSERT_EQ(found->all.size(), 31u);
  EXPECT_EQ(found->all.back().second, 31u);
}

TEST_F(Elements, ThatDependOnOneAreThoseOfItsVector) {
  const std::vector<size_t> all = reference_.dependent_on({0, 40}, 100);
  ASSERT_EQ(all.size(), 32u);
  EXPECT_EQ(all.front(), 32u);
  EXPECT_EQ(all.back(), 63u);
  EXPECT_EQ(reference_.dependent_on({0, 40}, 5).size(), 5u);
}

TEST_F(Elements, OfManyThatAreIdleSomeAreNamed) {
  const std::optional<SomeElements> found = some_idle(reference_, others_);
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->others) << "of 3168 a sample was asked for";
  const std::optional<SomeElements> few = some_idle(reference_, {{0, 30}, {0, 32}, {0, 33}});
  ASSERT_TRUE(few);
  EXPECT_FALSE(few->others);
  EXPECT_EQ(few->all.size(), 2u);
}

}  // namespace
}  // namespace lockstep
