// SPDX-License-Identifier: Apache-2.0
// Which source line an instruction is shown with, and names as people know them.
#pragma once

#include <string>
#include <string_view>

#include "common/base/error.h"
#include "emulator/ptx/module.h"

namespace lockstep::emulator {

// The innermost inlined line that is not in a header of the CUDA toolkit. location: index into
// f.locations or -1.
Location student_location(const Module& module, const Function& f, int location);
// The number of that line where it is of this file, a name without folders; else 0.
int line_in(const std::string& file, const Module& module, const Function& f, int location);

// Whether a file is a header of the CUDA toolkit.
bool is_toolkit(const std::string& file);

// The lines of the same file that called the inlined functions in which it lies; innermost first.
std::vector<int> calling_lines(const Function& f, const Location& at);

// That line as messages show it; file is empty where it is not known.
FaultPlace place_of(const Module& module, const Function& f, int location);
// Where the function's code begins.
FaultPlace place_of(const Module& module, const Function& f);
// "file:line: ", or "" where the place is not known.
std::string prefix_of(const FaultPlace& place);

// As seen from the current folder, where the file lies in it; the compiler records whole paths.
std::string seen_from_here(const std::string& file);

// The C++ name with parameters; the name itself where it is not mangled.
std::string demangled(const std::string& name);

// "_ZZ9k_tr_tileE1t" -> "t"; other names as they are.
std::string demangled_variable(std::string_view name);

}  // namespace lockstep::emulator
