// SPDX-License-Identifier: Apache-2.0
// The inputs of a problem and what is to come out, and the last few of them kept: launches of
// several kernels on one problem, each with fresh inputs, take the same seeds in turn. What is
// known to be wanted next is made on other threads meanwhile.
#pragma once

#include <cstdint>
#include <deque>
#include <future>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "common/harness/assignment.h"

namespace lockstep {

// The assignment must outlive it.
class Problem {
 public:
  Problem(const Assignment& assignment, const Case& c, uint64_t seed)
      : inputs(assignment.make_inputs(c, seed)), assignment_(assignment), case_(c) {}

  const std::vector<HostArray> inputs;
  // Made when it is first asked for: what is only tried needs none.
  const std::vector<Assignment::Expected>& expected() const;

 private:
  const Assignment& assignment_;
  const Case case_;
  mutable std::once_flag once_;
  mutable std::vector<Assignment::Expected> expected_;
};

class ProblemCache {
 public:
  // Made anew, or kept from an earlier call with the same problem_key() and seed.
  std::shared_ptr<const Problem> get(const Assignment& assignment, const Case& c, uint64_t seed);

  struct Wanted {
    Case c;
    uint64_t seed;
  };
  // What get() is going to be asked for, in this order; a few are made ahead of it. What is not
  // asked for so is made when it is.
  void expect(const Assignment& assignment, const std::vector<Wanted>& in_order);

 private:
  struct Entry {
    std::string key;
    uint64_t seed;
    std::shared_ptr<const Problem> problem;
  };
  static constexpr size_t kKept = 2;  // the executions of a counted launch
  std::list<Entry> entries_;          // the one used last in front

  struct Ahead {
    std::string key;
    Wanted wanted;
    std::future<std::shared_ptr<const Problem>> made;  // where it has been begun
  };
  static constexpr size_t kAhead = 2;  // each may take a hundred megabytes
  std::shared_ptr<const Problem> take_ahead(const std::string& key, uint64_t seed);
  void make_ahead();

  const Assignment* of_ahead_ = nullptr;
  std::deque<Ahead> ahead_;
};

}  // namespace lockstep
