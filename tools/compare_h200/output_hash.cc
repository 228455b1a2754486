// SPDX-License-Identifier: Apache-2.0
// Most outputs end in megabytes of zeros: of n of these, only prime^n is multiplied in.
#include "tools/compare_h200/output_hash.h"

#include <fmt/format.h>

#include <cstring>

namespace lockstep::compare_h200 {
namespace {

constexpr uint64_t kPrime = 0x100000001b3;

uint64_t power_of_prime(uint64_t exponent) {
  uint64_t result = 1;
  for (uint64_t factor = kPrime; exponent != 0; exponent >>= 1, factor *= factor)
    if ((exponent & 1) != 0) result *= factor;
  return result;
}

template <class Unit>
uint64_t hash_units(const std::vector<uint8_t>& bytes, uint64_t hash) {
  const size_t units = bytes.size() / sizeof(Unit);
  size_t used = units;
  const auto unit = [&](size_t i) {
    Unit value;
    std::memcpy(&value, bytes.data() + i * sizeof(Unit), sizeof(Unit));
    return value;
  };
  while (used > 0 && unit(used - 1) == 0) --used;
  for (size_t i = 0; i < used; ++i) hash = (hash ^ unit(i)) * kPrime;
  return hash * power_of_prime(units - used);
}

}  // namespace

std::string output_hash(const std::vector<uint8_t>& bytes, const HashRule& rule) {
  return fmt::format("{:016x}", rule.words ? hash_units<uint32_t>(bytes, rule.start)
                                           : hash_units<uint8_t>(bytes, rule.start));
}

}  // namespace lockstep::compare_h200
