// SPDX-License-Identifier: Apache-2.0
// See own_kernels.h.
#include "common/harness/own_kernels.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "common/backend/module_files.h"

namespace lockstep {
namespace {

namespace fs = std::filesystem;

// Of equal age is as good as younger: what copies files may round their times.
bool is_older(const std::string& file, const fs::path& source) {
  if (file.empty()) return false;
  std::error_code no_file, no_source;
  const fs::file_time_type made = fs::last_write_time(file, no_file);
  const fs::file_time_type changed = fs::last_write_time(source, no_source);
  return !no_file && !no_source && made < changed;
}

}  // namespace

ModuleFiles kernels_to_run(const std::string& asked, const std::string& executable,
                           const std::string& student_file) {
  if (!asked.empty()) return find_module_files(asked);
  const fs::path own = own_module(executable);
  const fs::path folder = own.parent_path();
  const std::string name = own.filename().string();
  ModuleFiles files;
  try {
    files = find_module_files(own.string());
  } catch (const Error&) {
    throw Error(fmt::format("{}.cubin is not there: run make first, and mend what it finds wrong "
                            "in {}",
                            name, student_file),
                kExitCannotRun);
  }
  const bool writable = access(folder.empty() ? "." : folder.c_str(), W_OK) == 0;
  const fs::path source = folder / student_file;
  if (writable && (is_older(files.ptx, source) || is_older(files.cubin, source)))
    throw Error(fmt::format("{} has changed since the last make that succeeded: type make (the "
                            "kernels as they were: --module {})",
                            student_file, own.lexically_proximate(fs::current_path()).string()),
                kExitCannotRun);
  return files;
}

}  // namespace lockstep
