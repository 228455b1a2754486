// SPDX-License-Identifier: Apache-2.0
#include "common/base/debugger.h"

#include <fstream>
#include <string>

namespace lockstep {

bool under_a_debugger() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    int tracer = 0;
    if (word == "TracerPid:") return static_cast<bool>(status >> tracer) && tracer != 0;
  }
  return false;
}

}  // namespace lockstep
