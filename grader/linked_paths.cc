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

[[noreturn]] void refuse(const std::string& why) {
  throw Error("can be read in more than one way: " + why);
}

}  // namespace

void LinkedPaths::add(const Member& member) {
  links_ = links_ || member.link;
  const bool known = !member.path.empty();
  paths_.push_back({member.path, known ? "" : called(member), member.link, member.folder});
  if (!member.also.empty()) paths_.push_back({member.also, "", member.link, member.folder});
}

void LinkedPaths::require_apart(const UnpackBudget& budget) const {
  static constexpr char kNoLinks[] = "; pack it again without links";
  std::set<std::string> links, files;
  std::vector<std::string> folded;
  for (const Path& one : paths_) {
    budget.require_time();
    folded.push_back(folded_path(one.path));
    if (links_ && one.path.empty())
      refuse("it holds links, and " + one.shown + " may lie behind one" + kNoLinks);
    if (one.link && !links.insert(folded.back()).second)
      refuse("there are two of " + shown_word(one.path) + ", which is a link" + kNoLinks);
    if (!one.link && !one.folder && !one.path.empty()) files.insert(folded.back());
  }
  for (size_t k = 0; k < paths_.size(); ++k) {
    budget.require_time();
    const std::string& path = folded[k];
    for (size_t end = 0; (end = path.find('/', end)) != std::string::npos; ++end) {
      const std::string part = path.substr(0, end + 1);
      const bool whole = end + 1 == path.size();
      if (links.contains(part) && !(whole && paths_[k].link))
        refuse(shown_word(paths_[k].path) + " lies behind a link, or is one as well" + kNoLinks);
      if (!whole && files.contains(part))
        refuse(shown_word(paths_[k].path) + " lies in what is a file as well; pack it again");
    }
  }
}

}  // namespace lockstep::grader
