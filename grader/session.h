// SPDX-License-Identifier: Apache-2.0
// One sitting of the grader: homework, machine, cage and reference found once, then submissions
// graded one by one, from any number of threads. What is our fault is told apart from what is the
// student's by asking whether a known-good submission passes here and now.
#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "grader/build.h"
#include "grader/judge.h"
#include "grader/rubric.h"
#include "grader/run.h"
#include "grader/sandbox.h"
#include "grader/stage.h"
#include "grader/store.h"
#include "grader/toolchain.h"

namespace lockstep::grader {

struct SessionOptions {
  std::string homework;
  std::string rubric;            // empty: hwNN/rubric.toml
  std::string backend = "auto";  // "gpu", "emulator"
  std::string profile;
  std::vector<int> devices;  // GPUs to use; empty: all of one kind
  bool weak_sandbox = false;
  std::optional<uint64_t> seed;  // instead of a secret one
  int threads = 1;               // emulator, for one submission
};

// This machine cannot grade any more: not even the known-good submission passes.
class MachineUnwell : public Error {
 public:
  explicit MachineUnwell(const std::string& why)
      : Error("this machine cannot grade: " + why, kExitCannotRun) {}
};

struct GradeResult {
  Graded graded;
  std::vector<GradedLaunch> plan;
  std::vector<Record> records;
};

class GradingSession {
 public:
  // `work_folder` is made, and emptied when the session ends.
  GradingSession(const SessionOptions& options, const std::string& work_folder);
  ~GradingSession();
  GradingSession(const GradingSession&) = delete;

  // Compiles and measures the solution, if it is at hand. Throws Error where it is not right.
  // build() may run meanwhile; finish() and grade() come after it.
  void prepare_reference();

  // `slot`: a number that no other thread uses meanwhile. `device`: index into machine().devices.
  GradeResult grade(const StagedSubmission& staged, int slot, int device);
  // In two halves, so that one GPU can be kept busy by several compilers.
  BuildResult build(const StagedSubmission& staged, int slot, std::string* folder);
  GradeResult finish(const StagedSubmission& staged, const BuildResult& build,
                     const std::string& folder, int slot, int device);

  // The solution or the starter through the same path, with flags of its own.
  GradeResult grade_trusted(const std::string& name, const std::string& contents,
                            const std::vector<std::string>& flags, int slot, int device);

  const Rubric& rubric() const { return rubric_; }
  const Machine& machine() const { return machine_; }
  const Toolchain& tools() const { return tools_; }
  const Sandbox& sandbox() const { return *sandbox_; }
  const std::string& config_hash() const { return config_hash_; }
  // The solution's records and why there are none; valid after prepare_reference().
  const std::vector<Record>& solution_records() const { return solution_records_; }
  // Judges a result anew, by another rubric with the same runs.
  Verdict judge_again(const Rubric& rubric, const GradeResult& result) const;

 private:
  struct Attempt {
    Verdict verdict;
    std::vector<Record> records;
    double run_seconds = 0;
  };

  std::string new_folder(const std::string& what);
  Attempt attempt(const std::vector<GradedLaunch>& plan, const std::string& source,
                  const BuildResult& build, const std::string& folder, int slot, int device);
  GradeResult blank_result(const StagedSubmission& staged);
  // Waits a little for a machine that is unwell; throws MachineUnwell.
  void require_known_good(int slot, int device);
  std::string known_good_problem(int slot, int device);

  SessionOptions options_;
  std::string work_folder_;
  Toolchain tools_;
  Rubric rubric_;
  std::optional<Sandbox> sandbox_;
  Machine machine_;
  std::string config_hash_;
  std::atomic<int> folders_{0};

  std::mutex reference_mutex_;  // held while the reference is made
  std::string solution_source_;
  std::string solution_module_;
  std::vector<GradedLaunch> solution_plan_;
  std::vector<Record> solution_records_;
};

// Removes a folder and all below it, whatever the modes; never follows links.
void remove_tree(const std::string& folder);

}  // namespace lockstep::grader
