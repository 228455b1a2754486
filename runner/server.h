// SPDX-License-Identifier: Apache-2.0
// The executing side: serves a Backend to the process at the other end of a socket.
// It knows no homework, no reference and no verdict; it runs what it is told and hands back
// what came out. Lives in the sandbox.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "common/backend/backend.h"
#include "runner/process.h"

namespace lockstep {

using BackendFactory =
    std::function<std::unique_ptr<Backend>(const std::string& kind, const BackendOptions& options)>;

// Serves until the other end closes. `output` may add text to what the backend says the kernels
// printed (a GPU's printf goes to standard output). Returns an exit code.
int serve(UniqueFd socket, const BackendFactory& factory,
          const std::function<std::string()>& output = nullptr);

}  // namespace lockstep
