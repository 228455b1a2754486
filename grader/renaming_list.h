// SPDX-License-Identifier: Apache-2.0
// What has a desktop show files by other names than theirs: desktop.ini of Windows, for a folder or
// the files in it, and entries as freedesktop.org defines them (X.desktop), for themselves.
#pragma once

#include <cstddef>
#include <string>

namespace lockstep::grader {

inline constexpr char kRenamingList[] = "desktop.ini", kDesktopEntry[] = ".desktop";
bool is_renaming_list(const std::string& path);

// What is read of one; a longer one is taken to give names.
inline constexpr size_t kLongestRenamingList = 64 << 10;

// Whether it gives names of its own. Those of Windows' own folders, which it reads from Windows'
// files in the user's language, are none, and neither are pictures and colours.
bool gives_names(const std::string& text);

}  // namespace lockstep::grader
