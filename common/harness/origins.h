// SPDX-License-Identifier: Apache-2.0
// Where it comes from what a line does that makes a kernel slow: on a small problem, by the module
// that is built with -G.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "common/harness/assignment.h"
#include "common/harness/debug_build.h"
#include "common/harness/findings.h"
#include "common/harness/measure.h"

namespace lockstep {

class Origins {
 public:
  // Both must outlive it.
  Origins(const Assignment& assignment, DebugBuild* debug)
      : assignment_(assignment), debug_(*debug) {}

  // Adds to the words of what asks for them, among a job's findings.
  void add(const Job& job, std::vector<Finding>* findings);

 private:
  using Question = std::pair<int, Finding::Asks>;  // about a line
  struct Answer {
    std::string words;
    int line = 0;  // that does it, where it is another one
  };
  Answer answer_of(const Computed& computed, int line, int64_t elements) const;
  Answer answer_of_call(const LineOrigins& origins, int line) const;
  void watch(const Job& job, std::vector<Question> questions);
  bool watch(Backend& debug, const Job& job, int64_t elements,
             const std::vector<Question>& questions);

  const Assignment& assignment_;
  DebugBuild& debug_;
  std::map<std::pair<std::string, Question>, Answer> known_;  // by kernel
};

}  // namespace lockstep
