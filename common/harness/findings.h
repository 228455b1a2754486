// SPDX-License-Identifier: Apache-2.0
// What makes a right kernel slow, as far as its counts by line show it: the lines to look at.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/backend/backend.h"
#include "common/backend/counts.h"
#include "common/harness/goals.h"

namespace lockstep {

struct Finding {
  double share = 0;   // that it costs needlessly, of the time that all would take (cycles.h)
  std::string place;  // "hw02.cu:95"
  std::string kind;   // the same for the same finding elsewhere
  std::string words;  // "reads 32.0 sectors ...": what the line does, or the kernel
  // What else is said of the line, where the kernel does it: not of another that is found to do it.
  std::string of_line;
  int line = 0;
  // What is to be looked up besides: where the address is made, where the threads of a warp part.
  enum class Asks : uint8_t {
    kNothing,
    kAddress,
    kSpread,
    kCalled,  // kSpread, where other kernels do the same in the line
    kBanks,
    kTwice,
    kParting,
    kDear,
    kDoubles,
    kAdding
  };
  Asks asks = Asks::kNothing;
};

// What another kernel of the same template takes for each element, of which nothing was found.
struct Beside {
  std::string kernel;
  std::map<int, double> instructions;  // of a thread, by line of the student's file
};

// What findings look at, besides the counts.
struct FoundIn {
  int64_t elements = 0;
  int64_t threads = 0;   // of the launch
  int64_t writable = 0;  // bytes that there are to be written
  bool doubles = false;  // some array of the case has double precision
  std::string student_file;
  KernelInfo kernel;
  std::optional<Goal> goal;  // what is needed; without it all is held against the ideal
  std::optional<Beside> beside;
  // By line and metric: sectors a request, in launches of other kernels of which nothing was found.
  std::map<std::pair<int, std::string>, double> elsewhere;

  bool is_students(const std::string& file) const;
};

// The costliest first. None where nothing is known by line.
std::vector<Finding> findings(const Counts& counts, const FoundIn& in);

}  // namespace lockstep
