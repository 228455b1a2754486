// SPDX-License-Identifier: Apache-2.0
// See whole_file.h.
#include "grader/whole_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "common/base/error.h"
#include "common/base/quoted.h"
#include "runner/process.h"

namespace lockstep::grader {

void cannot_write(const std::string& shown) {
  throw Error(shown_word(shown, 200) + ": cannot be written: " + strerror(errno), kExitCannotRun);
}

void write_all(int fd, const std::string& bytes, const std::string& shown) {
  for (size_t done = 0; done < bytes.size();) {
    const ssize_t put = write(fd, bytes.data() + done, bytes.size() - done);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) cannot_write(shown);
    done += static_cast<size_t>(put);
  }
}

void write_whole(const std::string& path, const std::string& contents, bool to_disk) {
  std::string pattern = path + ".XXXXXX";
  const UniqueFd fd(mkostemp(pattern.data(), O_CLOEXEC));
  if (fd.get() < 0) cannot_write(path);
  try {
    write_all(fd.get(), contents, path);
    // A name must not lead to what is not on the disk yet.
    if (to_disk && fsync(fd.get()) != 0 && errno != EINVAL) cannot_write(path);
    if (rename(pattern.c_str(), path.c_str()) != 0) cannot_write(path);
  } catch (...) {
    unlink(pattern.c_str());
    throw;
  }
}

void put_on_disk(const std::string& path) {
  const UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0 || fsync(file.get()) != 0) cannot_write(path);
}

}  // namespace lockstep::grader
