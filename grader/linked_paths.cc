// SPDX-License-Identifier: Apache-2.0
// See linked_paths.h.
#include "grader/linked_paths.h"

#include <algorithm>
#include <set>

#include "common/base/quoted.h"
#include "grader/archive_walk.h"
#include "grader/file_names.h"

namespace lockstep::grader {
namespace {

[[noreturn]] void refuse(const std::string& why, bool links_too = true) {
  throw Error("can be read in more than one way: " + why + "; pack it again" +
              (links_too ? " without links" : ""));
}

}  // namespace

void LinkedPaths::add(const Member& member) {
  links_ = links_ || member.link;
  const bool known = !member.path.empty();
  paths_.push_back({member.path, known ? "" : called(member), member.link, member.folder});
  if (!member.also.empty()) paths_.push_back({member.also, "", member.link, member.folder});
}

void LinkedPaths::require_no_file_as_folder(const UnpackBudget& budget) const {
  std::set<std::string> files;
  for (const Path& one : paths_)
    if (!one.folder && !one.path.empty()) files.insert(folded_path(one.path));
  for (const Path& one : paths_) {
    budget.require_time();
    const std::string path = folded_path(one.path);
    for (size_t end = 0; (end = path.find('/', end)) != std::string::npos; ++end)
      if (end + 1 < path.size() && files.contains(path.substr(0, end + 1)))
        refuse(shown_word(one.path) + " lies in what is a file as well", false);
  }
}

void LinkedPaths::require_apart(const UnpackBudget& budget) const {
  require_no_file_as_folder(budget);
  if (!links_) return;
  std::set<std::string> links;
  for (const Path& one : paths_) {
    budget.require_time();
    if (one.path.empty()) refuse("it holds links, and " + one.shown + " may lie behind one");
    if (one.link && !links.insert(folded_path(one.path)).second)
      refuse("there are two of " + shown_word(one.path) + ", which is a link");
  }
  for (const Path& one : paths_) {
    budget.require_time();
    const std::string path = folded_path(one.path);
    const size_t most = path.size() - (one.link ? 1 : 0);
    for (size_t end = 0; (end = path.find('/', end)) < most; ++end)
      if (links.contains(path.substr(0, end + 1)))
        refuse(shown_word(one.path) + " lies behind a link, or is one as well");
  }
}

}  // namespace lockstep::grader
