// SPDX-License-Identifier: Apache-2.0
// Runs launches one after the other: checks each, times it, counts it, and reports it. A wrong
// result is neither timed nor counted; a fault costs the launch, not the program.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "common/backend/backend.h"
#include "common/harness/assignment.h"
#include "common/harness/card_turn.h"
#include "common/harness/debug_build.h"
#include "common/harness/goals.h"
#include "common/harness/plan_file.h"
#include "common/harness/report.h"
#include "common/harness/session.h"
#include "common/harness/siblings.h"
#include "common/harness/step_bounds.h"

namespace lockstep {

// One launch to run. Consecutive jobs on the same problem share its arrays.
struct Job {
  Case c;
  int64_t blocks = 1;  // 0 with a shape that is not the command line's; so are the warps
  int warps = 1;
  uint64_t seed = 1;
  bool counters = true;
  bool times = true;
  bool fresh_inputs = false;  // each execution has inputs of its own
  bool as_shown = false;      // PlannedLaunch::as_shown
  std::optional<PlannedLaunch::Opposed> opposed = std::nullopt;  // the same
  std::optional<PlannedLaunch::Drawn> drawn = std::nullopt;      // the same
  bool quiet = false;   // a check before the measurement: a row only where it fails
  int64_t vectors = 0;  // with fresh_inputs: the problem's size, for a command that repeats
};

// Warp instructions that a check before the measurement, or a launch of a plan, may take: more than
// ten times what any kernel of the homeworks needs, so that a loop without an end is told within a
// second.
uint64_t steps_of_check(int64_t elements);

struct MeasureOptions {
  int repetitions = 3;
  bool skip_after_fault = true;  // the other launches of a kernel whose launch failed
  // Of checks alone, before another backend measures: what only this one cannot do is no failure,
  // and the report goes on.
  bool checks_only = false;
  int most_timeouts = 0;  // after so many launches that hung nothing is run; 0: no limit
  std::string turn;  // what is counted or timed waits for this file's lock (card_turn.h); "": none
  ModuleFiles module;
  std::string module_hash;
  // "./hw02 --backend emulator": what a command that repeats a launch begins with, and its size
  // arguments ("3.6", or "" with "--vectors 1000" in the suffix).
  std::string command, size_argument, command_suffix;
  Goals goals;            // what remarks compare with
  std::string debug_ptx;  // of the module built with -G, for explanations; "": none
  std::function<std::unique_ptr<Backend>()> open_debug;  // makes an emulator for it
};

// What checks before a measurement have found.
struct Checked {
  std::set<std::string> wrong;         // kernels: not measured
  std::set<std::string> right_shapes;  // Measurement::right_shapes() of theirs
  std::string dead;                    // why nothing is to be run; "": all is
};

class LargeProblem;
class Origins;

class Measurement {
 public:
  // All but the options must outlive the measurement.
  Measurement(Backend& backend, const Assignment& assignment, const MeasureOptions& options,
              Report& report);
  ~Measurement();

  // Begins, on other threads, what run() would wait for: counters are opened, problems made.
  void prepare(const std::vector<Job>& jobs);
  // Before run().
  void take(const Checked& checked);
  // With the module loaded. Throws Error where the driver or the card is at fault, not the kernel.
  void run(const std::vector<Job>& jobs);
  // Where the module could not be loaded: reports that as the fault of each launch.
  void report_fault(const std::vector<Job>& jobs, const KernelFault& fault);
  bool all_correct() const { return not_right_.empty(); }
  // Kernels of the cases of which some launch was wrong, or could not be made.
  const std::set<std::string>& not_right() const { return not_right_; }
  // Whether it ended before its end: so much hung, or the module could not be loaded again.
  bool ended_early() const { return !dead_.empty(); }
  // Kernels of the cases whose quiet checks failed.
  const std::set<std::string>& found_wrong() const { return told_wrong_; }
  // Kernels with shapes of blocks that were found right.
  const std::set<std::string>& right_shapes() const { return shapes_right_; }
  // Warp instructions of such a job that was right; 0: none was.
  double counted(const Job& job) const;
  // Of a kernel (KernelInfo::mangled) the comparisons that had one answer before any job with drawn
  // blocks; the others of one answer are asked in these alone.
  bool is_asked_in_small(const std::string& kernel, uint32_t instruction) const;
  // Backend::oppose() of a job with opposed comparisons, on its inputs.
  Backend::Opposed try_opposed(const Job& job);
  // Whose job with opposed comparisons ended what executes kernels. Those that would take too many
  // instructions together are not executed, and nothing is said of that: an honest loop may.
  const std::set<std::string>& ended_runner() const { return ended_runner_; }
  // Of the last run, in the order of its jobs: what they came to. Cut: opposed ones, which would
  // take too many instructions.
  enum class Outcome : uint8_t { kNotRight, kRight, kCut };
  const std::vector<Outcome>& outcomes() const { return outcomes_; }

 private:
  struct Pending;  // a job on its way to a row
  struct Group;
  struct Counted;

  bool same_problem(const Job& a, const Job& b) const;
  size_t bytes_of(const Job& job) const;
  void run_group(const std::vector<Job>& jobs, size_t begin, size_t end);
  std::vector<Counted> to_count();
  void take_turn();
  void expect_problems(const std::vector<Job>& jobs, size_t begin);
  void expect_problems(const std::vector<Counted>& all);
  void count_all();
  void count_groups();
  void run_at_once(Pending* p);
  void count(Pending* p);
  void bound_steps(Pending* p) const;
  void count_checked(Pending* p);
  void count_opposed(Pending* p);
  void weigh_by_stores(Pending* p) const;
  bool has_reference(const Job& job) const;
  LargeProblem& large_problem(const Job& job);
  void draw_blocks(Pending* p) const;
  void note_asked();
  void count_drawn(Pending* p);
  void reuse_session(const Job& job);
  static std::string problem_of(const Job& job);
  void explain_counted(Pending* p);
  void verify_and_time(Pending* p);
  Pending prepare(const Job& job) const;
  bool can_launch(Pending* p);
  bool read_constants_once(Pending* p);
  Sequence launches_of(const Job& job);
  void take_shape(Pending* p);
  std::vector<std::string> metrics() const;
  bool find_kernels(Pending* p);
  bool find_kernel(Pending* p, const std::string& name);
  template <typename Action>
  void guarded(Pending* p, const Action& action);
  void take_fault(const KernelFault& fault, Pending* p);
  void complete(Pending* p);
  void tell(const Pending& p);
  std::vector<Finding> find_costs(const Pending& p);
  void explain_failure(Pending* p);
  std::string repeat_command(const Pending& p) const;
  Session& session(const Job& job);

  Backend& backend_;
  const Assignment& assignment_;
  const MeasureOptions options_;
  Report& report_;
  const bool emulated_;
  ProblemCache problems_;
  DebugBuild debug_;
  std::unique_ptr<Origins> origins_;
  Siblings siblings_;
  std::unique_ptr<Session> session_;
  std::unique_ptr<LargeProblem> large_;  // of the jobs with drawn blocks
  std::optional<CardTurn> turn_;
  std::vector<Group> timed_;  // and not counted yet, and what waits behind them
  std::optional<std::map<std::string, int64_t>> constants_;  // the student's, once they are read
  std::set<std::string> faulty_kernels_;                     // whose other launches are skipped
  std::set<std::string> told_wrong_;  // of the cases whose quiet checks failed, the kernels
  // By problem_of(): what right launches took, and stored (metric::kStoredSectors).
  struct Took {
    double instructions = 0, stored = 0;
  };
  std::map<std::string, Took> counted_;
  StepBounds opposed_steps_{64'000'000, 400'000'000};
  StepBounds drawn_steps_{480'000'000, 1'200'000'000};              // of jobs with drawn blocks
  std::optional<std::map<std::string, std::set<uint32_t>>> asked_;  // is_asked_in_small()
  std::set<std::string> not_drawn_;  // base_name() of such jobs that could not be counted
  std::map<std::string, int> cut_;   // by base_name(): counted launches that used up their steps
  std::set<std::string> ended_runner_;
  std::vector<Outcome> outcomes_;
  std::set<std::string> shapes_right_;  // block_shapes() of launches that were found right
  int timeouts_ = 0;
  std::string dead_;  // why nothing can be run any more
  Quoted dead_quoted_;
  std::set<std::string> not_right_;
  bool prepared_ = false;
};

}  // namespace lockstep
