// SPDX-License-Identifier: Apache-2.0
// What is granted, derived from one more move of each 32-bit element by neighbouring lanes. See
// cost_table.h and docs/grading.md.
#include "grader/cost_table.h"

#include "common/harness/metrics.h"

namespace lockstep::grader {

const std::vector<Cost>& cost_table() {
  // A warp moves 32 elements at once: 4 sectors, 1 wavefront.
  constexpr double kSectors = 4.0 / 32, kWavefronts = 1.0 / 32;
  // What a warp does once: four such moves, which may lie askew.
  constexpr double kOnce = 4, kSectorsOnce = kOnce * 5, kBytesOnce = kSectorsOnce * 32;
  // What a warp may take at once from a queue: 512 elements a lane, 20 instructions for each.
  constexpr double kChunk = 512 * 20;
  static const std::vector<Cost> table = {
      {metric::kGlobalLoadSectors, metric::kLoadSectorsPerElement, kSectors,
       kSectorsOnce},  // elements that L1 still has
      {metric::kGlobalStoreSectors, metric::kStoreSectorsPerElement, 0, kSectorsOnce},
      {metric::kL2ToL1Bytes, metric::kL2ReadRatio, 0, kBytesOnce},
      {metric::kL1ToL2Bytes, metric::kL2WriteRatio, 0, kBytesOnce},
      {metric::kGlobalBankConflicts, metric::kConflictsPerElement, 2 * kWavefronts,
       kOnce},                                                    // one a request, in and out
      {metric::kSharedWavefronts, "", 4 * kWavefronts, kOnce},    // in and out, twice
      {metric::kLocalSectors, "", 2 * kSectors, kSectorsOnce},    // in and out
      {metric::kConstantWavefronts, "", 4 * kWavefronts, kOnce},  // four constants an element
      {metric::kAtomicRequests, "", kWavefronts / 2, kOnce},      // a ticket for 64 elements
      {metric::kAtomicTurns, "", kWavefronts, kOnce},
      {metric::kFences, "", kWavefronts, kOnce},
      {metric::kBarriers, "", 2 * kWavefronts, kOnce},         // before and after a stage
      {metric::kPrefetchSectors, "", kSectors, kSectorsOnce},  // of all that is read
      {metric::kBusiestWarp, "", 0, 0, kChunk},
  };
  return table;
}

const Cost* find_cost(const std::string& metric) {
  for (const Cost& cost : cost_table())
    if (metric == cost.metric || (!metric.empty() && metric == cost.ratio)) return &cost;
  return nullptr;
}

std::vector<std::string> metrics_of(const CheckRule& check) {
  if (check.kind == CheckKind::kMetric) return {check.metric};
  return check.kind == CheckKind::kCosts ? check.metrics : std::vector<std::string>();
}

}  // namespace lockstep::grader
