// SPDX-License-Identifier: Apache-2.0
// See shared_folder.h.
#include "grader/cluster/shared_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "common/backend/module_files.h"
#include "common/base/error.h"
#include "grader/whole_file.h"

namespace lockstep::grader {
namespace {

namespace fs = std::filesystem;

// Of this call alone among all machines: neither the name of a host nor the number of a process is,
// where nodes are containers. list() passes it over.
std::string new_name() {
  std::array<uint64_t, 2> random{};
  if (getrandom(random.data(), sizeof random, 0) != static_cast<ssize_t>(sizeof random))
    throw Error(std::string("no random numbers: ") + std::strerror(errno), kExitCannotRun);
  return fmt::format(".{:016x}{:016x}", random[0], random[1]);
}

}  // namespace

SharedFolder::SharedFolder(const std::string& path, bool make) : shown_(path) {
  std::error_code error;
  if (make) {
    fs::create_directories(fs::path(path).parent_path(), error);
    mkdir(path.c_str(), 0700);
  }
  fd_ = UniqueFd(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (fd_.get() < 0)
    throw Error(path + ": " + std::strerror(errno) +
                    "; it must be a folder that this machine and the nodes share",
                kExitCannotRun);
  struct stat about {};
  fstat(fd_.get(), &about);
  if (about.st_uid != geteuid())
    throw Error(path + ": belongs to another user (" + std::to_string(about.st_uid) +
                    "), so what lies in it is not believed; name another folder with --shared",
                kExitCannotRun);
  if ((about.st_mode & 077) != 0)
    throw Error(path + ": is open to other users, so what lies in it is not believed; name " +
                    "another folder with --shared, or remove it",
                kExitCannotRun);
}

std::string SharedFolder::path(const std::string& name) const {
  return "/proc/self/fd/" + std::to_string(fd_.get()) + "/" + name;
}

void SharedFolder::cannot_be(const char* what, const std::string& name, int why) const {
  throw Error(shown_ + "/" + name + ": cannot be " + what + ": " + std::strerror(why),
              kExitCannotRun);
}

void SharedFolder::make_folder(const std::string& name) const {
  if (mkdir(path(name).c_str(), 0700) != 0 && errno != EEXIST) cannot_be("made", name, errno);
}

std::string SharedFolder::write_beside(const std::string& name, const std::string& bytes) const {
  const std::string made = path((fs::path(name).parent_path() / new_name()).string());
  const UniqueFd file(open(made.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (file.get() < 0) cannot_be("written", name, errno);
  try {
    write_all(file.get(), bytes, shown_ + "/" + name);
    // Where there is no room, a network's file system may say so only now.
    if (fsync(file.get()) != 0) cannot_be("written", name, errno);
  } catch (...) {
    unlink(made.c_str());
    throw;
  }
  return made;
}

bool SharedFolder::put(const std::string& name, const std::string& bytes) const {
  const std::string made = write_beside(name, bytes);
  const bool linked = link(made.c_str(), path(name).c_str()) == 0;
  const int why = errno;
  // An answer that was lost on the network is asked for again, and then the name is there: by our
  // own doing, if the file has two.
  struct stat about {};
  const bool ours = linked || (stat(made.c_str(), &about) == 0 && about.st_nlink == 2);
  unlink(made.c_str());
  if (!ours && why != EEXIST) cannot_be("made", name, why);
  return ours;
}

void SharedFolder::replace(const std::string& name, const std::string& bytes) const {
  const std::string made = write_beside(name, bytes);
  if (rename(made.c_str(), path(name).c_str()) == 0) return;
  const int why = errno;
  unlink(made.c_str());
  cannot_be("made", name, why);
}

std::optional<std::string> SharedFolder::get(const std::string& name, size_t most) const {
  try {
    if (!has(name)) return std::nullopt;
    return read_file(path(name), most);
  } catch (const Error&) {
    return std::nullopt;
  }
}

bool SharedFolder::has(const std::string& name) const {
  return access(path(name).c_str(), F_OK) == 0;
}

std::vector<std::string> SharedFolder::list(const std::string& folder) const {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator at(path(folder), error), end; !error && at != end;
       at.increment(error))
    if (const std::string name = at->path().filename(); name[0] != '.') names.push_back(name);
  std::sort(names.begin(), names.end());
  return names;
}

void SharedFolder::remove(const std::string& name) const { unlink(path(name).c_str()); }

}  // namespace lockstep::grader
