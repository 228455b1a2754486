// SPDX-License-Identifier: Apache-2.0
// Finding and opening CUPTI: see cupti.h.
#include "common/cuda/cupti.h"

#if LOCKSTEP_HAS_CUDA

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <sstream>
#include <vector>

namespace lockstep::cuda {
namespace {

constexpr const char* kLibraryNames[] = {"libcupti.so.13", "libcupti.so.12", "libcupti.so"};
// Where a toolkit keeps CUPTI, by the way it was installed.
constexpr const char* kSubfolders[] = {"/extras/CUPTI/lib64", "/lib64", "/lib",
                                       "/targets/x86_64-linux/lib", "/targets/sbsa-linux/lib"};

// The toolkit that holds the first nvcc on the PATH: "/usr/local/cuda-13.0" for .../bin/nvcc.
std::string toolkit_on_path() {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string nvcc = folder + "/nvcc";
    if (folder.empty() || access(nvcc.c_str(), X_OK) != 0) continue;
    char* real = realpath(nvcc.c_str(), nullptr);
    if (real == nullptr) continue;
    std::string found = real;
    std::free(real);
    for (int up = 0; up < 2; ++up) found.erase(found.rfind('/'));
    return found;
  }
  return {};
}

std::vector<std::string> toolkits() {
  std::vector<std::string> found;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    const char* value = std::getenv(variable);
    if (value != nullptr && *value != '\0') found.emplace_back(value);
  }
  if (std::string on_path = toolkit_on_path(); !on_path.empty()) found.push_back(on_path);
  found.emplace_back("/usr/local/cuda");
  return found;
}

// libcupti asks for libnvperf_host by its bare name: having it open already is what lets a copy
// in a folder that the system does not search be found.
void* open_in(const std::string& folder) {
  for (const char* name : kLibraryNames) {
    const std::string file = folder + "/" + name;
    if (access(file.c_str(), R_OK) != 0) continue;
    dlopen((folder + "/libnvperf_host.so").c_str(), RTLD_LAZY | RTLD_GLOBAL);
    if (void* library = dlopen(file.c_str(), RTLD_LAZY | RTLD_LOCAL)) return library;
  }
  return nullptr;
}

void* open_anywhere() {
  for (const std::string& toolkit : toolkits()) {
    for (const char* subfolder : kSubfolders) {
      if (void* library = open_in(toolkit + subfolder)) return library;
    }
  }
  for (const char* name : kLibraryNames) {
    if (void* library = dlopen(name, RTLD_LAZY | RTLD_LOCAL)) return library;
  }
  return nullptr;
}

std::string open_library(Cupti* cupti) {
  void* library = open_anywhere();
  if (library == nullptr) {
    return "CUPTI (libcupti.so) is not there; install the CUDA toolkit's cuda-cupti package, or "
           "set CUDA_HOME to the toolkit's folder";
  }
  const char* missing = nullptr;
#define LOCKSTEP_RESOLVE(name)                                                  \
  cupti->name = reinterpret_cast<decltype(cupti->name)>(dlsym(library, #name)); \
  if (cupti->name == nullptr && missing == nullptr) missing = #name;
  LOCKSTEP_CUPTI_FUNCTIONS(LOCKSTEP_RESOLVE)
#undef LOCKSTEP_RESOLVE
  if (missing == nullptr) return {};
  return std::string("this CUPTI is too old (it lacks ") + missing +
         "); install CUDA 12.6 or later, or set CUDA_HOME to it";
}

}  // namespace

const Cupti* open_cupti(std::string* why) {
  struct Opened {
    Cupti cupti;
    std::string why;
  };
  static const Opened* const state = [] {
    auto* fresh = new Opened;
    fresh->why = open_library(&fresh->cupti);
    return fresh;
  }();
  if (state->why.empty()) return &state->cupti;
  if (why != nullptr) *why = state->why;
  return nullptr;
}

std::string counter_error_text(CUptiResult result) {
  switch (result) {
    case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
      return "the driver keeps the counters for administrators; run as root, give a container "
             "--cap-add=SYS_ADMIN, or load the nvidia module with "
             "NVreg_RestrictProfilingToAdminUsers=0";
    case CUPTI_ERROR_HARDWARE_BUSY:
      return "another program holds the counters (DCGM, Nsight or a stopped profiler); end it and "
             "run again";
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED:
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
      return "this virtual GPU gives no counters; ask its administrator to enable profiling for "
             "the vGPU, or use a whole GPU";
    case CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED:
      return "a GPU in confidential-computing mode gives no counters; use one without it";
    case CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED:
      return "mining cards (CMP) give no counters; use another GPU";
    case CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED:
      return "this MIG slice gives no counters; use a whole GPU or a slice with a compute "
             "instance of its own";
    case CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED:
      return "GPUs in SLI give no counters; switch SLI off";
    case CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED:
      return "this GPU gives no counters under WSL; update the Windows driver to 525 or later";
    case CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED:
      return "another profiler is attached to this process; run without ncu, nsys, cuda-gdb or "
             "compute-sanitizer";
    case CUPTI_ERROR_NOT_INITIALIZED:
      return "libnvperf_host.so is not beside libcupti.so; install the whole cuda-cupti package";
    case CUPTI_ERROR_INVALID_CHIP_NAME:
      return "this CUPTI does not know the GPU's chip; install the CUDA toolkit that supports it";
    case CUPTI_ERROR_INVALID_METRIC_NAME:
      return "this CUPTI does not know one of the counters; install CUDA 12.6 or later";
    case CUPTI_ERROR_NOT_SUPPORTED:
    case CUPTI_ERROR_NOT_COMPATIBLE:
      return "this GPU, driver or toolkit does not support counters; see the CUPTI release notes";
    case CUPTI_ERROR_OUT_OF_MEMORY:
      return "there is not enough memory for the counters; use a smaller input";
    case CUPTI_ERROR_DISABLED:
      return "profiling is disabled by the system (a debugger or a policy); run without it";
    default:
      return "CUPTI error " + std::to_string(static_cast<int>(result));
  }
}

void throw_cupti(const Cupti& cupti, CUptiResult result, const char* call) {
  std::string text = counter_error_text(result);
  const char* name = nullptr;
  if (cupti.cuptiGetResultString(result, &name) == CUPTI_SUCCESS && name != nullptr) {
    text += std::string(" [") + call + ": " + name + "]";
  } else {
    text += std::string(" [") + call + "]";
  }
  throw CounterError(result, text);
}

}  // namespace lockstep::cuda

#endif  // LOCKSTEP_HAS_CUDA
