// SPDX-License-Identifier: Apache-2.0
#include "common/harness/cycles.h"

#include <algorithm>

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
  const auto is_one_of = [&](std::initializer_list<const char*> names) {
    return std::find(names.begin(), names.end(), kind) != names.end();
  };
  double own = instructions;
  if (is_one_of({metric::kGlobalLoadSectors, metric::kGlobalStoreSectors, metric::kStoredSectors,
                 metric::kLocalSectors}))
    own = sectors;
  else if (is_one_of({metric::kSharedWavefronts, metric::kSharedWavefrontsIdeal}))
    own = passes;
  else if (is_one_of({metric::kGlobalBankConflicts}))
    own = turns;
  return own / std::max(1.0, instructions + sectors + passes + turns);
}

}  // namespace lockstep
