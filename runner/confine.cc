// SPDX-License-Identifier: Apache-2.0
// Landlock by its system calls: the C library has no functions for it. Of each kind of access all
// are ruled that the kernel knows, so that a newer one refuses more.
#include "runner/confine.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include "common/base/error.h"
#include "runner/process.h"

namespace lockstep {
namespace {

// As the kernel lays them out; headers of Debian 12 know the first two versions alone.
struct RulesetAttributes {
  uint64_t files, network, scoped;
};
struct __attribute__((packed)) PathRule {
  uint64_t allowed;
  int32_t parent;
};
constexpr unsigned kAskVersion = 1;
constexpr int kPathBeneath = 1;

constexpr uint64_t kExecute = 1 << 0, kWriteFile = 1 << 1, kReadFile = 1 << 2, kReadFolder = 1 << 3,
                   kTruncate = 1 << 14, kControlDevice = 1 << 15;

// How many rights on files each version knows.
uint64_t file_rights(int version) {
  const int bits = version >= 5 ? 16 : version >= 3 ? 15 : version == 2 ? 14 : 13;
  return (uint64_t{1} << bits) - 1;
}

[[noreturn]] void cannot(const std::string& what) {
  throw Error("cannot confine what files are reached: " + what, kExitCannotRun);
}

void allow(int ruleset, const std::string& path, uint64_t rights) {
  const UniqueFd fd(open(path.c_str(), O_PATH | O_CLOEXEC));
  if (fd.get() < 0 && (errno == ENOENT || errno == ENOTDIR)) return;
  struct stat info {};
  if (fd.get() < 0 || fstat(fd.get(), &info) != 0) cannot(path + ": " + strerror(errno));
  if (!S_ISDIR(info.st_mode))
    rights &= kExecute | kWriteFile | kReadFile | kTruncate | kControlDevice;
  const PathRule rule{rights, fd.get()};
  if (syscall(SYS_landlock_add_rule, ruleset, kPathBeneath, &rule, 0) != 0)
    cannot(path + ": " + strerror(errno));
}

}  // namespace

int landlock_version() {
  const long version = syscall(SYS_landlock_create_ruleset, nullptr, 0, kAskVersion);
  return version < 0 ? 0 : static_cast<int>(version);
}

Confinement::Confinement(const Reach& reach) {
  const int version = landlock_version();
  if (version == 0) cannot("this kernel has no Landlock, or it is turned off");
  const uint64_t all = file_rights(version);
  // From version 4 TCP, from 6 sockets without a name and signals to others.
  const RulesetAttributes attributes{all, version >= 4 ? uint64_t{3} : 0,
                                     version >= 6 ? uint64_t{3} : 0};
  const size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
  ruleset_ = static_cast<int>(syscall(SYS_landlock_create_ruleset, &attributes, size, 0));
  if (ruleset_ < 0) cannot(strerror(errno));
  for (const std::string& path : reach.read)
    allow(ruleset_, path, kExecute | kReadFile | kReadFolder);
  for (const std::string& path : reach.write) allow(ruleset_, path, all);
}

Confinement::~Confinement() {
  if (ruleset_ >= 0) close(ruleset_);
}

void Confinement::enter() const {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      syscall(SYS_landlock_restrict_self, ruleset_, 0) != 0)
    cannot(strerror(errno));
}

}  // namespace lockstep
