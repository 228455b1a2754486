// SPDX-License-Identifier: Apache-2.0
// Children are started with fork and exec; between the two only async-signal-safe calls are
// made, because the grader forks from several threads. Their memory is watched from outside:
// an address-space limit cannot be used with CUDA, and a control group needs rights.
#include "runner/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "common/base/error.h"
#include "runner/undertaker.h"

namespace lockstep {

UniqueFd& UniqueFd::operator=(UniqueFd&& other) noexcept {
  if (this != &other) {
    reset();
    fd_ = other.release();
  }
  return *this;
}

int UniqueFd::release() {
  int fd = fd_;
  fd_ = -1;
  return fd;
}

void UniqueFd::reset() {
  if (fd_ >= 0) close(fd_);
  fd_ = -1;
}

double monotonic_seconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

std::vector<std::string> clean_environment() {
  return {"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C",
          "HOME=/nonexistent", "TMPDIR=/tmp"};
}

namespace {

std::vector<char*> pointers(const std::vector<std::string>& strings) {
  std::vector<char*> out;
  for (const std::string& s : strings) out.push_back(const_cast<char*>(s.c_str()));
  out.push_back(nullptr);
  return out;
}

void close_from(int first) {
#ifdef SYS_close_range
  if (syscall(SYS_close_range, static_cast<unsigned>(first), ~0U, 0U) == 0) return;
#endif
  for (int fd = first; fd < 1024; ++fd) close(fd);
}

struct Fds {
  int in, out, err, report, null_fd, undertaker;
};

// In the child, after fork: nothing here may allocate or lock.
[[noreturn]] void exec_child(char* const* argv, char* const* environment, Fds fds,
                             const char* directory, pid_t parent, int failure_fd) {
  setpgid(0, 0);
  undertaker_watch(fds.undertaker, getpid());
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
  // Every source is moved above the targets first, so that no dup2 overwrites another's source.
  int in = fcntl(fds.in >= 0 ? fds.in : fds.null_fd, F_DUPFD, 10);
  int out = fcntl(fds.out >= 0 ? fds.out : fds.null_fd, F_DUPFD, 10);
  int err = fcntl(fds.err >= 0 ? fds.err : fds.null_fd, F_DUPFD, 10);
  int report = fds.report >= 0 ? fcntl(fds.report, F_DUPFD, 10) : -1;
  dup2(in, 0);
  dup2(out, 1);
  dup2(err, 2);
  dup2(failure_fd, 3);
  fcntl(3, F_SETFD, FD_CLOEXEC);
  if (report >= 0) dup2(report, kReportFd);
  close_from(report >= 0 ? kReportFd + 1 : kReportFd);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  signal(SIGPIPE, SIG_DFL);
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  if (directory[0] == 0 || chdir(directory) == 0) execvpe(argv[0], argv, environment);
  int why = errno;
  ssize_t ignored = write(3, &why, sizeof why);
  (void)ignored;
  _exit(127);
}

}  // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& argv,
                           const std::vector<std::string>& environment, int stdin_fd, int stdout_fd,
                           int stderr_fd, const std::string& directory, int report_fd) {
  if (argv.empty()) throw Error("no program was named to start");
  auto arguments = pointers(argv);
  auto variables = pointers(environment);
  UniqueFd null_fd(open("/dev/null", O_RDWR | O_CLOEXEC));
  int failure[2];
  if (null_fd.get() < 0 || pipe2(failure, O_CLOEXEC) != 0)
    throw Error(std::string("cannot start ") + argv[0] + ": " + strerror(errno), kExitCannotRun);
  UniqueFd failure_read(failure[0]), failure_write(failure[1]);
  pid_t parent = getpid();
  int undertaker = undertaker_socket();
  pid_ = fork();
  if (pid_ < 0)
    throw Error(std::string("cannot start ") + argv[0] + ": " + strerror(errno), kExitCannotRun);
  if (pid_ == 0)
    exec_child(arguments.data(), variables.data(),
               {stdin_fd, stdout_fd, stderr_fd, report_fd, null_fd.get(), undertaker},
               directory.c_str(), parent, failure_write.get());
  setpgid(pid_, pid_);
  failure_write.reset();
  int why = 0;
  ssize_t got;
  do {
    got = read(failure_read.get(), &why, sizeof why);
  } while (got < 0 && errno == EINTR);
  if (got == static_cast<ssize_t>(sizeof why)) {
    wait_ended(5, nullptr);
    throw Error("cannot start " + argv[0] + ": " + strerror(why), kExitCannotRun);
  }
}

ChildProcess::~ChildProcess() {
  if (reaped_ || pid_ <= 0) return;
  kill_tree();
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  undertaker_forget(undertaker_socket(), pid_);
}

void ChildProcess::kill_tree() {
  if (reaped_ || pid_ <= 0) return;
  // The group first (grader's programs), then the leader, whose death ends a PID namespace.
  kill(-pid_, SIGKILL);
  kill(pid_, SIGKILL);
}

bool ChildProcess::poll_ended(int* status) {
  if (!reaped_) {
    pid_t got = waitpid(pid_, &status_, WNOHANG);
    if (got == 0 || (got < 0 && errno == EINTR)) return false;
    if (got > 0) {
      kill(-pid_, SIGKILL);  // what it left behind in its group
      undertaker_forget(undertaker_socket(), pid_);
    }
    reaped_ = true;
  }
  if (status != nullptr) *status = status_;
  return true;
}

bool ChildProcess::wait_ended(double seconds, int* status) {
  double end = monotonic_seconds() + seconds;
  double pause = 0.0005;
  while (!poll_ended(status)) {
    double left = end - monotonic_seconds();
    if (left <= 0) return false;
    usleep(static_cast<useconds_t>(1e6 * std::min(pause, left)));
    pause = std::min(pause * 2, 0.02);
  }
  return true;
}

void HeadTail::append(const char* data, size_t bytes) {
  total_ += bytes;
  size_t to_head = std::min(bytes, half_ - std::min(half_, head_.size()));
  head_.append(data, to_head);
  data += to_head;
  bytes -= to_head;
  if (bytes >= half_) {
    tail_.assign(data + (bytes - half_), half_);
  } else if (bytes > 0) {
    tail_.append(data, bytes);
    if (tail_.size() > 2 * half_) tail_.erase(0, tail_.size() - half_);
  }
}

std::string HeadTail::text() const {
  std::string tail = tail_.size() > half_ ? tail_.substr(tail_.size() - half_) : tail_;
  size_t kept = head_.size() + tail.size();
  if (kept >= total_) return head_ + tail;
  return head_ + "\n[... " + std::to_string(total_ - kept) + " bytes left out ...]\n" + tail;
}

namespace {

struct Pipe {
  UniqueFd read_end, write_end;
  Pipe() {
    int fds[2];
    if (pipe2(fds, O_CLOEXEC) != 0)
      throw Error(std::string("cannot make a pipe: ") + strerror(errno), kExitCannotRun);
    read_end = UniqueFd(fds[0]);
    write_end = UniqueFd(fds[1]);
  }
};

// Reads what is there; false at the end of the stream.
bool drain(int fd, HeadTail* into) {
  char buffer[65536];
  ssize_t got = read(fd, buffer, sizeof buffer);
  if (got > 0) into->append(buffer, static_cast<size_t>(got));
  return got > 0 || (got < 0 && (errno == EINTR || errno == EAGAIN));
}

// At most 1 KiB, without waiting for more.
std::string all_that_is_there(int fd) {
  fcntl(fd, F_SETFL, O_NONBLOCK);
  char buffer[1024];
  ssize_t got = read(fd, buffer, sizeof buffer);
  return std::string(buffer, static_cast<size_t>(std::max<ssize_t>(0, got)));
}

// Watches a running child; returns once it must be, or has been, ended.
class Supervisor {
 public:
  Supervisor(ChildProcess* child, const ProcessLimits& limits, ProcessResult* result)
      : child_(child), limits_(limits), result_(result) {}

  // One look at time and memory; false when the child was killed.
  bool within_limits(double elapsed) {
    if (elapsed > limits_.wall_s) result_->timed_out = true;
    if (elapsed >= next_memory_look_) {
      int64_t memory = tree_memory_bytes(child_->pid());
      result_->peak_memory_bytes = std::max(result_->peak_memory_bytes, memory);
      if (memory > limits_.memory_bytes) result_->out_of_memory = true;
      next_memory_look_ = elapsed + 0.1;
    }
    bool stop = result_->timed_out || result_->out_of_memory || result_->flooded ||
                (limits_.stop != nullptr && *limits_.stop);
    if (stop) child_->kill_tree();
    return !stop;
  }

 private:
  ChildProcess* child_;
  const ProcessLimits& limits_;
  ProcessResult* result_;
  double next_memory_look_ = 0.1;
};

void store_status(int status, ProcessResult* result) {
  result->exited = WIFEXITED(status);
  if (result->exited) result->exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result->signal = WTERMSIG(status);
}

}  // namespace

ProcessResult run_process(const std::vector<std::string>& argv,
                          const std::vector<std::string>& environment, const ProcessLimits& limits,
                          const std::string& directory) {
  ProcessResult result;
  Pipe out_pipe, err_pipe, report_pipe;
  double start = monotonic_seconds();
  ChildProcess child(argv, environment, -1, out_pipe.write_end.get(), err_pipe.write_end.get(),
                     directory, limits.wants_report ? report_pipe.write_end.get() : -1);
  for (Pipe* pipe : {&out_pipe, &err_pipe, &report_pipe}) pipe->write_end.reset();
  HeadTail out(limits.output_bytes), err(limits.output_bytes);
  Supervisor supervisor(&child, limits, &result);
  pollfd fds[2] = {{out_pipe.read_end.get(), POLLIN, 0}, {err_pipe.read_end.get(), POLLIN, 0}};
  HeadTail* streams[2] = {&out, &err};
  int status = 0;
  bool ended = false;
  double ended_at = 0;
  while (fds[0].fd >= 0 || fds[1].fd >= 0 || !ended) {
    bool open = fds[0].fd >= 0 || fds[1].fd >= 0;
    poll(fds, 2, open && !ended ? 50 : 5);
    for (int i = 0; i < 2; ++i) {
      if (fds[i].fd >= 0 && fds[i].revents != 0 && !drain(fds[i].fd, streams[i])) fds[i].fd = -1;
      if (streams[i]->total() > limits.output_kill_bytes) result.flooded = true;
    }
    double now = monotonic_seconds();
    if (!ended && child.poll_ended(&status)) {
      ended = true;
      ended_at = now;
    }
    if (!ended) supervisor.within_limits(now - start);
    // A grandchild that keeps a pipe open does not keep us.
    if (ended && now - ended_at > 0.5) break;
  }
  result.wall_s = monotonic_seconds() - start;
  result.out = out.text();
  result.err = err.text();
  if (limits.wants_report) result.report = all_that_is_there(report_pipe.read_end.get());
  store_status(status, &result);
  return result;
}

}  // namespace lockstep
