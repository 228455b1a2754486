// SPDX-License-Identifier: Apache-2.0
// What a chip could do at most, from its DeviceInfo and a table by compute capability. A figure
// that cannot be known (a newer chip, an integrated memory) is absent, never 0.
#pragma once

#include <optional>

#include "common/backend/device_info.h"

namespace lockstep {

// Floating-point units of one SM; a multiply-add is one operation.
std::optional<int> fp32_units_per_sm(int cc_major, int cc_minor);
std::optional<int> fp64_units_per_sm(int cc_major, int cc_minor);

// Peaks at the nominal clock, of the whole chip.
std::optional<double> clock_ghz(const DeviceInfo& device);
std::optional<double> peak_fp32_gflops(const DeviceInfo& device);
std::optional<double> peak_fp64_gflops(const DeviceInfo& device);
// Between memory and L2: two transfers a clock on each wire of the bus.
std::optional<double> peak_memory_gbps(const DeviceInfo& device);
// Between L2 and the L1 caches, both directions: 16 bytes a clock and SM (docs/metrics.md).
std::optional<double> peak_l2_gbps(const DeviceInfo& device);

}  // namespace lockstep
