// SPDX-License-Identifier: Apache-2.0
// A Backend that lives in another process (runner/main.cc), which is not believed: it executes
// kernels and hands back raw bytes and counts, nothing else. Every reply is bounds-checked, every
// call has a deadline, and a process that dies, hangs or lies becomes a KernelFault of kind
// "crash", "timeout", "out_of_memory" or "protocol". Used by the homework programs (--runner).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "common/backend/backend.h"
#include "runner/process.h"

namespace lockstep {

// Starts `command` (a program and its arguments, e.g. "bwrap ... lockstep-runner serve") with one
// end of a socket as its standard input and opens a backend of `kind`, "gpu", "emulator" or
// "auto", in it. Throws Error with kExitCannotRun where that fails, with what the process said.
// After a crash or a timeout every call throws that fault again, until load_module() starts a
// fresh process; the buffers of the old one are gone.
std::unique_ptr<Backend> make_remote_backend(const std::vector<std::string>& command,
                                             const BackendOptions& options,
                                             const std::string& kind = "auto");

// The same over a socket whose other end is served already (tests).
std::unique_ptr<Backend> make_remote_backend(UniqueFd socket, const BackendOptions& options,
                                             const std::string& kind = "auto");

inline constexpr double kDefaultCallTimeoutS = 20;
// On the emulator steps and processor time are bounded. The clock ends only what sleeps, and late:
// a machine that has much else to do makes nobody's kernel hang.
inline constexpr double kBusyMachine = 8;
inline constexpr int kMaxPasses = 256;  // executions in one time_us() or count()

}  // namespace lockstep
