// SPDX-License-Identifier: Apache-2.0
// Source lines and names for messages.
#include "emulator/code/locations.h"

#include <cxxabi.h>

#include <cstdlib>
#include <filesystem>
#include <memory>

namespace lockstep::emulator {

bool is_toolkit(const std::string& file) {
  const size_t include = file.find("/include/");
  if (include == std::string::npos) return false;
  const std::string_view before = std::string_view(file).substr(0, include);
  if (before.ends_with("/targets/x86_64-linux") || before.ends_with("/targets/sbsa-linux"))
    return true;
  return before.substr(before.rfind('/') + 1).starts_with("cuda");  // /usr/local/cuda-13.0
}

Location student_location(const Module& module, const Function& f, int location) {
  if (location < 0) return {};
  const Location innermost = f.locations[static_cast<size_t>(location)];
  Location at = innermost;
  for (int steps = 0; steps < 1000; ++steps) {
    const auto file = module.files.find(at.file);
    if (at.line > 0 && (file == module.files.end() || !is_toolkit(file->second))) return at;
    if (at.inlined_at < 0) break;
    at = f.locations[static_cast<size_t>(at.inlined_at)];
  }
  return innermost;
}

int line_in(const std::string& file, const Module& module, const Function& f, int location) {
  const Location where = student_location(module, f, location);
  const auto path = module.files.find(where.file);
  if (where.line <= 0 || path == module.files.end()) return 0;
  return path->second.substr(path->second.rfind('/') + 1) == file ? where.line : 0;
}

std::vector<int> calling_lines(const Function& f, const Location& at) {
  constexpr size_t kMost = 8;
  std::vector<int> lines;
  for (int next = at.inlined_at; next >= 0 && lines.size() < kMost;) {
    const Location& caller = f.locations[static_cast<size_t>(next)];
    if (caller.file == at.file && caller.line > 0) lines.push_back(caller.line);
    next = caller.inlined_at;
  }
  return lines;
}

std::string seen_from_here(const std::string& file) {
  thread_local std::string last, seen;  // paths are long, and asked for by each line
  if (file == last && !last.empty()) return seen;
  std::error_code none;
  static const std::filesystem::path here = std::filesystem::current_path(none);
  const std::filesystem::path whole = std::filesystem::path(file).lexically_normal();
  const std::filesystem::path relative = whole.lexically_relative(here);
  const bool outside = relative.empty() || *relative.begin() == "..";
  last = file;
  return seen = outside ? whole.string() : relative.string();
}

FaultPlace place_of(const Module& module, const Function& f, int location) {
  FaultPlace place;
  const Location at = student_location(module, f, location);
  const auto file = module.files.find(at.file);
  if (at.line == 0 || file == module.files.end()) return place;
  place.file = seen_from_here(file->second);
  place.line = at.line;
  return place;
}

FaultPlace place_of(const Module& module, const Function& f) {
  for (const Instruction& in : f.code)
    if (in.location >= 0) return place_of(module, f, in.location);
  return {};
}

std::string prefix_of(const FaultPlace& place) {
  return place.file.empty() ? "" : place.file + ":" + std::to_string(place.line) + ": ";
}

std::string demangled(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> plain(
      name.starts_with("_Z") ? abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status)
                             : nullptr,
      &std::free);
  return plain ? plain.get() : name;
}

std::string demangled_variable(std::string_view name) {
  const std::string whole = demangled(std::string(name));
  const size_t at = whole.rfind("::");
  return at == std::string::npos ? whole : whole.substr(at + 2);
}

}  // namespace lockstep::emulator
