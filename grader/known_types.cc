// SPDX-License-Identifier: Apache-2.0
#include "grader/known_types.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <set>

namespace lockstep::grader {
namespace {

constexpr char kTable[] = "/usr/share/mime/globs2";

// Lines like "50:text/x-patch:*.patch", some with flags behind another colon. What has further
// patterns in it is left out.
std::set<std::string> read_table() {
  std::set<std::string> endings;
  std::ifstream file(kTable);
  for (std::string line; std::getline(file, line);) {
    const size_t glob = line.find(":*.");
    if (line.starts_with('#') || glob == std::string::npos) continue;
    std::string ending = line.substr(glob + 2);
    ending.erase(std::min(ending.find(':'), ending.size()));
    if (ending.find_first_of("*?[") != std::string::npos) continue;
    std::transform(ending.begin(), ending.end(), ending.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    endings.insert(ending);
  }
  return endings;
}

}  // namespace

bool is_known_type(const std::string& ending) {
  static const std::set<std::string> table = read_table();
  // Types of Windows that say NeverShowExt of themselves: no table has these.
  static const std::set<std::string> never_shown = {
      ".appref-ms", ".desklink",           ".library-ms", ".lnk", ".mapimail", ".pif",     ".scf",
      ".search-ms", ".searchconnector-ms", ".shb",        ".shs", ".url",      ".website", ".xnk"};
  return table.empty() || table.contains(ending) || never_shown.contains(ending);
}

}  // namespace lockstep::grader
