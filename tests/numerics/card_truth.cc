// SPDX-License-Identifier: Apache-2.0
// Reads the card's answers and compares with them.
#include "tests/numerics/card_truth.h"

#include <array>
#include <cmath>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "emulator/numerics/half.h"

namespace lockstep::emulator::num {
namespace {

constexpr const char* kPath = "tests/data/numerics_h200/results.tsv";
constexpr int kBlocks = 16, kSamples = 1024;

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

double value_of(Kind kind, uint64_t bits) {
  switch (kind) {
    case Kind::kF16:
      return half_value<F16>(static_cast<uint16_t>(bits));
    case Kind::kBf16:
      return half_value<Bf16>(static_cast<uint16_t>(bits));
    case Kind::kF64:
      return as_f64(bits);
    default:
      return as_f32(static_cast<uint32_t>(bits));
  }
}

std::string operands_text(const Op& op, int index) {
  std::ostringstream text;
  for (int p = 0; p < op.arity(); ++p) {
    text << " 0x" << std::hex << operand(op.kind(p), p, op.arity(), index);
  }
  return text.str();
}

bool within(const Op& op, uint64_t result, uint64_t card) {
  if (op.d == Kind::kF16x2 || op.d == Kind::kBf16x2) {
    Op half = op;
    half.d = op.d == Kind::kF16x2 ? Kind::kF16 : Kind::kBf16;
    return within(half, result & 0xffff, card & 0xffff) && within(half, result >> 16, card >> 16);
  }
  const Difference error = difference_of(op.d, result, card);
  return error.ulp <= op.max_ulp || error.abs <= op.max_abs;
}

std::string compare_samples(const Op& op, const CardAnswer& card,
                            const std::vector<uint64_t>& results) {
  const int stride = card.count / kSamples;
  for (int i = 0; i < kSamples; ++i) {
    const uint64_t result = results[static_cast<size_t>(i) * stride];
    if (within(op, result, card.sample[i])) continue;
    std::ostringstream text;
    text << op.name << " of" << operands_text(op, i * stride) << std::hex << ": 0x" << result
         << ", the card 0x" << card.sample[i];
    return text.str();
  }
  return "";
}

CardAnswer parse_line(const std::string& line) {
  std::istringstream in(line);
  CardAnswer answer;
  in >> answer.name >> answer.width >> answer.count >> std::hex;
  for (int i = 0; i < kBlocks; ++i) in >> answer.checksums.emplace_back();
  if (!in) throw std::runtime_error(std::string(kPath) + ": malformed line: " + line);
  std::string sample;
  if (!(in >> sample)) return answer;
  std::istringstream list(sample);
  for (std::string item; std::getline(list, item, ',');) {
    answer.sample.push_back(std::stoull(item, nullptr, 16));
  }
  return answer;
}

}  // namespace

Difference difference_of(Kind kind, uint64_t result, uint64_t reference) {
  if (result == reference) return {};
  const double a = value_of(kind, result), b = value_of(kind, reference);
  if (std::isnan(a) && std::isnan(b)) return {};
  if (!(std::isfinite(a) && std::isfinite(b))) return {INFINITY, INFINITY};
  const int bits = 8 * width_of(kind) - 1;
  const auto order = [&](uint64_t v) {
    const auto magnitude = static_cast<double>(v & ((uint64_t{1} << bits) - 1));
    return (v >> bits) != 0 ? -magnitude : magnitude;
  };
  return {std::fabs(order(result) - order(reference)), std::fabs(a - b)};
}

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
  if (!op.exact()) return compare_samples(op, card, results);
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
