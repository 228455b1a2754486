// SPDX-License-Identifier: Apache-2.0
#include "common/harness/debug_build.h"

#include <filesystem>

#include "common/base/error.h"

namespace lockstep {

Backend* DebugBuild::backend() {
  if (tried_) return backend_.get();
  tried_ = true;
  if (ptx_.empty() || !open_) return nullptr;
  try {
    std::unique_ptr<Backend> backend = open_();
    ModuleFiles files;
    files.ptx = ptx_;
    backend->load_module(files);
    backend_ = std::move(backend);
  } catch (const Error&) {
    backend_.reset();  // what the optimised module tells is told
  }
  return backend_.get();
}

std::string debug_ptx_beside(const ModuleFiles& module, const std::string& student_file) {
  namespace fs = std::filesystem;
  constexpr std::string_view kEnd = ".ptx", kOfDebug = "-cuda-debug.ptx";
  if (!module.ptx.ends_with(kEnd)) return {};
  if (module.ptx.ends_with(kOfDebug)) return module.ptx;
  const std::string path =
      module.ptx.substr(0, module.ptx.size() - kEnd.size()) + std::string(kOfDebug);
  std::error_code none, error;
  const fs::file_time_type built = fs::last_write_time(path, error);
  if (error || !fs::is_regular_file(path, none)) return {};
  // Of the same build: seconds lie between the two, and an edit lies before both.
  const fs::path source = fs::path(path).parent_path() / student_file;
  const fs::file_time_type edited = fs::last_write_time(source, error);
  if (error) return built < fs::last_write_time(module.ptx, none) ? "" : path;
  return built < edited ? "" : path;
}

}  // namespace lockstep
