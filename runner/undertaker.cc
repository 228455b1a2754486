// SPDX-License-Identifier: Apache-2.0
// The undertaker reads numbers of process groups from a socket, positive to watch and negative to
// forget, and at the socket's end kills those that are left. See undertaker.h.
#include "runner/undertaker.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <initializer_list>

namespace lockstep {
namespace {

constexpr int kMostGroups = 4096;

// Forked from a process with threads, it allocates nothing and takes no lock.
[[noreturn]] void bury_all(int socket) {
  static pid_t groups[kMostGroups];
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
  int count = 0;
  for (;;) {
    pid_t message = 0;
    ssize_t got = recv(3, &message, sizeof message, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got != static_cast<ssize_t>(sizeof message)) break;
    if (message > 0 && count < kMostGroups) groups[count++] = message;
    for (int i = 0; i < count; ++i)
      if (groups[i] == -message) groups[i--] = groups[--count];
  }
  for (int i = 0; i < count; ++i) kill(-groups[i], SIGKILL);
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

}  // namespace lockstep
