// SPDX-License-Identifier: Apache-2.0
#include "common/harness/cycles.h"

#include <algorithm>
#include <utility>

#include "common/backend/metric_names.h"

namespace lockstep {

Cycles cycles_of(const std::map<std::string, double>& totals) {
  const auto total = [&](const char* name) {
    const auto at = totals.find(name);
    return at == totals.end() ? 0 : at->second;
  };
  const double sectors = total(metric::kGlobalLoadSectors) + total(metric::kGlobalStoreSectors) +
                         total(metric::kLocalSectors);
  const double requests = total(metric::kGlobalLoadRequests) + total(metric::kGlobalStoreRequests);
  return {total(metric::kWarpInstructions) / 4, sectors / 2, total(metric::kSharedWavefronts),
          requests + total(metric::kGlobalBankConflicts)};
}

double Cycles::part_of(const std::string& kind) const {
  constexpr std::pair<const char*, double Cycles::*> kOfOthers[] = {
      {metric::kGlobalLoadSectors, &Cycles::sectors},
      {metric::kGlobalStoreSectors, &Cycles::sectors},
      {metric::kStoredSectors, &Cycles::sectors},
      {metric::kLocalSectors, &Cycles::sectors},
      {metric::kSharedWavefronts, &Cycles::passes},
      {metric::kSharedWavefrontsIdeal, &Cycles::passes},
      {metric::kGlobalBankConflicts, &Cycles::turns}};
  double own = instructions;
  for (const auto& [name, cycles] : kOfOthers)
    if (kind == name) own = this->*cycles;
  return own / std::max(1.0, instructions + sectors + passes + turns);
}

}  // namespace lockstep
