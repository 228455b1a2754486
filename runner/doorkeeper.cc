// SPDX-License-Identifier: Apache-2.0
// "entered", then "ended EXIT SIGNAL CPU_MICROSECONDS PEAK_KIB", a line each. See doorkeeper.h.
#include "runner/doorkeeper.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "common/base/error.h"
#include "runner/process.h"

namespace lockstep {
namespace {

void report(int fd, const std::string& line) {
  if (write(fd, line.data(), line.size()) != static_cast<ssize_t>(line.size()))
    throw Error(std::string("cannot report: ") + strerror(errno), kExitCannotRun);
}

int64_t microseconds(const timeval& t) { return int64_t{t.tv_sec} * 1000000 + t.tv_usec; }

// The child; returns here only in the parent, once the command runs.
pid_t start(const std::vector<std::string>& command) {
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  int failure[2];
  if (pipe2(failure, O_CLOEXEC) != 0)
    throw Error(std::string("cannot start: ") + strerror(errno), kExitCannotRun);
  UniqueFd failure_read(failure[0]), failure_write(failure[1]);
  const pid_t child = fork();
  if (child < 0) throw Error(std::string("cannot start: ") + strerror(errno), kExitCannotRun);
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    execvp(argv[0], argv.data());
    const int why = errno;
    _exit(write(failure_write.get(), &why, sizeof why) > 0 ? 127 : 126);
  }
  failure_write.reset();
  int why = 0;
  if (read(failure_read.get(), &why, sizeof why) > 0)
    throw Error(command[0] + ": " + strerror(why), kExitCannotRun);
  return child;
}

}  // namespace

int keep_door(const Jail& jail, const std::vector<std::string>& command, int report_fd) {
  if (fcntl(report_fd, F_SETFD, FD_CLOEXEC) != 0)
    throw Error("there is no file to report to", kExitCannotRun);
  enter_jail(jail);
  // Without it /proc, where a weak cage has one, would lead to our files.
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  const pid_t child = start(command);
  report(report_fd, "entered\n");
  int status = 0;
  rusage used{};
  while (wait4(child, &status, 0, &used) < 0)
    if (errno != EINTR) throw Error(std::string("cannot wait: ") + strerror(errno), kExitCannotRun);
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  report(report_fd, "ended " + std::to_string(code) + " " + std::to_string(signal) + " " +
                        std::to_string(microseconds(used.ru_utime) + microseconds(used.ru_stime)) +
                        " " + std::to_string(used.ru_maxrss) + "\n");
  return code >= 0 ? code : 128 + signal;
}

int witness(const std::vector<std::string>& command) {
  const pid_t child = start(command);
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) throw Error(std::string("cannot wait: ") + strerror(errno), kExitCannotRun);
  if (WIFSIGNALED(status)) return 128 + WTERMSIG(status);
  return WEXITSTATUS(status) == 0 ? 0 : kWitnessed;
}

void have_asked_listed(const std::string& library, const std::string& list) {
  if (setenv("LD_PRELOAD", library.c_str(), 1) != 0 ||
      setenv("LOCKSTEP_ASKED", list.c_str(), 1) != 0)
    throw Error("cannot have the files listed that are asked for", kExitCannotRun);
}

DoorReport parse_door_report(const std::string& text) {
  DoorReport out;
  out.entered = text.rfind("entered\n", 0) == 0;
  int64_t cpu_us = 0, peak_kib = 0;
  int code = 0, signal = 0;
  if (!out.entered || std::sscanf(text.c_str(), "entered\nended %d %d %" SCNd64 " %" SCNd64, &code,
                                  &signal, &cpu_us, &peak_kib) != 4)
    return out;
  out.ended = true;
  constexpr int kLastSignal = 64;
  if (code > 128 && code <= 128 + kLastSignal) signal = code - 128, code = -1;
  out.exit_code = code;
  out.signal = signal;
  out.cpu_s = 1e-6 * static_cast<double>(cpu_us);
  out.peak_memory_bytes = peak_kib << 10;
  return out;
}

}  // namespace lockstep
