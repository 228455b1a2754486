// SPDX-License-Identifier: Apache-2.0
// All that counts on one GPU: opens CUPTI, plans the counters for what is asked, collects them,
// and gives the reason, once for all, where the system refuses. The backend's only door to CUPTI.
#pragma once

#include <future>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/backend/counts.h"
#include "common/cuda/counter_plan.h"
#include "common/cuda/range_profiler.h"

#if LOCKSTEP_HAS_CUDA

namespace lockstep::cuda {

class GpuCounters {
 public:
  // `cupti`: another than the system's, for tests.
  GpuCounters(CUcontext context, CUdevice device, int device_index, const Cupti* cupti = nullptr)
      : context_(context), device_(device), device_index_(device_index), given_(cupti) {}

  // Counts n launches; execute(i, push, pop) as in RangeProfiler::collect. Never throws
  // CounterError: what the system refuses is "unavailable" in every result, now and later on.
  std::vector<Counts> count(const std::vector<std::string>& metrics, size_t n,
                            const RangeProfiler::Execute& execute);

  // Opens CUPTI and plans these metrics beside other work: the next count() waits for it.
  void prepare(const std::vector<std::string>& metrics);

  // Counts one launch an instruction at a time, where the process still can (sass_counter.h);
  // adds the lines, and those metrics of `metrics` that *counts has no value of.
  void count_instructions(const std::string& cubin, const std::vector<std::string>& metrics,
                          const std::function<void()>& launch, Counts* counts);

  // Detaches from the context, before something is timed.
  void disarm() noexcept;

 private:
  struct Planned {
    CounterPlan plan;
    CounterSet set;
  };

  void open();
  std::vector<Counts> collect(const std::vector<std::string>& metrics, size_t n,
                              const RangeProfiler::Execute& execute);
  void check_supported();
  std::vector<uint8_t> availability() const;
  Planned& planned(const std::vector<std::string>& metrics);
  std::unique_ptr<ProfilerHost> host() const;

  CUcontext context_;
  CUdevice device_;
  int device_index_;
  const Cupti* given_;
  const Cupti* cupti_ = nullptr;  // once it is open
  std::string chip_;
  std::vector<uint8_t> availability_;  // empty for a chip that CUPTI knows
  std::optional<std::string> refused_;
  std::unique_ptr<RangeProfiler> profiler_;
  std::map<std::vector<std::string>, Planned> planned_;
  std::future<void> ahead_;  // while it is valid, all above belongs to that thread
};

}  // namespace lockstep::cuda

#endif  // LOCKSTEP_HAS_CUDA
