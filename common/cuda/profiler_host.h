// SPDX-License-Identifier: Apache-2.0
// The Profiler Host API: what counters a chip has, how many passes they take, and what a card's
// counter data says. Needs libcupti and libnvperf_host, but neither GPU nor driver, so the names
// of the counters can be tested anywhere. Errors: CounterError.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/cuda/cupti.h"

#if LOCKSTEP_HAS_CUDA

namespace lockstep::cuda {

// The chips that this CUPTI knows: "GA100", "GH100", ...
std::vector<std::string> supported_chips(const Cupti& cupti);

// The counters of one chip, and the set of them that is to be collected.
class ProfilerHost {
 public:
  // `availability`: of the device at hand, for a chip that this CUPTI was not built for.
  ProfilerHost(const Cupti& cupti, const std::string& chip,
               const std::vector<uint8_t>& availability = {});
  ~ProfilerHost();
  ProfilerHost(const ProfilerHost&) = delete;
  ProfilerHost& operator=(const ProfilerHost&) = delete;

  // Adds counters to the set; false, and nothing added, where the chip lacks one of them.
  bool add(const std::vector<std::string>& counters);
  const std::vector<std::string>& counters() const { return counters_; }

  // What the device is told to collect, for the set as it is now; 8-byte aligned.
  std::vector<uint64_t> config_image() const;
  static size_t passes(const Cupti& cupti, std::vector<uint64_t> config_image);

  // The values of the set's counters, in order, in one range of a counter data image.
  std::vector<double> evaluate(const std::vector<uint8_t>& counter_data, size_t range) const;

 private:
  void open();
  void close() noexcept;
  CUptiResult add_metrics(const std::vector<std::string>& counters);

  const Cupti& cupti_;
  std::string chip_;
  std::vector<uint8_t> availability_;
  CUpti_Profiler_Host_Object* object_ = nullptr;
  std::vector<std::string> counters_;
};

// The names as the C functions take them; valid as long as the strings are.
std::vector<const char*> c_names(const std::vector<std::string>& names);

}  // namespace lockstep::cuda

#endif  // LOCKSTEP_HAS_CUDA
