// SPDX-License-Identifier: Apache-2.0
// What is granted, derived from one more move of each 32-bit element by neighbouring lanes. See
// cost_table.h and docs/grading.md.
#include "grader/cost_table.h"

#include <algorithm>

#include "common/harness/metrics.h"

namespace lockstep::grader {
namespace {

Cost waiting(Cost cost) {
  cost.waits = true;
  return cost;
}

// Somebody who works otherwise may use what the solution does without: where it has the cost as
// well, `share` of its own is granted for all elements at most.
Cost within(double share, Cost cost) {
  cost.element_share = share;
  return cost;
}

}  // namespace

const std::vector<Cost>& cost_table() {
  // A warp moves 32 elements at once: 4 sectors, 1 wavefront.
  constexpr double kSectors = 4.0 / 32, kWavefronts = 1.0 / 32;
  // What a warp does once: four such moves, which may lie askew; and one.
  constexpr double kOnce = 4, kSectorsOnce = kOnce * 5, kBytesOnce = kSectorsOnce * 32;
  constexpr double kMove = kSectorsOnce / kOnce, kMoveBytes = kBytesOnce / kOnce;
  constexpr double kShare = 0.25;  // of a warp that moves much, a quarter of that
  // What a warp may take at once from a queue: 512 elements a lane, 20 instructions for each, but
  // not so much that the launch takes several times as long; a load of 16 bytes a lane,
  // and as much to ask for it, always.
  constexpr double kInstructions = 20, kChunk = 512 * kInstructions, kVector = 4 * kInstructions;
  constexpr double kTicket = kWavefronts / 16;  // from a queue: one for 16 turns of a warp
  // A ticket, and what a warp hands on at its end: half of the turns that 32 lanes take at least,
  // so that no sum over lanes is left to atomic operations.
  constexpr double kTickets = 2;
  static const std::vector<Cost> table = {
      {metric::kGlobalLoadSectors, metric::kLoadSectorsPerElement, kSectors, kSectorsOnce, 0,
       kShare, kMove},  // elements that L1 still has
      {metric::kGlobalStoreSectors, metric::kStoreSectorsPerElement, 0, kSectorsOnce, 0, kShare,
       kMove},
      {metric::kL2ToL1Bytes, metric::kL2ReadRatio, 0, kBytesOnce, 0, kShare, kMoveBytes},
      {metric::kL1ToL2Bytes, metric::kL2WriteRatio, 0, kBytesOnce, 0, kShare, kMoveBytes},
      {metric::kGlobalBankConflicts, metric::kConflictsPerElement, 2 * kWavefronts,
       kOnce},  // one a request, in and out
      within(kShare, {metric::kSharedWavefronts, "", 4 * kWavefronts, kOnce}),  // in and out, twice
      {metric::kLocalSectors, "", 2 * kSectors, kSectorsOnce},                  // in and out
      {metric::kConstantWavefronts, "", 4 * kWavefronts, kOnce},  // four constants an element
      within(1, waiting({metric::kAtomicRequests, "", kTicket, kTickets})),
      within(1, waiting({metric::kAtomicTurns, "", kTicket, kTickets})),
      waiting({metric::kFences, "", 0, kOnce}),  // for what a warp hands on at its end
      // Before and after a stage; stages of a quarter of the size have four times as many.
      within(3, waiting({metric::kBarriers, "", 2 * kWavefronts, kOnce})),
      {metric::kPrefetchSectors, "", kSectors, kSectorsOnce},  // of all that is read
      {metric::kCriticalPath, "", 0, 0, kChunk, 1, 0, 2 * kVector},
      // A sum over the lanes of a warp in double precision: converted, added in as many steps as
      // there are, taken off, and converted again.
      waiting({metric::kDoubleInstructions, "", 10 * kWavefronts, kOnce}),
      {metric::kResidencyShortfall, "", 0, 0, 0.5},  // with the factor, half the warps at once
  };
  return table;
}

Grant grant_of(const Cost& cost, double solution, double warps, double elements) {
  Grant grant = {cost.per_element, cost.per_warp, cost.once};
  if (cost.element_share > 0 && solution > 0 && elements > 0)
    grant.per_element = std::min(grant.per_element, cost.element_share * solution / elements);
  if (cost.share <= 0) return grant;
  const double own = cost.share * solution;
  grant.per_warp = std::min(grant.per_warp, std::max(cost.least_per_warp, own / warps));
  grant.once = std::min(grant.once, std::max(cost.least_once, own));
  return grant;
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
