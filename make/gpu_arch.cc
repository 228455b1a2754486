// SPDX-License-Identifier: Apache-2.0
// Prints the compute capabilities of the machine's GPUs, the one that programs choose first:
// "9.0,8.6". The build runs it once per machine (make/probe.sh). It needs no toolkit: libcuda is
// opened at run time, and where there is none it prints nothing.
#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <tuple>
#include <vector>

namespace {

// Values of CUdevice_attribute in the driver API's ABI.
constexpr int kKernelExecTimeout = 17;  // a display hangs on it
constexpr int kComputeCapabilityMajor = 75;
constexpr int kComputeCapabilityMinor = 76;

struct Gpu {
  int display = 0, major = 0, minor = 0;
  // As common/cuda/devices.cc chooses: no display before display, then the newest.
  auto rank() const { return std::tuple(display != 0, -major, -minor); }
};

template <typename Function>
Function find(void* library, const char* name) {
  return reinterpret_cast<Function>(dlsym(library, name));
}

}  // namespace

int main() {
  void* cuda = dlopen("libcuda.so.1", RTLD_NOW);
  if (cuda == nullptr) return 77;
  auto init = find<int (*)(unsigned)>(cuda, "cuInit");
  auto device_count = find<int (*)(int*)>(cuda, "cuDeviceGetCount");
  auto device_at = find<int (*)(int*, int)>(cuda, "cuDeviceGet");
  auto attribute = find<int (*)(int*, int, int)>(cuda, "cuDeviceGetAttribute");
  if (!init || !device_count || !device_at || !attribute || init(0) != 0) return 77;
  int count = 0;
  if (device_count(&count) != 0) return 77;
  std::vector<Gpu> gpus(count);
  for (int i = 0; i < count; ++i) {
    int device = 0;
    if (device_at(&device, i) != 0 ||
        attribute(&gpus[i].display, kKernelExecTimeout, device) != 0 ||
        attribute(&gpus[i].major, kComputeCapabilityMajor, device) != 0 ||
        attribute(&gpus[i].minor, kComputeCapabilityMinor, device) != 0) {
      return 77;
    }
  }
  std::stable_sort(gpus.begin(), gpus.end(),
                   [](const Gpu& a, const Gpu& b) { return a.rank() < b.rank(); });
  for (int i = 0; i < count; ++i)
    std::printf("%s%d.%d", i == 0 ? "" : ",", gpus[i].major, gpus[i].minor);
  std::printf("\n");
  return 0;
}
