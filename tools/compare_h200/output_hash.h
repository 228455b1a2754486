// SPDX-License-Identifier: Apache-2.0
// The hashes that tests/data/*/outputs.tsv keep of an output.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lockstep::compare_h200 {

// FNV-1a, 64 bits, over bytes from its own start value, as run-kernel prints it, or otherwise.
struct HashRule {
  uint64_t start = 0xcbf29ce484222325u;
  bool words = false;  // 32 bits at a time
};
inline constexpr HashRule kGivenHash{1469598103934665603u, true};  // h200
inline constexpr HashRule kMoreHash{1469598103934665603u, false};  // h200_more

// Sixteen hexadecimal digits.
std::string output_hash(const std::vector<uint8_t>& bytes, const HashRule& rule);

}  // namespace lockstep::compare_h200
