// SPDX-License-Identifier: Apache-2.0
// See build_files.h.
#include "grader/build_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "common/base/error.h"
#include "runner/process.h"

namespace lockstep::grader {

void write_file(const std::string& path, const std::string& contents) {
  UniqueFd fd(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (fd.get() < 0) throw Error("cannot write " + path + ": " + strerror(errno), kExitCannotRun);
  for (size_t done = 0; done < contents.size();) {
    ssize_t put = write(fd.get(), contents.data() + done, contents.size() - done);
    if (put <= 0) throw Error("cannot write " + path + ": " + strerror(errno), kExitCannotRun);
    done += static_cast<size_t>(put);
  }
  // A module's line table holds it, and so its hash does.
  constexpr time_t kSaved = 946722030;  // 1 January 2000
  const timespec times[2] = {{kSaved, 0}, {kSaved, 0}};
  futimens(fd.get(), times);
}

std::string room_problem(const std::string& folder, int64_t bytes) {
  std::error_code error;
  const std::filesystem::space_info space = std::filesystem::space(folder, error);
  if (error || space.available >= static_cast<uintmax_t>(bytes)) return {};
  return "the disk of " + folder + " has less than " + std::to_string(bytes >> 20) + " MiB left";
}

}  // namespace lockstep::grader
