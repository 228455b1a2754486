// SPDX-License-Identifier: Apache-2.0
// A module ready to run: PTX parsed and decoded kernel by kernel, its variables in device memory,
// the cubin beside it if there is one.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/backend/backend.h"
#include "emulator/code/program.h"
#include "emulator/cubin/cubin.h"
#include "emulator/memory/address_space.h"
#include "emulator/ptx/module.h"
#include "emulator/sass/code.h"

namespace lockstep::emulator {

struct LoadedModule {
  Module ptx;
  std::optional<Cubin> cubin;
  std::vector<Allocation*> variables;           // by Module::variables; nullptr: shared
  std::vector<uint64_t> addresses;              // the same, device addresses
  std::vector<std::vector<std::byte>> initial;  // the same, first bytes of each; the rest is zero
  std::vector<KernelInfo> kernels;
  // By kernel:
  std::vector<uint32_t> kernel_functions;            // into Module::functions
  std::vector<Program> programs;                     // empty where it is refused
  std::vector<std::unique_ptr<sass::Code>> codes;    // the machine code; nullptr: no cubin
  std::vector<std::optional<KernelFault>> refusals;  // why it cannot run: "unsupported"
  AddressSpace* memory = nullptr;

  ~LoadedModule();
  // Before an execution: variables that hold addresses of functions, and that no kernel has stored
  // to, hold those of the machine code or of the PTX.
  void set_function_tables(bool of_machine_code);
  // Gives variables that kernels have stored to their initial values again.
  void restore_variables();
};

// Throws Error for files that cannot be read or are no PTX and no cubin. What a kernel can reach
// and the emulator does not execute refuses that kernel alone, when it is launched.
std::unique_ptr<LoadedModule> load_module_files(const ModuleFiles& files, AddressSpace& memory);

}  // namespace lockstep::emulator
