// SPDX-License-Identifier: Apache-2.0
// CUPTI, opened at run time, and its errors in words that a student can act on. Only the Range
// Profiler, Profiler Host and SASS Metrics APIs are used; the host half needs no GPU, no driver.
#pragma once

#include <string>

#include "common/base/error.h"
#include "common/cuda/headers.h"

#if LOCKSTEP_HAS_CUDA

namespace lockstep::cuda {

#define LOCKSTEP_CUPTI_FUNCTIONS(X)                                                               \
  X(cuptiGetVersion)                                                                              \
  X(cuptiGetResultString)                                                                         \
  X(cuptiDeviceGetChipName)                                                                       \
  X(cuptiProfilerInitialize)                                                                      \
  X(cuptiProfilerDeInitialize)                                                                    \
  X(cuptiProfilerGetCounterAvailability)                                                          \
  X(cuptiProfilerDeviceSupported) X(cuptiProfilerHostInitialize) X(cuptiProfilerHostDeinitialize) \
      X(cuptiProfilerHostGetSupportedChips) X(cuptiProfilerHostConfigAddMetrics) X(               \
          cuptiProfilerHostGetConfigImageSize) X(cuptiProfilerHostGetConfigImage)                 \
          X(cuptiProfilerHostGetNumOfPasses) X(cuptiProfilerHostEvaluateToGpuValues) X(           \
              cuptiRangeProfilerEnable) X(cuptiRangeProfilerDisable)                              \
              X(cuptiRangeProfilerSetConfig) X(cuptiRangeProfilerStart) X(cuptiRangeProfilerStop) \
                  X(cuptiRangeProfilerPushRange) X(cuptiRangeProfilerPopRange)                    \
                      X(cuptiRangeProfilerDecodeData) X(cuptiRangeProfilerGetCounterDataSize)     \
                          X(cuptiRangeProfilerCounterDataImageInitialize)                         \
                              X(cuptiRangeProfilerGetCounterDataInfo)                             \
                                  X(cuptiRangeProfilerCounterDataGetRangeInfo) X(                 \
                                      cuptiSassMetricsGetProperties) X(cuptiSassMetricsSetConfig) \
                                      X(cuptiSassMetricsUnsetConfig) X(cuptiSassMetricsEnable)    \
                                          X(cuptiSassMetricsDisable)                              \
                                              X(cuptiSassMetricsGetDataProperties)                \
                                                  X(cuptiSassMetricsFlushData)                    \
                                                      X(cuptiGetSassToSourceCorrelation)

struct Cupti {
#define LOCKSTEP_DECLARE(name) decltype(&::name) name = nullptr;
  LOCKSTEP_CUPTI_FUNCTIONS(LOCKSTEP_DECLARE)
#undef LOCKSTEP_DECLARE
};

// Opens libcupti, and libnvperf_host beside it; nullptr, with the reason in *why, where that
// fails. Looks in CUDA_HOME, CUDA_PATH, the toolkit of the nvcc on the PATH, /usr/local/cuda, and
// where the system looks.
const Cupti* open_cupti(std::string* why);

// Counters that could not be had. what() is one line: the reason and the remedy.
class CounterError : public Error {
 public:
  CounterError(CUptiResult result, const std::string& message)
      : Error(message, kExitCannotRun), result_(result) {}
  CUptiResult result() const { return result_; }

 private:
  CUptiResult result_;
};

// The reason and the remedy for a result of CUPTI, in one line, without a full stop.
std::string counter_error_text(CUptiResult result);
[[noreturn]] void throw_cupti(const Cupti& cupti, CUptiResult result, const char* call);

inline void check_cupti(const Cupti& cupti, CUptiResult result, const char* call) {
  if (result != CUPTI_SUCCESS) [[unlikely]]
    throw_cupti(cupti, result, call);
}

// A zeroed parameter block with its size filled in, as every call of these APIs wants it.
template <typename Params>
Params cupti_params(size_t size) {
  Params params{};
  params.structSize = size;
  return params;
}

}  // namespace lockstep::cuda

#define LOCKSTEP_CUPTI_PARAMS(type) \
  ::lockstep::cuda::cupti_params<type##_Params>(type##_Params_STRUCT_SIZE)
// Calls a function of CUPTI with a parameter block and throws CounterError where it fails.
#define LOCKSTEP_CUPTI(cupti, function, params) \
  ::lockstep::cuda::check_cupti(cupti, (cupti).function(&(params)), #function)

#endif  // LOCKSTEP_HAS_CUDA
