// SPDX-License-Identifier: Apache-2.0
// See executor.h.
#include "grader/executor.h"

namespace lockstep::grader {

Executor::Executor(GradingSession& session, int jobs)
    : session_(session), gpu_(session.machine().backend == "gpu") {
  const int count = gpu_ ? static_cast<int>(session.machine().devices.size()) : jobs;
  for (int i = 0; i < count; ++i) free_.push_back(i);
}

GradeResult Executor::grade(const StagedSubmission& staged, int slot) {
  std::string folder;
  BuildResult build = session_.build(staged, slot, &folder);
  // Nothing is executed of what does not compile, so no device is waited for; where we could not
  // compile it, we try again.
  const bool may_run = build.good() || build.unanswered();
  const int device = may_run ? take() : -1;
  struct Return {
    Executor& executor;
    int device;
    ~Return() {
      if (device >= 0) executor.give_back(device);
    }
  } give_back{*this, device};
  return session_.finish(staged, build, folder, slot, gpu_ && device >= 0 ? device : 0);
}

int Executor::take() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !free_.empty(); });
  const int device = free_.back();
  free_.pop_back();
  return device;
}

void Executor::give_back(int device) {
  std::lock_guard lock(mutex_);
  free_.push_back(device);
  changed_.notify_one();
}

}  // namespace lockstep::grader
