// SPDX-License-Identifier: Apache-2.0
// Opening the driver: see driver.h.
#include "common/cuda/driver.h"

#if LOCKSTEP_HAS_CUDA

#include <dlfcn.h>

#include <cstdlib>

namespace lockstep::cuda {
namespace {

#define LOCKSTEP_TEXT(x) LOCKSTEP_TEXT_OF(x)
#define LOCKSTEP_TEXT_OF(x) #x

struct Opened {
  Driver driver;
  std::string why;  // empty: usable
};

// The first function that the library lacks, or nullptr.
const char* resolve(void* library, Driver* driver) {
  const char* missing = nullptr;
#define LOCKSTEP_RESOLVE(name)                                                                  \
  driver->name = reinterpret_cast<decltype(driver->name)>(dlsym(library, LOCKSTEP_TEXT(name))); \
  if (driver->name == nullptr && missing == nullptr) missing = LOCKSTEP_TEXT(name);
  LOCKSTEP_DRIVER_FUNCTIONS(LOCKSTEP_RESOLVE)
#undef LOCKSTEP_RESOLVE
  return missing;
}

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string open_library(Driver* driver) {
  void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return "no NVIDIA driver (libcuda.so.1 is not there)";
  if (const char* missing = resolve(library, driver)) {
    int version = 0;
    if (driver->cuDriverGetVersion != nullptr) driver->cuDriverGetVersion(&version);
    return "the NVIDIA driver is too old: it is for CUDA " + version_text(version) + " and lacks " +
           missing + "; install one for CUDA 12.4 or later";
  }
  // One queue of the card is enough, as nothing here runs beside anything else; for the eight that
  // a context has otherwise, opening and closing it take 1.5 to 2 times as long
  // (docs/gpu-backend.md).
  setenv("CUDA_DEVICE_MAX_CONNECTIONS", "1", 0);
  CUresult result = driver->cuInit(0);
  if (result == CUDA_SUCCESS) return {};
  if (result == CUDA_ERROR_NO_DEVICE) return "no NVIDIA GPU";
  const char* name = nullptr;
  driver->cuGetErrorName(result, &name);
  return std::string("the NVIDIA driver does not start: cuInit says ") +
         (name != nullptr ? name : std::to_string(result));
}

Opened& opened() {
  // Never destroyed: handles that outlive main() may still call the driver.
  static Opened* const state = [] {
    auto* fresh = new Opened;
    fresh->why = open_library(&fresh->driver);
    return fresh;
  }();
  return *state;
}

}  // namespace

const Driver* open_driver(std::string* why) {
  Opened& state = opened();
  if (state.why.empty()) return &state.driver;
  if (why != nullptr) *why = state.why;
  return nullptr;
}

const Driver& driver() { return opened().driver; }

std::string cu_error_text(CUresult result) {
  const char* name = nullptr;
  const char* text = nullptr;
  if (driver().cuGetErrorName(result, &name) != CUDA_SUCCESS || name == nullptr) {
    return "error " + std::to_string(static_cast<int>(result));
  }
  driver().cuGetErrorString(result, &text);
  return std::string(name) + " (" + (text != nullptr ? text : "no description") + ")";
}

void throw_cu(CUresult result, const char* call, const char* file, int line) {
  throw Error(std::string(file) + ":" + std::to_string(line) + ": " + call +
                  " failed: " + cu_error_text(result),
              kExitCuda);
}

}  // namespace lockstep::cuda

#endif  // LOCKSTEP_HAS_CUDA
