// SPDX-License-Identifier: Apache-2.0
// Executing a plan: the homework's own program makes inputs, reference and verdict of each
// launch; a caged runner, which is not believed, executes the kernels. One record a launch.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "common/backend/device_info.h"
#include "common/harness/record.h"
#include "grader/plan.h"
#include "grader/sandbox.h"
#include "grader/toolchain.h"

namespace lockstep::grader {

// The device that submissions are executed on.
struct Machine {
  std::string backend;              // "gpu" or "emulator"
  std::string profile;              // emulator: the GPU it stands in for; empty: the default
  std::vector<DeviceInfo> devices;  // GPUs that may be used, or the emulated one
  std::string driver;
  std::string arch() const;  // "sm_90", of the first device
};

// Opens a backend of `kind` ("auto", "gpu", "emulator") in the cage and asks it. `chosen` limits
// the GPUs; empty: all that are like the first. Throws Error (kExitCannotRun).
Machine probe_machine(const std::string& kind, const std::string& profile,
                      const std::vector<int>& chosen, const Sandbox& sandbox);

// On one GPU: one is counted, while the next one is checked and the last one's runner is closed.
inline constexpr int kAtOnce = 3;

struct RunRequest {
  std::string module;
  std::string folder;  // to work in
  const std::vector<GradedLaunch>* plan = nullptr;
  std::vector<PlannedSearch> searches = {};  // behind the launches
  int device = 0;                            // index into Machine::devices
  int threads = 1;                           // emulator
  int slot = 0;
  std::string turn = {};  // GPU: by this file they take turns (common/harness/card_turn.h)
  const std::atomic<bool>* stop = nullptr;  // as in ProcessLimits
};

struct RunResult {
  std::string problem;  // "", "timeout" (of all launches together) or "infrastructure"
  std::string log;
  std::vector<Record> records;          // in the plan's order, as far as it came
  bool ended = false;                   // the program has done all that the plan asks for
  std::vector<GradedLaunch> elsewhere;  // what the searches found, launched behind the plan
  double seconds = 0;
  int64_t peak_memory_bytes = 0;
};

// How many vectors each kernel of a homework takes by default on the emulator; its program says.
std::map<std::string, int64_t> ask_default_sizes(const std::string& homework,
                                                 const Toolchain& tools);

// Launches as large as a card's (common/harness/large_launches.h) that these searches call for; its
// program draws them. `folder`: to work in. On a GPU none.
std::vector<GradedLaunch> ask_large_launches(const std::string& homework,
                                             const std::vector<PlannedSearch>& searches,
                                             const std::string& folder, const Machine& machine,
                                             const Toolchain& tools);

// Metrics that its table has as columns.
std::vector<std::string> ask_columns(const std::string& homework, const Toolchain& tools);

// Whether some check looks at a figure that follows from time. Timing and counting exclude each
// other on a GPU, and time is seldom graded, so that it is taken for such a rubric alone.
bool needs_times(const Rubric& rubric);

RunResult run_plan(const RunRequest& request, const Rubric& rubric, const Machine& machine,
                   const Toolchain& tools, const Sandbox& sandbox);

}  // namespace lockstep::grader
