// SPDX-License-Identifier: Apache-2.0
// The CUDA driver API, opened at run time, and how its errors become Error. Symbols are resolved
// under the names that cuda.h maps them to (cuMemAlloc -> cuMemAlloc_v2), so a program calls what
// it was compiled for. The library stays open until the process ends.
#pragma once

#include <atomic>
#include <string>

#include "common/base/error.h"
#include "common/cuda/headers.h"

#if LOCKSTEP_HAS_CUDA

namespace lockstep::cuda {

// Every function of the driver that Lockstep calls. All are in drivers for CUDA 12.4 and later.
#define LOCKSTEP_DRIVER_FUNCTIONS(X)                                                               \
  X(cuInit)                                                                                        \
  X(cuDriverGetVersion)                                                                            \
  X(cuGetErrorName)                                                                                \
  X(cuGetErrorString)                                                                              \
  X(cuDeviceGetCount)                                                                              \
  X(cuDeviceGet)                                                                                   \
  X(cuDeviceGetName)                                                                               \
  X(cuDeviceGetUuid_v2)                                                                            \
  X(cuDeviceTotalMem)                                                                              \
  X(cuDeviceGetAttribute)                                                                          \
  X(cuDevicePrimaryCtxRetain)                                                                      \
  X(cuDevicePrimaryCtxRelease)                                                                     \
  X(cuCtxSetCurrent) X(cuMemGetInfo) X(cuMemAlloc) X(cuMemFree) X(cuMemcpyHtoD) X(cuMemcpyDtoH)    \
      X(cuMemcpyDtoD) X(cuMemsetD8) X(cuMemsetD32) X(cuMemHostRegister) X(cuStreamCreate)          \
          X(cuStreamDestroy) X(cuStreamQuery) X(cuStreamSynchronize) X(cuLaunchHostFunc)           \
              X(cuEventCreate) X(cuEventDestroy) X(cuEventRecord) X(cuEventElapsedTime)            \
                  X(cuLaunchKernel) X(cuFuncLoad) X(cuLibraryLoadData) X(cuLibraryUnload)          \
                      X(cuLibraryGetKernelCount) X(cuLibraryEnumerateKernels)                      \
                          X(cuLibraryGetGlobal) X(cuLinkCreate) X(cuLinkAddData) X(cuLinkComplete) \
                              X(cuLinkDestroy) X(cuKernelGetName) X(cuKernelGetFunction)           \
                                  X(cuKernelGetAttribute) X(cuKernelSetAttribute)                  \
                                      X(cuKernelGetParamInfo)                                      \
                                          X(cuOccupancyMaxActiveBlocksPerMultiprocessor)

struct Driver {
#define LOCKSTEP_DECLARE(name) decltype(&::name) name = nullptr;
  LOCKSTEP_DRIVER_FUNCTIONS(LOCKSTEP_DECLARE)
#undef LOCKSTEP_DECLARE
  // Set once a kernel has broken the context or never ended: from then on nothing is released,
  // because the driver would refuse, or wait for that kernel.
  mutable std::atomic<bool> lost{false};
};

// Opens libcuda.so.1 and initializes it; nullptr, with the reason in *why, where that fails.
const Driver* open_driver(std::string* why);
// The driver that open_driver() opened.
const Driver& driver();

// "CUDA_ERROR_OUT_OF_MEMORY (out of memory)".
std::string cu_error_text(CUresult result);
[[noreturn]] void throw_cu(CUresult result, const char* call, const char* file, int line);

inline void check_cu(CUresult result, const char* call, const char* file, int line) {
  if (result != CUDA_SUCCESS) [[unlikely]]
    throw_cu(result, call, file, line);
}

}  // namespace lockstep::cuda

// Calls a function of the driver and throws Error where it fails.
#define LOCKSTEP_CU(function, ...)                                                        \
  ::lockstep::cuda::check_cu(::lockstep::cuda::driver().function(__VA_ARGS__), #function, \
                             __FILE__, __LINE__)
// For destructors: does nothing once the context is lost, and never throws.
#define LOCKSTEP_CU_NOTHROW(function, ...)                                                        \
  do {                                                                                            \
    if (!::lockstep::cuda::driver().lost) (void)::lockstep::cuda::driver().function(__VA_ARGS__); \
  } while (false)

#endif  // LOCKSTEP_HAS_CUDA
