// SPDX-License-Identifier: Apache-2.0
// Ends programs that this process has started, as the kernel does where it has no memory left: by
// SIGKILL, whoever is their parent.
#pragma once

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <thread>

namespace lockstep::grader {

class Killer {
 public:
  // The first `most` programs of this name, among all that come from this process, after some that
  // are passed over.
  Killer(std::string name, int most, int passed = 0)
      : name_(std::move(name)), most_(most), passed_(passed) {
    thread_ = std::thread([this] {
      for (; !ended_ && killed_ < most_; usleep(1000)) look();
    });
  }
  ~Killer() {
    ended_ = true;
    thread_.join();
  }
  Killer(const Killer&) = delete;
  int killed() const { return killed_; }

 private:
  void look() {
    std::map<pid_t, pid_t> parents;
    std::map<pid_t, std::string> names;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
      const pid_t pid = std::atoi(entry.path().filename().c_str());
      std::ifstream file(entry.path() / "stat");
      std::string line;
      if (pid <= 0 || !std::getline(file, line)) continue;
      const size_t open = line.find('('), close = line.rfind(')');
      if (close == std::string::npos || line.compare(close, 4, ") Z ") == 0) continue;
      names[pid] = line.substr(open + 1, close - open - 1);
      parents[pid] = std::atoi(line.c_str() + close + 4);
    }
    for (const auto& [pid, name] : names) {
      pid_t top = pid;
      while (top > 1 && top != getpid()) top = parents[top];
      if (name != name_ || top != getpid() || killed_ == most_ || !seen_.insert(pid).second)
        continue;
      if (passed_-- > 0) continue;
      ++killed_;  // before whoever waits for it can ask
      if (kill(pid, SIGKILL) != 0) --killed_;
    }
  }

  const std::string name_;
  const int most_;
  int passed_;
  std::set<pid_t> seen_;
  std::atomic<bool> ended_{false};
  std::atomic<int> killed_{0};
  std::thread thread_;
};

}  // namespace lockstep::grader
