// SPDX-License-Identifier: Apache-2.0
// Files and folders are opened component by component without following links, so what a student
// hands in cannot name a file of the grader's machine.
#include "grader/stage.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>

#include "common/base/error.h"
#include "common/base/quoted.h"
#include "grader/file_choice.h"
#include "grader/names.h"
#include "grader/renaming_list.h"
#include "grader/sha256.h"
#include "runner/process.h"

namespace lockstep::grader {
namespace {

namespace fs = std::filesystem;

std::string base_name(const std::string& path) {
  std::string p = path;
  while (p.size() > 1 && p.back() == '/') p.pop_back();
  return p.substr(p.rfind('/') + 1);
}

// Nobody's submission is wrong where this machine cannot read it.
[[noreturn]] void cannot_read(const std::string& shown) {
  throw Error(shown + " cannot be read: " + strerror(errno), kExitCannotRun);
}

// A regular file's contents; sets *problem instead where it is none or too large.
std::string read_regular(int folder_fd, const std::string& name, const std::string& shown,
                         size_t most, std::string* problem) {
  UniqueFd fd(openat(folder_fd, name.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  const bool link = fd.get() < 0 && errno == ELOOP, socket = fd.get() < 0 && errno == ENXIO;
  struct stat info {};
  if (fd.get() >= 0 ? fstat(fd.get(), &info) != 0 : !link && !socket) cannot_read(shown);
  if (link)
    *problem = shown + " is a symbolic link: hand in the file itself";
  else if (!S_ISREG(info.st_mode))
    *problem = shown + " is not a regular file";
  std::string text;
  char buffer[64 << 10];
  while (problem->empty()) {
    ssize_t got = read(fd.get(), buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) cannot_read(shown);
    if (got == 0) return text;
    text.append(buffer, static_cast<size_t>(got));
    if (text.size() > most)
      *problem = shown + " is larger than " + std::to_string(most >> 10) + " KiB";
  }
  return {};
}

// `path`: what is told of one that cannot be opened. It is made a word for that alone, which takes
// longer than to open it.
UniqueFd open_folder(int fd, const std::string& name, const std::string& path) {
  UniqueFd folder(openat(fd, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (folder.get() < 0) cannot_read(shown_word(path));
  return folder;
}

// The folder below another, each part of it opened without following links.
UniqueFd open_below(const std::string& top, const std::string& path) {
  UniqueFd folder = open_folder(AT_FDCWD, top, base_name(top));
  for (size_t at = 0, end; (end = path.find('/', at)) != std::string::npos; at = end + 1)
    folder = open_folder(folder.get(), path.substr(at, end - at), path);
  return folder;
}

// What is no text that can be read may give any.
bool gives_names_in(int folder_fd, const std::string& name) {
  std::string problem;
  const std::string text =
      read_regular(folder_fd, name, shown_word(name), kLongestRenamingList, &problem);
  return !problem.empty() || gives_names(text);
}

// Looks through a folder for files that could be the one. Their contents are left where they are,
// and one folder is open at a time, however deep they lie.
class FolderSearch {
 public:
  FolderSearch(const std::string& top, const std::string& file_name, const StageLimits& limits)
      : choice(file_name), top_(top), file_name_(file_name), limits_(limits) {}

  // Sets *problem where a limit is passed.
  void search(std::string* problem) {
    for (size_t next = 0; next < folders_.size() && problem->empty(); ++next)
      look_into(std::string(folders_[next]), problem);
  }
  FileChoice choice;

 private:
  void look_into(const std::string& prefix, std::string* problem) {
    UniqueFd folder = open_below(top_, prefix);
    std::unique_ptr<DIR, int (*)(DIR*)> stream(fdopendir(folder.get()), closedir);
    if (!stream) cannot_read(prefix.empty() ? "its folder" : shown_word(prefix));
    const int fd = folder.release();
    while (dirent* item = readdir(stream.get())) {
      const std::string name = item->d_name, path = prefix + name;
      if (name == "." || name == "..") continue;
      struct stat info {};
      if (fstatat(fd, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) cannot_read(shown_word(name));
      const bool inner = S_ISDIR(info.st_mode);
      if (!inner && is_hiding_list(path)) choice.add_hiding_list(path);
      if (is_hidden(inner ? path + "/" : path, file_name_)) continue;
      if (++entries_ > limits_.entries)
        *problem = "holds more than " + std::to_string(limits_.entries) + " files";
      else if (path.size() > kLongestPath)
        *problem = "holds folders that lie too deep: a path is longer than " +
                   std::to_string(kLongestPath) + " bytes";
      if (!problem->empty()) return;
      if (inner)
        folders_.push_back(path + "/");
      else
        note(path);
      if (!inner && is_renaming_list(path) && gives_names_in(fd, name))
        choice.add_renaming_list(path);
    }
  }
  void note(const std::string& path) {
    std::string elsewhere = problem_of_name(path);
    if (!elsewhere.empty()) elsewhere = shown_word(path) + " cannot be taken: " + elsewhere;
    choice.add({.path = path, .elsewhere = elsewhere});
  }

  const std::string& top_;
  const std::string& file_name_;
  const StageLimits& limits_;
  std::vector<std::string> folders_ = {""};  // with a slash behind
  size_t entries_ = 0;
};

// The archive that a folder holds in place of a source, by the rules of one that is handed in
// itself. The folder that it lies in is opened as all are, without following links.
FoundText read_archive_in(const std::string& top, const std::string& path,
                          const std::string& file_name, const StageLimits& limits,
                          std::string* problem) {
  const UniqueFd folder = open_below(top, path);
  const std::string name = base_name(path), shown = shown_word(path);
  struct stat info {};
  if (fstatat(folder.get(), name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) cannot_read(shown);
  if (S_ISREG(info.st_mode))
    return read_from_archive("/proc/self/fd/" + std::to_string(folder.get()) + "/" + name,
                             file_name, limits, problem);
  *problem = shown + (S_ISLNK(info.st_mode) ? " is a symbolic link: hand in the file itself"
                                            : " is not a regular file");
  return {};
}

// However many files there are, one is read.
void stage_folder(const std::string& path, const std::string& file_name, const StageLimits& limits,
                  StagedSubmission* out) {
  FolderSearch search(path, file_name, limits);
  search.search(&out->problem);
  if (!out->problem.empty()) return;
  if (const FoundFile* file = search.choice.meant(&out->problem)) {
    out->file = file->path;
    out->contents = read_regular(open_below(path, file->path).get(), base_name(file->path),
                                 shown_word(file->path), limits.file_bytes, &out->problem);
  } else if (const FoundFile* archive = search.choice.only_archive(&out->problem)) {
    FoundText found = read_archive_in(path, archive->path, file_name, limits, &out->problem);
    out->file = archive->path + "/" + found.path;
    out->contents = std::move(found.contents);
  }
}

void stage_into(const SubmissionEntry& entry, const std::string& file_name,
                const StageLimits& limits, StagedSubmission* out) {
  std::string shown = shown_word(base_name(entry.path));
  struct stat info {};
  if (lstat(entry.path.c_str(), &info) != 0) {
    cannot_read(shown);
  } else if (S_ISDIR(info.st_mode)) {
    stage_folder(entry.path, file_name, limits, out);
  } else if (S_ISREG(info.st_mode) && archive_kind(entry.path) != nullptr) {
    FoundText found = read_from_archive(entry.path, file_name, limits, &out->problem);
    out->file = found.path;
    out->contents = std::move(found.contents);
  } else {
    out->contents = read_regular(AT_FDCWD, entry.path, shown, limits.file_bytes, &out->problem);
  }
}

// The submissions of a folder: all that lies in it but what programs leave there.
std::vector<SubmissionEntry> entries_of(const fs::path& folder, const std::string& file_name,
                                        size_t most, LeftBehind* left) {
  std::vector<SubmissionEntry> list;
  for (const fs::directory_entry& item : fs::directory_iterator(folder)) {
    std::string name = item.path().filename();
    const bool link = item.is_symlink(), inner = !link && item.is_directory();
    const bool wanted =
        !inner && (link || is_source_name(name, file_name) || archive_kind(name) != nullptr);
    const std::string companion = companion_of(name);
    if (!companion.empty() && fs::exists(fs::symlink_status(folder / companion))) {
      left->companions.insert(name);
      continue;
    }
    if (!wanted && is_left_by_programs(name)) {
      left->names.insert(name);
      continue;
    }
    if (list.size() >= most)
      throw Error(shown_word(folder.string(), 200) + ": holds more than " + std::to_string(most) +
                  " submissions");
    list.push_back({"", item.path(), name});
    list.back().other = !wanted && !inner;
    if (list.back().other)
      list.back().problem = shown_word(name) + " is " + neither_source_nor_archive(file_name);
  }
  return list;
}

// By its byte order mark, with which no text of a compiler's begins.
bool is_wide_text(const std::string& text) {
  using namespace std::string_literals;
  return text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff") ||
         text.starts_with("\0\0\xfe\xff"s);
}

}  // namespace

StagedSubmission stage_submission(const SubmissionEntry& entry, const std::string& file_name,
                                  const StageLimits& limits) {
  StagedSubmission out;
  out.name = entry.name;
  out.path = entry.path;
  out.identity = entry.identity;
  out.problem = entry.problem;
  if (out.problem.empty()) stage_into(entry, file_name, limits, &out);
  if (out.problem.empty() && out.contents.empty()) out.problem = "the file is empty";
  if (out.problem.empty() && is_wide_text(out.contents))
    out.problem = "the file is UTF-16 or UTF-32 text; save it as UTF-8";
  if (!out.problem.empty()) out.contents.clear(), out.file.clear();
  // No digest is written so: no text has the hash of a problem.
  out.hash = out.problem.empty() ? sha256(out.contents) : "problem " + sha256(out.problem);
  return out;
}

SubmissionEntry single_submission(const std::string& path) {
  std::string identity = base_name(path);
  return {shown_alone(identity), path, identity};
}

std::vector<SubmissionEntry> list_submissions(const std::string& path, const std::string& file_name,
                                              const std::string& work_folder,
                                              const StageLimits& limits, LeftBehind* left) {
  LeftBehind unasked;
  if (left == nullptr) left = &unasked;
  std::error_code error;
  fs::file_status status = fs::status(path, error);
  if (error || !fs::exists(status)) throw Error(path + ": there is no such file or folder");
  std::vector<SubmissionEntry> list;
  if (fs::is_directory(status)) {
    list = entries_of(path, file_name, limits.class_entries, left);
  } else {
    if (archive_kind(path) == nullptr)
      throw Error(path +
                  ": expected a folder or archive of submissions; for one file: grader check");
    const std::string folder = work_folder + "/class";
    fs::remove_all(folder, error);
    fs::create_directories(folder);
    fs::permissions(work_folder, fs::perms::owner_all);
    list = list_class_archive(path, file_name, folder, limits, left);
  }
  set_shown_names(&list);
  std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) {
    return a.name != b.name ? a.name < b.name : a.identity < b.identity;
  });
  return list;
}

}  // namespace lockstep::grader
