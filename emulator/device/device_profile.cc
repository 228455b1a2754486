// SPDX-License-Identifier: Apache-2.0
// Data: NVIDIA's architecture white papers and data sheets, the CUDA C++ Programming Guide's table
// of technical specifications, and what the driver of an H200 reports. Clocks are the boost clocks
// that the driver reports as nominal.

#include "emulator/device/device_profile.h"

#include <algorithm>
#include <cctype>
#include <functional>

#include "common/base/error.h"

namespace lockstep::emulator {
namespace {

constexpr int64_t kKiB = 1024, kMiB = 1024 * 1024;

// What all GPUs of a compute capability share.
DeviceProfile architecture(int major, int minor) {
  DeviceProfile p;
  DeviceInfo& d = p.info;
  d.cc_major = major;
  d.cc_minor = minor;
  d.shared_reserved_per_block = kKiB;
  d.max_threads_per_sm = 1536;
  d.max_blocks_per_sm = 24;
  p.l1_bytes = 128 * kKiB;
  p.carve_outs = {0, 8 * kKiB, 16 * kKiB, 32 * kKiB, 64 * kKiB, 100 * kKiB};
  if (major == 8 && minor == 0) {
    d.max_threads_per_sm = 2048;
    d.max_blocks_per_sm = 32;
    p.l1_bytes = 192 * kKiB;
    p.carve_outs = {0,         8 * kKiB,   16 * kKiB,  32 * kKiB,
                    64 * kKiB, 100 * kKiB, 132 * kKiB, 164 * kKiB};
  } else if (major == 8 && minor == 6) {
    d.max_blocks_per_sm = 16;
  } else if (major == 9 || (major == 10 && minor == 0)) {
    d.max_threads_per_sm = 2048;
    d.max_blocks_per_sm = 32;
    p.l1_bytes = 256 * kKiB;
    p.carve_outs = {0,          8 * kKiB,   16 * kKiB,  32 * kKiB,  64 * kKiB,
                    100 * kKiB, 132 * kKiB, 164 * kKiB, 196 * kKiB, 228 * kKiB};
  }
  d.shared_per_sm = p.carve_outs.back();
  d.shared_per_block_optin = d.shared_per_sm - d.shared_reserved_per_block;
  // Seen on CC 9.0: every store goes to L2 at once; on CC 8.x lines stay until they must leave.
  p.l1_write_through = major >= 9;
  return p;
}

struct Chip {
  const char* key;
  const char* name;
  const char* chip;
  int major, minor, sms;
  int64_t clock_khz, memory_clock_khz;
  int bus_bits;
  int64_t memory_bytes, l2_bytes;
};

constexpr Chip kChips[] = {
    {"h200", "NVIDIA H200", "GH100", 9, 0, 132, 1980000, 3201000, 6016, 150109880320, 60 * kMiB},
    {"h100", "NVIDIA H100 80GB HBM3", "GH100", 9, 0, 132, 1980000, 2619000, 5120,
     int64_t{81559} * kMiB, 50 * kMiB},
    {"a100", "NVIDIA A100-SXM4-40GB", "GA100", 8, 0, 108, 1410000, 1215000, 5120,
     int64_t{40536} * kMiB, 40 * kMiB},
    {"a100-80gb", "NVIDIA A100-SXM4-80GB", "GA100", 8, 0, 108, 1410000, 1593000, 5120,
     int64_t{81251} * kMiB, 40 * kMiB},
    {"rtx3090", "NVIDIA GeForce RTX 3090", "GA102", 8, 6, 82, 1695000, 9751000, 384,
     int64_t{24268} * kMiB, 6 * kMiB},
    {"rtx3060", "NVIDIA GeForce RTX 3060", "GA106", 8, 6, 28, 1777000, 7501000, 192,
     int64_t{12053} * kMiB, 2304 * kKiB},
    {"rtx4090", "NVIDIA GeForce RTX 4090", "AD102", 8, 9, 128, 2520000, 10501000, 384,
     int64_t{24217} * kMiB, 72 * kMiB},
    {"rtx4060", "NVIDIA GeForce RTX 4060", "AD107", 8, 9, 24, 2460000, 8501000, 128,
     int64_t{7940} * kMiB, 24 * kMiB},
    {"l4", "NVIDIA L4", "AD104", 8, 9, 58, 2040000, 6251000, 192, int64_t{22700} * kMiB, 48 * kMiB},
    {"l40s", "NVIDIA L40S", "AD102", 8, 9, 142, 2520000, 9001000, 384, int64_t{45469} * kMiB,
     96 * kMiB},
    {"rtx5090", "NVIDIA GeForce RTX 5090", "GB202", 12, 0, 170, 2407000, 14001000, 512,
     int64_t{32607} * kMiB, 96 * kMiB},
    {"b200", "NVIDIA B200", "GB100", 10, 0, 148, 1965000, 3996000, 8192, int64_t{183359} * kMiB,
     126 * kMiB},
};

std::vector<DeviceProfile> make_profiles() {
  std::vector<DeviceProfile> result;
  for (const Chip& chip : kChips) {
    DeviceProfile p = architecture(chip.major, chip.minor);
    p.key = chip.key;
    p.info.name = chip.name;
    p.info.chip = chip.chip;
    p.info.sm_count = chip.sms;
    p.info.clock_khz = chip.clock_khz;
    p.info.memory_clock_khz = chip.memory_clock_khz;
    p.info.memory_bus_bits = chip.bus_bits;
    p.info.global_bytes = chip.memory_bytes;
    p.info.l2_bytes = chip.l2_bytes;
    result.push_back(std::move(p));
  }
  return result;
}

const std::vector<DeviceProfile>& profiles() {
  static const std::vector<DeviceProfile> all = make_profiles();
  return all;
}

int64_t round_up(int64_t value, int64_t unit) { return (value + unit - 1) / unit * unit; }

int64_t shared_of_block(const DeviceProfile& profile, const BlockNeeds& needs) {
  return round_up(needs.shared_bytes + profile.info.shared_reserved_per_block, profile.shared_unit);
}

}  // namespace

const DeviceProfile& device_profile(const std::string& key) {
  std::string wanted;
  for (char c : key) {
    if (c != ' ' && c != '_') wanted += char(std::tolower(static_cast<unsigned char>(c)));
  }
  if (wanted.empty()) wanted = "h200";
  for (const DeviceProfile& p : profiles()) {
    if (p.key == wanted) return p;
  }
  std::string known;
  for (const DeviceProfile& p : profiles()) known += (known.empty() ? "" : ", ") + p.key;
  throw Error("device profile '" + key + "' is not known; there are " + known);
}

std::vector<std::string> device_profile_keys() {
  std::vector<std::string> keys;
  for (const DeviceProfile& p : profiles()) keys.push_back(p.key);
  return keys;
}

int max_blocks_per_sm(const DeviceProfile& profile, const BlockNeeds& needs) {
  const DeviceInfo& d = profile.info;
  if (needs.threads < 1 || needs.threads > d.max_threads_per_block) return 0;
  if (needs.shared_bytes > d.shared_per_block_optin) return 0;
  const int warps = (needs.threads + 31) / 32;
  int64_t blocks = std::min<int64_t>(d.max_blocks_per_sm, d.max_threads_per_sm / 32 / warps);
  if (needs.registers > 0) {
    // Registers are given by the warp, and a quarter of them to each of an SM's four parts.
    const int64_t of_warp = round_up(int64_t{needs.registers} * 32, profile.register_unit);
    const int64_t warps_of_part = d.registers_per_sm / 4 / of_warp;
    blocks = std::min<int64_t>(blocks, warps_of_part * 4 / warps);
  }
  blocks = std::min(blocks, d.shared_per_sm / shared_of_block(profile, needs));
  return int(std::max<int64_t>(blocks, 0));
}

int64_t l1_capacity(const DeviceProfile& profile, const BlockNeeds& needs) {
  // The driver takes the carve-out that lets as many blocks run as the other limits do.
  BlockNeeds unshared = needs;
  unshared.shared_bytes = 0;
  const int64_t blocks = std::max(1, std::min(max_blocks_per_sm(profile, unshared),
                                              std::max(1, max_blocks_per_sm(profile, needs))));
  const int64_t wanted = blocks * shared_of_block(profile, needs);
  for (int64_t size : profile.carve_outs) {
    if (size >= wanted) return profile.l1_bytes - size;
  }
  return profile.l1_bytes - profile.carve_outs.back();
}

}  // namespace lockstep::emulator
