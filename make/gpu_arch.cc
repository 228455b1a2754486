// SPDX-License-Identifier: Apache-2.0
// Prints the compute capabilities of the machine's GPUs, in CUDA's order: "9.0,9.0".
// The build runs it once per machine (make/probe.sh). It needs no toolkit: libcuda is opened at
// run time, and where there is none it prints nothing.
#include <dlfcn.h>

#include <cstdio>

namespace {

// Values of CUdevice_attribute in the driver API's ABI.
constexpr int kComputeCapabilityMajor = 75;
constexpr int kComputeCapabilityMinor = 76;

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
  for (int i = 0; i < count; ++i) {
    int device = 0, major = 0, minor = 0;
    if (device_at(&device, i) != 0 || attribute(&major, kComputeCapabilityMajor, device) != 0 ||
        attribute(&minor, kComputeCapabilityMinor, device) != 0) {
      return 77;
    }
    std::printf("%s%d.%d", i == 0 ? "" : ",", major, minor);
  }
  std::printf("\n");
  return 0;
}
