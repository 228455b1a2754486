// SPDX-License-Identifier: Apache-2.0
// Units by compute capability, and the peaks that follow. See chip.h. The numbers of units are
// those of the CUDA programming guide's table of arithmetic throughput.
#include "common/backend/chip.h"

namespace lockstep {
namespace {

struct Units {
  int major, minor;
  int fp32;
  int fp64;  // 0: not known
};

constexpr Units kUnits[] = {
    {7, 5, 64, 2},   {8, 0, 64, 32},   {8, 6, 128, 2},  {8, 7, 128, 2},  {8, 9, 128, 2},
    {9, 0, 128, 64}, {10, 0, 128, 64}, {10, 3, 128, 0}, {12, 0, 128, 2}, {12, 1, 128, 2},
};

const Units* find_units(int major, int minor) {
  for (const Units& u : kUnits)
    if (u.major == major && u.minor == minor) return &u;
  return nullptr;
}

constexpr double kL2BytesPerClockPerSm = 16;

std::optional<double> sm_clocks_per_ns(const DeviceInfo& device) {
  const std::optional<double> ghz = clock_ghz(device);
  if (!ghz || device.sm_count <= 0) return std::nullopt;
  return *ghz * device.sm_count;
}

std::optional<double> product(std::optional<double> a, std::optional<int> b) {
  if (!a || !b) return std::nullopt;
  return *a * *b;
}

}  // namespace

std::optional<int> fp32_units_per_sm(int cc_major, int cc_minor) {
  const Units* units = find_units(cc_major, cc_minor);
  return units ? std::optional<int>(units->fp32) : std::nullopt;
}

std::optional<int> fp64_units_per_sm(int cc_major, int cc_minor) {
  const Units* units = find_units(cc_major, cc_minor);
  return units && units->fp64 > 0 ? std::optional<int>(units->fp64) : std::nullopt;
}

std::optional<double> clock_ghz(const DeviceInfo& device) {
  if (!device.clock_khz || *device.clock_khz <= 0) return std::nullopt;
  return static_cast<double>(*device.clock_khz) / 1e6;
}

std::optional<double> peak_fp32_gflops(const DeviceInfo& device) {
  return product(sm_clocks_per_ns(device), fp32_units_per_sm(device.cc_major, device.cc_minor));
}

std::optional<double> peak_fp64_gflops(const DeviceInfo& device) {
  return product(sm_clocks_per_ns(device), fp64_units_per_sm(device.cc_major, device.cc_minor));
}

std::optional<double> peak_memory_gbps(const DeviceInfo& device) {
  if (!device.memory_clock_khz || *device.memory_clock_khz <= 0) return std::nullopt;
  if (!device.memory_bus_bits || *device.memory_bus_bits <= 0) return std::nullopt;
  return 2.0 * static_cast<double>(*device.memory_clock_khz) * 1e3 *
         (*device.memory_bus_bits / 8.0) / 1e9;
}

std::optional<double> peak_l2_gbps(const DeviceInfo& device) {
  const std::optional<double> clocks = sm_clocks_per_ns(device);
  if (!clocks) return std::nullopt;
  return *clocks * kL2BytesPerClockPerSm;
}

}  // namespace lockstep
