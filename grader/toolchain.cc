// SPDX-License-Identifier: Apache-2.0
// Finding compilers and our own programs. See toolchain.h.
#include "grader/toolchain.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "common/base/error.h"
#include "runner/process.h"

namespace lockstep::grader {
namespace {

namespace fs = std::filesystem;

bool is_top(const fs::path& folder) {
  std::error_code error;
  return fs::exists(folder / "common/backend/backend.h", error) ||
         fs::exists(folder / "make", error);
}

std::string nvcc_version(const std::string& nvcc) {
  ProcessLimits limits;
  limits.wall_s = 20;
  ProcessResult result = run_process({nvcc, "--version"}, clean_environment(), limits);
  size_t at = result.out.find(", V");
  if (!result.good() || at == std::string::npos)
    throw Error(nvcc + " --version tells no version: is the CUDA toolkit whole?", kExitCannotRun);
  std::istringstream words(result.out.substr(at + 3));
  std::string version;
  words >> version;
  return version;
}

}  // namespace

std::string real_path(const std::string& path) {
  std::error_code error;
  fs::path real = fs::canonical(path, error);
  return error ? path : real.string();
}

std::string find_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::string folders = path != nullptr ? path : "/usr/bin:/bin";
  for (size_t at = 0; at <= folders.size();) {
    size_t end = std::min(folders.find(':', at), folders.size());
    std::string candidate = folders.substr(at, end - at) + "/" + name;
    at = end + 1;
    if (candidate[0] == '/' && access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return {};
}

std::string find_top() {
  if (const char* top = std::getenv("LOCKSTEP_TOP")) return real_path(top);
  std::error_code error;
  fs::path self = fs::read_symlink("/proc/self/exe", error);
  for (fs::path folder : {self.parent_path().parent_path(), fs::current_path(error)})
    for (int up = 0; up < 8 && !folder.empty(); ++up, folder = folder.parent_path())
      if (is_top(folder)) return real_path(folder);
  throw Error("cannot find the folder that holds common/ and hwNN/: run the grader from there",
              kExitCannotRun);
}

Toolchain find_toolchain(const std::string& top) {
  Toolchain tools;
  tools.top = top;
  tools.runner = top + "/runner/lockstep-runner";
  tools.bwrap = find_program("bwrap");
  std::vector<std::string> places;
  if (const char* cuda = std::getenv("CUDA")) places.push_back(cuda);
  places.push_back("/usr/local/cuda");
  std::string nvcc = find_program("nvcc");
  if (!nvcc.empty()) places.push_back(fs::path(real_path(nvcc)).parent_path().parent_path());
  for (const std::string& place : places)
    if (tools.cuda.empty() && access((place + "/bin/nvcc").c_str(), X_OK) == 0)
      tools.cuda = real_path(place);
  if (tools.cuda.empty())
    throw Error(
        "no CUDA toolkit: nvcc is neither in /usr/local/cuda nor on the PATH; install "
        "toolkit 13.0 or later, or set CUDA=/its/folder",
        kExitCannotRun);
  tools.nvcc_version = nvcc_version(tools.nvcc());
  return tools;
}

}  // namespace lockstep::grader
