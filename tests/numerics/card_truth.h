// SPDX-License-Identifier: Apache-2.0
// What a card answered to the table (tests/data/numerics_h200/results.tsv), and the comparison of
// any other results, computed directly or by the emulator, with it.
#pragma once

#include <string>
#include <vector>

#include "tests/numerics/op_table.h"

namespace lockstep::emulator::num {

struct CardAnswer {
  std::string name;
  int width = 0, count = 0;
  std::vector<uint32_t> checksums;  // CRC-32 of each sixteenth of the results
  std::vector<uint64_t> sample;     // approximate operations: every (count / 1024)-th result
};

// In the table's order, of which the last operations may be missing: those that no card has been
// asked yet (is_pending). Throws std::runtime_error when the file is missing or malformed.
std::vector<CardAnswer> read_card_answers();

// The carry chains, until a card has answered to them.
bool is_pending(const Op& op, const std::vector<CardAnswer>& answers);

// Results of an operation, in operand order, by direct calls of its function.
std::vector<uint64_t> compute_all(const Op& op);

// Empty when the results agree with the card's: bits for exact operations, the allowed error for
// approximate ones; else what differs.
std::string compare_with_card(const Op& op, const CardAnswer& card,
                              const std::vector<uint64_t>& results);

// The error of `result` against `reference`: in units of the last place, and absolute. A NaN,
// an infinity or a sign that differs gives infinite errors, except between tiny values.
struct Difference {
  double ulp = 0, abs = 0;
};
Difference difference_of(Kind kind, uint64_t result, uint64_t reference);

}  // namespace lockstep::emulator::num
