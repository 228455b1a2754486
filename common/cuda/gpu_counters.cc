// SPDX-License-Identifier: Apache-2.0
// Counting on a GPU: see gpu_counters.h.
#include "common/cuda/gpu_counters.h"

#if LOCKSTEP_HAS_CUDA

#include <algorithm>
#include <chrono>
#include <thread>

#include "common/cuda/sass_counter.h"

namespace lockstep::cuda {
namespace {

// Ranges of one session. A session costs 24 ms, a range some kilobytes of counter data.
constexpr size_t kMostRanges = 64;

// Another process that counts, a class-mate's, holds the card's counters for a second or so.
constexpr std::chrono::milliseconds kBusyDelay{50};
constexpr std::chrono::milliseconds kLongestDelay{1600};  // 50 + 100 + ... + 800: 1.6 s together

void refuse_all(const std::vector<std::string>& metrics, const std::string& why, Counts* counts) {
  for (const std::string& metric : metrics) {
    if (counts->values.count(metric) == 0) counts->unavailable[metric] = why;
  }
}

}  // namespace

void GpuCounters::open() {
  if (cupti_ != nullptr) return;
  std::string why;
  const Cupti* cupti = given_ != nullptr ? given_ : open_cupti(&why);
  if (cupti == nullptr) throw CounterError(CUPTI_ERROR_NOT_INITIALIZED, why);
  auto initialize = LOCKSTEP_CUPTI_PARAMS(CUpti_Profiler_Initialize);
  LOCKSTEP_CUPTI(*cupti, cuptiProfilerInitialize, initialize);
  cupti_ = cupti;
  check_supported();
  auto name = LOCKSTEP_CUPTI_PARAMS(CUpti_Device_GetChipName);
  name.deviceIndex = static_cast<size_t>(device_index_);
  LOCKSTEP_CUPTI(*cupti_, cuptiDeviceGetChipName, name);
  chip_ = name.pChipName;
  // Reading what the device offers takes half a second, and only an unknown chip needs it.
  const std::vector<std::string> known = supported_chips(*cupti_);
  if (std::find(known.begin(), known.end(), chip_) == known.end()) availability_ = availability();
  profiler_ = std::make_unique<RangeProfiler>(*cupti_, context_);
}

void GpuCounters::check_supported() {
  auto params = LOCKSTEP_CUPTI_PARAMS(CUpti_Profiler_DeviceSupported);
  params.cuDevice = device_;
  params.api = CUPTI_PROFILER_RANGE_PROFILING;
  LOCKSTEP_CUPTI(*cupti_, cuptiProfilerDeviceSupported, params);
  if (params.isSupported == CUPTI_PROFILER_CONFIGURATION_SUPPORTED) return;
  const std::pair<CUpti_Profiler_Support_Level, CUptiResult> reasons[] = {
      {params.vGpu, CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED},
      {params.confidentialCompute, CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED},
      {params.cmp, CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED},
      {params.sli, CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED},
      {params.wsl, CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED}};
  for (const auto& [level, result] : reasons) {
    if (level == CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED ||
        level == CUPTI_PROFILER_CONFIGURATION_DISABLED) {
      throw_cupti(*cupti_, result, "cuptiProfilerDeviceSupported");
    }
  }
  throw_cupti(*cupti_, CUPTI_ERROR_NOT_SUPPORTED, "cuptiProfilerDeviceSupported");
}

std::vector<uint8_t> GpuCounters::availability() const {
  auto params = LOCKSTEP_CUPTI_PARAMS(CUpti_Profiler_GetCounterAvailability);
  params.ctx = context_;
  LOCKSTEP_CUPTI(*cupti_, cuptiProfilerGetCounterAvailability, params);
  std::vector<uint8_t> image(params.counterAvailabilityImageSize);
  params.pCounterAvailabilityImage = image.data();
  LOCKSTEP_CUPTI(*cupti_, cuptiProfilerGetCounterAvailability, params);
  return image;
}

std::unique_ptr<ProfilerHost> GpuCounters::host() const {
  return std::make_unique<ProfilerHost>(*cupti_, chip_, availability_);
}

GpuCounters::Planned& GpuCounters::planned(const std::vector<std::string>& metrics) {
  auto [at, fresh] = planned_.try_emplace(metrics);
  Planned& planned = at->second;
  if (!fresh) return planned;
  try {
    std::unique_ptr<ProfilerHost> scratch = host();
    planned.plan = plan_counters(scratch.get(), metrics);
    planned.set.host = host();
    if (!planned.plan.counters.empty()) {
      planned.set.host->add(planned.plan.counters);
      planned.set.config = planned.set.host->config_image();
    }
  } catch (...) {
    planned_.erase(at);
    throw;
  }
  return planned;
}

void GpuCounters::prepare(const std::vector<std::string>& metrics) {
  if (ahead_.valid() || refused_ || cupti_ != nullptr) return;
  ahead_ = std::async(std::launch::async, [this, metrics] {
    open();
    planned(metrics);
  });
}

std::vector<Counts> GpuCounters::collect(const std::vector<std::string>& metrics, size_t n,
                                         const RangeProfiler::Execute& execute) {
  if (ahead_.valid()) ahead_.get();
  open();
  std::vector<Counts> all(n);
  Planned& plan = planned(metrics);
  for (size_t first = 0; first < n; first += kMostRanges) {
    const size_t ranges = std::min(kMostRanges, n - first);
    std::vector<std::vector<double>> rows(ranges);
    if (!plan.plan.counters.empty()) {
      rows = profiler_->collect(plan.set, ranges, [&](size_t i, const auto& push, const auto& pop) {
        execute(first + i, push, pop);
      });
    }
    for (size_t i = 0; i < ranges; ++i) {
      CounterValues values;
      for (size_t k = 0; k < rows[i].size(); ++k) values[plan.plan.counters[k]] = rows[i][k];
      all[first + i] = read_counts(plan.plan, values);
    }
  }
  return all;
}

std::vector<Counts> GpuCounters::count(const std::vector<std::string>& metrics, size_t n,
                                       const RangeProfiler::Execute& execute) {
  for (auto delay = kBusyDelay; !refused_; delay *= 2) {
    try {
      return collect(metrics, n, execute);
    } catch (const CounterError& error) {
      const bool try_again = error.result() == CUPTI_ERROR_HARDWARE_BUSY && delay < kLongestDelay;
      if (!try_again) refused_ = error.what();
      if (try_again) std::this_thread::sleep_for(delay);
    }
  }
  std::vector<Counts> all(n);
  for (Counts& counts : all) refuse_all(metrics, *refused_, &counts);
  return all;
}

void GpuCounters::count_instructions(const std::string& cubin,
                                     const std::vector<std::string>& metrics,
                                     const std::function<void()>& launch, Counts* counts) {
  if (refused_ || cupti_ == nullptr || !sass_counter_unused()) return;
  disarm();
  try {
    const auto collected = collect_sass(*cupti_, context_, device_index_, chip_, launch);
    if (collected.empty()) return;
    SassReport report = report_sass(*cupti_, collected, cubin);
    counts->lines = std::move(report.lines);
    for (const std::string& metric : metrics) {
      auto total = report.totals.find(metric);
      if (total == report.totals.end() || counts->values.count(metric) != 0) continue;
      counts->values[metric] = total->second;
      counts->unavailable.erase(metric);
    }
  } catch (const CounterError&) {
    // The Range Profiler gave what a table needs; lines and ideals stay as they are.
  }
}

void GpuCounters::disarm() noexcept {
  if (ahead_.valid()) return;  // nothing is armed yet
  if (profiler_ != nullptr) profiler_->disarm();
}

}  // namespace lockstep::cuda

#endif  // LOCKSTEP_HAS_CUDA
