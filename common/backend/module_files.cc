// SPDX-License-Identifier: Apache-2.0
// Finding and hashing the files of a module. See module_files.h.
#include "common/backend/module_files.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace lockstep {
namespace {

bool is_file(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored);
}

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() > end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

uint64_t fnv1a(uint64_t hash, const std::string& bytes) {
  for (const unsigned char byte : bytes) hash = (hash ^ byte) * 0x100000001b3ull;
  return hash;
}

}  // namespace

ModuleFiles find_module_files(const std::string& file) {
  std::string stem = file;
  for (const char* end : {".ptx", ".cubin"}) {
    if (!ends_with(file, end)) continue;
    stem = file.substr(0, file.size() - std::strlen(end));
    if (!is_file(file)) throw Error(fmt::format("{}: no such module file", file));
  }
  ModuleFiles files;
  if (is_file(stem + ".ptx")) files.ptx = stem + ".ptx";
  if (is_file(stem + ".cubin")) files.cubin = stem + ".cubin";
  if (!files.ptx.empty() || !files.cubin.empty()) return files;
  if (is_file(file)) throw Error(fmt::format("{}: a module's name ends in .ptx or .cubin", file));
  throw Error(fmt::format("{0}: no such module: neither {0}.ptx nor {0}.cubin is there", stem));
}

std::string read_file(const std::string& path, size_t max_bytes) {
  if (!is_file(path)) throw Error(fmt::format("{}: no such file", path));
  std::ifstream in(path, std::ios::binary | std::ios::ate);
  if (!in) throw Error(fmt::format("{}: cannot be read: {}", path, std::strerror(errno)));
  const std::streamoff size = in.tellg();
  if (size < 0 || static_cast<uint64_t>(size) > max_bytes)
    throw Error(fmt::format("{}: larger than {} bytes", path, max_bytes));
  std::string bytes(static_cast<size_t>(size), '\0');
  in.seekg(0);
  if (!in.read(bytes.data(), size)) throw Error(fmt::format("{}: cannot be read", path));
  return bytes;
}

std::string module_hash(const ModuleFiles& files) {
  uint64_t hash = 0xcbf29ce484222325ull;
  for (const std::string& path : {files.ptx, files.cubin})
    if (!path.empty()) hash = fnv1a(hash, read_file(path));
  return fmt::format("{:016x}", hash);
}

std::string own_module(const std::string& program) {
  if (ends_with(program, "-cuda-debug")) return program;
  if (ends_with(program, "-debug")) return program.substr(0, program.size() - 6);
  return program;
}

}  // namespace lockstep
