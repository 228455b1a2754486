// SPDX-License-Identifier: Apache-2.0
// Folders are compared as the system tells them apart, not by their names: links, mounts and file
// systems that do not tell capitals give several to one. See results_folder.h.
#include "grader/results_folder.h"

#include <fcntl.h>
#include <sys/file.h>

#include <filesystem>

#include "common/base/error.h"
#include "common/base/quoted.h"
#include "runner/process.h"

namespace lockstep::grader {
namespace {

namespace fs = std::filesystem;

// Whether a path that is there, or is yet to be made, leads to `top` or below it.
bool is_within(const fs::path& path, const fs::path& top) {
  std::error_code error;
  fs::path at = fs::weakly_canonical(path, error);
  if (error) throw Error(shown_word(path.string(), 200) + ": " + error.message());
  for (;; at = at.parent_path()) {
    if (fs::equivalent(at, top, error)) return true;
    if (at == at.parent_path()) return false;
  }
}

}  // namespace

void require_apart(const std::string& results, const std::string& submissions) {
  bool apart = !is_within(results, submissions) && !is_within(submissions, results);
  fs::path folder;
  for (const fs::path& part : fs::absolute(results)) {
    const bool named = !part.empty() && part != "." && part != ".." && !folder.empty();
    apart = apart && !(named && is_within(folder, submissions));
    folder /= part;
  }
  if (apart) return;
  throw Error(shown_word(results, 200) + ": results cannot lie among the submissions (" +
              shown_word(submissions, 200) +
              "), nor these among them: a student's file there could be taken for ours; give "
              "another folder with -o");
}

int lock_results(const std::string& folder) {
  std::error_code error;
  const bool is_new = !fs::exists(folder, error);
  fs::create_directories(folder, error);
  // Texts and grades are nobody's but the instructor's, who may open the folder to others.
  if (is_new) fs::permissions(folder, fs::perms::owner_all, error);
  const UniqueFd top(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  UniqueFd lock(openat(top.get(), "lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (lock.get() < 0)
    throw Error(folder + (errno == ELOOP ? "/lock: is a symbolic link; use another results folder"
                                         : ": cannot be written"),
                kExitCannotRun);
  if (flock(lock.get(), LOCK_EX | LOCK_NB) != 0)
    throw Error(folder + ": another grader is working with these results; wait until it ends",
                kExitCannotRun);
  return lock.release();
}

}  // namespace lockstep::grader
