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
#include "grader/names.h"
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

UniqueFd open_folder(int fd, const std::string& name, const std::string& shown) {
  UniqueFd folder(openat(fd, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (folder.get() < 0) cannot_read(shown);
  return folder;
}

// Walks a folder for files of the name, or ending in .cu. Their contents are left where they are.
class FolderSearch {
 public:
  FolderSearch(const std::string& file_name, const StageLimits& limits, std::string* problem)
      : file_name_(file_name), limits_(limits), problem_(problem) {}

  void search(UniqueFd folder, const std::string& prefix, int depth) {
    std::unique_ptr<DIR, int (*)(DIR*)> stream(fdopendir(folder.get()), closedir);
    if (!stream) cannot_read(prefix.empty() ? "its folder" : shown_word(prefix));
    int fd = folder.release();
    while (dirent* item = readdir(stream.get())) {
      std::string name = item->d_name;
      if (name == "." || name == ".." || name == "__MACOSX" || name.rfind("._", 0) == 0) continue;
      if (++entries_ > limits_.entries)
        *problem_ = "holds more than " + std::to_string(limits_.entries) + " files";
      if (!problem_->empty()) return;
      visit(fd, name, prefix, depth);
    }
  }
  std::vector<FoundFile> found;

 private:
  void visit(int fd, const std::string& name, const std::string& prefix, int depth) {
    struct stat info {};
    if (fstatat(fd, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) cannot_read(shown_word(name));
    if (S_ISDIR(info.st_mode)) {
      // Hidden ones are none, where they are folders everywhere.
      if (depth >= limits_.depth || (name[0] == '.' && problem_of_name(name).empty())) return;
      search(open_folder(fd, name, shown_word(name)), prefix + name + "/", depth + 1);
    } else if (is_source_name(name, file_name_)) {
      FoundFile file{prefix + name, {}, problem_of_name(prefix + name)};
      if (!file.problem.empty()) {
        // Where another machine shows it is not known: at the top, it may be.
        file.problem = shown_word(file.path) + " cannot be taken: " + file.problem;
        file.path = name;
      }
      found.push_back(std::move(file));
    }
  }

  const std::string& file_name_;
  const StageLimits& limits_;
  std::string* problem_;
  size_t entries_ = 0;
};

// The one file that is meant: of the right name and nearest the top, or the only .cu file. Names
// that some machine takes for each other are one name: what a person is shown there must be what is
// graded. Null: *problem says why there is none.
FoundFile* choose(std::vector<FoundFile>* found, const std::string& file_name,
                  std::string* problem) {
  auto depth = [](const FoundFile& f) { return std::count(f.path.begin(), f.path.end(), '/'); };
  std::vector<FoundFile*> named;
  for (FoundFile& f : *found)
    if (folded(base_name(f.path)) == folded(file_name)) named.push_back(&f);
  if (!named.empty()) {
    auto least = depth(**std::min_element(named.begin(), named.end(),
                                          [&](auto* a, auto* b) { return depth(*a) < depth(*b); }));
    std::erase_if(named, [&](FoundFile* f) { return depth(*f) != least; });
  } else {
    for (FoundFile& f : *found) named.push_back(&f);
  }
  for (FoundFile* f : named)
    if (!f->problem.empty()) *problem = f->problem;
  if (!problem->empty()) return nullptr;
  if (named.size() == 1) return named[0];
  if (named.empty()) {
    *problem = "there is no " + file_name + " in it";
  } else {
    const std::string first = shown_word(named[0]->path), second = shown_word(named[1]->path);
    *problem = "which file is meant? There are " +
               (first == second ? "two called " + first : first + " and " + second) +
               "; hand in one " + file_name;
  }
  return nullptr;
}

// The path's file below a folder, each part of it opened without following links.
std::string read_below(UniqueFd folder, const std::string& path, size_t most,
                       std::string* problem) {
  size_t at = 0;
  for (size_t end; (end = path.find('/', at)) != std::string::npos; at = end + 1)
    folder = open_folder(folder.get(), path.substr(at, end - at), shown_word(path));
  return read_regular(folder.get(), path.substr(at), shown_word(path), most, problem);
}

// However many files there are, one is read.
void stage_folder(const std::string& path, const std::string& file_name, const StageLimits& limits,
                  StagedSubmission* out) {
  const std::string shown = shown_word(base_name(path));
  FolderSearch search(file_name, limits, &out->problem);
  search.search(open_folder(AT_FDCWD, path, shown), "", 0);
  if (!out->problem.empty()) return;
  if (const FoundFile* file = choose(&search.found, file_name, &out->problem))
    out->contents = read_below(open_folder(AT_FDCWD, path, shown), file->path, limits.file_bytes,
                               &out->problem);
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
    auto found = find_in_archive(entry.path, file_name, limits, &out->problem);
    if (!out->problem.empty()) return;
    if (FoundFile* file = choose(&found, file_name, &out->problem))
      out->contents = std::move(file->contents);
  } else {
    out->contents = read_regular(AT_FDCWD, entry.path, shown, limits.file_bytes, &out->problem);
  }
}

// The submissions of a folder. Hidden folders, what a Macintosh adds to files ("._alice.cu" beside
// alice.cu) and files that are no source and no archive are none.
std::vector<SubmissionEntry> entries_of(const fs::path& folder, const std::string& file_name,
                                        size_t most) {
  std::vector<SubmissionEntry> list;
  for (const fs::directory_entry& item : fs::directory_iterator(folder)) {
    std::string name = item.path().filename();
    bool link = item.is_symlink(), inner = !link && item.is_directory();
    bool file = is_source_name(name, file_name) || archive_kind(name) != nullptr;
    bool litter = name == "__MACOSX" || (name.rfind("._", 0) == 0 &&
                                         fs::exists(fs::symlink_status(folder / name.substr(2))));
    if (litter || (inner && name[0] == '.') || !(inner || file || link)) continue;
    if (list.size() >= most)
      throw Error(shown_word(folder.string(), 200) + ": holds more than " + std::to_string(most) +
                  " submissions");
    list.push_back({"", item.path(), name});
  }
  return list;
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
  if (!out.problem.empty()) out.contents.clear();
  out.hash = sha256(out.problem.empty() ? out.contents : "problem: " + out.problem);
  return out;
}

SubmissionEntry single_submission(const std::string& path) {
  std::string identity = base_name(path);
  return {shown_alone(identity), path, identity};
}

std::vector<SubmissionEntry> list_submissions(const std::string& path, const std::string& file_name,
                                              const std::string& work_folder,
                                              const StageLimits& limits) {
  std::error_code error;
  fs::file_status status = fs::status(path, error);
  if (error || !fs::exists(status)) throw Error(path + ": there is no such file or folder");
  std::vector<SubmissionEntry> list;
  if (fs::is_directory(status)) {
    list = entries_of(path, file_name, limits.class_entries);
  } else {
    if (archive_kind(path) == nullptr)
      throw Error(path +
                  ": expected a folder or archive of submissions; for one file: grader check");
    const std::string folder = work_folder + "/class";
    fs::remove_all(folder, error);
    fs::create_directories(folder);
    list = list_class_archive(path, file_name, folder, limits);
  }
  set_shown_names(&list);
  std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) {
    return a.name != b.name ? a.name < b.name : a.identity < b.identity;
  });
  return list;
}

}  // namespace lockstep::grader
