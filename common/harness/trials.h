// SPDX-License-Identifier: Apache-2.0
// Where a kernel is wrong, small changes of its code are tried, one at a time: where one makes all
// results right, there is the mistake (Backend::find_mutations).
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/backend/backend.h"
#include "common/harness/debug_build.h"
#include "common/harness/measure.h"

namespace lockstep {

// A change with which every one of the jobs is right.
struct Mend {
  CodeMutation change;
  // On a small problem: the lines that are executed, and who stores how often. A change by which
  // some do all, or all do the same, makes it right and is no mend.
  uint64_t lines = 0, stores = 0, storing_threads = 0;
};

struct TrialOptions {
  std::string debug_ptx;                           // the module built with -G; "": nothing is tried
  std::function<std::unique_ptr<Backend>()> open;  // makes an emulator
  int threads = 1;
};

class Trials {
 public:
  // The assignment must outlive it.
  Trials(const Assignment& assignment, TrialOptions options);
  ~Trials();

  // jobs: of one case's kernel; those on problems that are too large to be executed often are left
  // out. The best first, one for each line. Empty where none helps, where the module built with -G
  // is right, and where time is up before one is found.
  std::vector<Mend> find(const std::vector<Job>& jobs, std::chrono::milliseconds time);

 private:
  class Search;
  const Assignment& assignment_;
  const TrialOptions options_;
  std::vector<std::unique_ptr<DebugBuild>> builds_;  // one a thread
};

// "All is right with `i < n` in place of `i <= n` in line 97."
std::string words_of_mends(const std::vector<Mend>& mends);

}  // namespace lockstep
