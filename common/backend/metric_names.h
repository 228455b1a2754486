// SPDX-License-Identifier: Apache-2.0
// The counts that a backend gives of a launch, by name. What is derived of them, and what is said
// of each, is in common/harness/metrics.h.
#pragma once

#include <string>
#include <vector>

namespace lockstep {

// Raw counts, summed over the launch (kCriticalPath: the most of a warp). Emulator tier in
// brackets.
namespace metric {
inline constexpr char kWarpInstructions[] = "warp_instructions";      // [exact]
inline constexpr char kThreadInstructions[] = "thread_instructions";  // predicated on [exact]
inline constexpr char kDivergentBranches[] = "divergent_branches";    // [exact]
inline constexpr char kBranches[] = "branches";                       // [exact]
inline constexpr char kBarriers[] = "barriers";                       // warp-level [exact]
inline constexpr char kSharedRequests[] = "shared_requests";          // ld + st [exact]
inline constexpr char kSharedWavefronts[] = "shared_wavefronts";      // [exact]
inline constexpr char kSharedWavefrontsIdeal[] = "shared_wavefronts_ideal";  // [exact]
inline constexpr char kGlobalLoadRequests[] = "global_load_requests";        // [exact]
inline constexpr char kGlobalLoadSectors[] = "global_load_sectors";      // 32 bytes each [exact]
inline constexpr char kGlobalStoreRequests[] = "global_store_requests";  // [exact]
inline constexpr char kGlobalStoreSectors[] = "global_store_sectors";    // [exact]
inline constexpr char kGlobalBankConflicts[] =
    "global_bank_conflicts";                                         // BXW's numerator [predicted]
inline constexpr char kLocalSectors[] = "local_sectors";             // ld + st [exact]
inline constexpr char kAtomicRequests[] = "global_atomic_requests";  // atom + red [exact]
inline constexpr char kAtomicTurns[] = "global_atomic_turns";        // [predicted]
inline constexpr char kFences[] = "fences";                          // warp-level [exact]
inline constexpr char kPrefetchSectors[] = "prefetch_sectors";       // [exact]
inline constexpr char kCriticalPath[] = "critical_path_instructions";  // [exact]
inline constexpr char kDoubleInstructions[] = "double_instructions";   // warp-level [exact]
inline constexpr char kConstantWavefronts[] = "constant_wavefronts";   // [predicted]
inline constexpr char kL2ToL1Bytes[] = "l2_to_l1_bytes";               // [predicted]
inline constexpr char kL1ToL2Bytes[] = "l1_to_l2_bytes";               // [predicted]
inline constexpr char kDramBytes[] = "dram_bytes";                     // [not offered]
inline constexpr char kActiveWarpsPercent[] = "active_warps_pct";      // achieved occupancy [no]
inline constexpr char kSmActivePercent[] = "sm_active_pct";            // [not offered]
inline constexpr char kTimeUs[] = "time_us";
// Of launches with drawn blocks: in how many of them these cannot stand for the others, because
// they differ much, or what they do hangs on what others have done.
inline constexpr char kUnevenBlocks[] = "uneven_blocks";
// Of such launches: elements of arrays that are written that were; of those that are inputs as
// well, which have another value.
inline constexpr char kWrittenElements[] = "written_elements";
// Of the emulator. What lanes store and load, in sectors of 32 bytes that have nothing else in
// them; and by line alone (Counts::lines) divisions of whole numbers; executions of branches and
// returns with a condition that came out the same way each time; of threads, how often they came to
// a loop of the machine code, and how many turns they took in it.
inline constexpr char kStoredSectors[] = "stored_sectors";
inline constexpr char kLoadedSectors[] = "loaded_sectors";
inline constexpr char kIntegerDivisions[] = "integer_divisions";
inline constexpr char kSettledBranches[] = "settled_branches";
inline constexpr char kLoopEntries[] = "loop_entries";
inline constexpr char kLoopTurns[] = "loop_turns";
// Also by line alone: instructions of warps, by what they are for; together all.
inline constexpr char kIntegerInstructions[] = "integer_instructions";
inline constexpr char kComparisonInstructions[] = "comparison_instructions";
inline constexpr char kFloatInstructions[] = "float_instructions";
inline constexpr char kConversionInstructions[] = "conversion_instructions";
inline constexpr char kMoveInstructions[] = "move_instructions";
inline constexpr char kExchangeInstructions[] = "exchange_instructions";  // between lanes
inline constexpr char kMemoryInstructions[] = "memory_instructions";
inline constexpr char kControlInstructions[] = "control_instructions";  // branches, barriers
inline constexpr const char* kByPurpose[] = {
    kIntegerInstructions, kComparisonInstructions, kFloatInstructions,  kConversionInstructions,
    kMoveInstructions,    kExchangeInstructions,   kMemoryInstructions, kControlInstructions};
}  // namespace metric

// The counts that a table or a grade needs.
const std::vector<std::string>& standard_metrics();
// Counted only where a homework has a column for them.
const std::vector<std::string>& further_metrics();

}  // namespace lockstep
