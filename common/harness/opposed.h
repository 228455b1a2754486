// SPDX-License-Identifier: Apache-2.0
// What decides between two ways through a kernel may be neither a size nor a shape, and hidden from
// every search: pointers, a number among the inputs, what a launch before it has left. But it is a
// comparison, and one that has always had the same answer. So it is told to say the opposite: what
// is done then is seen, whatever leads there.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/backend/backend.h"
#include "common/harness/assignment.h"
#include "common/harness/plan_file.h"

namespace lockstep {

struct OpposedLaunch {
  PlannedLaunch launch;  // with PlannedLaunch::opposed; without a kernel until it is chosen
  // What is asked in it, as far as a try of it tells, and was in no launch that was counted or
  // tried.
  std::vector<Backend::Unreached::Comparison> more;
};

// Of comparisons that no launch so far, counted or tried, has seen answered both ways. Nothing on a
// GPU. Backend and assignment must outlive it.
class Opposing {
 public:
  // What a try of a launch tells (Backend::oppose).
  using Try = std::function<Backend::Opposed(const PlannedLaunch&)>;
  // Warp instructions that a counted launch takes as it is written; 0: not known.
  using Cost = std::function<double(const PlannedLaunch&)>;
  // Whether this comparison of a kernel is asked in launches that are not as large as a card's.
  using InSmall = std::function<bool(const std::string& kernel, uint32_t instruction)>;
  // planned: from whose counted launches those with opposed comparisons are made.
  Opposing(Backend& backend, const Assignment& assignment,
           const std::vector<PlannedLaunch>& planned, const Cost& cost, Try try_once,
           InSmall in_small);
  // One launch for each comparison of a case's kernels. Throws Error, or the backend's KernelFault,
  // where they cannot be looked at.
  std::vector<OpposedLaunch> of_case(const std::string& kernel);
  // What is behind them: what launches that were right have asked besides is opposed as well.
  std::vector<OpposedLaunch> behind(const std::vector<OpposedLaunch>& right);
  // For one that did not end: a loop may have asked it in each turn. False: it is so already.
  static bool oppose_once(OpposedLaunch* one);

 private:
  using Comparison = Backend::Unreached::Comparison;
  struct Chosen {
    double cost = 0;
    PlannedLaunch launch;
  };
  void add(double cost, const PlannedLaunch& launch);
  void choose_launches(const std::string& kernel, std::vector<OpposedLaunch>* all);
  Case case_of(const PlannedLaunch& launch) const;

  Backend& backend_;
  const Assignment& assignment_;
  const Try try_;
  const InSmall in_small_;
  size_t compared_ = 0;  // comparisons of all cases
  // Launches in which the comparisons of a case may be asked, in the order in which they are tried.
  struct Candidates {
    std::optional<Chosen> cheap, dearest;
    std::vector<Chosen> large;  // as a card's
    std::vector<const Chosen*> all() const;
  };
  std::map<std::string, Candidates> chosen_;  // by case
};

// Sets Launch::opposed of the launches that these comparisons are of.
void oppose(Backend& backend, const PlannedLaunch::Opposed& opposed, Sequence* sequence);

}  // namespace lockstep
