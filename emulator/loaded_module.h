// SPDX-License-Identifier: Apache-2.0
// A module ready to run: PTX parsed and decoded kernel by kernel, its variables in device memory,
// the cubin beside it if there is one.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/backend.h"
#include "emulator/code/program.h"
#include "emulator/cubin.h"
#include "emulator/memory/address_space.h"
#include "emulator/ptx/module.h"

namespace lockstep::emulator {

struct LoadedModule {
  Module ptx;
  std::optional<Cubin> cubin;
  std::vector<Allocation*> variables;  // by Module::variables; nullptr: shared
  std::vector<uint64_t> addresses;     // the same, device addresses
  std::vector<KernelInfo> kernels;
  std::vector<Program> programs;  // by kernel
  AddressSpace* memory = nullptr;

  ~LoadedModule();
};

// Throws Error for files that cannot be read or are wrong, KernelFault "unsupported" for kernels
// that the emulator does not execute.
std::unique_ptr<LoadedModule> load_module_files(const ModuleFiles& files, AddressSpace& memory);

}  // namespace lockstep::emulator
