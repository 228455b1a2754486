// SPDX-License-Identifier: Apache-2.0
// Every metric, declared once: the same name stands in tables, records, rubrics and docs.
// Raw counts come from a backend; derived metrics are computed here from counts, the kernel's
// time and the useful work of the launch (docs/metrics.md has the sources of the formulas).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/backend/counts.h"
#include "common/backend/device_info.h"
#include "common/backend/metric_names.h"
#include "common/harness/assignment.h"

namespace lockstep {

namespace metric {
// Derived.
inline constexpr char kInstPerElement[] = "inst_per_element";                         // I/el
inline constexpr char kConflictsPerGlobalRequest[] = "conflicts_per_global_request";  // BXW
inline constexpr char kL2ReadRatio[] = "l2_read_ratio";                               // N*R
inline constexpr char kL2WriteRatio[] = "l2_write_ratio";                             // N*W
inline constexpr char kLoadSectorsPerRequest[] = "load_sectors_per_request";
inline constexpr char kStoreSectorsPerRequest[] = "store_sectors_per_request";
inline constexpr char kSharedConflicts[] = "shared_conflicts";  // wavefronts - ideal
inline constexpr char kSharedConflictsPerRequest[] = "shared_conflicts_per_request";
// The same over the elements of the problem: a kernel cannot make these smaller by doing more.
inline constexpr char kConflictsPerElement[] = "conflicts_per_element";
inline constexpr char kLoadSectorsPerElement[] = "load_sectors_per_element";
inline constexpr char kStoreSectorsPerElement[] = "store_sectors_per_element";
inline constexpr char kSharedConflictsPerElement[] = "shared_conflicts_per_element";
inline constexpr char kThreadsPerInstruction[] = "threads_per_instruction";  // of 32
inline constexpr char kL2Gbps[] = "l2_gbps";
inline constexpr char kL2PeakPercent[] = "l2_peak_pct";  // %pk
inline constexpr char kDramGbps[] = "dram_gbps";
inline constexpr char kFpGflops[] = "fp_gflops";            // FP theta
inline constexpr char kUtilization[] = "utilization";       // Utl
inline constexpr char kResidentWarps[] = "resident_warps";  // ac
inline constexpr char kUsefulGbps[] = "useful_gbps";
inline constexpr char kBranchUniformity[] = "branch_uniformity_pct";
inline constexpr char kWarpEfficiency[] = "warp_efficiency_pct";
// Of the launch's shape; of several launches, the first one's.
inline constexpr char kBlocks[] = "blocks";
inline constexpr char kThreadsPerBlock[] = "threads_per_block";
inline constexpr char kWarpsPerBlock[] = "warps_per_block";                   // wp
inline constexpr char kTheoreticalOccupancy[] = "theoretical_occupancy_pct";  // occ
// The warps that an SM could hold of this launch over those that it holds; 1 is best.
inline constexpr char kResidencyShortfall[] = "residency_shortfall";
inline constexpr char kWaves[] = "waves";
inline constexpr char kTailPercent[] = "tail_pct";
// Static, of the kernel: usable in a rubric as well.
inline constexpr char kRegisters[] = "registers";
inline constexpr char kSpillBytes[] = "spill_bytes";
}  // namespace metric

// What docs/metrics.md, --help and rubrics say of a metric.
struct MetricInfo {
  std::string name;
  std::string meaning;   // one line
  std::string emulator;  // "exact", "predicted" or "not offered"
  bool derived = false;
  // An average over what the kernel itself does, or a rate of what it moves: useless work improves
  // it, so nothing is to be graded by it. `total` is the metric to grade by instead; may be empty.
  bool dilutable = false;
  std::string total = {};
};
const std::vector<MetricInfo>& all_metrics();
// False for the counts, and what is derived of them, that a card gives differently from run to run
// (docs/metrics.md).
bool repeats_on_a_card(const std::string& metric);

// What is known of a launch besides its counts.
struct LaunchFacts {
  UsefulWork work;
  std::optional<double> time_us;
  double utilization = 0;
  uint64_t blocks = 0;                // of the first launch
  uint64_t threads = 0;               // of one of its blocks
  std::optional<int> blocks_per_sm;   // of them that fit on an SM at once
  std::optional<int> resident_warps;  // warps on an SM at once
};

// All derived metrics that these counts allow. A metric is missing where one of its inputs is
// missing or not finite, or its denominator is 0; its tier is the weakest of its inputs'.
std::map<std::string, Count> derive_metrics(const Counts& counts, const LaunchFacts& facts,
                                            const DeviceInfo& device);

// How busy three resources were, as fractions of the time: the bar graph's characters.
struct Busy {
  std::optional<double> fp;            // '+'
  std::optional<double> instructions;  // '-': FP operations and loads and stores, 4 cycles each
  std::optional<double> data;          // '*'
};
Busy busy_fractions(const std::map<std::string, Count>& derived, const LaunchFacts& facts,
                    const DeviceInfo& device);
// Whether '*' is the traffic between L2 and memory (data larger than L2) or L1 and L2.
bool data_is_in_memory(const UsefulWork& work, const DeviceInfo& device);

}  // namespace lockstep
