// SPDX-License-Identifier: Apache-2.0
// See drawn_blocks.h.
#include "emulator/sass/drawn_blocks.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "common/backend/metric_names.h"

namespace lockstep::emulator::sass {
namespace {

// As a part of the mean: twice that is less than limits leave.
constexpr double kMostError = 0.05;

// Of n values, drawn from `all` without putting back.
double relative_error_of_mean(const std::vector<uint64_t>& values, double all) {
  const auto n = static_cast<double>(values.size());
  double sum = 0, squares = 0;
  for (const uint64_t value : values) sum += static_cast<double>(value);
  const double mean = sum / n;
  for (const uint64_t value : values) squares += std::pow(static_cast<double>(value) - mean, 2);
  if (n < 2 || mean <= 0) return 0;
  return std::sqrt(squares / (n - 1) / n * (1 - n / all)) / mean;
}

}  // namespace

std::vector<uint64_t> draw_blocks(uint64_t of, uint64_t count, uint64_t seed) {
  std::mt19937_64 numbers(seed);
  std::set<uint64_t> drawn;
  while (drawn.size() < std::min(count, of)) drawn.insert(numbers() % of);
  return {drawn.begin(), drawn.end()};
}

void stand_for_all(const Profile& profile, uint64_t blocks, bool hangs_on_order, Counts* counts) {
  const auto all = static_cast<double>(blocks);
  const bool some = !profile.of_blocks.empty();
  const double times = some ? all / static_cast<double>(profile.of_blocks.size()) : 1;
  const auto stand = [&](std::map<std::string, Count>* values) {
    for (auto& [name, count] : *values)
      if (name != metric::kCriticalPath) count.value = std::round(count.value * times);
  };
  stand(&counts->values);
  for (LineCounts& line : counts->lines) stand(&line.counts);
  const bool uneven =
      some && (hangs_on_order || relative_error_of_mean(profile.of_blocks, all) > kMostError);
  counts->values[metric::kUnevenBlocks] = {uneven ? 1.0 : 0.0, Tier::kExact};
}

}  // namespace lockstep::emulator::sass
