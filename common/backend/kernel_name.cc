// SPDX-License-Identifier: Apache-2.0
// Kernel names as students write them. Names come from modules that anyone may have made, so the
// demangler is not called on those that could expand without bound.
#include <cxxabi.h>

#include <cctype>
#include <cstdlib>
#include <memory>

#include "common/backend/backend.h"

namespace lockstep {
namespace {

// Each back reference of a mangled name can double what was read so far. These bounds keep the
// result under some megabytes, and are far above what a kernel of a homework needs.
constexpr size_t kMaxMangledLength = 1024;
constexpr size_t kMaxBackReferences = 12;

bool safe_to_demangle(const std::string& mangled) {
  if (mangled.size() > kMaxMangledLength || mangled.rfind("_Z", 0) != 0) return false;
  size_t references = 0;
  for (size_t i = 0; i + 1 < mangled.size(); i++) {
    const unsigned char c = static_cast<unsigned char>(mangled[i]);
    if (c < 0x21 || c > 0x7e) return false;
    const char next = mangled[i + 1];
    if ((c == 'S' || c == 'T') && (next == '_' || std::isdigit(static_cast<unsigned char>(next)) ||
                                   std::isupper(static_cast<unsigned char>(next))))
      references++;
  }
  return references <= kMaxBackReferences;
}

std::string demangle(const std::string& mangled) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 && text ? std::string(text.get()) : std::string();
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

int depth_change(char c) {
  if (c == '<' || c == '(' || c == '{' || c == '[') return 1;
  if (c == '>' || c == ')' || c == '}' || c == ']') return -1;
  return 0;
}

// Where the parameter list starts: the last '(' outside of brackets.
size_t parameter_list(const std::string& text) {
  size_t start = std::string::npos;
  int depth = 0;
  for (size_t i = 0; i < text.size(); i++) {
    if (text[i] == '(' && depth == 0) start = i;
    depth += depth_change(text[i]);
    if (depth < 0) return std::string::npos;
  }
  return start == 0 ? std::string::npos : start;
}

// Drops "(int)" and the like before a template argument that is a number.
std::string without_casts(const std::string& text) {
  std::string out;
  for (size_t i = 0; i < text.size(); i++) {
    const bool argument = !out.empty() && (out.back() == '<' || out.back() == ',');
    if (text[i] == '(' && argument) {
      const size_t close = text.find(')', i);
      if (close != std::string::npos && close + 1 < text.size() &&
          (std::isdigit(static_cast<unsigned char>(text[close + 1])) || text[close + 1] == '-')) {
        i = close;
        continue;
      }
    }
    out += text[i];
  }
  return out;
}

// Spaces go, but where they part two words; so do the u and l after a number.
std::string without_spaces_and_suffixes(const std::string& text) {
  std::string out;
  bool in_number = false;
  for (size_t i = 0; i < text.size(); i++) {
    const char c = text[i];
    if (c == ' ') {
      const bool parts_words =
          !out.empty() && is_word(out.back()) && i + 1 < text.size() && is_word(text[i + 1]);
      if (parts_words) out += c;
      in_number = false;
      continue;
    }
    const bool starts_word = is_word(c) && (out.empty() || !is_word(out.back()));
    if (starts_word) in_number = std::isdigit(static_cast<unsigned char>(c)) != 0;
    if (!is_word(c)) in_number = false;
    if (in_number && (c == 'u' || c == 'l')) continue;
    out += c;
  }
  return out;
}

std::string tidy(const std::string& text) {
  return without_casts(without_spaces_and_suffixes(text));
}

}  // namespace

std::string kernel_name(const std::string& mangled) {
  std::string text = mangled;
  if (safe_to_demangle(mangled)) text = demangle(mangled);
  if (text.empty()) return mangled;
  if (text.rfind("_Z", 0) == 0) return mangled;
  const size_t parameters = parameter_list(text);
  if (parameters != std::string::npos) text.resize(parameters);
  // The return type of a template is what stands before the last space outside of brackets.
  int depth = 0;
  size_t name = 0;
  for (size_t i = 0; i < text.size(); i++) {
    depth += depth_change(text[i]);
    if (text[i] == ' ' && depth == 0 && i + 1 < text.size()) name = i + 1;
  }
  const std::string result = tidy(text.substr(name));
  return result.empty() ? mangled : result;
}

std::string kernel_signature(const std::string& mangled) {
  if (!safe_to_demangle(mangled)) return {};
  const std::string text = demangle(mangled);
  const size_t parameters = parameter_list(text);
  return parameters == std::string::npos ? std::string() : tidy(text.substr(parameters));
}

}  // namespace lockstep
