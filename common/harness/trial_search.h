// SPDX-License-Identifier: Apache-2.0
// The changes of a kernel, one after the other, on some threads. Private to trials.h.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/harness/trials.h"

namespace lockstep {

using ChangePlace = std::pair<std::string, int>;  // file, line
inline ChangePlace place_of(const CodeMutation& change) { return {change.file, change.line}; }
// Whether the two are one change of a template's line, as two of its instances tell it.
bool alike(const CodeMutation& a, const CodeMutation& b);

// What several threads share, each with a backend of its own that has the same changes.
class Trials::Search {
 public:
  // like: changes unlike all of these are not tried; empty: all are. time: of each of so many
  // threads, as processors are used: what is found does not hang on what else the machine does.
  Search(const Assignment& assignment, const WrongKernel& wrong, std::chrono::milliseconds time,
         size_t threads, std::vector<CodeMutation> like);

  // From where it stopped; what was found is forgotten.
  void go_on();
  // Until all changes are tried, time is up, or a while after something is found; several threads
  // at a time. Throws Error.
  void run_on(Backend& debug);
  // Whether all changes were tried.
  bool ended() const { return ended_; }
  // Whether there is no time left.
  bool is_late() const;
  // The best first.
  std::vector<Mend> found();
  // What is like this was tried, and something was wrong with it.
  bool is_refused(const CodeMutation& change) const;

 private:
  class Trial;
  using AllTrials = std::vector<std::unique_ptr<Trial>>;
  AllTrials trials_on(Backend& debug) const;
  std::vector<Trial*> wrong_of(const AllTrials& trials) const;
  static Trial* telling_of(const AllTrials& trials, const std::vector<Trial*>& wrong);
  static std::vector<std::string> kernels_of(const AllTrials& trials);
  std::vector<size_t> changes_of(Backend& debug, const std::string& kernel) const;
  static bool try_one(Backend& debug, const std::string& kernel, size_t change,
                      const std::vector<Trial*>& wrong, const AllTrials& trials);
  void keep(size_t number, Mend mend);
  void refuse(const CodeMutation& change);

  const Assignment& assignment_;
  const std::vector<Job>& jobs_;
  const int64_t threads_, last_;
  std::atomic<int64_t> end_;  // ns that processors were used; sooner where something is found
  const bool races_;
  const int line_;    // that is told without a change
  const bool right_;  // nothing is wrong
  const std::vector<CodeMutation> like_;
  std::atomic<size_t> next_ = 0;
  std::atomic<bool> ended_ = true;
  std::mutex mutex_;
  std::vector<std::pair<size_t, Mend>> found_;
  std::vector<CodeMutation> refused_;  // where only some are tried
};

}  // namespace lockstep
