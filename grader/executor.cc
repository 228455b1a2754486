// SPDX-License-Identifier: Apache-2.0
// See executor.h.
#include "grader/executor.h"

#include <algorithm>

namespace lockstep::grader {
namespace {

Executor::Steps steps_of(GradingSession& session) {
  return {[&session](const StagedSubmission& staged, int slot, std::string* folder) {
            return session.build(staged, slot, folder);
          },
          [&session](const StagedSubmission& staged, const BuildResult& build,
                     const std::string& folder, int slot,
                     int device) { return session.finish(staged, build, folder, slot, device); }};
}

bool on_gpus(const GradingSession& session) { return session.machine().backend == "gpu"; }

// The emulator is one device for as many as there are jobs.
std::vector<int> numbers_of(const GradingSession& session) {
  if (!on_gpus(session)) return {0};
  std::vector<int> numbers;
  for (const DeviceInfo& device : session.machine().devices) numbers.push_back(device.index);
  return numbers;
}

}  // namespace

Executor::Executor(GradingSession& session, int jobs, Note note)
    : Executor(steps_of(session), numbers_of(session), on_gpus(session) ? kAtOnce : jobs,
               std::move(note)) {}

Executor::Executor(Steps steps, const std::vector<int>& numbers, int at_once, Note note)
    : steps_(std::move(steps)), at_once_(at_once), note_(std::move(note)) {
  for (const int number : numbers) devices_.push_back({number});
}

GradeResult Executor::grade(const StagedSubmission& staged, int slot) {
  std::string folder;
  const BuildResult build = steps_.build(staged, slot, &folder);
  // Nothing is executed of what does not compile, so no device is waited for; where we could not
  // compile it, we try again.
  if (!build.good() && !build.unanswered()) return steps_.finish(staged, build, folder, slot, 0);
  return finish(staged, build, folder, slot);
}

// Where a device is unwell, that may have been this submission's doing: so once more, not more.
GradeResult Executor::finish(const StagedSubmission& staged, const BuildResult& build,
                             const std::string& folder, int slot) {
  for (bool again = false;; again = true) {
    const int device = take();
    try {
      GradeResult result = steps_.finish(staged, build, folder, slot, device);
      give_back(device);
      return result;
    } catch (const MachineUnwell& unwell) {
      const bool others = lose(device, unwell.why());
      give_back(device);
      if (again || !others) throw;
    } catch (...) {
      give_back(device);
      throw;
    }
  }
}

int Executor::take() {
  std::unique_lock lock(mutex_);
  for (;;) {
    auto best = devices_.end();
    bool any = false;
    for (auto d = devices_.begin(); d != devices_.end(); ++d) {
      any |= !d->lost;
      if (d->lost || d->in_use == at_once_) continue;
      if (best == devices_.end() || d->in_use < best->in_use) best = d;
    }
    if (!any) throw MachineUnwell("all of its GPUs have fallen away");
    if (best != devices_.end()) {
      ++best->in_use;
      return static_cast<int>(best - devices_.begin());
    }
    changed_.wait(lock);
  }
}

void Executor::give_back(int device) {
  std::lock_guard lock(mutex_);
  --devices_[static_cast<size_t>(device)].in_use;
  changed_.notify_all();
}

bool Executor::lose(int device, const std::string& why) {
  std::lock_guard lock(mutex_);
  Device& lost = devices_[static_cast<size_t>(device)];
  const bool first = !std::exchange(lost.lost, true);
  const bool others =
      std::any_of(devices_.begin(), devices_.end(), [](const Device& d) { return !d.lost; });
  if (first && others && note_)
    note_("GPU " + std::to_string(lost.number) +
          " cannot be used any more, the others go on: " + why);
  return others;
}

}  // namespace lockstep::grader
