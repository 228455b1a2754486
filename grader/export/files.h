// SPDX-License-Identifier: Apache-2.0
// Exports come into their place whole, for their owner alone, or not at all: a platform that reads
// while we write sees what was there before, and so does who looks after we were killed.
#pragma once

#include <string>
#include <vector>

#include "grader/export/format.h"

namespace lockstep::grader {

// Throws Error where something that is no regular file has that name: a link, a device, a folder.
void require_replaceable(const std::string& path);

// On the disk when it returns. Throws Error (kExitCannotRun) where it cannot be written.
void write_export(const std::string& path, const std::string& contents);

// A folder with these files. One that is there is replaced if an export made it, which a file in it
// (kExportMark) tells, or if it is empty; else Error is thrown.
inline constexpr char kExportMark[] = ".lockstep-export";
void write_folder(const std::string& path, const std::vector<ExportFile>& files);

}  // namespace lockstep::grader
