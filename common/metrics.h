// SPDX-License-Identifier: Apache-2.0
// Every metric, declared once: the same name stands in tables, records, rubrics and docs.
// Raw counts come from a backend; derived metrics are computed here from counts, the kernel's
// time and the useful work of the launch (docs/metrics.md has the sources of the formulas).
#pragma once

#include <string>
#include <vector>

#include "common/counts.h"
#include "common/device_info.h"

namespace lockstep {

// Raw counts, summed over the launch. Emulator tier in brackets.
namespace metric {
inline constexpr char kWarpInstructions[] = "warp_instructions";        // [predicted]
inline constexpr char kThreadInstructions[] = "thread_instructions";    // predicated on [predicted]
inline constexpr char kDivergentBranches[] = "divergent_branches";      // [predicted]
inline constexpr char kBarriers[] = "barriers";                         // warp-level [exact]
inline constexpr char kSharedRequests[] = "shared_requests";            // ld + st [exact]
inline constexpr char kSharedWavefronts[] = "shared_wavefronts";        // [exact]
inline constexpr char kSharedWavefrontsIdeal[] = "shared_wavefronts_ideal";  // [exact]
inline constexpr char kGlobalLoadRequests[] = "global_load_requests";   // [exact]
inline constexpr char kGlobalLoadSectors[] = "global_load_sectors";     // 32 bytes each [exact]
inline constexpr char kGlobalStoreRequests[] = "global_store_requests"; // [exact]
inline constexpr char kGlobalStoreSectors[] = "global_store_sectors";   // [exact]
inline constexpr char kGlobalBankConflicts[] = "global_bank_conflicts"; // BXW's numerator [predicted]
inline constexpr char kLocalSectors[] = "local_sectors";                // ld + st [predicted]
inline constexpr char kL2ToL1Bytes[] = "l2_to_l1_bytes";                // [predicted]
inline constexpr char kL1ToL2Bytes[] = "l1_to_l2_bytes";                // [predicted]
inline constexpr char kDramBytes[] = "dram_bytes";                      // [not offered]
inline constexpr char kActiveWarpsPercent[] = "active_warps_pct";       // achieved occupancy [no]
// Derived.
inline constexpr char kInstPerElement[] = "inst_per_element";           // I/el
inline constexpr char kConflictsPerGlobalRequest[] = "conflicts_per_global_request";  // BXW
inline constexpr char kL2ReadRatio[] = "l2_read_ratio";                 // N*R
inline constexpr char kL2WriteRatio[] = "l2_write_ratio";               // N*W
inline constexpr char kLoadSectorsPerRequest[] = "load_sectors_per_request";
inline constexpr char kStoreSectorsPerRequest[] = "store_sectors_per_request";
inline constexpr char kSharedConflicts[] = "shared_conflicts";          // wavefronts - ideal
inline constexpr char kSharedConflictsPerRequest[] = "shared_conflicts_per_request";
inline constexpr char kThreadsPerInstruction[] = "threads_per_instruction";  // of 32
inline constexpr char kL2Gbps[] = "l2_gbps";
inline constexpr char kL2PeakPercent[] = "l2_peak_pct";                 // %pk
inline constexpr char kDramGbps[] = "dram_gbps";
inline constexpr char kFpGflops[] = "fp_gflops";                        // FP theta
inline constexpr char kTimeUs[] = "time_us";
inline constexpr char kUtilization[] = "utilization";                   // Utl
inline constexpr char kResidentWarps[] = "resident_warps";              // ac
// Static, of the kernel: usable in a rubric as well.
inline constexpr char kRegisters[] = "registers";
inline constexpr char kSpillBytes[] = "spill_bytes";
}  // namespace metric

// The counts that a table or a grade needs.
const std::vector<std::string>& standard_metrics();

}  // namespace lockstep
