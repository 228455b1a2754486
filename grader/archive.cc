// SPDX-License-Identifier: Apache-2.0
// The archive of one student. Where it holds what could be unpacked to the file that is wanted, but
// is no regular file with a harmless path, that is told: a person who unpacks it may see another.
#include <filesystem>

#include "common/base/error.h"
#include "common/base/quoted.h"
#include "grader/archive_walk.h"
#include "grader/file_choice.h"
#include "grader/renaming_list.h"
#include "grader/stage.h"

namespace lockstep::grader {
namespace {

class ArchiveSearch {
 public:
  ArchiveSearch(const std::string& shown, const std::string& file_name, const StageLimits& limits)
      : shown_(shown), file_name_(file_name), limits_(limits), choice_(file_name) {}

  void take(const Member& member) {
    if (!member.folder && is_hiding_list(member.path)) choice_.add_hiding_list(member.path);
    if (is_hidden(member.path, file_name_)) return;
    if (member.hidden) choice_.hide(member.path);
    if (++entries_ > limits_.entries)
      throw Error("holds more than " + std::to_string(limits_.entries) + " files");
    if (member.folder) return;
    if (is_renaming_list(member.path)) take_renaming_list(member);
    FoundFile* file =
        choice_.add({.path = member.path.empty() ? member.raw : member.path,
                     .problem = told(member, member.problem.empty() ? problem_of_path(member.path)
                                                                    : member.problem),
                     .elsewhere = told(member, problem_of_name(member.path)),
                     .also = member.also});
    if (file == nullptr || !file->problem.empty()) return;
    file->problem =
        told(member,
             member.regular ? member.contents(limits_.file_bytes, &file->contents) : kNotRegular);
  }
  FoundText found(std::string* problem) {
    FoundFile* file = choice_.meant(problem);
    if (file == nullptr && choice_.holds_archives_alone())
      *problem += ", and an archive in an archive is not looked into; hand in one " + file_name_ +
                  ", or one archive with it";
    if (file == nullptr) return {};
    return {std::move(file->contents), file->path};
  }

 private:
  void take_renaming_list(const Member& member) {
    std::string text;
    if (!member.contents(kLongestRenamingList, &text).empty() || gives_names(text))
      choice_.add_renaming_list(member.path);
  }
  std::string told(const Member& member, const std::string& problem) const {
    if (problem.empty()) return {};
    return shown_ + " holds " + called(member) + ", which cannot be taken: " + problem;
  }

  const std::string& shown_;
  const std::string& file_name_;
  const StageLimits& limits_;
  FileChoice choice_;
  size_t entries_ = 0;
};

}  // namespace

FoundText read_from_archive(const std::string& path, const std::string& file_name,
                            const StageLimits& limits, std::string* problem) {
  const std::string shown = shown_word(std::filesystem::path(path).filename().string());
  try {
    std::error_code error;
    auto size = std::filesystem::file_size(path, error);
    if (error) throw Error("cannot be read: " + error.message(), kExitCannotRun);
    if (size > limits.archive_bytes)
      throw Error("is larger than " + std::to_string(limits.archive_bytes >> 20) + " MiB");
    const UnpackBudget budget(limits.expanded_bytes, limits.unpack_s);
    ArchiveSearch search(shown, file_name, limits);
    walk_archive(path, PackedBy::kStudent, budget,
                 [&](const Member& member) { search.take(member); });
    return search.found(problem);
  } catch (const Error& e) {
    if (e.code() == kExitCannotRun) throw;  // this machine's fault
    *problem = shown + " " + e.what();
    return {};
  }
}

}  // namespace lockstep::grader
