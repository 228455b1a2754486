// SPDX-License-Identifier: Apache-2.0
// See renaming_list.h. The format is that of INI files: sections, and a key and its value a line.
#include "grader/renaming_list.h"

#include <algorithm>
#include <string_view>

#include "grader/file_names.h"

namespace lockstep::grader {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const size_t begin = std::min(text.find_first_not_of(kBlanks), text.size());
  text.remove_prefix(begin);
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

// Of UTF-16 the letters of ASCII, which are all that matters.
std::string small_letters(const std::string& text) {
  std::string small;
  for (const char c : text)
    if (c != '\0' && (c & 0x80) == 0) small += c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
  return small;
}

bool is_of_windows(std::string_view value) {
  return value.starts_with("@%systemroot%\\") && value.find("..") == std::string_view::npos;
}

}  // namespace

bool is_renaming_list(const std::string& path) {
  const std::string name = folded(path.substr(path.rfind('/') + 1));
  return name == kRenamingList || name.ends_with(kDesktopEntry);
}

bool gives_names(const std::string& text) {
  if (text.size() > kLongestRenamingList) return true;
  const std::string small = small_letters(text);
  bool of_files = false;
  for (size_t at = 0; at < small.size();) {
    const size_t end = std::min(small.find('\n', at), small.size());
    const std::string_view line = trimmed(std::string_view(small).substr(at, end - at));
    at = end + 1;
    if (line.starts_with("[")) of_files = line.starts_with("[localizedfilenames");
    const size_t sign = line.find('=');
    if (sign == std::string_view::npos) continue;
    const std::string_view key = trimmed(line.substr(0, sign));
    const bool name =
        of_files || key == "localizedresourcename" || key == "name" || key.starts_with("name[");
    // What Windows calls a folder of its own is no file's name.
    if (name && (of_files || !is_of_windows(trimmed(line.substr(sign + 1))))) return true;
  }
  return false;
}

}  // namespace lockstep::grader
