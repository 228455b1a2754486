// SPDX-License-Identifier: Apache-2.0
// The undertaker reads numbers of process groups from a socket, positive to watch and negative to
// forget, and folders likewise; at the socket's end it kills and removes those that are left. See
// undertaker.h.
#include "runner/undertaker.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstring>
#include <initializer_list>

namespace lockstep {
namespace {

constexpr int kMostGroups = 4096, kMostFolders = 16;

// Longer than the number of a group.
struct FolderMessage {
  bool watch;
  char path[PATH_MAX];
};

pid_t groups[kMostGroups];
int group_count = 0;
char folders[kMostFolders][PATH_MAX];  // an empty one is free

void note_group(pid_t message) {
  if (message > 0 && group_count < kMostGroups) groups[group_count++] = message;
  for (int i = 0; i < group_count; ++i)
    if (groups[i] == -message) groups[i--] = groups[--group_count];
}

void note_folder(const FolderMessage& message) {
  for (char(&folder)[PATH_MAX] : folders) {
    const char* present = message.watch ? "" : message.path;
    if (std::strcmp(folder, present) != 0) continue;
    std::strcpy(folder, message.watch ? message.path : "");
    return;
  }
}

// What was killed may be writing there for a moment.
void remove_folder(char* path) {
  char program[] = "/bin/rm", options[] = "-rf", end[] = "--";
  char* arguments[] = {program, options, end, path, nullptr};
  char* environment[] = {nullptr};
  for (int trial = 0; trial < 100 && access(path, F_OK) == 0; ++trial) {
    if (trial > 0) usleep(50000);
    const pid_t child = fork();
    if (child == 0) {
      execve(program, arguments, environment);
      _exit(127);
    }
    while (child > 0 && waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
}

// Forked from a process with threads, it allocates nothing and takes no lock.
[[noreturn]] void bury_all(int socket) {
  setsid();
  for (int signal_number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) signal(signal_number, SIG_IGN);
  // It keeps no file of its parent open: no lock, no terminal, no pipe.
  int null_fd = open("/dev/null", O_RDWR);
  dup2(socket, 3);
  for (int fd : {0, 1, 2}) dup2(null_fd, fd);
#ifdef SYS_close_range
  if (syscall(SYS_close_range, 4U, ~0U, 0U) != 0)
#endif
    for (int fd = 4; fd < 1024; ++fd) close(fd);
  static FolderMessage message;
  for (;;) {
    const ssize_t got = recv(3, &message, sizeof message, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    pid_t group = 0;
    if (got == static_cast<ssize_t>(sizeof group)) {
      std::memcpy(&group, &message, sizeof group);
      note_group(group);
    } else if (got == static_cast<ssize_t>(sizeof message)) {
      note_folder(message);
    }
  }
  for (int i = 0; i < group_count; ++i) kill(-groups[i], SIGKILL);
  for (char(&folder)[PATH_MAX] : folders)
    if (folder[0] != 0) remove_folder(folder);
  _exit(0);
}

int start() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return -1;
  pid_t child = fork();
  if (child == 0) {
    close(ends[1]);
    bury_all(ends[0]);
  }
  close(ends[0]);
  if (child < 0) close(ends[1]);
  return child < 0 ? -1 : ends[1];
}

}  // namespace

int undertaker_socket() {
  static const int kSocket = start();
  return kSocket;
}

void undertaker_watch(int socket, pid_t group) {
  if (socket >= 0) (void)!send(socket, &group, sizeof group, MSG_NOSIGNAL);
}

void undertaker_forget(int socket, pid_t group) { undertaker_watch(socket, -group); }

namespace {

void tell_of_folder(int socket, const char* path, bool watch) {
  FolderMessage message{watch, {}};
  if (socket < 0 || std::strlen(path) >= sizeof message.path) return;
  std::strcpy(message.path, path);
  (void)!send(socket, &message, sizeof message, MSG_NOSIGNAL);
}

}  // namespace

void undertaker_watch_folder(int socket, const char* path) { tell_of_folder(socket, path, true); }

void undertaker_forget_folder(int socket, const char* path) { tell_of_folder(socket, path, false); }

}  // namespace lockstep
