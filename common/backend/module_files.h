// SPDX-License-Identifier: Apache-2.0
// Modules as files: FILE.ptx and FILE.cubin side by side (find_module_files is in backend.h),
// and where a program finds its own.
#pragma once

#include <string>

#include "common/backend/backend.h"

namespace lockstep {

// FNV-1a, 64 bits, over the PTX's bytes and then the cubin's; sixteen hexadecimal digits.
// Throws Error where a file that is named cannot be read.
std::string module_hash(const ModuleFiles& files);

// The module beside a program, as find_module_files takes it: that of ".../hw02-debug" is
// ".../hw02", that of ".../hw02-cuda-debug" bears its own name.
std::string own_module(const std::string& program);

// A whole file. Throws Error where it cannot be read or is larger than max_bytes.
std::string read_file(const std::string& path, size_t max_bytes = size_t{1} << 30);

}  // namespace lockstep
