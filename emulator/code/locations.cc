// SPDX-License-Identifier: Apache-2.0
// Source lines and names for messages.
#include "emulator/code/locations.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace lockstep::emulator {
namespace {

bool is_toolkit(const std::string& file) {
  const size_t include = file.find("/include/");
  if (include == std::string::npos) return false;
  const std::string_view before = std::string_view(file).substr(0, include);
  if (before.ends_with("/targets/x86_64-linux") || before.ends_with("/targets/sbsa-linux"))
    return true;
  return before.substr(before.rfind('/') + 1).starts_with("cuda");  // /usr/local/cuda-13.0
}

}  // namespace

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
