// SPDX-License-Identifier: Apache-2.0
// Running the kernel through the Backend interface, whichever backend it is.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/backend/backend.h"
#include "tools/run_kernel/options.h"

namespace lockstep::run_kernel {

// A buffer that the kernel may write, as it was after the kernel's first execution.
struct Output {
  int position = 0;  // of the argument, from 1
  ElementType type;
  std::vector<uint8_t> bytes;
};

struct Result {
  KernelInfo kernel;
  std::string backend;
  std::string device;
  std::vector<Output> outputs;
  std::optional<double> time_us;
  Counts counts;
  std::vector<std::string> violations;  // buffers written that must not be, one line each
  std::string printed;                  // by the kernel
};

// The backend asked for, else a GPU where there is one, else the emulator; *note then says why
// there is no GPU. Throws Error where it cannot be had.
std::unique_ptr<Backend> open_backend(const Options& options, std::string* note);

// Loads the module, makes the buffers, executes and counts. Throws Error and KernelFault.
Result run(Backend* backend, const Options& options);

}  // namespace lockstep::run_kernel
