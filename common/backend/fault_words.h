// SPDX-License-Identifier: Apache-2.0
// Our words for a fault. What a backend says of one may hold text of the kernel that caused it, so
// reports quote that and say themselves only what its kind is, and where.
#pragma once

#include <string>
#include <vector>

#include "common/base/error.h"

namespace lockstep {

// "reaches outside of an array", of a KernelFault's kind, whatever text that is.
std::string fault_words(const std::string& kind);

// All kinds that it has words for, in alphabetical order.
std::vector<std::string> fault_kinds();

// Whether the kernel did it: not how long something takes, what is not supported, or the machine.
bool is_of_kernel(const std::string& kind);
// Whether it hangs on what blocks that are not executed would have left.
bool is_of_other_blocks(const std::string& kind);

// "hw02/hw02.cu:77: " where the fault lies in the student's file, else "": a module may name any
// file for its lines.
std::string fault_place(const std::string& file, int line, const std::string& student_file);

}  // namespace lockstep
