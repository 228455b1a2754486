// SPDX-License-Identifier: Apache-2.0
// One sitting of the grader: homework, machine, cage and reference found once, then submissions
// graded one by one, from any number of threads. What is our fault is told apart from what is the
// student's by asking whether a known-good submission passes here and now.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "grader/build.h"
#include "grader/configuration.h"
#include "grader/draws.h"
#include "grader/judge.h"
#include "grader/rubric.h"
#include "grader/run.h"
#include "grader/sandbox.h"
#include "grader/stage.h"
#include "grader/store.h"
#include "grader/toolchain.h"

namespace lockstep::grader {

// Whose eyes the verdict is for. By role: a student's where the solution is not at hand.
enum class View { kInstructor, kStudent, kByRole };

// What sittings on several machines must have in common, so that it does not hang on the machine
// what a submission is held against.
struct SharedDraws {
  std::string key;              // which draw a submission gets
  std::vector<uint64_t> seeds;  // of the draws
  // The solution on a draw as one of the machines has measured it: what is there, or what
  // `measure` gives, which from then on is there.
  std::function<Reference(size_t draw, const std::function<Reference()>& measure)> reference = {};
};

struct SessionOptions {
  std::string homework;
  std::string rubric;            // empty: hwNN/rubric.toml
  std::string backend = "auto";  // "gpu", "emulator"
  std::string profile;
  std::vector<int> devices;     // GPUs to use; empty: all of one kind
  bool weak_sandbox = false;    // go on with any sandbox
  bool middle_sandbox = false;  // or with one that confines files
  Strength least_strength() const {
    return weak_sandbox ? Strength::kWeak : middle_sandbox ? Strength::kMiddle : Strength::kFull;
  }
  View view = View::kInstructor;      // a student is graded by rubric.h's without_hidden()
  std::optional<uint64_t> seed;       // the one draw, instead of secret ones
  size_t draws = 4;                   // secret draws of a sitting
  std::optional<SharedDraws> shared;  // instead of draws of its own
  // What submissions are executed on, where that is another machine; build() alone goes then.
  std::optional<Machine> elsewhere;
  int threads = 1;  // emulator, for one submission
};

// The rubric that these options mean, whatever homework it is for; `top`: the repository's folder.
Rubric rubric_of(const SessionOptions& options, const std::string& top);
// One to judge by: throws Error where it is another homework's.
Rubric rubric_to_judge_by(const SessionOptions& options, const std::string& top);

// This machine cannot grade any more: not even the known-good submission passes.
class MachineUnwell : public Error {
 public:
  explicit MachineUnwell(const std::string& why)
      : Error("this machine cannot grade: " + why, kExitCannotRun), why_(why) {}
  const std::string& why() const { return why_; }

 private:
  std::string why_;
};

struct GradeResult {
  Graded graded;
  std::vector<GradedLaunch> plan;  // of the draw, then what was launched besides
  std::vector<Record> records;
  Reference solution;  // on the same launches, where it was measured for it
};

class GradingSession {
 public:
  // `work_folder` is made, and emptied when the session ends.
  GradingSession(const SessionOptions& options, const std::string& work_folder);
  ~GradingSession();
  GradingSession(const GradingSession&) = delete;

  // Compiles the solution, if it is at hand, and measures it on one draw; on the others it is
  // measured when the first submission gets them. Throws Error where it is not right. build() may
  // run meanwhile; finish() and grade() come after it.
  void prepare_reference(size_t draw = 0);
  // Compiles it only, where it is not kept from another sitting (kept.h); reference()
  // measures.
  void build_reference();
  // Nothing is held against the solution any more: reference() that runs throws MachineUnwell.
  void stop_measuring() { stopped_ = true; }
  size_t draws() const { return draws_.size(); }
  // For other sittings to share. Where the draws are public, every sitting finds them.
  SharedDraws secrets() const;
  size_t draw_of(const StagedSubmission& staged) const;

  // `slot`: a number that no other thread uses meanwhile. `device`: index into machine().devices.
  GradeResult grade(const StagedSubmission& staged, int slot, int device);
  // In two halves, so that one GPU can be kept busy by several compilers.
  BuildResult build(const StagedSubmission& staged, int slot, std::string* folder);
  GradeResult finish(const StagedSubmission& staged, const BuildResult& build,
                     const std::string& folder, int slot, int device);

  // Nothing could be found out about it, and that is no fault of its own.
  GradeResult not_graded(const SubmissionEntry& entry, const std::string& why);

  // The solution or the starter through the same path, with flags of its own; build_trusted() once
  // and finish_on() for as many draws as are wanted.
  BuildResult build_trusted(const std::string& contents, const std::vector<std::string>& flags,
                            int slot, std::string* folder);
  GradeResult finish_on(size_t draw, const StagedSubmission& staged, const BuildResult& build,
                        const std::string& folder, int slot, int device);
  // What students begin with (the rubric's starter), for its code: the module is gone again. Not
  // good() where there is none.
  BuildResult build_given(int slot);

  const Rubric& rubric() const { return rubric_; }
  const Machine& machine() const { return machine_; }
  const Toolchain& tools() const { return tools_; }
  const Sandbox& sandbox() const { return *sandbox_; }
  const std::string& config_hash() const { return config_hash_; }
  bool has_solution() const { return !solution_source_.empty(); }
  bool is_for_student() const {
    return options_.view == View::kStudent || (options_.view == View::kByRole && !has_solution());
  }
  // The solution on a draw, measured now if it was not yet; or what was recorded of it.
  const Reference& reference(size_t draw, int slot = 0, int device = 0);
  // Added to the reference, and compared with it as the draw's launches are.
  void measure_also(const std::vector<GradedLaunch>& launches, int slot, int device,
                    Reference* reference);
  // The same on any seed; `also`: launches besides the plan's.
  Reference measure_solution(uint64_t seed, int slot = 0, int device = 0,
                             const std::vector<GradedLaunch>& also = {});
  // hwNN/recorded.json: its draws of this backend and architecture.
  std::string recorded_path() const;
  std::vector<Reference> recorded() const;
  // Judges a result anew, by another rubric with the same runs.
  Verdict judge_again(const Rubric& rubric, const GradeResult& result);

 private:
  struct Attempt {
    Verdict verdict;
    std::vector<GradedLaunch> elsewhere;  // launches that were made besides the plan's
    std::vector<Record> records;          // theirs are behind those of the plan
    Reference solution;                   // on all of these launches
    std::string ended;                    // JudgeInput::ended
    double run_seconds = 0;
    bool killed = false;  // a compiler was
  };

  static void forget_opposed(size_t planned, Attempt* attempt);
  std::string new_folder(const std::string& what);
  RunResult execute(const std::vector<GradedLaunch>& plan, const std::string& module,
                    const std::string& folder, int slot, int device,
                    const std::vector<PlannedSearch>& searches = {});
  Attempt attempt(const std::vector<GradedLaunch>& plan, const std::string& source,
                  const BuildResult& build, const std::string& folder, size_t draw, int slot,
                  int device);
  // Of a draw: what is launched besides its plan, whatever the submission.
  const std::vector<GradedLaunch>& large_launches(size_t draw);
  GradeResult blank_result(const StagedSubmission& staged, size_t draw);
  void choose_draws();
  Attempt attempt_twice(GradeResult* result, const StagedSubmission& staged,
                        const BuildResult& build, const std::string& folder, int slot, int device);
  // What a fault was in, the solution must do now: be executed, or be compiled, since its module
  // may be of another day. Waits a little for a machine that is unwell; throws MachineUnwell.
  void require_known_good(bool to_compile, int slot, int device);
  std::string known_good_problem(int slot, int device);
  std::string known_good_build_problem(int slot);

  SessionOptions options_;
  std::string work_folder_;
  Toolchain tools_;
  Rubric whole_rubric_, rubric_;  // the second as far as it is to be seen
  std::optional<Sandbox> sandbox_;
  Machine machine_;
  std::string execution_, execution_hash_, config_hash_;
  std::atomic<int> folders_{0};

  std::string draw_key_;
  struct Draw {
    std::once_flag measured, drawn;
    Reference reference;
    std::vector<GradedLaunch> large;
  };
  std::vector<std::unique_ptr<Draw>> draws_;
  std::string solution_source_;
  std::string solution_module_;
  std::atomic<bool> stopped_{false};  // what is executed of the solution
};

// How often a submission is tried where its verdict is doubtful: where it could be the machine's
// fault as well as the kernel's.
inline constexpr int kAttempts = 2;
bool is_doubtful(const Verdict& verdict, const std::vector<Record>& records,
                 const std::string& backend);

// Removes a folder and all below it, whatever the modes; never follows links.
void remove_tree(const std::string& folder);

}  // namespace lockstep::grader
