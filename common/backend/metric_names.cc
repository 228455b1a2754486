// SPDX-License-Identifier: Apache-2.0
// The list of counts. See metric_names.h.
#include "common/backend/metric_names.h"

namespace lockstep {

const std::vector<std::string>& standard_metrics() {
  static const std::vector<std::string> names = {
      metric::kWarpInstructions,
      metric::kThreadInstructions,
      metric::kBranches,
      metric::kDivergentBranches,
      metric::kBarriers,
      metric::kSharedRequests,
      metric::kSharedWavefronts,
      metric::kSharedWavefrontsIdeal,
      metric::kGlobalLoadRequests,
      metric::kGlobalLoadSectors,
      metric::kGlobalStoreRequests,
      metric::kGlobalStoreSectors,
      metric::kGlobalBankConflicts,
      metric::kLocalSectors,
      metric::kAtomicRequests,
      metric::kAtomicTurns,
      metric::kFences,
      metric::kPrefetchSectors,
      metric::kCriticalPath,
      metric::kDoubleInstructions,
      metric::kConstantWavefronts,
      metric::kL2ToL1Bytes,
      metric::kL1ToL2Bytes,
      metric::kDramBytes,
      metric::kActiveWarpsPercent,
  };
  return names;
}

const std::vector<std::string>& further_metrics() {
  static const std::vector<std::string> names = {metric::kSmActivePercent};
  return names;
}

}  // namespace lockstep
