// SPDX-License-Identifier: Apache-2.0
// Files that come into their place whole, for their owner alone, or not at all.
#pragma once

#include <string>

namespace lockstep::grader {

// Throws Error (kExitCannotRun): `shown` cannot be written, for the reason that errno has.
[[noreturn]] void cannot_write(const std::string& shown);

// Throws Error (kExitCannotRun) that names `shown`.
void write_all(int fd, const std::string& bytes, const std::string& shown);

// A new file beside it, which then takes its name; with to_disk it is on the disk by then. Throws
// Error (kExitCannotRun).
void write_whole(const std::string& path, const std::string& contents, bool to_disk);

// What is there, a file or a folder's names, is on the disk by then. Throws Error (kExitCannotRun).
void put_on_disk(const std::string& path);

}  // namespace lockstep::grader
