// SPDX-License-Identifier: Apache-2.0
// A module on the card: its kernels with what the driver knows of them, and its variables.
// The cubin is loaded; where it is for another architecture, the driver compiles the PTX.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/backend/backend.h"
#include "common/cuda/handles.h"
#include "common/cuda/module_variables.h"

#if LOCKSTEP_HAS_CUDA

namespace lockstep::cuda {

class CudaModule {
 public:
  // Throws Error where neither file can be loaded, with what to do.
  CudaModule(const ModuleFiles& files, CUdevice device, const DeviceInfo& info);

  const std::vector<KernelInfo>& kernels() const { return infos_; }
  // The index of the kernel of that name, demangled or mangled. Throws where there is none, or
  // more than one, with the names that there are.
  size_t find(const std::string& name) const;
  // The kernel, on the device and with that much dynamic shared memory allowed.
  CUfunction function(size_t kernel, uint32_t dynamic_shared_bytes);

  std::optional<std::vector<uint8_t>> read_global(const std::string& name) const;
  // Gives all variables the values that they had when the module was loaded.
  void restore_variables() const { variables_.restore(); }

  // The bytes of the cubin, for its line table; empty where the driver compiled the PTX.
  const std::string& cubin() const { return cubin_; }

 private:
  void load_cubin(const std::string& file);
  void load_ptx(const std::string& file);
  std::string compile(const std::string& file, const std::string& text) const;
  [[noreturn]] void refuse_ptx(const std::string& file, const std::string& text, CUresult result,
                               const std::string& said) const;
  void enumerate();
  KernelInfo describe(CUkernel kernel, const std::string& mangled) const;

  struct State {
    CUkernel kernel = nullptr;
    CUfunction function = nullptr;
    uint32_t shared_allowed = 0;
  };

  CUdevice device_;
  DeviceInfo info_;
  std::string file_;
  std::string cubin_;
  Library library_;
  ModuleVariables variables_;
  std::vector<KernelInfo> infos_;
  std::vector<State> states_;
};

}  // namespace lockstep::cuda

#endif  // LOCKSTEP_HAS_CUDA
