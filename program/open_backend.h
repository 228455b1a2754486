// SPDX-License-Identifier: Apache-2.0
// The backend that a command line asks for.
#pragma once

#include <memory>
#include <string>

#include "common/backend/backend.h"
#include "common/harness/command_line.h"

namespace lockstep {

// --runner: the process that it names; else a GPU, the emulator, or (auto) the first of the two
// that there is. *note says in one line why it is not the GPU; else it stays empty.
// Throws Error, with kExitCannotRun where a GPU is asked for and there is none.
std::unique_ptr<Backend> open_backend(const Options& options, std::string* note);

// The emulator, whatever is asked for.
std::unique_ptr<Backend> open_checker(const Options& options);

}  // namespace lockstep
