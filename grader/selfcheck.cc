// SPDX-License-Identifier: Apache-2.0
// grader selfcheck: is a homework fit to be given out? The solution earns everything, the starter
// what is stated, both on every one of many draws; wrong submissions fail, each threshold stands
// clear of both the solution and something naive, and nothing in the rubric can be bent. Each
// finding is a line; any "FAIL" makes the exit code 1.
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <set>
#include <sstream>

#include "common/backend/module_files.h"
#include "common/base/error.h"
#include "common/harness/metrics.h"
#include "grader/commands.h"
#include "grader/recorded_values.h"
#include "grader/report.h"
#include "grader/rubric_faults.h"
#include "grader/sha256.h"

namespace lockstep::grader {
namespace {

// What an author must have thought of; files in [selfcheck] wrong are named so.
constexpr const char* kUsualCheats[] = {"empty", "copy", "zeros", "stale", "off_by_one", "half"};

class SelfCheck {
 public:
  explicit SelfCheck(GradingSession& session)
      : session_(session), rubric_(session.rubric()), top_(session.tools().top) {}

  std::vector<Finding> run() {
    const auto sizes = ask_default_sizes(rubric_.homework, session_.tools());
    for (const std::string& fault : rubric_faults(rubric_, sizes)) note(false, fault);
    solution();
    starter();
    wrong();
    naive();
    thresholds();
    grants();
    for (const Finding& one : recorded_values(session_)) note(one.good, one.text);
    return findings_;
  }

 private:
  void note(bool good, const std::string& text) { findings_.push_back({good, text}); }

  // On the first draws of the session, which are all alike.
  std::vector<GradeResult> graded(const std::string& name, const std::string& file,
                                  const std::vector<std::string>& flags, size_t draws) {
    std::string contents = source(file), folder;
    StagedSubmission staged{name, name, contents, sha256(contents), "", name};
    BuildResult build = session_.build_trusted(contents, flags, 1, &folder);
    std::vector<GradeResult> results;
    for (size_t draw = 0; draw < draws; ++draw)
      results.push_back(session_.finish_on(draw, staged, build, folder, 1, 0));
    return results;
  }

  // Every draw must give the same points; told are those of the first that does not.
  void points_on_all_draws(const std::string& who, const std::vector<GradeResult>& results,
                           std::optional<double> stated) {
    for (const GradeResult& result : results) {
      const Verdict& v = result.graded.verdict;
      double expected = stated ? *stated : v.max_points - v.undecided_points;
      bool undecided = stated && v.undecided_points > 0;
      bool good = v.kind != VerdictKind::kInfraError &&
                  (std::fabs(v.points - expected) < 0.005 || undecided);
      if (good) continue;
      return note(false, who + " earns " + format_number(v.points) + " of " +
                             format_number(v.max_points) + " on the draw of seed " +
                             std::to_string(result.graded.seed) + ", expected " +
                             format_number(expected) + described_undecided(v) + details(v));
    }
    const Verdict& v = results.front().graded.verdict;
    note(true, who + " earns " + format_number(v.points) + " of " + format_number(v.max_points) +
                   " on " + std::to_string(results.size()) + " draws" + described_undecided(v));
  }

  void solution() {
    if (rubric_.solution.empty()) return note(false, "the rubric names no [solution] file");
    solution_ = graded("solution", rubric_.solution, rubric_.solution_flags, session_.draws());
    points_on_all_draws("the solution", solution_, std::nullopt);
  }

  void starter() {
    if (rubric_.starter.empty() || !rubric_.starter_points) return;
    starter_ = graded("starter", rubric_.starter, {}, session_.draws());
    points_on_all_draws("the starter", starter_, rubric_.starter_points);
  }

  void wrong() {
    for (const char* name : kUsualCheats) {
      bool there = false;
      for (const std::string& file : rubric_.wrong)
        there = there || std::filesystem::path(file).stem() == name;
      if (!there) note(false, std::string("[selfcheck] wrong has no file named ") + name + ".cu");
    }
    for (const std::string& file : rubric_.wrong) {
      const Verdict v = graded(file, file, {}, 1).front().graded.verdict;
      bool fails = v.kind == VerdictKind::kFail || v.kind == VerdictKind::kStudentError;
      note(fails && v.points < 1e-9,
           file + ": " + verdict_words(v) + ", " + format_number(v.points) + " points");
    }
  }

  void naive() {
    for (const std::string& file : rubric_.naive)
      naive_.push_back(graded(file, file, {}, 1).front());
    for (const GradeResult& result : naive_)
      note(result.graded.verdict.kind == VerdictKind::kPartial,
           result.graded.submission + ": " + verdict_words(result.graded.verdict) + ", " +
               format_number(result.graded.verdict.points) + " points");
  }

  // How far check number i is on the good side of its threshold, as a share of the threshold.
  static std::optional<double> clearance(const Verdict& verdict, size_t i) {
    if (i >= verdict.checks.size()) return std::nullopt;
    const CheckOutcome& c = verdict.checks[i];
    return c.status == CheckStatus::kNotMeasured ? std::nullopt : c.clearance;
  }

  static std::optional<double> least_clearance(const std::vector<Verdict>& verdicts, size_t i) {
    std::optional<double> least;
    for (const Verdict& verdict : verdicts)
      if (auto c = clearance(verdict, i); c && (!least || *c < *least)) least = c;
    return least;
  }

  void thresholds() {
    // Each check by itself, whatever else it requires.
    Rubric ungated = rubric_;
    for (CheckRule& rule : ungated.checks) rule.requires_checks.clear();
    std::vector<Verdict> ours, theirs;
    for (const GradeResult& result : solution_)
      ours.push_back(session_.judge_again(ungated, result));
    for (const auto* results : {&starter_, &naive_})
      for (const GradeResult& result : *results)
        theirs.push_back(session_.judge_again(ungated, result));
    for (size_t i = 0; i < rubric_.checks.size() && !ours.empty(); ++i) {
      const CheckRule& rule = rubric_.checks[i];
      if (rule.kind != CheckKind::kMetric) continue;
      const CheckOutcome& first = ours.front().checks.at(i);
      if (first.status == CheckStatus::kNotMeasured) {
        note(true,
             rule.id + ": not measured here (" + first.message + ")\n" + first.quoted.marked());
        continue;
      }
      std::optional<double> good = least_clearance(ours, i), worst = least_clearance(theirs, i);
      bool clear = good && *good >= rubric_.margin && worst && *worst <= -rubric_.margin;
      note(clear, rule.id + ": the solution is " + percent(good) +
                      " on the good side, the worst naive submission " +
                      percent(worst ? std::optional<double>(-*worst) : std::nullopt) +
                      " on the other");
    }
  }

  // What is granted for each warp must not be most of a limit: then one who does several times the
  // work passes. The launch on which a warp has most to do tells, where the kernel is always
  // launched: of one that is drawn now and then too few launches are seen.
  void grants() {
    for (const CheckRule& rule : rubric_.checks)
      if (rule.plus_per_warp > 0 && rule.relative_to == RelativeTo::kSolution)
        for (const std::string& kernel : rubric_.kernels_of(rule)) grant_of_kernel(rule, kernel);
  }

  void grant_of_kernel(const CheckRule& rule, const std::string& kernel) {
    std::optional<double> most;
    std::string unused;
    for (const GradeResult& result : solution_)
      for (size_t i = 0; i < result.plan.size() && i < result.records.size(); ++i) {
        const Record& record = result.records[i];
        if (result.plan[i].launch.kernel != kernel || !looks_at(rubric_, rule, result.plan[i]) ||
            rubric_.find_run(result.plan[i].run)->drawn_kernels > 0)
          continue;
        const auto warps = double(record.grid.count() * ((record.block.count() + 31) / 32));
        const double an_element = rule.plus_per_element * double(record.elements);
        if (auto value = metric_value(record, rule.metric, &unused))
          most = std::max(most.value_or(0), (value->value + an_element) / warps);
      }
    if (most && rule.plus_per_warp > *most)
      note(false, rubric_.path + ":" + std::to_string(rule.line) + ": check " + rule.id +
                      " grants a warp of " + kernel + " " + format_number(rule.plus_per_warp) +
                      " " + rule.metric +
                      " besides, and the solution's, with what is granted an element, are " +
                      format_number(*most) + " at most: grant less, or count larger sizes");
  }

  static std::string percent(std::optional<double> share) {
    return share ? format_number(std::round(*share * 100)) + " %" : "nowhere";
  }
  static std::string described_undecided(const Verdict& v) {
    return v.undecided_points > 0 ? " (" + format_number(v.undecided_points) + " not measured)"
                                  : "";
  }
  static std::string details(const Verdict& v) {
    std::string text;
    if (!v.message.empty()) text += "\n    " + v.message;
    if (!v.quoted.empty()) text += "\n" + v.quoted.marked();
    for (const CheckOutcome& c : v.checks)
      if (c.status == CheckStatus::kFail || c.status == CheckStatus::kPartial)
        text += "\n    " + c.id + ": " + c.message;
    return text;
  }
  // An #include of a .cuh file beside it is put in place: a submission is one file.
  std::string source(const std::string& file) const {
    std::filesystem::path path = std::filesystem::path(top_) / file;
    std::istringstream lines(read_file(path, 1 << 20));
    std::string text;
    for (std::string line; std::getline(lines, line);) {
      size_t quote = line.find('"', 10);
      bool include = line.rfind("#include \"", 0) == 0 && quote != std::string::npos &&
                     line.compare(quote - 4, 4, ".cuh") == 0;
      text += include ? read_file(path.parent_path() / line.substr(10, quote - 10), 1 << 20)
                      : line + "\n";
    }
    return text;
  }

  GradingSession& session_;
  const Rubric& rubric_;
  std::string top_;
  std::vector<GradeResult> solution_, starter_, naive_;
  std::vector<Finding> findings_;
};

// Before anything is executed.
void require_samples(const GradingSession& session) {
  const Rubric& rubric = session.rubric();
  for (const std::vector<std::string>* files : {&rubric.wrong, &rubric.naive})
    for (const std::string& file : *files)
      if (!std::filesystem::exists(session.tools().top + "/" + file))
        throw Error(rubric.path + ": [selfcheck] names " + file +
                    ", which is not there: write it, or take it from the list");
}

}  // namespace

int selfcheck_command(const CommandOptions& options) {
  SessionOptions settings = options.session;
  settings.threads = 0;
  settings.draws = static_cast<size_t>(options.draws);
  TemporaryWork work;
  GradingSession session(settings, work.path() + "/work");
  work.open_for(session.sandbox());
  require_samples(session);
  try {
    session.prepare_reference();
    if (options.record) {
      record_values(session);
      return kExitGood;
    }
  } catch (const MachineUnwell& e) {  // an author is at work: the homework is to blame
    throw Error(session.rubric().homework + " is NOT fit to be given out: " + e.why(), kExitWrong);
  }
  std::vector<Finding> findings = SelfCheck(session).run();
  bool good = true;
  nlohmann::json list = nlohmann::json::array();
  for (const Finding& f : findings) {
    good = good && f.good;
    list.push_back({{"good", f.good}, {"text", f.text}});
    if (!options.json) std::printf("  [%s] %s\n", f.good ? "good" : "FAIL", f.text.c_str());
  }
  if (options.json)
    std::fputs(json_line({{"homework", session.rubric().homework},
                          {"backend", session.machine().backend},
                          {"good", good},
                          {"findings", list}})
                   .c_str(),
               stdout);
  else
    std::printf("%s on the %s: %s\n", session.rubric().homework.c_str(),
                session.machine().backend.c_str(),
                good ? "fit to be given out" : "NOT fit to be given out");
  return good ? kExitGood : kExitWrong;
}

}  // namespace lockstep::grader
