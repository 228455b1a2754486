// SPDX-License-Identifier: Apache-2.0
// The functions of the CUPTI without a card: see fake_cupti.h.
#include "tests/cuda/fake_cupti.h"

#if LOCKSTEP_HAS_CUDA

#include <cmath>

namespace lockstep::cuda {
namespace {

const char* const kChips[] = {"GH100"};

void fake_host(Cupti* c) {
  c->cuptiProfilerHostInitialize = [](auto* p) {
    p->pHostObject = reinterpret_cast<CUpti_Profiler_Host_Object*>(1);
    return CUPTI_SUCCESS;
  };
  c->cuptiProfilerHostDeinitialize = [](auto*) { return CUPTI_SUCCESS; };
  c->cuptiProfilerHostGetSupportedChips = [](auto* p) {
    p->numChips = 1;
    p->ppChipNames = kChips;
    return CUPTI_SUCCESS;
  };
  c->cuptiProfilerHostConfigAddMetrics = [](auto*) { return CUPTI_SUCCESS; };
  c->cuptiProfilerHostGetConfigImageSize = [](auto* p) {
    p->configImageSize = 16;
    return CUPTI_SUCCESS;
  };
  c->cuptiProfilerHostGetConfigImage = [](auto*) { return CUPTI_SUCCESS; };
  c->cuptiProfilerHostEvaluateToGpuValues = [](auto* p) {
    for (size_t i = 0; i < p->numMetrics; ++i) {
      p->pMetricValues[i] =
          fake().nan ? std::nan("") : 10 * (1 + std::stod(fake().pushed[p->rangeIndex]));
    }
    return CUPTI_SUCCESS;
  };
}

void fake_device(Cupti* c) {
  c->cuptiGetResultString = [](CUptiResult, const char**) { return CUPTI_ERROR_UNKNOWN; };
  c->cuptiDeviceGetChipName = [](auto* p) {
    p->pChipName = kChips[0];
    return CUPTI_SUCCESS;
  };
  c->cuptiProfilerInitialize = [](auto*) { return fake().initialize; };
  c->cuptiProfilerDeviceSupported = [](auto* p) {
    p->vGpu = fake().virtual_gpu;
    p->isSupported = p->vGpu;
    return CUPTI_SUCCESS;
  };
}

void fake_ranges(Cupti* c) {
  c->cuptiRangeProfilerEnable = [](auto* p) {
    fake().enabled++;
    p->pRangeProfilerObject = reinterpret_cast<CUpti_RangeProfiler_Object*>(1);
    return fake().enable;
  };
  c->cuptiRangeProfilerDisable = [](auto*) {
    fake().disabled++;
    return CUPTI_SUCCESS;
  };
  c->cuptiRangeProfilerGetCounterDataSize = [](auto* p) {
    p->counterDataSize = 8;
    return CUPTI_SUCCESS;
  };
  c->cuptiRangeProfilerCounterDataImageInitialize = [](auto*) { return CUPTI_SUCCESS; };
  c->cuptiRangeProfilerSetConfig = [](auto* p) {
    fake().ranges_configured = p->maxRangesPerPass;
    fake().passes_done = 0;
    return CUPTI_SUCCESS;
  };
  c->cuptiRangeProfilerStart = [](auto*) {
    fake().started++;
    fake().pushed.clear();
    if (fake().busy_starts-- > 0) return CUPTI_ERROR_HARDWARE_BUSY;
    return fake().start;
  };
  c->cuptiRangeProfilerStop = [](auto* p) {
    p->isAllPassSubmitted = ++fake().passes_done >= fake().passes;
    return CUPTI_SUCCESS;
  };
  c->cuptiRangeProfilerPushRange = [](auto* p) {
    fake().pushed.push_back(p->pRangeName);
    return CUPTI_SUCCESS;
  };
  c->cuptiRangeProfilerPopRange = [](auto*) { return CUPTI_SUCCESS; };
  c->cuptiRangeProfilerDecodeData = [](auto* p) {
    p->numOfRangeDropped = fake().dropped;
    return CUPTI_SUCCESS;
  };
  c->cuptiRangeProfilerGetCounterDataInfo = [](auto* p) {
    p->numTotalRanges = fake().pushed.size() - fake().ranges_lost;
    return CUPTI_SUCCESS;
  };
  c->cuptiRangeProfilerCounterDataGetRangeInfo = [](auto* p) {
    p->rangeName = fake().pushed[p->rangeIndex].c_str();
    return CUPTI_SUCCESS;
  };
}

}  // namespace

FakeCupti& fake() {
  static FakeCupti state;
  return state;
}

const Cupti& fake_cupti() {
  static const Cupti functions = [] {
    Cupti c;
    fake_host(&c);
    fake_device(&c);
    fake_ranges(&c);
    return c;
  }();
  return functions;
}

}  // namespace lockstep::cuda

#endif  // LOCKSTEP_HAS_CUDA
