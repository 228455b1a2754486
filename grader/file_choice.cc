// SPDX-License-Identifier: Apache-2.0
// See file_choice.h.
#include "grader/file_choice.h"

#include <algorithm>
#include <cstdint>

#include "common/base/quoted.h"
#include "common/base/text.h"
#include "grader/names.h"

namespace lockstep::grader {
namespace {

// The last part, whichever character parts it, and where a program may end it.
std::string last_part(const std::string& raw) {
  const std::string path = raw.substr(0, raw.find('\0'));
  return path.substr(path.find_last_of("/\\") + 1);
}

// What a person reads, who may take capitals and small letters for the same (UTS 39's skeleton,
// which is of what is read, and so comes first).
std::string look_of(const std::string& name) { return folded(skeleton(as_read(name))); }

// All but ASCII by its bytes: what looks like something else must not be shown so.
std::string shown_bytes(const std::string& path) {
  return shown_name(path, 60, [](const Character& c) { return c.code == ' ' || c.code >= 0x80; });
}

}  // namespace

bool is_source_name(const std::string& path, const std::string& file_name) {
  const std::string name = last_part(path);
  const std::string fold = folded(name);
  // As it stands, too: what is folded ends at a colon.
  return has_ending(name, ".cu") || fold.ends_with(".cu") || fold == folded(file_name);
}

FileChoice::FileChoice(std::string file_name)
    : file_name_(std::move(file_name)), look_(look_of(file_name_)) {}

bool FileChoice::looks_like_it(const std::string& name) const {
  return name.size() <= kLongestPath && (look_of(name) == look_ || look_of(folded(name)) == look_);
}

FoundFile* FileChoice::add(const std::string& path, const std::string& problem) {
  FoundFile file{path, problem};
  const std::string name = last_part(path);
  const bool named = folded(name) == folded(file_name_);
  // Where another program would put it is not known: at the top, it may be.
  const auto depth = problem.empty() ? std::count(path.begin(), path.end(), '/') : 0;
  file.rank = static_cast<size_t>(depth);
  if (!named && looks_like_it(name)) lookalikes_.push_back(file);
  if (!is_source_name(path, file_name_)) return nullptr;
  if (!named) file.rank = SIZE_MAX;
  if (!companion_of(path).empty()) {
    streams_.push_back(std::move(file));
    return nullptr;
  }
  files_.push_back(std::move(file));
  const bool better = files_.size() == 1 || files_.back().rank < files_[best_].rank;
  if (!better) return nullptr;
  std::string().swap(files_[best_].contents);
  best_ = files_.size() - 1;
  return &files_.back();
}

std::vector<FoundFile*> FileChoice::nearest() {
  std::set<std::string> paths;
  for (const FoundFile& file : files_) paths.insert(file.path);
  for (FoundFile& stream : streams_)
    if (!paths.contains(companion_of(stream.path))) files_.push_back(std::move(stream));
  streams_.clear();
  size_t least = SIZE_MAX;
  for (const FoundFile& file : files_) least = std::min(least, file.rank);
  std::vector<FoundFile*> first;
  for (FoundFile& file : files_)
    if (file.rank == least) first.push_back(&file);
  return first;
}

std::string FileChoice::problem_beside(const FoundFile* chosen) const {
  for (const FoundFile& other : lookalikes_) {
    if (chosen != nullptr && (other.rank > chosen->rank || other.path == chosen->path)) continue;
    return shown_bytes(other.path) + " looks like " + file_name_ +
           ", but its name is of other characters; hand in one " + file_name_;
  }
  if (chosen == nullptr) return "there is no " + file_name_ + " in it";
  if (files_.size() + lookalikes_.size() == 1) return {};
  const std::string path = folded_path(chosen->path);
  for (size_t end = 0; (end = path.find('/', end)) != std::string::npos; ++end)
    if (hidden_.contains(path.substr(0, end + 1)))
      return shown_word(chosen->path) +
             " is hidden in Windows, by its attributes or its folder's, and others lie beside it; "
             "which is meant? Hand in one " +
             file_name_;
  return {};
}

FoundFile* FileChoice::meant(std::string* problem) {
  const std::vector<FoundFile*> first = nearest();
  for (const FoundFile* file : first)
    if (!file->problem.empty()) *problem = file->problem;
  if (!problem->empty()) return nullptr;
  if (first.size() > 1) {
    const std::string one = shown_word(first[0]->path), other = shown_word(first[1]->path);
    *problem = "which file is meant? There are " +
               (one == other ? "two called " + one : one + " and " + other) + "; hand in one " +
               file_name_;
    return nullptr;
  }
  FoundFile* chosen = first.empty() ? nullptr : first[0];
  *problem = problem_beside(chosen);
  return problem->empty() ? chosen : nullptr;
}

}  // namespace lockstep::grader
