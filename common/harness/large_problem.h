// SPDX-License-Identifier: Apache-2.0
// A problem as large as a card is given: its inputs, and no reference. Of its launches some blocks
// are executed, drawn, and counted; nothing is checked.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/backend/backend.h"
#include "common/harness/assignment.h"

namespace lockstep {

class LargeProblem {
 public:
  // Backend and assignment must outlive it.
  LargeProblem(Backend& backend, const Assignment& assignment, const Case& c, uint64_t seed);
  ~LargeProblem();
  LargeProblem(const LargeProblem&) = delete;
  LargeProblem& operator=(const LargeProblem&) = delete;

  // Whether its arrays are those of this case and seed.
  bool serves(const Case& c, uint64_t seed) const;
  // What the case launches on them; its problem_key() must be the problem's.
  Sequence launches_of(const Case& c, const LaunchContext& context) const;
  // Of launches with drawn blocks (Launch::drawn_blocks); of all their blocks where those differ
  // too much, or where all are asked for and will take no more than kLittleWork. What ends them is
  // no fault: then there are no values, and why is in Counts::unavailable.
  static constexpr uint64_t kMostWork = 16'000'000, kMostOfAll = 64'000'000,
                            kLittleWork = 8'000'000;  // warp instructions
  Counts count(Sequence launches, const std::vector<std::string>& metrics, bool all_blocks);

 private:
  struct Array {
    ArraySpec spec;
    BufferId buffer = 0;
    size_t input = 0;  // where it has one
  };
  void restore();
  // Elements of arrays without inputs that are not as restore() left them, of all launches, where
  // that share of the blocks was executed; later launches may write them all in any case.
  double written(double share);
  Counts count_once(const Sequence& launches, const std::vector<std::string>& metrics);

  Backend& backend_;
  const Assignment& assignment_;
  const std::string key_;
  const uint64_t seed_;
  std::vector<HostArray> inputs_;
  std::vector<Array> arrays_;
  std::vector<uint32_t> words_;  // of an array, as last read
};

}  // namespace lockstep
