// SPDX-License-Identifier: Apache-2.0
// Functions of the CUDA runtime that device code calls: vprintf, __assertfail. The decoder puts
// the first word of each argument in o[1], o[2], ... and that of the result in o[0].
#pragma once

#include <string_view>

#include "emulator/exec/handler.h"

namespace lockstep::emulator {

struct SystemFunction {
  std::string_view name;
  Handler run;
  int arguments;
};
// nullptr: not one of them.
const SystemFunction* find_system_function(std::string_view name);

}  // namespace lockstep::emulator
