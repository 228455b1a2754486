// SPDX-License-Identifier: Apache-2.0
// Names of tiers, and look-up of a count. See counts.h.
#include "common/backend/counts.h"

#include <algorithm>
#include <utility>

namespace lockstep {

const char* to_string(Tier tier) {
  switch (tier) {
    case Tier::kMeasured:
      return "measured";
    case Tier::kExact:
      return "exact";
    case Tier::kPredicted:
      return "predicted";
  }
  return "unknown";
}

double LineCounts::of(const std::string& name) const {
  const auto found = counts.find(name);
  return found == counts.end() ? 0 : found->second.value;
}

const Count* Counts::find(const std::string& name) const {
  const auto found = values.find(name);
  return found == values.end() ? nullptr : &found->second;
}

namespace {

void add_values(const std::map<std::string, Count>& from, std::map<std::string, Count>* to) {
  for (const auto& [name, count] : from) {
    const auto [at, fresh] = to->emplace(name, count);
    if (fresh) continue;
    at->second.value += count.value;
    at->second.tier = std::max(at->second.tier, count.tier);
  }
}

}  // namespace

void Counts::add(const Counts& other) {
  unavailable.insert(other.unavailable.begin(), other.unavailable.end());
  add_values(other.values, &values);
  for (const auto& [name, reason] : unavailable) values.erase(name);
  std::map<std::pair<std::string, int>, size_t> places;
  for (size_t i = 0; i < lines.size(); ++i) places[{lines[i].file, lines[i].line}] = i;
  for (const LineCounts& line : other.lines) {
    const auto [at, fresh] = places.emplace(std::pair(line.file, line.line), lines.size());
    if (fresh)
      lines.push_back(line);
    else
      add_values(line.counts, &lines[at->second].counts);
  }
}

}  // namespace lockstep
