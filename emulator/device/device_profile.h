// SPDX-License-Identifier: Apache-2.0
// The GPUs that the emulator can stand in for, from public data: what the GPU lines print, what
// launch defaults and occupancy need, and what the L1 model needs. A new GPU is one entry in
// device_profile.cc.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/backend/device_info.h"

namespace lockstep::emulator {

struct DeviceProfile {
  std::string key;  // "h200": what --profile takes
  DeviceInfo info;
  int64_t l1_bytes = 0;             // L1 data cache and shared memory together, an SM
  std::vector<int64_t> carve_outs;  // sizes that shared memory can have, ascending
  bool l1_write_through = true;
  int register_unit = 256;    // registers are given to a warp in this unit
  int64_t shared_unit = 128;  // shared memory is given to a block in this unit
};

// By key, in any case; "" is the H200. Throws Error that lists the keys.
const DeviceProfile& device_profile(const std::string& key);
std::vector<std::string> device_profile_keys();

// What a block takes of an SM.
struct BlockNeeds {
  int threads = 1;
  int registers = 0;         // a thread; 0: not known
  int64_t shared_bytes = 0;  // static and dynamic
};

// Blocks that fit on one SM at once; 0: not even one.
int max_blocks_per_sm(const DeviceProfile& profile, const BlockNeeds& needs);

// What is left for L1 when as many blocks as fit are resident: the driver takes the smallest
// carve-out that holds them.
int64_t l1_capacity(const DeviceProfile& profile, const BlockNeeds& needs);

}  // namespace lockstep::emulator
