// SPDX-License-Identifier: Apache-2.0
// What a GPU is, in plain numbers: read from the driver, or from a device profile.
// No CUDA type appears here, so every room may use it. An absent value is unknown, never 0.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace lockstep {

struct DeviceInfo {
  std::string name;  // "NVIDIA H200"
  std::string chip;  // CUPTI's chip name, "GH100"; empty: unknown
  int index = 0;     // CUDA device index
  std::string uuid;  // "GPU-...", as CUDA_VISIBLE_DEVICES has it; empty: unknown
  int cc_major = 0;  // compute capability
  int cc_minor = 0;
  int sm_count = 0;
  std::optional<int64_t> clock_khz;         // nominal SM clock
  std::optional<int64_t> memory_clock_khz;  // data rate is twice this
  std::optional<int> memory_bus_bits;
  int64_t global_bytes = 0;
  int64_t l2_bytes = 0;
  int64_t const_bytes = 65536;
  int64_t shared_per_block = 49152;        // without opting in
  int64_t shared_per_block_optin = 49152;  // the most that a block can have
  int64_t shared_per_sm = 0;
  int64_t shared_reserved_per_block = 0;
  int max_threads_per_block = 1024;
  int max_threads_per_sm = 0;
  int max_blocks_per_sm = 0;
  int registers_per_block = 65536;
  int registers_per_sm = 65536;
  bool has_display = false;
  bool pageable_memory_access = false;  // kernels can reach pageable host memory
};

}  // namespace lockstep
