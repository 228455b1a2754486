// SPDX-License-Identifier: Apache-2.0
// The table of docs/arithmetic.md: how far each approximate operation is from the card, over the
// card's sample. The page must hold the table as it is computed here; to renew it:
//   build/release/tests/numerics/run --gtest_filter='ErrorTable*' prints what it should hold.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "tests/numerics/card_truth.h"

namespace lockstep::emulator::num {
namespace {

// Each result counts by its error in units of the last place while the manual's bound in them
// holds, else by its absolute error.
struct Summary {
  int equal = 0, compared = 0;
  double ulp = 0, abs = 0;
};

void add(Summary* sum, const Op& op, Kind kind, uint64_t ours, uint64_t card) {
  if (kind == Kind::kF16x2 || kind == Kind::kBf16x2) {
    const Kind half = kind == Kind::kF16x2 ? Kind::kF16 : Kind::kBf16;
    add(sum, op, half, ours & 0xffff, card & 0xffff);
    add(sum, op, half, ours >> 16, card >> 16);
    return;
  }
  const Difference difference = difference_of(kind, ours, card);
  ++sum->compared;
  sum->equal += difference.ulp == 0;
  if (difference.ulp <= op.max_ulp) {
    sum->ulp = std::max(sum->ulp, difference.ulp);
  } else {
    sum->abs = std::max(sum->abs, difference.abs);
  }
}

std::string shown(const Op& op, const Summary& sum) {
  char cell[80];
  if (op.d == Kind::kF64) {
    std::snprintf(cell, sizeof cell, "%.0f in the upper word", std::ldexp(sum.ulp, -32));
  } else if (sum.abs == 0) {
    std::snprintf(cell, sizeof cell, "%.0f ulp", sum.ulp);
  } else if (op.max_ulp == 0) {
    std::snprintf(cell, sizeof cell, "2^%.1f absolute", std::log2(sum.abs));
  } else {
    std::snprintf(cell, sizeof cell, "%.0f ulp, or 2^%.1f absolute", sum.ulp, std::log2(sum.abs));
  }
  return cell;
}

std::string error_table() {
  const auto answers = read_card_answers();
  std::ostringstream table;
  table << "| operation | equal bits | largest difference |\n|---|---:|---|\n";
  for (size_t i = 0; i < all_ops().size(); ++i) {
    const Op& op = all_ops()[i];
    if (op.exact()) continue;
    const auto results = compute_all(op);
    const auto& sample = answers.at(i).sample;
    const size_t stride = results.size() / sample.size();
    Summary sum;
    for (size_t k = 0; k < sample.size(); ++k) add(&sum, op, op.d, results[k * stride], sample[k]);
    table << "| `" << op.name << "` | " << 100 * sum.equal / sum.compared << " % | "
          << shown(op, sum) << " |\n";
  }
  return table.str();
}

TEST(ErrorTable, IsWhatThePageSays) {
  std::ifstream page("docs/arithmetic.md");
  const std::string text{std::istreambuf_iterator<char>(page), {}};
  const std::string table = error_table();
  EXPECT_NE(text.find(table), std::string::npos) << "docs/arithmetic.md should hold:\n" << table;
}

}  // namespace
}  // namespace lockstep::emulator::num
