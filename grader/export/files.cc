// SPDX-License-Identifier: Apache-2.0
// A new one beside the old, then one takes the other's name. See files.h.
#include "grader/export/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "common/base/error.h"
#include "common/base/quoted.h"
#include "runner/process.h"

namespace lockstep::grader {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void cannot(const std::string& path, const std::string& why) {
  throw Error(shown_word(path, 200) + ": cannot be written: " + why, kExitCannotRun);
}

void fill(const UniqueFd& fd, const std::string& contents, const std::string& path) {
  for (size_t done = 0; done < contents.size();) {
    const ssize_t put = write(fd.get(), contents.data() + done, contents.size() - done);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) cannot(path, strerror(errno));
    done += static_cast<size_t>(put);
  }
}

std::string without_slash(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

}  // namespace

void require_replaceable(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(path, error);
  if (fs::exists(status) && !fs::is_regular_file(status))
    throw Error(shown_word(path, 200) +
                ": is there and no regular file; give another with --out, or - to have it printed");
}

void write_whole(const std::string& path, const std::string& contents) {
  require_replaceable(path);
  std::string pattern = path + ".XXXXXX";
  const UniqueFd fd(mkostemp(pattern.data(), O_CLOEXEC));
  if (fd.get() < 0) cannot(path, strerror(errno));
  try {
    fill(fd, contents, path);
    // A name must not lead to what is not on the disk yet.
    if (fsync(fd.get()) != 0 && errno != EINVAL) cannot(path, strerror(errno));
    if (rename(pattern.c_str(), path.c_str()) != 0) cannot(path, strerror(errno));
  } catch (...) {
    unlink(pattern.c_str());
    throw;
  }
}

void write_folder(const std::string& target, const std::vector<ExportFile>& files) {
  const std::string path = without_slash(target);
  std::error_code error;
  const bool is_there = fs::exists(fs::symlink_status(path, error));
  if (is_there && (fs::is_symlink(path, error) || !fs::is_directory(path, error) ||
                   !(fs::is_empty(path, error) || fs::exists(path + "/" + kExportMark, error))))
    throw Error(shown_word(path, 200) +
                ": is there already and no export's folder; give another with --out");
  std::string pattern = path + ".XXXXXX";
  if (mkdtemp(pattern.data()) == nullptr) cannot(path, strerror(errno));
  try {
    std::vector<ExportFile> all = files;
    all.push_back({kExportMark, "Written by grader export, which replaces this folder.\n"});
    for (const ExportFile& file : all) {
      const fs::path to = fs::path(pattern) / file.path;
      fs::create_directories(to.parent_path());
      const UniqueFd fd(open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
      if (fd.get() < 0) cannot(to, strerror(errno));
      fill(fd, file.contents, to);
    }
    const int how = is_there ? RENAME_EXCHANGE : RENAME_NOREPLACE;
    if (renameat2(AT_FDCWD, pattern.c_str(), AT_FDCWD, path.c_str(), how) != 0)
      cannot(path, strerror(errno));
  } catch (...) {
    fs::remove_all(pattern, error);
    throw;
  }
  fs::remove_all(pattern, error);  // what was there before
}

}  // namespace lockstep::grader
