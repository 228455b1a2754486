// SPDX-License-Identifier: Apache-2.0
// A sitting of the grader. See session.h.
#include "grader/session.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "common/backend/module_files.h"
#include "common/base/quoted.h"
#include "common/harness/metrics.h"
#include "grader/sha256.h"

namespace lockstep::grader {
namespace {

namespace fs = std::filesystem;

SandboxPaths sandbox_paths(const Toolchain& tools) {
  return {tools.bwrap, tools.runner, tools.cuda};
}

}  // namespace

Rubric rubric_of(const SessionOptions& options, const std::string& top) {
  return load_rubric(options.rubric.empty() ? top + "/" + options.homework + "/rubric.toml"
                                            : options.rubric);
}

Rubric rubric_to_judge_by(const SessionOptions& options, const std::string& top) {
  Rubric rubric = rubric_of(options, top);
  if (rubric.homework != options.homework)
    throw Error(rubric.path + ":1: this rubric is for " + rubric.homework + ", not " +
                options.homework);
  return rubric;
}

namespace {

// Bytes to L2 of a card are now and then more than anybody stored (judge_metric.cc), and where
// there are atomic operations, nothing tells how much that is.
bool may_be_of_others(const CheckOutcome& check) {
  return check.status != CheckStatus::kPass && check.waits_for.empty() &&
         (check.metric == metric::kL1ToL2Bytes || check.metric == metric::kL2WriteRatio);
}

}  // namespace

bool is_doubtful(const Verdict& verdict, const std::vector<Record>& records,
                 const std::string& backend) {
  if (verdict.kind == VerdictKind::kInfraError) return true;
  // Counters of a card may fail for once.
  if (backend == "gpu" &&
      std::any_of(verdict.checks.begin(), verdict.checks.end(),
                  [](const CheckOutcome& c) { return c.undecided || may_be_of_others(c); }))
    return true;
  if (verdict.kind != VerdictKind::kStudentError || verdict.reason != "crash") return false;
  return std::any_of(records.begin(), records.end(),
                     [](const Record& r) { return r.check.fault_kind == "crash"; });
}

void remove_tree(const std::string& folder) {
  std::error_code error;
  fs::remove_all(folder, error);
}

GradingSession::GradingSession(const SessionOptions& options, const std::string& work_folder)
    : options_(options), work_folder_(work_folder), tools_(find_toolchain(find_top())) {
  std::string homework = tools_.top + "/" + options.homework;
  rubric_ = whole_rubric_ = rubric_to_judge_by(options, tools_.top);
  if (access((homework + "/" + options.homework).c_str(), X_OK) != 0)
    throw Error(homework + "/" + options.homework + " is missing: run make", kExitCannotRun);
  rubric_.columns = whole_rubric_.columns = ask_columns(options.homework, tools_);
  sandbox_.emplace(sandbox_paths(tools_), options.least_strength());
  machine_ = options.elsewhere
                 ? *options.elsewhere
                 : probe_machine(options.backend, options.profile, options.devices, *sandbox_);
  if (machine_.backend == "gpu") sandbox_->prepare_for_gpu();
  tools_.arch = machine_.arch();
  solution_source_ =
      file_or_nothing(rubric_.solution.empty() ? "" : tools_.top + "/" + rubric_.solution);
  if (is_for_student()) rubric_ = without_hidden(whole_rubric_);
  const ExecutionParts parts = execution_parts(rubric_, tools_, sandbox_->weakness());
  execution_ = parts_to_json(parts);
  execution_hash_ = grader::execution_hash(parts);
  config_hash_ = grader::config_hash(rubric_, parts);
  choose_draws();
  remove_tree(work_folder_);
  fs::create_directories(work_folder_);
  chmod(work_folder_.c_str(), sandbox_->is_passed_by_others() ? 0711 : 0700);
}

GradingSession::~GradingSession() { remove_tree(work_folder_); }

std::string GradingSession::new_folder(const std::string& what) {
  std::string folder = work_folder_ + "/" + what + "-" + std::to_string(++folders_);
  fs::create_directories(folder);
  return folder;
}

BuildResult GradingSession::build(const StagedSubmission& staged, int slot, std::string* folder) {
  *folder = new_folder("submission");
  if (!staged.problem.empty()) {
    BuildResult none;
    none.problem = "staging";
    none.log = staged.problem;
    return none;
  }
  BuildRequest request{staged.contents, {}, *folder, false, slot, true};
  return build_module(request, rubric_, tools_, *sandbox_);
}

RunResult GradingSession::execute(const std::vector<GradedLaunch>& plan, const std::string& module,
                                  const std::string& folder, int slot, int device,
                                  const std::vector<PlannedSearch>& searches) {
  RunRequest run{module, folder, &plan, searches, device, options_.threads, slot};
  if (module == solution_module_) run.stop = &stopped_;
  if (machine_.backend == "gpu") run.turn = work_folder_ + "/turn-" + std::to_string(device);
  return run_plan(run, rubric_, machine_, tools_, *sandbox_);
}

GradingSession::Attempt GradingSession::attempt(const std::vector<GradedLaunch>& plan,
                                                const std::string& source, const BuildResult& build,
                                                const std::string& folder, size_t draw, int slot,
                                                int device) {
  Attempt out;
  if (build.unanswered()) {
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
  std::vector<PlannedSearch> searches;
  const uint64_t seed = draws_.at(draw)->reference.seed;
  if (!solution_module_.empty()) searches = plan_searches(rubric_, seed);
  const std::vector<GradedLaunch>& large = large_launches(draw);
  std::vector<GradedLaunch> all = plan;
  all.insert(all.end(), large.begin(), large.end());
  RunResult result = execute(all, build.module, folder, slot, device, searches);
  out.run_seconds = result.seconds;
  if (result.problem == "infrastructure") {
    out.verdict = infra_error(rubric_, "it could not be executed here", Quoted(result.log));
    return out;
  }
  out.records = std::move(result.records);
  out.ended = result.problem;
  out.solution = reference(draw, slot, device);
  try {
    measure_also(plan_solution_of(rubric_, result.elsewhere), slot, device, &out.solution);
    all.insert(all.end(), result.elsewhere.begin(), result.elsewhere.end());
  } catch (const MachineUnwell&) {
    // Where the solution does not pass, either, nothing is asked of a submission.
    out.records.resize(std::min(out.records.size(), all.size()));
  }
  out.verdict =
      judge({rubric_, all, out.records, out.solution, machine_.backend, source, out.ended});
  out.elsewhere.assign(all.begin() + static_cast<ptrdiff_t>(plan.size()), all.end());
  forget_opposed(plan.size(), &out);
  return out;
}

// Launches that tell nothing: those in which a comparison said the opposite and that decided no
// check.
void GradingSession::forget_opposed(size_t planned, Attempt* attempt) {
  std::set<size_t> kept;
  for (const CheckOutcome& check : attempt->verdict.checks)
    if (check.opposed) kept.insert(*check.opposed);
  std::vector<GradedLaunch> launches;
  std::vector<Record> records(attempt->records.begin(),
                              attempt->records.begin() + static_cast<ptrdiff_t>(std::min(
                                                             planned, attempt->records.size())));
  for (size_t i = 0; i < attempt->elsewhere.size(); ++i) {
    if (attempt->elsewhere[i].launch.opposed && kept.count(planned + i) == 0) continue;
    launches.push_back(std::move(attempt->elsewhere[i]));
    if (planned + i < attempt->records.size())
      records.push_back(std::move(attempt->records[planned + i]));
  }
  attempt->elsewhere = std::move(launches);
  attempt->records = std::move(records);
}

Verdict GradingSession::judge_again(const Rubric& rubric, const GradeResult& result) {
  return judge({rubric, result.plan, result.records, result.solution, machine_.backend, ""});
}

GradeResult GradingSession::blank_result(const StagedSubmission& staged, size_t draw) {
  GradeResult result;
  Graded& g = result.graded;
  g.homework = rubric_.homework;
  g.submission = staged.name;
  g.identity = staged.identity;
  g.path = shown_name(staged.path, 1000);
  if (!staged.file.empty()) g.file = shown_word(staged.file, 1000);
  g.content_hash = staged.hash;
  g.source = staged.contents;
  g.config_hash = config_hash_;
  g.execution_hash = execution_hash_;
  g.execution = execution_;
  g.backend = machine_.backend;
  g.driver = machine_.driver;
  g.arch = tools_.arch;
  g.compiler = "nvcc " + tools_.nvcc_version;
  g.sandbox = to_string(sandbox_->strength());
  g.draw = static_cast<int64_t>(draw);
  g.seed = draws_.at(draw)->reference.seed;
  return result;
}

GradeResult GradingSession::not_graded(const SubmissionEntry& entry, const std::string& why) {
  StagedSubmission staged{entry.name, entry.path,    "", sha256("problem: " + why),
                          why,        entry.identity};
  GradeResult result = blank_result(staged, draw_of(staged));
  result.graded.device = machine_.devices.front().name;
  result.graded.verdict = infra_error(rubric_, why);
  result.graded.finished_at = utc_now();
  return result;
}

GradeResult GradingSession::finish(const StagedSubmission& staged, const BuildResult& build,
                                   const std::string& folder, int slot, int device) {
  GradeResult result = finish_on(draw_of(staged), staged, build, folder, slot, device);
  remove_tree(folder);
  return result;
}

GradeResult GradingSession::finish_on(size_t draw, const StagedSubmission& staged,
                                      const BuildResult& build, const std::string& folder, int slot,
                                      int device) {
  GradeResult result = blank_result(staged, draw);
  Graded& g = result.graded;
  g.device = machine_.devices.at(static_cast<size_t>(device)).name;
  g.module_hash = build.module_hash;
  g.code = build.code;
  g.build_seconds = build.seconds;
  result.plan = plan_submission(rubric_, g.seed);
  Attempt last = attempt_twice(&result, staged, build, folder, slot, device);
  g.verdict = std::move(last.verdict);
  g.ended = last.ended;
  result.records = std::move(last.records);
  result.plan.insert(result.plan.end(), last.elsewhere.begin(), last.elsewhere.end());
  // What is recorded of it has no launches of its own.
  if (!(result.records.empty() && g.ended.empty()) && !solution_module_.empty())
    result.solution = std::move(last.solution);
  // The machine is well: what failed twice it has just done with the solution. But who killed a
  // compiler is not known.
  if (g.verdict.kind == VerdictKind::kInfraError && !solution_module_.empty() && !last.killed)
    g.verdict = student_error(rubric_, "ungradable", g.verdict.message);
  g.finished_at = utc_now();
  return result;
}

GradingSession::Attempt GradingSession::attempt_twice(GradeResult* result,
                                                      const StagedSubmission& staged,
                                                      const BuildResult& build,
                                                      const std::string& folder, int slot,
                                                      int device) {
  Graded& g = result->graded;
  BuildResult current = build;
  std::string again;
  for (g.attempts = 1;; ++g.attempts) {
    Attempt one = attempt(result->plan, staged.contents, current, again.empty() ? folder : again,
                          static_cast<size_t>(g.draw), slot, device);
    g.run_seconds += one.run_seconds;
    one.killed = current.problem == "killed";
    bool doubtful = is_doubtful(one.verdict, one.records, machine_.backend);
    bool hard_on_gpu = machine_.backend == "gpu" &&
                       one.verdict.kind == VerdictKind::kStudentError && !one.records.empty();
    bool can_ask = !solution_module_.empty();
    const bool of_build = current.unanswered();
    if ((doubtful || hard_on_gpu) && can_ask) require_known_good(of_build, slot, device);
    if (!doubtful || !can_ask || g.attempts == kAttempts) {
      if (!again.empty()) remove_tree(again);
      return one;
    }
    if (!of_build) continue;
    current = this->build(staged, slot, &again);
    g.module_hash = current.module_hash;
    g.code = current.code;
    g.build_seconds += current.seconds;
  }
}

GradeResult GradingSession::grade(const StagedSubmission& staged, int slot, int device) {
  std::string folder;
  BuildResult built = build(staged, slot, &folder);
  return finish(staged, built, folder, slot, device);
}

BuildResult GradingSession::build_trusted(const std::string& contents,
                                          const std::vector<std::string>& flags, int slot,
                                          std::string* folder) {
  *folder = new_folder("trusted");
  BuildRequest request{contents, flags, *folder, true, slot};
  return build_module(request, rubric_, tools_, *sandbox_);
}

BuildResult GradingSession::build_given(int slot) {
  const std::string text =
      file_or_nothing(rubric_.starter.empty() ? "" : tools_.top + "/" + rubric_.starter);
  if (text.empty()) return {"infrastructure", "no starter", "", "", "", 0};
  const std::string folder = new_folder("given");
  BuildRequest request{text, {}, folder, true, slot, true};
  const BuildResult result = build_module(request, rubric_, tools_, *sandbox_);
  remove_tree(folder);
  return result;
}

}  // namespace lockstep::grader
