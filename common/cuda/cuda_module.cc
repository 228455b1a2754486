// SPDX-License-Identifier: Apache-2.0
// Loading a module and describing its kernels: see cuda_module.h.
#include "common/cuda/cuda_module.h"

#if LOCKSTEP_HAS_CUDA

#include <algorithm>

#include "common/backend/module_files.h"

namespace lockstep::cuda {
namespace {

constexpr size_t kMostParameters = 4096;  // kernels have at most 32764 bytes of them
constexpr size_t kMostNamesInMessage = 12;

std::string arch_of(const DeviceInfo& info) {
  return "sm_" + std::to_string(info.cc_major) + std::to_string(info.cc_minor);
}

// "sm_90" of ".target sm_90a, debug"; empty where the text has no such line.
std::string target_of(const std::string& ptx) {
  const size_t at = ptx.find("\n.target");
  if (at == std::string::npos) return {};
  const size_t from = ptx.find("sm_", at);
  if (from == std::string::npos || from - at > 40) return {};
  return ptx.substr(from, ptx.find_first_of(", \r\n", from) - from);
}

std::string trimmed(const std::string& text) {
  const size_t end = text.find_last_not_of(" \n\r\t");
  return end == std::string::npos ? std::string() : text.substr(0, end + 1);
}

int attribute(CUkernel kernel, CUfunction_attribute which, CUdevice device) {
  int value = -1;
  if (driver().cuKernelGetAttribute(&value, which, kernel, device) != CUDA_SUCCESS) return -1;
  return value;
}

std::string names_of(const std::vector<KernelInfo>& infos) {
  if (infos.empty()) return "it has no kernel at all";
  std::string text = "it has ";
  for (size_t i = 0; i < std::min(infos.size(), kMostNamesInMessage); ++i) {
    text += (i == 0 ? "" : ", ") + infos[i].name;
  }
  if (infos.size() > kMostNamesInMessage) {
    text += " and " + std::to_string(infos.size() - kMostNamesInMessage) + " more";
  }
  return text;
}

}  // namespace

CudaModule::CudaModule(const ModuleFiles& files, CUdevice device, const DeviceInfo& info)
    : device_(device), info_(info) {
  if (files.cubin.empty() && files.ptx.empty()) throw Error("no module to load");
  if (!files.cubin.empty()) load_cubin(files.cubin);
  if (library_.get() == nullptr) {
    if (files.ptx.empty()) {
      throw Error(files.cubin + ": compiled for another GPU than this " + arch_of(info_) +
                  ", and there is no PTX beside it; build it again with ARCH=" + arch_of(info_));
    }
    load_ptx(files.ptx);
  }
  enumerate();
}

// Leaves the library empty where the cubin is for another architecture.
void CudaModule::load_cubin(const std::string& file) {
  std::string bytes = read_file(file);
  CUlibrary library = nullptr;
  CUresult result =
      driver().cuLibraryLoadData(&library, bytes.data(), nullptr, nullptr, 0, nullptr, nullptr, 0);
  if (result == CUDA_ERROR_NO_BINARY_FOR_GPU) return;
  if (result != CUDA_SUCCESS) {
    throw Error(file + ": the driver cannot load it: " + cu_error_text(result) +
                    "; build it again with ARCH=" + arch_of(info_),
                result == CUDA_ERROR_OUT_OF_MEMORY ? kExitCuda : kExitUsage);
  }
  library_ = Library(library);
  file_ = file;
  cubin_ = std::move(bytes);
  variables_ = ModuleVariables(cubin_, file_, library);
}

void CudaModule::load_ptx(const std::string& file) {
  const std::string cubin = compile(file, read_file(file));
  CUlibrary library = nullptr;
  CUresult result =
      driver().cuLibraryLoadData(&library, cubin.data(), nullptr, nullptr, 0, nullptr, nullptr, 0);
  if (result != CUDA_SUCCESS)
    throw Error(file + ": the driver cannot load what it compiled: " + cu_error_text(result));
  library_ = Library(library);
  file_ = file;
  variables_ = ModuleVariables(cubin, file, library);
}

// In two steps, of which the first gives the cubin: its symbol table has the variables.
std::string CudaModule::compile(const std::string& file, const std::string& text) const {
  std::vector<char> log(8192, '\0');
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
                            CU_JIT_GENERATE_LINE_INFO};
  void* values[] = {log.data(), reinterpret_cast<void*>(log.size() - 1),
                    reinterpret_cast<void*>(uintptr_t{1})};
  CUlinkState state = nullptr;
  LOCKSTEP_CU(cuLinkCreate, 3, options, values, &state);
  const Link link(state);
  void* cubin = nullptr;  // the link's
  size_t bytes = 0;
  CUresult result = driver().cuLinkAddData(state, CU_JIT_INPUT_PTX, const_cast<char*>(text.c_str()),
                                           text.size() + 1, file.c_str(), 0, nullptr, nullptr);
  if (result == CUDA_SUCCESS) result = driver().cuLinkComplete(state, &cubin, &bytes);
  if (result != CUDA_SUCCESS) refuse_ptx(file, text, result, log.data());
  return std::string(static_cast<const char*>(cubin), bytes);
}

void CudaModule::refuse_ptx(const std::string& file, const std::string& text, CUresult result,
                            const std::string& said) const {
  std::string message = file + ": the driver cannot compile it for this " + arch_of(info_) + ": " +
                        cu_error_text(result);
  if (const std::string target = target_of(text); !target.empty() && target != arch_of(info_)) {
    message += "; it is PTX for " + target + ", so build it again with ARCH=" + arch_of(info_);
  } else if (result == CUDA_ERROR_UNSUPPORTED_PTX_VERSION) {
    message +=
        "; the toolkit is newer than the driver: update the driver, or build it again with "
        "ARCH=" +
        arch_of(info_);
  }
  if (const std::string log = trimmed(said); !log.empty()) message += "\n" + log;
  throw Error(message);
}

void CudaModule::enumerate() {
  unsigned count = 0;
  LOCKSTEP_CU(cuLibraryGetKernelCount, &count, library_.get());
  std::vector<CUkernel> kernels(count);
  if (count > 0) LOCKSTEP_CU(cuLibraryEnumerateKernels, kernels.data(), count, library_.get());
  for (CUkernel kernel : kernels) {
    const char* mangled = nullptr;
    LOCKSTEP_CU(cuKernelGetName, &mangled, kernel);
    infos_.push_back(describe(kernel, mangled));
    states_.push_back({kernel, nullptr, 0});
  }
}

KernelInfo CudaModule::describe(CUkernel kernel, const std::string& mangled) const {
  KernelInfo info;
  info.mangled = mangled;
  info.name = kernel_name(mangled);
  info.signature = kernel_signature(mangled);
  info.registers = attribute(kernel, CU_FUNC_ATTRIBUTE_NUM_REGS, device_);
  info.shared_bytes = attribute(kernel, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, device_);
  info.local_bytes = attribute(kernel, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, device_);
  // The driver does not tell spills from arrays; where there is no local memory there are none.
  if (info.local_bytes == 0) info.spill_bytes = 0;
  const int threads = attribute(kernel, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, device_);
  if (threads > 0) info.max_threads_per_block = threads;
  for (size_t i = 0; i < kMostParameters; ++i) {
    size_t offset = 0, size = 0;
    if (driver().cuKernelGetParamInfo(kernel, i, &offset, &size) != CUDA_SUCCESS) break;
    info.parameter_bytes.push_back(static_cast<uint32_t>(size));
  }
  return info;
}

size_t CudaModule::find(const std::string& name) const {
  std::optional<size_t> found;
  for (size_t i = 0; i < infos_.size(); ++i) {
    if (infos_[i].mangled == name) return i;
    if (infos_[i].name != name) continue;
    if (found) {
      throw Error(file_ + ": more than one kernel is called " + name + "; use the mangled name, " +
                  infos_[*found].mangled + " or " + infos_[i].mangled);
    }
    found = i;
  }
  if (!found) throw Error(file_ + ": no kernel is called " + name + "; " + names_of(infos_));
  return *found;
}

CUfunction CudaModule::function(size_t kernel, uint32_t dynamic_shared_bytes) {
  State& state = states_.at(kernel);
  if (state.function == nullptr) {
    CUfunction function = nullptr;
    LOCKSTEP_CU(cuKernelGetFunction, &function, state.kernel);
    LOCKSTEP_CU(cuFuncLoad, function);  // now, and not in the middle of a measured launch
    state.function = function;
  }
  const int64_t total = dynamic_shared_bytes + std::max<int64_t>(infos_[kernel].shared_bytes, 0);
  if (total > info_.shared_per_block && dynamic_shared_bytes > state.shared_allowed) {
    LOCKSTEP_CU(cuKernelSetAttribute, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                static_cast<int>(dynamic_shared_bytes), state.kernel, device_);
    state.shared_allowed = dynamic_shared_bytes;
  }
  return state.function;
}

std::optional<std::vector<uint8_t>> CudaModule::read_global(const std::string& name) const {
  CUdeviceptr address = 0;
  size_t bytes = 0;
  CUresult result = driver().cuLibraryGetGlobal(&address, &bytes, library_.get(), name.c_str());
  if (result == CUDA_ERROR_NOT_FOUND) return std::nullopt;
  check_cu(result, "cuLibraryGetGlobal", __FILE__, __LINE__);
  variables_.restore();  // nothing of a launch is seen behind it
  std::vector<uint8_t> value(bytes);
  LOCKSTEP_CU(cuMemcpyDtoH, value.data(), address, bytes);
  return value;
}

}  // namespace lockstep::cuda

#endif  // LOCKSTEP_HAS_CUDA
