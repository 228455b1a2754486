// SPDX-License-Identifier: Apache-2.0
// A new one beside the old, then one takes the other's name. See files.h.
#include "grader/export/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>

#include "common/base/error.h"
#include "common/base/quoted.h"
#include "grader/whole_file.h"
#include "runner/process.h"

namespace lockstep::grader {
namespace {

namespace fs = std::filesystem;

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

void write_export(const std::string& path, const std::string& contents) {
  require_replaceable(path);
  write_whole(path, contents, true);
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
  if (mkdtemp(pattern.data()) == nullptr) cannot_write(path);
  try {
    std::vector<ExportFile> all = files;
    all.push_back({kExportMark, "Written by grader export, which replaces this folder.\n"});
    for (const ExportFile& file : all) {
      const fs::path to = fs::path(pattern) / file.path;
      fs::create_directories(to.parent_path());
      const UniqueFd fd(open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
      if (fd.get() < 0) cannot_write(to);
      write_all(fd.get(), file.contents, to);
    }
    const int how = is_there ? RENAME_EXCHANGE : RENAME_NOREPLACE;
    if (renameat2(AT_FDCWD, pattern.c_str(), AT_FDCWD, path.c_str(), how) != 0) cannot_write(path);
  } catch (...) {
    fs::remove_all(pattern, error);
    throw;
  }
  fs::remove_all(pattern, error);  // what was there before
}

}  // namespace lockstep::grader
