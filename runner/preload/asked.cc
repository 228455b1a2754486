// SPDX-License-Identifier: Apache-2.0
// Loaded into the compiler that preprocesses a submission (LD_PRELOAD; `lockstep-runner witness`
// says so): lists which files it asks the system for, found or not, as no option of the compiler
// does. It appends to the file that LOCKSTEP_ASKED names, for each '+' (there is one) or '-' (there
// is none, or a folder), the name as it was asked for, and NUL. Whoever cannot list dies: nothing
// is asked for unseen. libc alone is needed.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <cstring>

namespace {

int open_file(const char* name, int flags, mode_t mode) {
  return static_cast<int>(syscall(SYS_openat, AT_FDCWD, name, flags, mode));
}

void list(const char* name, bool found) {
  static int file = -1;
  const char* path = getenv("LOCKSTEP_ASKED");
  if (file < 0 && path != nullptr)
    file = open_file(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  const iovec record[] = {{const_cast<char*>(found ? "+" : "-"), 1},
                          {const_cast<char*>(name), strlen(name) + 1}};
  if (writev(file, record, 2) != static_cast<ssize_t>(strlen(name) + 2)) abort();
}

int ask(const char* name, int flags, mode_t mode) {
  const int file = open_file(name, flags, mode);
  // In no cage is there what may not be read.
  const int why = errno == EACCES ? ENOENT : errno;
  if ((flags & O_ACCMODE) != O_RDONLY) return file;
  struct stat info {};
  list(name, file >= 0 && fstat(file, &info) == 0 && !S_ISDIR(info.st_mode));
  errno = why;
  return file;
}

mode_t mode_of(int flags, va_list more) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0;
}

}  // namespace

extern "C" {

int open(const char* name, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const int file = ask(name, flags, mode_of(flags, more));
  va_end(more);
  return file;
}

int open64(const char* name, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const int file = ask(name, flags, mode_of(flags, more));
  va_end(more);
  return file;
}

}  // extern "C"
