// SPDX-License-Identifier: Apache-2.0
// emulator/numerics/ against a card: the table's 1506 operations on 28 million operand tuples.
#include "tests/numerics/card_truth.h"

#include <gtest/gtest.h>

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

TEST(CardTruth, OperationsGiveTheCardsBits) {
  const auto answers = read_card_answers();
  for (size_t i = 0; i < all_ops().size(); ++i) {
    const Op& op = all_ops()[i];
    if (is_pending(op, answers)) continue;
    EXPECT_EQ(compare_with_card(op, answers.at(i), compute_all(op)), "");
  }
}

// The comparison itself.
TEST(CardTruth, SeesASingleWrongBit) {
  const auto answers = read_card_answers();
  for (const size_t i : {size_t{0}, answers.size() - 1}) {
    auto results = compute_all(all_ops()[i]);
    results[results.size() / 2] ^= 1;
    EXPECT_NE(compare_with_card(all_ops()[i], answers.at(i), results), "");
  }
}

}  // namespace
}  // namespace lockstep::emulator::num
