// SPDX-License-Identifier: Apache-2.0
// Sessions of the Range Profiler: see range_profiler.h. Measured on an H200: arming 0.15 to 0.2 s,
// each session with hardware counters 24 ms more (whatever the number of its ranges), one with
// patched code alone 0.2 ms, each range and pass 0.6 ms.
#include "common/cuda/range_profiler.h"

#if LOCKSTEP_HAS_CUDA

#include <charconv>
#include <cstring>
#include <limits>

#include "common/cuda/driver.h"

namespace lockstep::cuda {
namespace {

constexpr size_t kMostPasses = 256;  // far above any set of ours: a bound for the replay loop

// The number that push() made a range's name of; `otherwise` where it is none.
size_t range_number(const char* name, size_t otherwise) {
  size_t number = 0;
  if (name == nullptr) return otherwise;
  const char* end = name + std::strlen(name);
  return std::from_chars(name, end, number).ptr == end ? number : otherwise;
}

}  // namespace

// CUPTI 13.0 takes the set of counters and the number of ranges from the first configuration
// after it is enabled; with another one later it returns no numbers.
void RangeProfiler::arm(const CounterSet& set, size_t ranges) {
  if (object_ != nullptr && armed_for_ == &set && ranges <= armed_ranges_) return;
  disarm();
  auto params = LOCKSTEP_CUPTI_PARAMS(CUpti_RangeProfiler_Enable);
  params.ctx = context_;
  LOCKSTEP_CUPTI(cupti_, cuptiRangeProfilerEnable, params);
  object_ = params.pRangeProfilerObject;
  armed_for_ = &set;
  armed_ranges_ = ranges;
}

void RangeProfiler::disarm() noexcept {
  if (object_ == nullptr) return;
  auto params = LOCKSTEP_CUPTI_PARAMS(CUpti_RangeProfiler_Disable);
  params.pRangeProfilerObject = object_;
  object_ = nullptr;
  // Once the context is lost, CUPTI might wait for a kernel that never ends.
  if (!driver().lost) (void)cupti_.cuptiRangeProfilerDisable(&params);
}

void RangeProfiler::prepare_image(const CounterSet& set, size_t ranges) {
  std::vector<const char*> names = c_names(set.host->counters());
  auto size = LOCKSTEP_CUPTI_PARAMS(CUpti_RangeProfiler_GetCounterDataSize);
  size.pRangeProfilerObject = object_;
  size.pMetricNames = names.data();
  size.numMetrics = names.size();
  size.maxNumOfRanges = ranges;
  size.maxNumRangeTreeNodes = static_cast<uint32_t>(ranges + 1);
  LOCKSTEP_CUPTI(cupti_, cuptiRangeProfilerGetCounterDataSize, size);
  counter_data_.assign(size.counterDataSize, 0);

  auto image = LOCKSTEP_CUPTI_PARAMS(CUpti_RangeProfiler_CounterDataImage_Initialize);
  image.pRangeProfilerObject = object_;
  image.counterDataSize = counter_data_.size();
  image.pCounterData = counter_data_.data();
  LOCKSTEP_CUPTI(cupti_, cuptiRangeProfilerCounterDataImageInitialize, image);

  auto config = LOCKSTEP_CUPTI_PARAMS(CUpti_RangeProfiler_SetConfig);
  config.pRangeProfilerObject = object_;
  config.configSize = set.config.size() * 8;
  config.pConfig = reinterpret_cast<const uint8_t*>(set.config.data());
  config.counterDataImageSize = counter_data_.size();
  config.pCounterDataImage = counter_data_.data();
  config.range = CUPTI_UserRange;
  config.replayMode = CUPTI_UserReplay;
  config.maxRangesPerPass = ranges;
  config.numNestingLevels = 1;
  config.minNestingLevel = 1;
  config.passIndex = 0;
  config.targetNestingLevel = 1;
  LOCKSTEP_CUPTI(cupti_, cuptiRangeProfilerSetConfig, config);
}

void RangeProfiler::push(size_t range) {
  const std::string name = std::to_string(range);
  auto params = LOCKSTEP_CUPTI_PARAMS(CUpti_RangeProfiler_PushRange);
  params.pRangeProfilerObject = object_;
  params.pRangeName = name.c_str();
  LOCKSTEP_CUPTI(cupti_, cuptiRangeProfilerPushRange, params);
}

void RangeProfiler::pop() {
  auto params = LOCKSTEP_CUPTI_PARAMS(CUpti_RangeProfiler_PopRange);
  params.pRangeProfilerObject = object_;
  LOCKSTEP_CUPTI(cupti_, cuptiRangeProfilerPopRange, params);
}

// True after the last pass.
bool RangeProfiler::execute_pass(size_t ranges, const Execute& execute) {
  auto start = LOCKSTEP_CUPTI_PARAMS(CUpti_RangeProfiler_Start);
  start.pRangeProfilerObject = object_;
  LOCKSTEP_CUPTI(cupti_, cuptiRangeProfilerStart, start);
  for (size_t i = 0; i < ranges; ++i) {
    execute(
        i, [this, i] { push(i); }, [this] { pop(); });
  }
  auto stop = LOCKSTEP_CUPTI_PARAMS(CUpti_RangeProfiler_Stop);
  stop.pRangeProfilerObject = object_;
  LOCKSTEP_CUPTI(cupti_, cuptiRangeProfilerStop, stop);
  return stop.isAllPassSubmitted != 0;
}

std::vector<std::vector<double>> RangeProfiler::decode(const CounterSet& set, size_t ranges) {
  auto params = LOCKSTEP_CUPTI_PARAMS(CUpti_RangeProfiler_DecodeData);
  params.pRangeProfilerObject = object_;
  LOCKSTEP_CUPTI(cupti_, cuptiRangeProfilerDecodeData, params);
  // What was dropped, or is not there, stays NaN: not measured.
  std::vector<std::vector<double>> values(
      ranges,
      std::vector<double>(set.host->counters().size(), std::numeric_limits<double>::quiet_NaN()));
  if (params.numOfRangeDropped != 0) return values;
  auto info = LOCKSTEP_CUPTI_PARAMS(CUpti_RangeProfiler_GetCounterDataInfo);
  info.pCounterDataImage = counter_data_.data();
  info.counterDataImageSize = counter_data_.size();
  LOCKSTEP_CUPTI(cupti_, cuptiRangeProfilerGetCounterDataInfo, info);
  for (size_t i = 0; i < info.numTotalRanges; ++i) {
    auto range = LOCKSTEP_CUPTI_PARAMS(CUpti_RangeProfiler_CounterData_GetRangeInfo);
    range.pCounterDataImage = counter_data_.data();
    range.counterDataImageSize = counter_data_.size();
    range.rangeIndex = i;
    range.rangeDelimiter = "/";
    LOCKSTEP_CUPTI(cupti_, cuptiRangeProfilerCounterDataGetRangeInfo, range);
    const size_t index = range_number(range.rangeName, ranges);
    if (index < ranges) values[index] = set.host->evaluate(counter_data_, i);
  }
  return values;
}

std::vector<std::vector<double>> RangeProfiler::collect(const CounterSet& set, size_t ranges,
                                                        const Execute& execute) {
  arm(set, ranges);
  try {
    prepare_image(set, ranges);
    for (size_t pass = 0; pass < kMostPasses; ++pass) {
      if (execute_pass(ranges, execute)) return decode(set, ranges);
    }
    throw CounterError(CUPTI_ERROR_UNKNOWN,
                       "CUPTI asks for the kernel again and again; run "
                       "without counters");
  } catch (...) {
    disarm();  // a session that was left in the middle cannot be used again
    throw;
  }
}

}  // namespace lockstep::cuda

#endif  // LOCKSTEP_HAS_CUDA
