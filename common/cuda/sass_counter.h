// SPDX-License-Identifier: Apache-2.0
// The SASS Metrics API: counts of one launch, an instruction at a time, from patched code, with
// the ideal wavefronts that the Range Profiler does not have. As CUPTI of CUDA 13.0 behaves, it
// collects only the first kernel after it is armed and cannot be armed again in the process, even
// in another context: so once a process. Errors: CounterError.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "common/backend/counts.h"
#include "common/cuda/cupti.h"

#if LOCKSTEP_HAS_CUDA

namespace lockstep::cuda {

// What one instruction counted, under one of CUPTI's names without a rollup.
struct SassCount {
  std::string function;  // mangled
  uint32_t pc = 0;       // from the function's start
  std::string counter;
  uint64_t value = 0;
};

// True until collect_sass() was called in this process.
bool sass_counter_unused();

// `launch` executes one kernel and waits for it; nothing else may run on the context meanwhile.
std::vector<SassCount> collect_sass(const Cupti& cupti, CUcontext context, int device_index,
                                    const std::string& chip, const std::function<void()>& launch);

// Metrics of common/backend/metric_names.h by source line, and their sums. Lines come from the line
// table of the cubin; instructions that it does not place are only in the sums. An empty cubin: no
// lines.
struct SassReport {
  std::map<std::string, Count> totals;
  std::vector<LineCounts> lines;  // by file and line
};
SassReport report_sass(const Cupti& cupti, const std::vector<SassCount>& counts,
                       const std::string& cubin);

}  // namespace lockstep::cuda

#endif  // LOCKSTEP_HAS_CUDA
