// SPDX-License-Identifier: Apache-2.0
// Which source line an instruction is shown with, and names as people know them.
#pragma once

#include <string>
#include <string_view>

#include "emulator/ptx/module.h"

namespace lockstep::emulator {

// The innermost inlined line that is not in a header of the CUDA toolkit. location: index into
// f.locations or -1.
Location student_location(const Module& module, const Function& f, int location);

// The C++ name with parameters; the name itself where it is not mangled.
std::string demangled(const std::string& name);

// "_ZZ9k_tr_tileE1t" -> "t"; other names as they are.
std::string demangled_variable(std::string_view name);

}  // namespace lockstep::emulator
