// SPDX-License-Identifier: Apache-2.0
// emulator/numerics/ against a card: the table's 1506 operations on 28 million operand tuples.
#include "tests/numerics/card_truth.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace lockstep::emulator::num {
namespace {

TEST(CardTruth, CoversTheTable) {
  const auto answers = read_card_answers();
  std::set<std::string> names;
  size_t pending = 0;
  for (const Op& op : all_ops()) {
    EXPECT_TRUE(names.insert(op.name).second) << op.name;
    pending += is_pending(op, answers);
  }
  ASSERT_EQ(answers.size() + pending, all_ops().size());
  if (pending > 0)
    GTEST_SKIP() << pending << " operations wait for a card's answers: card_files_test.cc";
}

TEST(CardTruth, ExactOperationsGiveTheCardsBits) {
  const auto answers = read_card_answers();
  for (size_t i = 0; i < all_ops().size(); ++i) {
    const Op& op = all_ops()[i];
    if (!op.exact() || is_pending(op, answers)) continue;
    EXPECT_EQ(compare_with_card(op, answers.at(i), compute_all(op)), "");
  }
}

TEST(CardTruth, ApproximateOperationsLieWithinTheDocumentedError) {
  const auto answers = read_card_answers();
  for (size_t i = 0; i < all_ops().size(); ++i) {
    const Op& op = all_ops()[i];
    if (op.exact()) continue;
    ASSERT_EQ(answers.at(i).sample.size(), 1024u) << op.name;
    EXPECT_EQ(compare_with_card(op, answers.at(i), compute_all(op)), "");
  }
}

// The comparison itself: one wrong bit is found, and errors are measured as documented.
TEST(CardTruth, SeesASingleWrongBit) {
  const auto answers = read_card_answers();
  for (const size_t i : {size_t{0}, answers.size() - 1}) {
    auto results = compute_all(all_ops()[i]);
    results[results.size() / 2] ^= 1;
    EXPECT_NE(compare_with_card(all_ops()[i], answers.at(i), results), "");
  }
}

TEST(CardTruth, MeasuresErrors) {
  EXPECT_EQ(difference_of(Kind::kF32, 0x3f800001, 0x3f800000).ulp, 1);
  EXPECT_EQ(difference_of(Kind::kF32, 0x3f800000, 0xbf800000).abs, 2);
  EXPECT_EQ(difference_of(Kind::kF32, 0x00000001, 0x80000001).ulp, 2);
  EXPECT_EQ(difference_of(Kind::kF32, 0x7f800000, 0x7f7fffff).ulp, INFINITY);
  EXPECT_EQ(difference_of(Kind::kF32, 0x7fc00000, 0x3f800000).abs, INFINITY);
  EXPECT_EQ(difference_of(Kind::kF16, 0x7e00, 0x7fff).ulp, 0);
}

}  // namespace
}  // namespace lockstep::emulator::num
