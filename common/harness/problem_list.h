// SPDX-License-Identifier: Apache-2.0
// What is wrong with the kernels, told once: of each kind of fault the first kernel's details, then
// the names of the others that have it. One mistake, in a template say, is one message.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "common/base/quoted.h"
#include "common/harness/report.h"

namespace lockstep {

class ProblemList {
 public:
  // width: of the terminal.
  explicit ProblemList(int width) : width_(width) {}

  // A check before the measurement that failed: kept, so that tell_kept() has each kind together.
  void keep(const Row& row) { kept_.push_back(row); }
  // Their details, loops without an end first, each with the other kernels of its kind; "": none.
  std::string tell_kept();
  // A launch that failed: its details, or "" where its kernel or its kind has been told of. After
  // kMostKinds of them only names are.
  std::string tell(const Row& row);
  void not_run(const Row& row);
  // At the end: kernels of kinds told before, and what was not run and why.
  std::string rest();

  static constexpr size_t kMostKinds = 3;

 private:
  struct Kind {
    std::string key, kernel;          // whose details were told
    std::vector<std::string> others;  // kernels
    int named = 0;                    // of these, how many have been
  };

  Kind* kind_of(const Row& row, bool* is_new);
  std::string details(const Row& row) const;
  std::string name_same(Kind* kind) const;
  std::string name_undescribed();
  std::string line(const std::string& before, const std::vector<std::string>& names) const;

  const int width_;
  std::vector<Row> kept_;
  std::vector<Kind> kinds_;
  struct Skipped {
    std::string reason;
    Quoted quoted;
    std::vector<std::string> kernels;
  };
  std::vector<Skipped> skipped_;  // kernels that nothing is wrong with so far
  bool wrong_not_run_ = false;
};

// "a, b, c, d, e, f and 3 more".
std::string some_of(const std::vector<std::string>& names);

}  // namespace lockstep
