// SPDX-License-Identifier: Apache-2.0
// One problem on one backend: its arrays, its reference, and the care around every execution of a
// case. Inputs are restored, outputs and scratch poisoned before each, outputs checked after each.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "common/backend/backend.h"
#include "common/harness/assignment.h"
#include "common/harness/debug_build.h"
#include "common/harness/explain.h"
#include "common/harness/problem_cache.h"
#include "common/harness/record.h"

namespace lockstep {

class Session {
 public:
  // Makes inputs and reference from the seed and allocates the arrays. With `fresh_inputs`, each
  // execution has inputs of its own, of seed_of_pass() (plan_file.h), taken from there.
  // debug: for explanations, or nullptr. made: the problem of this seed, where it is there already.
  // Backend, assignment, cache and debug must outlive the session.
  Session(Backend& backend, const Assignment& assignment, const Case& c, uint64_t seed,
          ProblemCache* fresh_inputs, DebugBuild* debug = nullptr,
          std::shared_ptr<const Problem> made = nullptr);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Whether a job with this seed can go on with the arrays that are there; then start_job() begins
  // it, with the seeds of its executions anew.
  bool serves(const Case& c, uint64_t seed) const {
    return seed == seed_ && assignment_.problem_key(c) == assignment_.problem_key(case_);
  }
  void start_job();

  // What the case launches on this session's arrays; its problem_key() must be the session's.
  Sequence launches_of(const Case& c, const LaunchContext& context) const;

  // These execute the launches and check every execution. What is wrong first ends up in *check,
  // whose status is "correct" otherwise. KernelFault and Error pass through. With the same inputs
  // each time, an output whose fingerprint was right before is not read again.
  // step_budget: Launch::step_budget of each.
  void verify(Sequence sequence, CheckResult* check, uint64_t step_budget = 0);
  // Whether an execution of them is right; nothing is said of it.
  struct Trying {
    uint64_t step_budget = 0;  // as above
    bool drawn = false;        // in the orders of verify()
    bool races = true;         // without these, too
    // Ends with the first store of a wrong value: only where what is right is never stored
    // otherwise before, which *rewrites tells of an execution to its end.
    bool early = false;
    bool* rewrites = nullptr;
    // Where the execution before failed, if it did: that is executed first. And where this one did.
    struct Place {
      size_t launch = 0;
      uint64_t block = 0;
      uint32_t warp = 0;
    };
    Place* failed = nullptr;
    bool* ended = nullptr;  // whether it did, without a fault
  };
  bool is_right(Sequence sequence, const Trying& trying);
  // What an execution of them does, up to a fault.
  WatchedWork work_of(Sequence sequence, uint64_t step_budget, const std::string& file);
  // Watches an execution of them, up to a fault, and has the backend asked what it saw. False where
  // the problem is too large.
  bool watched(Sequence sequence, uint64_t step_budget, const std::function<void(Backend&)>& ask);
  // Executes them once and follows a thread; *trace has what was found also after a fault, which
  // passes through. False where the backend does not offer that.
  bool trace(const Sequence& sequence, const TraceRequest& request, LineTrace* trace);
  // After verify(): the shortest of so many executions; what takes milliseconds was timed as it was
  // verified, or is timed once.
  std::optional<double> time_us(const Sequence& sequence, int repetitions, CheckResult* check);
  // The hooks with which count_sequences() is to execute a sequence of this session; *check begins
  // as "correct", and must outlive them. says_what: of a wrong result, what it is as a whole.
  PassHooks hooks(CheckResult* check, bool says_what = true);
  // With fresh inputs: those of the execution after so many others from now.
  ProblemCache::Wanted inputs_after(int executions) const;
  // To be called when a launch has been executed as often as it is going to be: guard zones must be
  // as they were, and the inputs what the last execution was given. The emulator has seen to that.
  void check_surroundings(CheckResult* check);

  // The seed of the inputs of the execution that was wrong first; else of the last execution.
  // What else is known of the fault that ended the last execution; "" or a sentence.
  const std::string& fault_words() const { return fault_words_; }
  // The line to look at first, where that is not the fault's own; line 0: it is.
  const ValueStory::Line& fault_line() const { return fault_line_; }
  uint64_t failed_seed() const { return failed_seed_.value_or(current_seed_); }

 private:
  struct Array;

  void take_problem(uint64_t seed);
  void allocate();
  void release();
  void before_execution();
  void after_execution(CheckResult* check, bool says_what = true);
  void note_failure(const CheckResult& found, CheckResult* check);
  CheckResult check_all_outputs(bool says_what);
  void draw_lane_order(Launch* launch) const;
  void prepare(Sequence* sequence, uint64_t step_budget, bool drawn) const;
  bool outputs_are_right() const;
  void look_at_stored(BufferId buffer, size_t offset, size_t bytes,
                      const std::function<void(Array&, size_t)>& wrong);
  bool can_follow() const;
  std::optional<std::vector<uint64_t>> fingerprints();
  bool is_pristine(const Array& input);
  void read_outputs();
  bool outputs_are_as_verified();
  bool is_wrong_besides(Sequence sequence, const KernelFault& race, CheckResult* check);
  void restore();
  bool watch_again(const Sequence& sequence);
  void explain_wrong(const Sequence& sequence, CheckResult* check);
  WrongResult wrong_result(Backend& backend) const;
  using DebugDone = std::function<void(Backend&, const Sequence&, WrongResult*)>;
  void with_debug(Sequence sequence, uint64_t steps, const DebugDone& done);
  std::optional<Explanation> explain_debug(const Sequence& sequence);
  // What is known of a fault besides its place.
  struct SeenFault {
    std::optional<ValueStory::Comparison> compared;
    std::vector<ValueStory::Line> address_lines;
    LateStore late = {};
  };
  std::optional<SeenFault> fault_debug(const Sequence& sequence, uint64_t steps,
                                       const KernelFault& fault);
  void tell_fault(const std::string& kind, const SeenFault& seen);
  void explain_fault(Sequence sequence, const KernelFault& fault);

  Backend& backend_;
  const Assignment& assignment_;
  const Case case_;
  const uint64_t seed_;
  ProblemCache* const fresh_inputs_;
  DebugBuild* const debug_;
  const bool
      keeps_inputs_;  // a store to an input or a guard zone is a fault: nothing else changes it
  uint64_t written_seed_ = 0;  // of the inputs that are in the arrays
  uint64_t executions_ = 0;
  uint64_t current_seed_ = 0;
  std::optional<uint64_t> failed_seed_;
  std::optional<double> verified_us_;  // by the last verify()
  std::string fault_words_;
  ValueStory::Line fault_line_;
  std::vector<Array> arrays_;
  std::set<std::vector<uint64_t>> right_;  // fingerprints of outputs that were found right
  std::shared_ptr<const Problem> problem_;
};

}  // namespace lockstep
