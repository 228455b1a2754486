// SPDX-License-Identifier: Apache-2.0
// Files of build/reference/. See kept.h.
#include "grader/kept.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "common/backend/module_files.h"
#include "common/base/error.h"
#include "grader/sha256.h"

namespace lockstep::grader {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostText = 1 << 20;
// Of each file of a module: what a build may leave (build_steps.cc), and more.
constexpr size_t kMostModule = 64 << 20;

// The whole file, if it can be had, and is not larger than anything that is kept.
std::optional<std::string> bytes_of(const std::string& path, size_t most) {
  try {
    return read_file(path, most);
  } catch (const Error&) {
    return std::nullopt;
  }
}

std::optional<std::string> hash_of(const ModuleFiles& files) {
  const auto ptx = bytes_of(files.ptx, kMostModule), cubin = bytes_of(files.cubin, kMostModule);
  if (!ptx || !cubin) return std::nullopt;
  return sha256(sha256(*ptx) + sha256(*cubin));
}

// Of this process alone, on whatever machine of those that share the folder it is.
std::string beside(const std::string& path) {
  char host[65] = "";
  gethostname(host, sizeof host - 1);
  return path + "." + host + "." + std::to_string(getpid());
}

// Into its place, readable by its owner alone, or away.
void settle(const std::string& made, const std::string& path, std::error_code error) {
  std::error_code none;
  const bool folder = fs::is_directory(made, none);
  const fs::perms rights =
      folder ? fs::perms::owner_all : fs::perms::owner_read | fs::perms::owner_write;
  if (!error) fs::permissions(made, rights, error);
  if (!error) fs::rename(made, path, error);
  if (error) fs::remove_all(made, error);
}

}  // namespace

std::string kept_path(const Toolchain& tools, const std::string& what, const std::string& from) {
  std::error_code error;
  const fs::path self = "/proc/self/exe";
  const std::string program =
      std::to_string(fs::file_size(self, error)) + " " +
      std::to_string(fs::last_write_time(self, error).time_since_epoch().count());
  const std::string hash =
      sha256(program + "\n" + tools.cuda + "\n" + tools.nvcc_version + "\n" + from);
  return tools.top + "/build/reference/" + what + "-" + hash.substr(0, 32);
}

std::optional<std::string> kept_text(const std::string& path) {
  const std::optional<std::string> kept = bytes_of(path, kMostText);
  if (!kept) return std::nullopt;
  const size_t end = std::min(kept->find('\n'), kept->size());
  std::string text = end < kept->size() ? kept->substr(end + 1) : "";
  if (sha256(text) != kept->substr(0, end)) return std::nullopt;
  return text;
}

void keep_text(const std::string& path, const std::string& text) {
  std::error_code error;
  const std::string made = beside(path);
  fs::create_directories(fs::path(path).parent_path(), error);
  std::ofstream file(made, std::ios::binary);
  file << sha256(text) << "\n" << text;
  file.close();
  if (!file) error = std::make_error_code(std::errc::io_error);
  settle(made, path, error);
}

std::optional<std::string> kept_module(const std::string& folder, const std::string& name) {
  const ModuleFiles files{folder + "/" + name + ".ptx", folder + "/" + name + ".cubin"};
  const auto hash = kept_text(folder + "/hash");
  return hash && hash == hash_of(files) ? std::optional(files.ptx) : std::nullopt;
}

void keep_module(const ModuleFiles& files, const std::string& folder, const std::string& name) {
  const auto hash = hash_of(files);
  if (!hash) return;
  std::error_code error;
  const std::string made = beside(folder);
  fs::remove_all(folder, error);  // there is none, or none that is good
  fs::create_directories(made, error);
  if (!error) fs::permissions(made, fs::perms::owner_all, error);
  if (!error) keep_text(made + "/hash", *hash);
  if (!error) fs::copy_file(files.ptx, made + "/" + name + ".ptx", error);
  if (!error) fs::copy_file(files.cubin, made + "/" + name + ".cubin", error);
  settle(made, folder, error);
}

}  // namespace lockstep::grader
