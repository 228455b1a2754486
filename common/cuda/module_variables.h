// SPDX-License-Identifier: Apache-2.0
// The variables of a loaded module, to give them their initial values again before every execution
// of a kernel. The copy of these is the host's: a kernel cannot reach it.
#pragma once

#include <string>
#include <vector>

#include "common/cuda/handles.h"

#if LOCKSTEP_HAS_CUDA

namespace lockstep::cuda {

class ModuleVariables {
 public:
  ModuleVariables() = default;
  // `cubin`: what was loaded as `library`, of which no kernel has run yet. Throws Error where the
  // driver does not know a variable, which could not be restored then.
  ModuleVariables(const std::string& cubin, const std::string& file, CUlibrary library);

  // On the legacy stream; not while a kernel runs.
  void restore() const;

 private:
  // Variables that lie in device memory as in their section, with what is between them.
  struct Span {
    CUdeviceptr begin = 0, end = 0;
    bool zero = false;
    std::vector<uint8_t> initial;  // unless zero
  };
  std::vector<Span> spans_;
};

}  // namespace lockstep::cuda

#endif  // LOCKSTEP_HAS_CUDA
