// SPDX-License-Identifier: Apache-2.0
// Starting and supervising a program: wall time, memory of its whole tree, and output are
// bounded, and the tree is killed when a bound is passed or when this process dies.
// Used by the grader for builds and runs, and by the remote backend for its runner.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace lockstep {

// A file descriptor that closes itself.
class UniqueFd {
 public:
  UniqueFd() = default;
  explicit UniqueFd(int fd) : fd_(fd) {}
  UniqueFd(UniqueFd&& other) noexcept : fd_(other.release()) {}
  UniqueFd& operator=(UniqueFd&& other) noexcept;
  UniqueFd(const UniqueFd&) = delete;
  ~UniqueFd() { reset(); }

  int get() const { return fd_; }
  int release();
  void reset();

 private:
  int fd_ = -1;
};

// The file that a program finds open for its report, where one is asked for.
inline constexpr int kReportFd = 4;

// A child process and everything that it starts. The destructor kills and reaps it.
class ChildProcess {
 public:
  // Starts argv[0] (looked up in PATH) in a process group of its own; -1 in an fd is /dev/null.
  // `report_fd`, if not -1, is the child's kReportFd. The child dies with the thread that started
  // it. Throws Error (kExitCannotRun).
  ChildProcess(const std::vector<std::string>& argv, const std::vector<std::string>& environment,
               int stdin_fd, int stdout_fd, int stderr_fd, const std::string& directory = "",
               int report_fd = -1);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  pid_t pid() const { return pid_; }
  void kill_tree();
  // True when it has ended (and is reaped); status as of waitpid().
  bool poll_ended(int* status);
  // Waits at most `seconds`.
  bool wait_ended(double seconds, int* status);

 private:
  pid_t pid_ = -1;
  bool reaped_ = false;
  int status_ = 0;
};

struct ProcessLimits {
  double wall_s = 60;
  int64_t memory_bytes = int64_t{4} << 30;  // resident, summed over the tree
  size_t output_bytes = 256 << 10;          // kept of each stream: head and tail
  size_t output_kill_bytes = 64 << 20;      // a stream that passes this ends the program
  bool wants_report = false;                // the program is given kReportFd
  const std::atomic<bool>* stop = nullptr;  // where there is one: set, it ends the program
};

struct ProcessResult {
  bool exited = false;  // by itself: exit_code holds; else signal does
  int exit_code = -1;
  int signal = 0;
  bool timed_out = false;
  bool out_of_memory = false;
  bool flooded = false;
  std::string out, err;
  std::string report;  // what was written to kReportFd, at most 1 KiB
  double wall_s = 0;
  int64_t peak_memory_bytes = 0;
  bool good() const { return exited && exit_code == 0; }
};

// Runs a program to its end or to a limit.
ProcessResult run_process(const std::vector<std::string>& argv,
                          const std::vector<std::string>& environment, const ProcessLimits& limits,
                          const std::string& directory = "");

// Resident bytes of a process and all its descendants; 0 when it is gone.
int64_t tree_memory_bytes(pid_t root);

// Keeps the head and the tail of a stream of any length in `capacity` bytes.
class HeadTail {
 public:
  explicit HeadTail(size_t capacity) : half_(capacity / 2) {}
  void append(const char* data, size_t bytes);
  size_t total() const { return total_; }
  // The text, with a line that says how many bytes were left out.
  std::string text() const;

 private:
  size_t half_;
  size_t total_ = 0;
  std::string head_, tail_;
};

// The environment that every supervised program gets: PATH and C locale, and nothing of ours.
std::vector<std::string> clean_environment();

// Seconds of a clock that only goes forward.
double monotonic_seconds();

}  // namespace lockstep
