// SPDX-License-Identifier: Apache-2.0
// See left_behind.h.
#include "grader/left_behind.h"

#include "common/base/quoted.h"

namespace lockstep::grader {
namespace {

constexpr size_t kMostNames = 20;

void add_note(const std::set<std::string>& names, const char* why,
              std::vector<std::string>* notes) {
  std::string text;
  size_t told = 0;
  for (const std::string& name : names) {
    if (told++ == kMostNames) break;
    text += (text.empty() ? "" : ", ") + shown_word(name);
  }
  if (names.size() > kMostNames)
    text += " and " + std::to_string(names.size() - kMostNames) + " others";
  if (!names.empty()) notes->push_back("no submission: " + text + why);
}

}  // namespace

std::vector<std::string> LeftBehind::notes() const {
  std::vector<std::string> all;
  add_note(names, ", as desktops and platforms leave them", &all);
  add_note(companions, ", as programs leave them beside the files whose names they have", &all);
  add_note(outside, ", beside the folder in which the submissions lie", &all);
  add_note(astray, ", whose paths lead out of the archive", &all);
  return all;
}

}  // namespace lockstep::grader
