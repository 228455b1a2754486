// SPDX-License-Identifier: Apache-2.0
// Submissions on the devices of this machine: several are compiled at a time, and on a GPU one is
// executed, so that it is never shared and never idle while others compile.
#pragma once

#include <condition_variable>
#include <mutex>
#include <vector>

#include "grader/session.h"

namespace lockstep::grader {

class Executor {
 public:
  // `jobs`: submissions at one time.
  Executor(GradingSession& session, int jobs);
  // Waits for a device once it is compiled. From any thread; `slot` as GradingSession::grade.
  GradeResult grade(const StagedSubmission& staged, int slot);

 private:
  int take();
  void give_back(int device);

  GradingSession& session_;
  const bool gpu_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<int> free_;  // the emulator is as many devices as there are jobs
};

}  // namespace lockstep::grader
