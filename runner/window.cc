// SPDX-License-Identifier: Apache-2.0
// See window.h.
#include "runner/window.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "common/base/error.h"

namespace lockstep {

Window Window::make() {
  UniqueFd fd(memfd_create("arrays", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (fd.get() < 0 || ftruncate(fd.get(), kWindowBytes) != 0 ||
      fcntl(fd.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
    throw Error(std::string("no memory to share with the runner: ") + strerror(errno),
                kExitCannotRun);
  return Window(std::move(fd));
}

Window::Window(UniqueFd fd) : fd_(std::move(fd)) {
  struct stat status {};
  if (fstat(fd_.get(), &status) != 0 || status.st_size != static_cast<off_t>(kWindowBytes))
    throw Error("there is no memory to share");
  void* at = mmap(nullptr, kWindowBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd_.get(), 0);
  if (at == MAP_FAILED)
    throw Error(std::string("cannot share memory: ") + strerror(errno), kExitCannotRun);
  data_ = static_cast<uint8_t*>(at);
}

Window::Window(Window&& other) noexcept
    : fd_(std::move(other.fd_)), data_(std::exchange(other.data_, nullptr)) {}

Window::~Window() {
  if (data_ != nullptr) munmap(data_, kWindowBytes);
}

}  // namespace lockstep
