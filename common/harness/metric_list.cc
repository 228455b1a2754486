// SPDX-License-Identifier: Apache-2.0
// The list of all metrics, with what is said of them in documents and messages. See metrics.h.
#include "common/harness/metrics.h"

namespace lockstep {

const std::vector<MetricInfo>& all_metrics() {
  constexpr char kExact[] = "exact", kPredicted[] = "predicted", kNo[] = "not offered";
  static const std::vector<MetricInfo> metrics = {
      {metric::kWarpInstructions, "instructions executed, counted once a warp", kExact},
      {metric::kThreadInstructions, "instructions executed by threads whose predicate is true",
       kExact},
      {metric::kBranches, "branches and calls, counted once a warp", kExact},
      {metric::kDivergentBranches, "branches that parted the threads of a warp", kExact},
      {metric::kBarriers, "__syncthreads and the like, counted once a warp", kExact},
      {metric::kSharedRequests, "loads and stores of shared memory, counted once a warp", kExact},
      {metric::kSharedWavefronts, "passes through shared memory that they took", kExact},
      {metric::kSharedWavefrontsIdeal, "passes that they take without bank conflicts", kExact},
      {metric::kGlobalLoadRequests, "loads of global memory, counted once a warp", kExact},
      {metric::kGlobalLoadSectors, "32-byte sectors that these loads touch", kExact},
      {metric::kGlobalStoreRequests, "stores to global memory, counted once a warp", kExact},
      {metric::kGlobalStoreSectors, "32-byte sectors that these stores touch", kExact},
      {metric::kGlobalBankConflicts, "L1 data bank conflicts of global loads and stores",
       kPredicted},
      {metric::kLocalSectors, "32-byte sectors of local memory loaded or stored (spills, arrays)",
       kExact},
      {metric::kAtomicRequests, "atomic operations on global memory, counted once a warp", kExact},
      {metric::kAtomicTurns,
       "sectors that they touch, each as often as its most wanted word has threads: these take "
       "turns",
       kPredicted},
      {metric::kFences, "fences that reach beyond the block, counted once a warp", kExact},
      {metric::kPrefetchSectors,
       "different 32-byte sectors that prefetches and changes of priority ask for", kExact},
      {metric::kDoubleInstructions,
       "instructions in double precision, conversions from and to it too, counted once a warp",
       kExact},
      {metric::kCriticalPath,
       "instructions one after another: a warp's, and at barriers of the warp that came last",
       kExact},
      {metric::kConstantWavefronts,
       "different words that loads from constant memory by an address in a register ask for",
       kPredicted},
      {metric::kL2ToL1Bytes, "bytes that moved from L2 to the L1 caches", kPredicted},
      {metric::kL1ToL2Bytes, "bytes that moved from the L1 caches to L2", kPredicted},
      {metric::kDramBytes, "bytes that moved between L2 and memory, both directions", kNo},
      {metric::kActiveWarpsPercent, "warps on an SM at once, in percent of what it holds", kNo,
       false, true, metric::kTimeUs},
      {metric::kSmActivePercent, "share of the time that an SM has a warp, in percent", kNo, false,
       true, metric::kTimeUs},
      {metric::kInstPerElement, "I/el: warp instructions * 32 / elements", kExact, true},
      {metric::kConflictsPerGlobalRequest,
       "BXW: L1 data bank conflicts per load or store of global memory", kPredicted, true, true,
       metric::kConflictsPerElement},
      {metric::kL2ReadRatio, "N*R: bytes from L2 to L1 over the input's bytes", kPredicted, true},
      {metric::kL2WriteRatio, "N*W: bytes from L1 to L2 over the output's bytes", kPredicted, true},
      {metric::kLoadSectorsPerRequest, "sectors of a global load; 4 is ideal for 32-bit elements",
       kExact, true, true, metric::kLoadSectorsPerElement},
      {metric::kStoreSectorsPerRequest, "sectors of a global store; 4 is ideal for 32-bit elements",
       kExact, true, true, metric::kStoreSectorsPerElement},
      {metric::kSharedConflicts, "shared_wavefronts - shared_wavefronts_ideal", kExact, true},
      {metric::kSharedConflictsPerRequest, "shared_conflicts per load or store of shared memory",
       kExact, true, true, metric::kSharedConflictsPerElement},
      {metric::kConflictsPerElement,
       "L1 data bank conflicts of global loads and stores per element", kPredicted, true},
      {metric::kLoadSectorsPerElement, "sectors of global loads per element", kExact, true},
      {metric::kStoreSectorsPerElement, "sectors of global stores per element", kExact, true},
      {metric::kSharedConflictsPerElement, "shared_conflicts per element", kExact, true},
      {metric::kThreadsPerInstruction, "threads that an instruction works for, of 32", kExact, true,
       true, metric::kInstPerElement},
      {metric::kBranchUniformity, "branches that did not part the threads of a warp, in percent",
       kExact, true, true, metric::kInstPerElement},
      {metric::kWarpEfficiency, "threads that an instruction works for, in percent of a warp",
       kExact, true, true, metric::kInstPerElement},
      {metric::kL2Gbps, "GB/s between L1 and L2, both directions", kNo, true, true,
       metric::kTimeUs},
      {metric::kL2PeakPercent, "%pk: l2_gbps in percent of 16 bytes a clock and SM", kNo, true,
       true, metric::kTimeUs},
      {metric::kDramGbps, "GB/s between L2 and memory, both directions", kNo, true, true,
       metric::kTimeUs},
      {metric::kUsefulGbps, "GB/s of the input and the output, each moved once", kNo, true, true,
       metric::kTimeUs},
      {metric::kFpGflops, "FP: useful floating-point operations per ns", kNo, true},
      {metric::kTimeUs, "device time of a launch without counters, in microseconds", kNo, true},
      {metric::kUtilization, "Utl: share of the threads' iterations that have work", kExact, true},
      {metric::kResidentWarps, "ac: warps of this kernel on an SM at once", kExact, true},
      {metric::kBlocks, "blocks of the grid; of several launches, the first one's", kExact, true},
      {metric::kThreadsPerBlock, "threads of a block", kExact, true},
      {metric::kWarpsPerBlock, "wp: warps of a block", kExact, true},
      {metric::kTheoreticalOccupancy,
       "warps that fit on an SM at once, in percent of what it holds: by registers, shared memory "
       "and the block's size",
       kExact, true},
      {metric::kResidencyShortfall,
       "warps that an SM could hold of this launch at once, over those that it holds, and that a "
       "block has more of than one",
       kExact, true},
      {metric::kWaves, "blocks of the grid over those that the device holds at once", kExact, true},
      {metric::kTailPercent, "places that stay empty in the last wave, in percent", kExact, true},
      {metric::kRegisters, "registers of a thread", kExact},
      {metric::kSpillBytes, "bytes of spill loads and stores in a thread's code", kExact},
  };
  return metrics;
}

bool repeats_on_a_card(const std::string& metric) {
  for (const char* name :
       {metric::kGlobalBankConflicts, metric::kL1ToL2Bytes, metric::kL2ToL1Bytes,
        metric::kDramBytes, metric::kConflictsPerGlobalRequest, metric::kConflictsPerElement,
        metric::kL2WriteRatio, metric::kL2ReadRatio})
    if (metric == name) return false;
  return true;
}

}  // namespace lockstep
