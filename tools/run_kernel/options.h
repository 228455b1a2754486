// SPDX-License-Identifier: Apache-2.0
// run-kernel's command line.
#pragma once

#include <string>
#include <vector>

#include "common/backend/backend.h"
#include "tools/run_kernel/arguments.h"

namespace lockstep::run_kernel {

struct Options {
  bool help = false;
  ModuleFiles module;
  std::string kernel;
  Dim3 grid, block;
  uint32_t shared_bytes = 0;
  std::vector<KernelArgument> arguments;
  std::string backend;  // "gpu", "emulator", or empty: a GPU where there is one
  BackendOptions open;
  std::string dump;  // file for the outputs' bytes; empty: none
  bool json = false;
};

// Throws Error on a bad command line, with what is wrong and what is expected.
Options parse_options(int argc, const char* const* argv);
std::string help_text();

}  // namespace lockstep::run_kernel
