// SPDX-License-Identifier: Apache-2.0
// A problem as large as a card's. All blocks of a launch are executed, counted and held to the
// reference where that takes little; of others some are, drawn, and what these have written is.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "common/backend/backend.h"
#include "common/harness/assignment.h"
#include "common/harness/checker.h"
#include "common/harness/problem_cache.h"
#include "common/harness/record.h"

namespace lockstep {

// Of a launch with opposed comparisons: neither counts, nor a reason why there are none.
bool is_ended_by_fault(const Counts& counts);

class LargeProblem {
 public:
  // compared: with all that is expected, else with some of it. Backend and assignment must outlive
  // it.
  LargeProblem(Backend& backend, const Assignment& assignment, const Case& c, uint64_t seed,
               std::shared_ptr<const Problem> made, bool compared);
  ~LargeProblem();
  LargeProblem(const LargeProblem&) = delete;
  LargeProblem& operator=(const LargeProblem&) = delete;

  // Whether its arrays are those of this case and seed.
  bool serves(const Case& c, uint64_t seed) const;
  // What the case launches on them; its problem_key() must be the problem's.
  Sequence launches_of(const Case& c, const LaunchContext& context) const;

  // Of all blocks of launches (Launch::drawn_blocks) where these take at most kLittleWork and
  // `most`; also where the drawn ones wait for others, do not stand for them, or have written what
  // is wrong, since others may write it once more. *check is "correct", "wrong" or, with no values,
  // "not_run". What is as shown, half of the others and what has no counts are executed by their
  // PTX as well: some of the blocks where these tell enough, else all. Throws KernelFault for what
  // that finds, or what ends all blocks.
  static constexpr uint64_t kMostWork = 16'000'000, kMostOfAll = 64'000'000,
                            kLittleWork = 24'000'000;  // warp instructions
  Counts count(const Sequence& launches, const std::vector<std::string>& metrics, uint64_t most,
               bool as_shown, CheckResult* check);
  // Of the drawn blocks, where comparisons say the opposite (Launch::opposed). *check is "wrong" if
  // something that they write is, or a fault ends them.
  Counts count_opposed(const Sequence& launches, const std::vector<std::string>& metrics,
                       CheckResult* check);

 private:
  struct Array {
    ArraySpec spec;
    BufferId buffer = 0;
    size_t input = 0, output = 0;  // where it has one, where it is checked
    HostArray got;                 // as last read
  };
  struct Seen {
    double written = 0;  // elements that are not as restore() left them
    bool wrong = false;  // one of these
  };
  void restore();
  Seen look();
  void look_for_changes(const Array& a, const Assignment::Expected* expected, Seen* seen) const;
  bool is_wrong_somewhere(const Array& array) const;
  CheckedArray checked(const Array& array) const;
  CheckResult check_all() const;
  bool reads_little(const Counts& counts) const;
  Counts count_blocks(const Sequence& launches, const std::vector<std::string>& metrics,
                      uint64_t most, CheckResult* check);
  void execute_some(const Sequence& launches, const Counts& counts, CheckResult* check);
  void execute_all(const Sequence& launches, CheckResult* check);
  void execute(Sequence launches, uint32_t blocks);
  void judge_all(const Seen& seen, CheckResult* check) const;
  Counts count_once(const Sequence& launches, const std::vector<std::string>& metrics);
  Counts count_all_blocks(Sequence launches, const std::vector<std::string>& metrics,
                          uint64_t most);
  Counts count_more(Sequence drawn, const std::vector<std::string>& metrics, Counts counts,
                    Seen seen, CheckResult* check);
  Counts finish(Counts counts, double share, const Seen& seen, CheckResult* check);
  double elements() const;
  bool writes_afresh() const;
  bool is_final(const Counts& counts) const;
  bool expects_little() const;

  Backend& backend_;
  const Assignment& assignment_;
  const Case case_;
  const uint64_t seed_;
  const std::shared_ptr<const Problem> problem_;
  const bool compared_;
  std::vector<Array> arrays_;
  uint64_t drawn_from_ = 0;  // of the launch that is counted
  uint64_t executions_ = 0;
  uint32_t poison_ = 0;   // of the last one
  bool is_alone_ = true;  // one launch, not several behind each other
};

}  // namespace lockstep
