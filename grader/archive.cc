// SPDX-License-Identifier: Apache-2.0
// What is taken out of archives: only regular files with harmless paths. No member takes anything
// from another, whatever both are called.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "common/error.h"
#include "common/quoted.h"
#include "grader/archive_walk.h"
#include "grader/stage.h"
#include "runner/process.h"

namespace lockstep::grader {
namespace {

// Why a path cannot be that of a file here; "" where it can.
std::string problem_of_path(const std::string& path, int most_depth) {
  int depth = 0;
  for (size_t at = 0; at <= path.size(); ++depth) {
    size_t end = std::min(path.find('/', at), path.size());
    if (end - at > 255) return "its name is longer than 255 bytes";
    at = end + 1;
  }
  return depth > most_depth || path.size() > 1024 ? "it lies too deep" : "";
}

// No honest file of a submission is called so.
bool is_odd(const std::string& path) {
  return std::any_of(path.begin(), path.end(),
                     [](unsigned char c) { return c < 32 || c == 127 || c == '\\'; });
}

std::string base_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

bool is_litter(const std::string& path) {
  return path.starts_with("__MACOSX/") || base_name(path).starts_with("._");
}

}  // namespace

bool is_archive_name(const std::string& name) {
  for (const char* end : {".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz", ".tar.zst"})
    if (name.ends_with(end)) return true;
  return false;
}

std::vector<FoundFile> find_in_archive(const std::string& path, const std::string& file_name,
                                       const StageLimits& limits, std::string* problem) {
  std::vector<FoundFile> found;
  try {
    std::error_code error;
    auto size = std::filesystem::file_size(path, error);
    if (error) throw Error("cannot be read: " + error.message());
    if (size > limits.archive_bytes)
      throw Error("is larger than " + std::to_string(limits.archive_bytes >> 20) + " MiB");
    walk_archive(path, limits.expanded_bytes, [&](const Member& member) {
      if (member.number > limits.entries)
        throw Error("holds more than " + std::to_string(limits.entries) + " files");
      const std::string& inside = member.path;
      if (!member.problem.empty() || !member.regular || is_odd(inside) ||
          !problem_of_path(inside, limits.depth).empty() || is_litter(inside) ||
          !(base_name(inside) == file_name || inside.ends_with(".cu")))
        return;
      FoundFile file{inside, {}};
      if (std::string why = member.contents(limits.file_bytes, &file.contents); !why.empty())
        throw Error("holds " + called(member) + ", which cannot be taken: " + why);
      if (found.size() >= 64) throw Error("holds too many .cu files");
      found.push_back(std::move(file));
    });
  } catch (const Error& e) {
    *problem = shown_name(base_name(path)) + " " + e.what();
    found.clear();
  }
  return found;
}

namespace {

// Writes one member to a folder of its own. Why that cannot be.
std::string unpack_member(const Member& member, const std::filesystem::path& folder,
                          const StageLimits& limits) {
  if (!member.regular) return "it is a link, encrypted, or another thing that is no regular file";
  if (std::string problem = problem_of_path(member.path, limits.depth); !problem.empty())
    return problem;
  std::string bytes;
  size_t most = is_archive_name(member.path) ? limits.archive_bytes : limits.file_bytes;
  if (std::string problem = member.contents(most, &bytes); !problem.empty()) return problem;
  const std::filesystem::path place = folder / std::to_string(member.number);
  std::filesystem::create_directories(place);
  UniqueFd fd(open((place / base_name(member.path)).c_str(),
                   O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (fd.get() < 0) throw Error("cannot be unpacked: " + std::string(strerror(errno)));
  for (size_t done = 0; done < bytes.size();) {
    ssize_t put = write(fd.get(), bytes.data() + done, bytes.size() - done);
    if (put <= 0) throw Error("cannot be unpacked: " + std::string(strerror(errno)));
    done += static_cast<size_t>(put);
  }
  return {};
}

}  // namespace

std::vector<ClassMember> unpack_class(const std::string& path, const std::string& folder,
                                      const StageLimits& limits) {
  std::vector<ClassMember> members;
  try {
    walk_archive(path, limits.class_bytes, [&](const Member& member) {
      // Of a name that cannot be read nobody knows whether it was wanted.
      const bool unread = !member.problem.empty() && member.path.empty() &&
                          member.raw.find('\0') != std::string::npos;
      const std::string& name = member.path.empty() ? member.raw : member.path;
      const bool wanted = name.empty() || name.ends_with(".cu") || is_archive_name(name);
      if (member.folder || is_litter(name) || !(wanted || unread)) return;
      if (members.size() >= limits.class_entries)
        throw Error("holds more than " + std::to_string(limits.class_entries) +
                    " submissions' files; the first beyond is " + called(member));
      std::string problem = member.problem;
      if (problem.empty()) problem = unpack_member(member, folder, limits);
      if (!problem.empty()) problem = called(member) + ": " + problem;
      members.push_back({member.path, member.number, problem});
    });
  } catch (const Error& e) {
    throw Error(path + ": " + e.what());
  }
  return members;
}

}  // namespace lockstep::grader
