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
};

// In the table's order, of which the last operations may be missing: those that no card has been
// asked yet (is_pending). Throws std::runtime_error when the file is missing or malformed.
std::vector<CardAnswer> read_card_answers();

// The carry chains, until a card has answered to them.
bool is_pending(const Op& op, const std::vector<CardAnswer>& answers);

// Results of an operation, in operand order, by direct calls of its function.
std::vector<uint64_t> compute_all(const Op& op);

// Empty when the results are the card's, bit for bit; else what differs.
std::string compare_with_card(const Op& op, const CardAnswer& card,
                              const std::vector<uint64_t>& results);

}  // namespace lockstep::emulator::num
