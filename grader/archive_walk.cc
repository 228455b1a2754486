// SPDX-License-Identifier: Apache-2.0
// What zip and tar have in common. See archive_walk.h.
#include "grader/archive_walk.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "common/base/error.h"
#include "common/base/quoted.h"
#include "grader/linked_paths.h"
#include "grader/zip_layout.h"
#include "runner/process.h"

namespace lockstep::grader {
namespace {

// "a/b.cu" of "./a//b.cu"; "" for a path that leaves its folder.
std::string inner_path(const std::string& path) {
  std::string clean;
  if (path.empty() || path[0] == '/') return {};
  for (size_t at = 0; at <= path.size();) {
    size_t end = std::min(path.find('/', at), path.size());
    std::string part = path.substr(at, end - at);
    at = end + 1;
    if (part.empty() || part == ".") continue;
    if (part == "..") return {};
    clean += (clean.empty() ? "" : "/") + part;
  }
  return clean;
}

// That a student's zip is read by others as by us.
void require_one_reading(int fd, size_t size, const UnpackBudget& budget) {
  std::string bytes(size, '\0');
  for (size_t done = 0; done < size;) {
    const ssize_t got = pread(fd, bytes.data() + done, size - done, static_cast<off_t>(done));
    if (got <= 0) throw Error("cannot be read", kExitCannotRun);
    done += static_cast<size_t>(got);
  }
  if (std::string problem = zip_layout_problem(bytes, budget); !problem.empty())
    throw Error("can be read in more than one way: " + problem + "; pack it again");
}

}  // namespace

void set_path(Member* member) {
  if (member->raw.size() > kLongestPath)
    member->problem = "its path is longer than " + std::to_string(kLongestPath) + " bytes";
  else if (member->raw.find('\0') != std::string::npos)
    member->problem = "its name holds a byte that is 0";
  else if (member->path = inner_path(member->raw); member->path.empty())
    member->problem = member->raw.empty() ? "it has no name" : "its path leads out of the archive";
}

std::string too_large(size_t most) {
  return "it is larger than " + std::to_string(most >> 10) + " KiB";
}

std::string problem_of_path(const std::string& path) {
  for (size_t at = 0; at <= path.size();) {
    size_t end = std::min(path.find('/', at), path.size());
    if (end - at > 255) return "its name is longer than 255 bytes";
    at = end + 1;
  }
  return {};
}

std::string called(const Member& member) {
  return "member " + std::to_string(member.number) + " (" + shown_word(member.raw) + ")";
}

void walk_archive(const std::string& path, PackedBy by, const UnpackBudget& budget,
                  const TakeMember& take) {
  UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  struct stat info {};
  if (fd.get() < 0 && errno != ELOOP && errno != ENXIO)
    throw Error("cannot be read: " + std::string(strerror(errno)), kExitCannotRun);
  if (fd.get() < 0 || fstat(fd.get(), &info) != 0 || !S_ISREG(info.st_mode))
    throw Error("is not a regular file");
  const ArchiveKind* kind = archive_kind(path);
  if (kind == nullptr) throw Error("has not the name of an archive");
  const auto walk = [&](const TakeMember& each) {
    if (!kind->zip) return walk_tar(fd.get(), kind->packing, by, budget, each);
    if (by == PackedBy::kStudent)
      require_one_reading(fd.get(), static_cast<size_t>(info.st_size), budget);
    walk_zip(fd.get(), budget, each);
  };
  if (by == PackedBy::kInstructor) return walk(take);
  LinkedPaths paths;
  walk([&](const Member& member) {
    paths.add(member);
    take(member);
  });
  paths.require_apart(budget);
}

}  // namespace lockstep::grader
