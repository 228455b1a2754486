// SPDX-License-Identifier: Apache-2.0
// The Range Profiler on one context: collects a set of counters around kernels, by user ranges
// and user replay: the caller executes everything again for every pass. Errors: CounterError.
// While a session is armed, kernels take longer: do not time them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/cuda/profiler_host.h"

#if LOCKSTEP_HAS_CUDA

namespace lockstep::cuda {

// A set of counters, ready to be collected.
struct CounterSet {
  std::unique_ptr<ProfilerHost> host;
  std::vector<uint64_t> config;
  size_t passes = 0;
};

class RangeProfiler {
 public:
  RangeProfiler(const Cupti& cupti, CUcontext context) : cupti_(cupti), context_(context) {}
  ~RangeProfiler() { disarm(); }
  RangeProfiler(const RangeProfiler&) = delete;
  RangeProfiler& operator=(const RangeProfiler&) = delete;

  // Executes range i through execute(i, push, pop): it prepares, calls push, launches and waits,
  // calls pop, and tidies up. Returns the counters of every range, in the order of the set.
  // Arms the session where it is not, which takes 0.2 s; it stays armed, and serves later calls
  // with the same set and no more ranges.
  using Step = std::function<void()>;
  using Execute = std::function<void(size_t range, const Step& push, const Step& pop)>;
  std::vector<std::vector<double>> collect(const CounterSet& set, size_t ranges,
                                           const Execute& execute);

  // Detaches from the context; about 10 ms. Does nothing where nothing is armed.
  void disarm() noexcept;
  bool armed() const { return object_ != nullptr; }

 private:
  void arm(const CounterSet& set, size_t ranges);
  void prepare_image(const CounterSet& set, size_t ranges);
  bool execute_pass(size_t ranges, const Execute& execute);
  void push(size_t range);
  void pop();
  std::vector<std::vector<double>> decode(const CounterSet& set, size_t ranges);

  const Cupti& cupti_;
  CUcontext context_;
  CUpti_RangeProfiler_Object* object_ = nullptr;
  const CounterSet* armed_for_ = nullptr;
  size_t armed_ranges_ = 0;
  std::vector<uint8_t> counter_data_;
};

}  // namespace lockstep::cuda

#endif  // LOCKSTEP_HAS_CUDA
