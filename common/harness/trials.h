// SPDX-License-Identifier: Apache-2.0
// Where a kernel is wrong, small changes of its code are tried, one at a time: where one makes all
// results right, there is the mistake (Backend::find_mutations).
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/backend/backend.h"
#include "common/harness/debug_build.h"
#include "common/harness/measure.h"

namespace lockstep {

// A change with which every one of the jobs is right.
struct Mend {
  CodeMutation change;
  // On a small problem: the lines that are executed, who stores how often, and the steps that it
  // takes, and how often a barrier is passed without threads that have ended. A change by which
  // some do all, or all do the same, makes it right and is no mend.
  uint64_t lines = 0, stores = 0, storing_threads = 0, steps = 0, passed_alone = 0;
  bool alone = false;  // other instances of the template are wrong with it
};

struct TrialOptions {
  std::string debug_ptx;                           // the module built with -G; "": nothing is tried
  std::function<std::unique_ptr<Backend>()> open;  // makes an emulator
  int threads = 1;
};

// What is to be mended.
struct WrongKernel {
  // Of one case; those on problems that are too large to be executed often are left out.
  std::vector<Job> jobs;
  bool races = false;     // what was found is that threads do not wait for each other, or may be
  int line = 0;           // that is told without a change
  bool is_right = false;  // nothing was: another instance, which must stay so
};

class Trials {
 public:
  // The assignment must outlive it.
  Trials(const Assignment& assignment, TrialOptions options);
  ~Trials();

  // instances: others of the same template that are wrong, too: what does not help these is left
  // out where something does, and searched on. The best first, one for each line. Empty where none
  // helps, where the module built with -G is right, and where time is up before one is found: each
  // thread's, as it uses a processor.
  std::vector<Mend> find(const WrongKernel& wrong, const std::vector<WrongKernel>& instances,
                         std::chrono::milliseconds time);

 private:
  class Search;
  // On all threads; what is found.
  std::vector<Mend> run(Search& search);
  std::vector<Mend> helping(const std::vector<Mend>& mends,
                            const std::vector<WrongKernel>& instances,
                            std::vector<CodeMutation>* harmful);
  const Assignment& assignment_;
  const TrialOptions options_;
  std::vector<std::unique_ptr<DebugBuild>> builds_;  // one a thread
};

// "All is right with `i < n` in place of `i <= n` in line 97."
std::string words_of_mends(const std::vector<Mend>& mends);

}  // namespace lockstep
