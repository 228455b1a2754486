// SPDX-License-Identifier: Apache-2.0
// Reads the card's answers and compares with them.
#include "tests/numerics/card_truth.h"

#include <array>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace lockstep::emulator::num {
namespace {

constexpr const char* kPath = "tests/data/numerics_h200/results.tsv";
constexpr int kBlocks = 16;

uint32_t crc32(const std::vector<uint64_t>& values, size_t first, size_t last, int width) {
  static const auto kTable = [] {
    std::array<uint32_t, 256> table{};
    for (uint32_t i = 0; i < 256; ++i) {
      uint32_t c = i;
      for (int bit = 0; bit < 8; ++bit) c = (c & 1) != 0 ? (c >> 1) ^ 0xedb88320u : c >> 1;
      table[i] = c;
    }
    return table;
  }();
  uint32_t crc = ~0u;
  for (size_t i = first; i < last; ++i) {
    for (int byte = 0; byte < width; ++byte) {
      crc = kTable[(crc ^ (values[i] >> (8 * byte))) & 0xff] ^ (crc >> 8);
    }
  }
  return ~crc;
}

std::string operands_text(const Op& op, int index) {
  std::ostringstream text;
  for (int p = 0; p < op.arity(); ++p) {
    text << " 0x" << std::hex << operand(op.kind(p), p, op.arity(), index);
  }
  return text.str();
}

CardAnswer parse_line(const std::string& line) {
  std::istringstream in(line);
  CardAnswer answer;
  in >> answer.name >> answer.width >> answer.count >> std::hex;
  for (int i = 0; i < kBlocks; ++i) in >> answer.checksums.emplace_back();
  if (!in) throw std::runtime_error(std::string(kPath) + ": malformed line: " + line);
  return answer;
}

}  // namespace

std::vector<CardAnswer> read_card_answers() {
  std::ifstream file(kPath);
  if (!file) throw std::runtime_error(std::string(kPath) + ": cannot be read");
  std::vector<CardAnswer> answers;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line[0] != '#') answers.push_back(parse_line(line));
  }
  return answers;
}

bool is_pending(const Op& op, const std::vector<CardAnswer>& answers) {
  return op.name.starts_with("chain.") && !answers.back().name.starts_with("chain.");
}

std::vector<uint64_t> compute_all(const Op& op) {
  const int width = width_of(op.d);
  const uint64_t mask = width == 8 ? ~uint64_t{0} : (uint64_t{1} << (8 * width)) - 1;
  std::vector<uint64_t> results(count_of(op));
  for (int i = 0; i < count_of(op); ++i) {
    uint64_t in[3] = {};
    for (int p = 0; p < op.arity(); ++p) in[p] = operand(op.kind(p), p, op.arity(), i);
    results[i] = op.compute(in[0], in[1], in[2]) & mask;
  }
  return results;
}

std::string compare_with_card(const Op& op, const CardAnswer& card,
                              const std::vector<uint64_t>& results) {
  if (card.name != op.name || card.width != width_of(op.d) || card.count != count_of(op) ||
      static_cast<int>(results.size()) != card.count) {
    return op.name + ": the table has changed; ask the card again (card_files_test.cc)";
  }
  const size_t step = results.size() / kBlocks;
  for (size_t block = 0; block < kBlocks; ++block) {
    const size_t first = block * step;
    if (crc32(results, first, first + step, card.width) == card.checksums[block]) continue;
    std::ostringstream text;
    text << op.name << ": results " << first << " to " << first + step - 1
         << " differ from the card's; the first is of"
         << operands_text(op, static_cast<int>(first));
    return text.str();
  }
  return "";
}

}  // namespace lockstep::emulator::num
