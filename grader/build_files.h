// SPDX-License-Identifier: Apache-2.0
// Files that a build reads, and the room for those that it writes.
#pragma once

#include <cstdint>
#include <string>

#include "grader/sandbox.h"

namespace lockstep::grader {

// Makes a file that its owner alone can read, with a time that is the same for all; throws Error
// where it cannot.
void write_file(const std::string& path, const std::string& contents);

// What a compiler that has no room to write to says is no refusal of the text. Why a folder's disk
// has less than one file of a build may take; "" where it has.
std::string room_problem(const std::string& folder, int64_t bytes = Sandbox::Build().file_bytes);

}  // namespace lockstep::grader
