// SPDX-License-Identifier: Apache-2.0
// A sitting of the grader. See session.h.
#include "grader/session.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <thread>

#include "common/module_files.h"
#include "common/quoted.h"
#include "grader/sha256.h"

namespace lockstep::grader {
namespace {

namespace fs = std::filesystem;

constexpr int kAttempts = 2;

std::string file_or_nothing(const std::string& path) {
  std::error_code error;
  if (path.empty() || !fs::is_regular_file(path, error)) return {};
  return read_file(path, 4 << 20);
}

SandboxPaths sandbox_paths(const Toolchain& tools) {
  return {tools.bwrap, tools.runner, tools.cuda};
}

// Faults that could be the machine's as well as the kernel's.
bool is_doubtful(const Verdict& verdict, const std::vector<Record>& records) {
  if (verdict.kind == VerdictKind::kInfraError) return true;
  if (verdict.kind != VerdictKind::kStudentError || verdict.reason != "crash") return false;
  return std::any_of(records.begin(), records.end(),
                     [](const Record& r) { return r.check.fault_kind == "crash"; });
}

}  // namespace

void remove_tree(const std::string& folder) {
  std::error_code error;
  fs::remove_all(folder, error);
}

GradingSession::GradingSession(const SessionOptions& options, const std::string& work_folder)
    : options_(options), work_folder_(work_folder), tools_(find_toolchain(find_top())) {
  std::string homework = tools_.top + "/" + options.homework;
  rubric_ = load_rubric(options.rubric.empty() ? homework + "/rubric.toml" : options.rubric);
  if (rubric_.homework != options.homework)
    throw Error(rubric_.path + ":1: this rubric is for " + rubric_.homework + ", not " +
                options.homework);
  if (access((homework + "/" + options.homework).c_str(), X_OK) != 0)
    throw Error(homework + "/" + options.homework + " is missing: run make", kExitCannotRun);
  sandbox_.emplace(sandbox_paths(tools_), options.weak_sandbox);
  machine_ = probe_machine(options.backend, options.profile, options.devices, *sandbox_);
  tools_.arch = machine_.arch();
  solution_source_ =
      file_or_nothing(rubric_.solution.empty() ? "" : tools_.top + "/" + rubric_.solution);
  config_hash_ = sha256(rubric_.text_hash + sha256(file_or_nothing(homework + "/instances.cu")) +
                        sha256(solution_source_) + std::to_string(kRecordVersion) + tools_.arch +
                        tools_.nvcc_version + sandbox_->weakness());
  remove_tree(work_folder_);
  fs::create_directories(work_folder_);
  chmod(work_folder_.c_str(), 0711);
}

GradingSession::~GradingSession() { remove_tree(work_folder_); }

std::string GradingSession::new_folder(const std::string& what) {
  std::string folder = work_folder_ + "/" + what + "-" + std::to_string(++folders_);
  fs::create_directories(folder);
  return folder;
}

void GradingSession::prepare_reference() {
  std::lock_guard lock(reference_mutex_);
  if (solution_source_.empty() || !solution_module_.empty()) return;
  std::string folder = new_folder("solution");
  BuildRequest request{solution_source_, rubric_.solution_flags, folder, true, 0};
  BuildResult build = build_module(request, rubric_, tools_, *sandbox_);
  if (!build.good())
    throw Error("the solution cannot be compiled: " + build.problem + "\n" + build.log,
                kExitCannotRun);
  solution_plan_ = plan_solution(rubric_, options_.seed.value_or(secret_seed()));
  // Where nothing is compared with it, it still is the known-good submission.
  std::vector<GradedLaunch> plan = solution_plan_;
  if (plan.empty()) plan.push_back(plan_submission(rubric_, 1).back());
  RunRequest run{build.module, folder, &plan, 0, options_.threads, 0};
  RunResult result = run_plan(run, rubric_, machine_, tools_, *sandbox_);
  if (!result.problem.empty())
    throw Error("the solution cannot be run: " + result.problem + "\n" + result.log,
                kExitCannotRun);
  for (const Record& record : result.records)
    if (record.check.status != "correct")
      throw Error("the solution is not right on this machine: " + record.kernel + ": " +
                      record.check.message,
                  kExitCannotRun);
  if (!solution_plan_.empty()) solution_records_ = std::move(result.records);
  solution_module_ = build.module;
}

std::string GradingSession::known_good_problem(int slot, int device) {
  std::lock_guard lock(reference_mutex_);
  if (solution_module_.empty()) return "there is no solution here to try the machine with";
  std::vector<GradedLaunch> all = plan_submission(rubric_, secret_seed());
  std::vector<GradedLaunch> plan = {all.front(), all.back()};
  std::string folder = new_folder("known-good");
  RunRequest run{solution_module_, folder, &plan, device, options_.threads, slot};
  RunResult result = run_plan(run, rubric_, machine_, tools_, *sandbox_);
  remove_tree(folder);
  if (!result.problem.empty()) return result.problem + ": " + result.log;
  for (const Record& record : result.records)
    if (record.check.status != "correct") return record.check.message;
  return {};
}

void GradingSession::require_known_good(int slot, int device) {
  std::string problem;
  for (int wait_s : {0, 1, 4, 15}) {
    std::this_thread::sleep_for(std::chrono::seconds(wait_s));
    problem = known_good_problem(slot, device);
    if (problem.empty()) return;
  }
  throw MachineUnwell(problem);
}

BuildResult GradingSession::build(const StagedSubmission& staged, int slot, std::string* folder) {
  *folder = new_folder("submission");
  if (!staged.problem.empty()) {
    BuildResult none;
    none.problem = "staging";
    none.log = staged.problem;
    return none;
  }
  BuildRequest request{staged.contents, {}, *folder, false, slot};
  return build_module(request, rubric_, tools_, *sandbox_);
}

GradingSession::Attempt GradingSession::attempt(const std::vector<GradedLaunch>& plan,
                                                const std::string& source, const BuildResult& build,
                                                const std::string& folder, int slot, int device) {
  Attempt out;
  if (build.problem == "infrastructure") {
    out.verdict = infra_error(rubric_, "it could not be compiled here", Quoted(build.log));
    return out;
  }
  if (!build.good()) {
    // What staging says is ours; what is said of the source, by compilers as a rule, is not.
    bool ours = build.problem == "staging";
    out.verdict =
        student_error(rubric_, build.problem, ours ? build.log : "", Quoted(ours ? "" : build.log));
    return out;
  }
  RunRequest run{build.module, folder, &plan, device, options_.threads, slot};
  RunResult result = run_plan(run, rubric_, machine_, tools_, *sandbox_);
  out.run_seconds = result.seconds;
  if (result.problem == "infrastructure") {
    out.verdict = infra_error(rubric_, "it could not be executed here", Quoted(result.log));
    return out;
  }
  out.records = std::move(result.records);
  std::lock_guard lock(reference_mutex_);
  out.verdict = judge(
      {rubric_, plan, out.records, solution_plan_, solution_records_, machine_.backend, source});
  if (!result.problem.empty()) {
    out.verdict.kind = VerdictKind::kStudentError;
    out.verdict.reason = result.problem;
    out.verdict.message = "all launches together passed the limit of this homework";
  }
  return out;
}

Verdict GradingSession::judge_again(const Rubric& rubric, const GradeResult& result) const {
  return judge({rubric, result.plan, result.records, solution_plan_, solution_records_,
                machine_.backend, ""});
}

GradeResult GradingSession::blank_result(const StagedSubmission& staged) {
  GradeResult result;
  Graded& g = result.graded;
  g.homework = rubric_.homework;
  g.submission = staged.name;
  g.identity = staged.identity;
  g.path = shown_name(staged.path, 1000);
  g.content_hash = staged.hash;
  g.config_hash = config_hash_;
  g.backend = machine_.backend;
  g.driver = machine_.driver;
  g.arch = tools_.arch;
  g.compiler = "nvcc " + tools_.nvcc_version;
  g.sandbox = to_string(sandbox_->strength());
  g.seed = options_.seed.value_or(secret_seed());
  return result;
}

GradeResult GradingSession::finish(const StagedSubmission& staged, const BuildResult& build,
                                   const std::string& folder, int slot, int device) {
  GradeResult result = blank_result(staged);
  Graded& g = result.graded;
  g.device = machine_.devices.at(static_cast<size_t>(device)).name;
  g.module_hash = build.module_hash;
  g.build_seconds = build.seconds;
  result.plan = plan_submission(rubric_, g.seed);
  BuildResult current = build;
  std::string current_folder = folder;
  for (g.attempts = 1;; ++g.attempts) {
    Attempt one = attempt(result.plan, staged.contents, current, current_folder, slot, device);
    g.run_seconds += one.run_seconds;
    g.verdict = std::move(one.verdict);
    result.records = std::move(one.records);
    bool doubtful = is_doubtful(g.verdict, result.records);
    bool hard_on_gpu = machine_.backend == "gpu" && g.verdict.kind == VerdictKind::kStudentError &&
                       !result.records.empty();
    bool can_ask = !solution_module_.empty();
    if ((doubtful || hard_on_gpu) && can_ask) require_known_good(slot, device);
    if (!doubtful || !can_ask || g.attempts == kAttempts) break;
    if (current.problem == "infrastructure") {
      remove_tree(current_folder);
      current = this->build(staged, slot, &current_folder);
    }
  }
  remove_tree(current_folder);
  g.finished_at = utc_now();
  return result;
}

GradeResult GradingSession::grade(const StagedSubmission& staged, int slot, int device) {
  std::string folder;
  BuildResult built = build(staged, slot, &folder);
  return finish(staged, built, folder, slot, device);
}

GradeResult GradingSession::grade_trusted(const std::string& name, const std::string& contents,
                                          const std::vector<std::string>& flags, int slot,
                                          int device) {
  StagedSubmission staged{name, name, contents, sha256(contents), "", name};
  std::string folder = new_folder("trusted");
  BuildRequest request{contents, flags, folder, true, slot};
  return finish(staged, build_module(request, rubric_, tools_, *sandbox_), folder, slot, device);
}

}  // namespace lockstep::grader
