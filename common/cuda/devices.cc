// SPDX-License-Identifier: Apache-2.0
// Device attributes into DeviceInfo, and the choice of a device: see devices.h.
#include "common/cuda/devices.h"

#include <fstream>
#include <sstream>
#include <tuple>

#include "common/base/error.h"
#include "common/cuda/driver.h"

namespace lockstep::cuda {
namespace {

constexpr int kOldestMajor = 8;

std::string too_old(const DeviceInfo& device) {
  return device.name + " has compute capability " + std::to_string(device.cc_major) + "." +
         std::to_string(device.cc_minor) + ", and 8.0 or later is needed";
}

#if LOCKSTEP_HAS_CUDA

// An attribute's value; 0 where the driver does not know the attribute.
int attribute(CUdevice device, CUdevice_attribute which) {
  int value = 0;
  if (driver().cuDeviceGetAttribute(&value, which, device) != CUDA_SUCCESS) return 0;
  return value;
}

template <typename T>
std::optional<T> known(int value) {
  if (value <= 0) return std::nullopt;
  return static_cast<T>(value);
}

// GPU-8-4-4-4-12 digits, MIG- of a part of a GPU; "" where the driver does not tell.
std::string uuid_of(CUdevice device, const std::string& name) {
  CUuuid uuid{};
  if (driver().cuDeviceGetUuid_v2(&uuid, device) != CUDA_SUCCESS) return {};
  std::string text = name.find("MIG") == name.npos ? "GPU" : "MIG";
  constexpr char kDigits[] = "0123456789abcdef";
  for (int i = 0; i < 16; ++i) {
    if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    const auto byte = static_cast<unsigned char>(uuid.bytes[i]);
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

DeviceInfo describe(int index) {
  DeviceInfo info;
  CUdevice device = 0;
  LOCKSTEP_CU(cuDeviceGet, &device, index);
  char name[256] = {};
  LOCKSTEP_CU(cuDeviceGetName, name, sizeof name - 1, device);
  size_t bytes = 0;
  LOCKSTEP_CU(cuDeviceTotalMem, &bytes, device);
  auto get = [&](CUdevice_attribute which) { return attribute(device, which); };
  info.name = name;
  info.uuid = uuid_of(device, info.name);
  info.index = index;
  info.global_bytes = static_cast<int64_t>(bytes);
  info.cc_major = get(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
  info.cc_minor = get(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  info.chip = chip_of(info.cc_major, info.cc_minor);
  info.sm_count = get(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  info.clock_khz = known<int64_t>(get(CU_DEVICE_ATTRIBUTE_CLOCK_RATE));
  info.memory_clock_khz = known<int64_t>(get(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE));
  info.memory_bus_bits = known<int>(get(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH));
  info.l2_bytes = get(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
  info.const_bytes = get(CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY);
  info.shared_per_block = get(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
  info.shared_per_block_optin = get(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  info.shared_per_sm = get(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
  info.shared_reserved_per_block = get(CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK);
  info.max_threads_per_block = get(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  info.max_threads_per_sm = get(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
  info.max_blocks_per_sm = get(CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR);
  info.registers_per_block = get(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK);
  info.registers_per_sm = get(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR);
  // Only a GPU that drives a display limits how long a kernel may run.
  info.has_display = get(CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT) != 0;
  info.pageable_memory_access = get(CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS) != 0;
  return info;
}

#endif  // LOCKSTEP_HAS_CUDA

}  // namespace

std::vector<DeviceInfo> list_devices(std::string* why) {
  std::vector<DeviceInfo> devices;
#if LOCKSTEP_HAS_CUDA
  if (open_driver(why) == nullptr) return devices;
  int count = 0;
  LOCKSTEP_CU(cuDeviceGetCount, &count);
  for (int i = 0; i < count; ++i) devices.push_back(describe(i));
  if (devices.empty() && why != nullptr) *why = "no NVIDIA GPU";
#else
  if (why != nullptr) {
    *why =
        "this program was built without the CUDA toolkit's headers; install CUDA 12.6 or later "
        "and run make";
  }
#endif
  return devices;
}

int choose_device(const std::vector<DeviceInfo>& devices, int asked, std::string* why) {
  if (asked >= 0) {
    for (const DeviceInfo& device : devices) {
      if (device.index != asked) continue;
      if (device.cc_major < kOldestMajor) throw Error(too_old(device), kExitCannotRun);
      return asked;
    }
    throw Error("there is no GPU " + std::to_string(asked) + ": this machine has " +
                (devices.empty() ? std::string("none")
                                 : std::to_string(devices.size()) + ", numbered from 0"));
  }
  const DeviceInfo* best = nullptr;
  auto rank = [](const DeviceInfo& d) {
    return std::tuple(!d.has_display, d.cc_major, d.cc_minor, -d.index);
  };
  for (const DeviceInfo& device : devices) {
    if (device.cc_major < kOldestMajor) continue;
    if (best == nullptr || rank(device) > rank(*best)) best = &device;
  }
  if (best != nullptr) return best->index;
  if (why != nullptr && !devices.empty()) *why = too_old(devices.front());
  return -1;
}

std::string chip_of(int cc_major, int cc_minor) {
  switch (cc_major * 10 + cc_minor) {
    case 80:
      return "GA100";
    case 87:
      return "GA10B";
    case 90:
      return "GH100";
    case 100:
      return "GB100";
    case 103:
      return "GB110";
    case 110:
      return "GB10B";
    case 121:
      return "GB20B";
  }
  return {};  // several chips share 8.6, 8.9 and 12.0
}

std::string driver_version() {
  std::ifstream module_version("/sys/module/nvidia/version");
  std::string version;
  if (module_version >> version) return version;
  // "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.159.04  ...": the first word like that.
  std::ifstream proc("/proc/driver/nvidia/version");
  std::string line;
  std::getline(proc, line);
  std::istringstream words(line);
  while (words >> version) {
    if (version.find('.') != std::string::npos &&
        version.find_first_not_of("0123456789.") == std::string::npos) {
      return version;
    }
  }
#if LOCKSTEP_HAS_CUDA
  int number = 0;
  if (open_driver(nullptr) != nullptr && driver().cuDriverGetVersion(&number) == CUDA_SUCCESS) {
    return "CUDA " + std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
  }
#endif
  return {};
}

}  // namespace lockstep::cuda
