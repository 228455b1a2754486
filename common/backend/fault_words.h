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

// Whether a thread did it by itself, by one instruction: not what comes of others, of how long
// something takes, or of the machine.
bool is_of_an_instruction(const std::string& kind);

// "hw02/hw02.cu:77: " where the fault lies in the student's file, else "": a module may name any
// file for its lines.
std::string fault_place(const std::string& file, int line, const std::string& student_file);

}  // namespace lockstep
