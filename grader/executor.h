// SPDX-License-Identifier: Apache-2.0
// Submissions on the devices of this machine: several are compiled at a time, and on a GPU one is
// counted, while the next one is checked and the last one's runner is closed; so that a GPU is
// never idle while others compile. A GPU that falls away is not used any more, and what was on it
// is executed once more on another one.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "grader/session.h"

namespace lockstep::grader {

class Executor {
 public:
  // What is done with a submission; of a session (tests: of anything else).
  struct Steps {
    std::function<BuildResult(const StagedSubmission&, int slot, std::string* folder)> build;
    std::function<GradeResult(const StagedSubmission&, const BuildResult&,
                              const std::string& folder, int slot, int device)>
        finish;
  };
  using Note = std::function<void(const std::string&)>;

  // `jobs`: submissions at one time. `note` is told of a device that has fallen away, from any
  // thread. `numbers`: what the devices are called.
  Executor(GradingSession& session, int jobs, Note note = {});
  Executor(Steps steps, const std::vector<int>& numbers, int at_once, Note note);
  // Waits for a device once it is compiled. From any thread; `slot` as GradingSession::grade.
  // Throws MachineUnwell where no device is left.
  GradeResult grade(const StagedSubmission& staged, int slot);

 private:
  GradeResult finish(const StagedSubmission& staged, const BuildResult& build,
                     const std::string& folder, int slot);
  int take();
  void give_back(int device);
  // Whether others are left to go on.
  bool lose(int device, const std::string& why);

  const Steps steps_;
  const int at_once_;  // on a device
  const Note note_;
  std::mutex mutex_;
  std::condition_variable changed_;
  struct Device {
    int number = 0;
    int in_use = 0;
    bool lost = false;
  };
  std::vector<Device> devices_;
};

}  // namespace lockstep::grader
