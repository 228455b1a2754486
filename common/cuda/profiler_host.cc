// SPDX-License-Identifier: Apache-2.0
// The Profiler Host API in C++: see profiler_host.h.
#include "common/cuda/profiler_host.h"

#if LOCKSTEP_HAS_CUDA

namespace lockstep::cuda {

std::vector<const char*> c_names(const std::vector<std::string>& names) {
  std::vector<const char*> pointers;
  for (const std::string& name : names) pointers.push_back(name.c_str());
  return pointers;
}

std::vector<std::string> supported_chips(const Cupti& cupti) {
  auto params = LOCKSTEP_CUPTI_PARAMS(CUpti_Profiler_Host_GetSupportedChips);
  LOCKSTEP_CUPTI(cupti, cuptiProfilerHostGetSupportedChips, params);
  return {params.ppChipNames, params.ppChipNames + params.numChips};
}

ProfilerHost::ProfilerHost(const Cupti& cupti, const std::string& chip,
                           const std::vector<uint8_t>& availability)
    : cupti_(cupti), chip_(chip), availability_(availability) {
  open();
}

ProfilerHost::~ProfilerHost() { close(); }

void ProfilerHost::open() {
  auto params = LOCKSTEP_CUPTI_PARAMS(CUpti_Profiler_Host_Initialize);
  params.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
  params.pChipName = chip_.c_str();
  params.pCounterAvailabilityImage = availability_.empty() ? nullptr : availability_.data();
  LOCKSTEP_CUPTI(cupti_, cuptiProfilerHostInitialize, params);
  object_ = params.pHostObject;
}

void ProfilerHost::close() noexcept {
  if (object_ == nullptr) return;
  auto params = LOCKSTEP_CUPTI_PARAMS(CUpti_Profiler_Host_Deinitialize);
  params.pHostObject = object_;
  (void)cupti_.cuptiProfilerHostDeinitialize(&params);
  object_ = nullptr;
}

CUptiResult ProfilerHost::add_metrics(const std::vector<std::string>& counters) {
  std::vector<const char*> names = c_names(counters);
  auto params = LOCKSTEP_CUPTI_PARAMS(CUpti_Profiler_Host_ConfigAddMetrics);
  params.pHostObject = object_;
  params.ppMetricNames = names.data();
  params.numMetrics = names.size();
  return cupti_.cuptiProfilerHostConfigAddMetrics(&params);
}

bool ProfilerHost::add(const std::vector<std::string>& counters) {
  if (counters.empty()) return true;
  CUptiResult result = add_metrics(counters);
  // A wrong name, and one that the chip lacks, come back as either of these.
  if (result == CUPTI_ERROR_INVALID_PARAMETER || result == CUPTI_ERROR_INVALID_METRIC_NAME) {
    // After a refusal CUPTI refuses everything (error 999), so begin again with what was there.
    close();
    open();
    if (!counters_.empty()) {
      check_cupti(cupti_, add_metrics(counters_), "cuptiProfilerHostConfigAddMetrics");
    }
    return false;
  }
  check_cupti(cupti_, result, "cuptiProfilerHostConfigAddMetrics");
  counters_.insert(counters_.end(), counters.begin(), counters.end());
  return true;
}

std::vector<uint64_t> ProfilerHost::config_image() const {
  auto size = LOCKSTEP_CUPTI_PARAMS(CUpti_Profiler_Host_GetConfigImageSize);
  size.pHostObject = object_;
  LOCKSTEP_CUPTI(cupti_, cuptiProfilerHostGetConfigImageSize, size);
  std::vector<uint64_t> image((size.configImageSize + 7) / 8);
  auto params = LOCKSTEP_CUPTI_PARAMS(CUpti_Profiler_Host_GetConfigImage);
  params.pHostObject = object_;
  params.configImageSize = size.configImageSize;
  params.pConfigImage = reinterpret_cast<uint8_t*>(image.data());
  LOCKSTEP_CUPTI(cupti_, cuptiProfilerHostGetConfigImage, params);
  return image;
}

size_t ProfilerHost::passes(const Cupti& cupti, std::vector<uint64_t> config_image) {
  auto params = LOCKSTEP_CUPTI_PARAMS(CUpti_Profiler_Host_GetNumOfPasses);
  params.configImageSize = config_image.size() * 8;
  params.pConfigImage = reinterpret_cast<uint8_t*>(config_image.data());
  LOCKSTEP_CUPTI(cupti, cuptiProfilerHostGetNumOfPasses, params);
  return params.numOfPasses;
}

std::vector<double> ProfilerHost::evaluate(const std::vector<uint8_t>& counter_data,
                                           size_t range) const {
  std::vector<const char*> names = c_names(counters_);
  std::vector<double> values(names.size());
  auto params = LOCKSTEP_CUPTI_PARAMS(CUpti_Profiler_Host_EvaluateToGpuValues);
  params.pHostObject = object_;
  params.pCounterDataImage = counter_data.data();
  params.counterDataImageSize = counter_data.size();
  params.rangeIndex = range;
  params.ppMetricNames = names.data();
  params.numMetrics = names.size();
  params.pMetricValues = values.data();
  LOCKSTEP_CUPTI(cupti_, cuptiProfilerHostEvaluateToGpuValues, params);
  return values;
}

}  // namespace lockstep::cuda

#endif  // LOCKSTEP_HAS_CUDA
