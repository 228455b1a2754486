// SPDX-License-Identifier: Apache-2.0
// The archive of one student. Where it holds what could be unpacked to the file that is wanted, but
// is no regular file with a harmless path, that is told: a person who unpacks it may see another.
#include <algorithm>
#include <filesystem>

#include "common/base/error.h"
#include "common/base/quoted.h"
#include "grader/archive_walk.h"
#include "grader/file_names.h"
#include "grader/stage.h"

namespace lockstep::grader {
namespace {

// The last part, whichever character parts it, and where a program may end it.
std::string last_part(const std::string& raw) {
  const std::string path = raw.substr(0, raw.find('\0'));
  return path.substr(path.find_last_of("/\\") + 1);
}

FoundFile found_file(const Member& member, const StageLimits& limits) {
  FoundFile file{member.path, {}, member.problem};
  if (file.problem.empty()) file.problem = problem_of_name(member.path);
  // Where another program would put it is not known: at the top, it may be.
  if (!file.problem.empty()) file.path = last_part(member.raw);
  if (file.problem.empty()) file.problem = problem_of_path(member.path, limits.depth);
  if (file.problem.empty() && !member.regular) file.problem = kNotRegular;
  if (file.problem.empty()) file.problem = member.contents(limits.file_bytes, &file.contents);
  if (!file.problem.empty())
    file.problem = "holds " + called(member) + ", which cannot be taken: " + file.problem;
  return file;
}

}  // namespace

bool is_source_name(const std::string& path, const std::string& file_name) {
  const std::string name = last_part(path);
  const std::string fold = folded(name);
  // As it stands, too: what is folded ends at a colon.
  return has_ending(name, ".cu") || fold.ends_with(".cu") || fold == folded(file_name);
}

std::vector<FoundFile> find_in_archive(const std::string& path, const std::string& file_name,
                                       const StageLimits& limits, std::string* problem) {
  std::vector<FoundFile> found;
  try {
    std::error_code error;
    auto size = std::filesystem::file_size(path, error);
    if (error) throw Error("cannot be read: " + error.message(), kExitCannotRun);
    if (size > limits.archive_bytes)
      throw Error("is larger than " + std::to_string(limits.archive_bytes >> 20) + " MiB");
    const UnpackBudget budget(limits.expanded_bytes, limits.unpack_s);
    walk_archive(path, PackedBy::kStudent, budget, [&](const Member& member) {
      if (member.number > limits.entries)
        throw Error("holds more than " + std::to_string(limits.entries) + " files");
      if (member.folder || is_litter(member.path) || !is_source_name(member.raw, file_name)) return;
      if (found.size() >= 64) throw Error("holds too many .cu files");
      found.push_back(found_file(member, limits));
    });
  } catch (const Error& e) {
    if (e.code() == kExitCannotRun) throw;  // this machine's fault
    *problem = shown_word(last_part(path)) + " " + e.what();
    found.clear();
  }
  for (FoundFile& file : found)
    if (!file.problem.empty()) file.problem = shown_word(last_part(path)) + " " + file.problem;
  return found;
}

}  // namespace lockstep::grader
