// SPDX-License-Identifier: Apache-2.0
// See file_choice.h.
#include "grader/file_choice.h"

#include <algorithm>
#include <cstdint>
#include <set>

#include "common/base/quoted.h"
#include "grader/file_names.h"

namespace lockstep::grader {
namespace {

// The last part, whichever character parts it, and where a program may end it.
std::string last_part(const std::string& raw) {
  const std::string path = raw.substr(0, raw.find('\0'));
  return path.substr(path.find_last_of("/\\") + 1);
}

}  // namespace

bool is_source_name(const std::string& path, const std::string& file_name) {
  const std::string name = last_part(path);
  const std::string fold = folded(name);
  // As it stands, too: what is folded ends at a colon.
  return has_ending(name, ".cu") || fold.ends_with(".cu") || fold == folded(file_name);
}

FoundFile* FileChoice::add(const std::string& path, const std::string& problem) {
  FoundFile file{path, problem};
  const bool named = folded(last_part(path)) == folded(file_name_);
  // Where another program would put it is not known: at the top, it may be.
  const auto depth = problem.empty() ? std::count(path.begin(), path.end(), '/') : 0;
  file.rank = named ? static_cast<size_t>(depth) : SIZE_MAX;
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

FoundFile* FileChoice::meant(std::string* problem) {
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
  for (const FoundFile* file : first)
    if (!file->problem.empty()) *problem = file->problem;
  if (!problem->empty()) return nullptr;
  if (first.size() == 1) return first[0];
  if (first.empty()) {
    *problem = "there is no " + file_name_ + " in it";
  } else {
    const std::string one = shown_word(first[0]->path), other = shown_word(first[1]->path);
    *problem = "which file is meant? There are " +
               (one == other ? "two called " + one : one + " and " + other) + "; hand in one " +
               file_name_;
  }
  return nullptr;
}

}  // namespace lockstep::grader
