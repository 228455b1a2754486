// SPDX-License-Identifier: Apache-2.0
// grader selfcheck: is a homework fit to be given out? The solution earns everything, the starter
// what is stated, wrong submissions fail, and each threshold stands clear of both the solution and
// something naive. Each finding is a line; any "FAIL" makes the exit code 1.
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include "common/error.h"
#include "common/module_files.h"
#include "grader/commands.h"
#include "grader/report.h"

namespace lockstep::grader {
namespace {

// What an author must have thought of; files in [selfcheck] wrong are named so.
constexpr const char* kUsualCheats[] = {"empty", "copy", "zeros", "stale", "off_by_one", "half"};

struct Finding {
  bool good;
  std::string text;
};

class SelfCheck {
 public:
  explicit SelfCheck(GradingSession& session)
      : session_(session), rubric_(session.rubric()), top_(session.tools().top) {}

  std::vector<Finding> run() {
    solution();
    starter();
    wrong();
    naive();
    thresholds();
    recorded();
    return findings_;
  }

 private:
  void note(bool good, const std::string& text) { findings_.push_back({good, text}); }

  void solution() {
    if (rubric_.solution.empty()) return note(false, "the rubric names no [solution] file");
    solution_ =
        session_.grade_trusted("solution", source(rubric_.solution), rubric_.solution_flags, 1, 0);
    const Verdict& v = solution_.graded.verdict;
    double decided = v.max_points - v.undecided_points;
    note(v.points >= decided - 1e-9 && v.kind != VerdictKind::kInfraError,
         "the solution earns " + format_number(v.points) + " of " + format_number(v.max_points) +
             described_undecided(v) + details(v));
  }

  void starter() {
    if (rubric_.starter.empty() || !rubric_.starter_points) return;
    starter_ = session_.grade_trusted("starter", source(rubric_.starter), {}, 1, 0);
    const Verdict& v = starter_.graded.verdict;
    bool as_stated = std::fabs(v.points - *rubric_.starter_points) < 0.005;
    note(as_stated || v.undecided_points > 0,
         "the starter earns " + format_number(v.points) +
             "; stated: " + format_number(*rubric_.starter_points) + described_undecided(v) +
             (as_stated ? "" : details(v)));
  }

  void wrong() {
    for (const char* name : kUsualCheats) {
      bool there = false;
      for (const std::string& file : rubric_.wrong)
        there = there || std::filesystem::path(file).stem() == name;
      if (!there) note(false, std::string("[selfcheck] wrong has no file named ") + name + ".cu");
    }
    for (const std::string& file : rubric_.wrong) {
      GradeResult result = session_.grade_trusted(file, source(file), {}, 1, 0);
      const Verdict& v = result.graded.verdict;
      bool fails = v.kind == VerdictKind::kFail || v.kind == VerdictKind::kStudentError;
      note(fails && v.points < 1e-9,
           file + ": " + verdict_words(v) + ", " + format_number(v.points) + " points");
    }
  }

  void naive() {
    for (const std::string& file : rubric_.naive)
      naive_.push_back(session_.grade_trusted(file, source(file), {}, 1, 0));
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

  void thresholds() {
    // Each check by itself, whatever else it requires.
    Rubric ungated = rubric_;
    for (CheckRule& rule : ungated.checks) rule.requires_checks.clear();
    Verdict ours = session_.judge_again(ungated, solution_);
    std::vector<Verdict> theirs = {session_.judge_again(ungated, starter_)};
    for (const GradeResult& result : naive_)
      theirs.push_back(session_.judge_again(ungated, result));
    for (size_t i = 0; i < rubric_.checks.size() && i < ours.checks.size(); ++i) {
      const CheckRule& rule = rubric_.checks[i];
      if (rule.kind != CheckKind::kMetric) continue;
      if (ours.checks[i].status == CheckStatus::kNotMeasured) {
        note(true, rule.id + ": not measured here (" + ours.checks[i].message + ")");
        continue;
      }
      std::optional<double> good = clearance(ours, i), worst;
      for (const Verdict& verdict : theirs)
        if (auto c = clearance(verdict, i); c && (!worst || *c < *worst)) worst = c;
      bool clear = good && *good >= rubric_.margin && worst && *worst <= -rubric_.margin;
      note(clear, rule.id + ": the solution is " + percent(good) +
                      " on the good side, the worst naive submission " +
                      percent(worst ? std::optional<double>(-*worst) : std::nullopt) +
                      " on the other");
    }
  }

  void recorded() {
    for (const Recorded& r : rubric_.recorded) {
      if (r.backend != session_.machine().backend) continue;
      std::optional<double> now;
      std::string why;
      for (const Record& record : session_.solution_records())
        if (record.kernel == r.kernel)
          if (auto value = metric_value(record, r.metric, &why)) now = value->value;
      bool holds = now && std::fabs(*now - r.value) <= rubric_.margin * std::fabs(r.value) + 1e-9;
      note(holds, "recorded " + r.metric + " of " + r.kernel + " is " + format_number(r.value) +
                      ", measured " + (now ? format_number(*now) : "nothing"));
    }
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
  GradeResult solution_, starter_;
  std::vector<GradeResult> naive_;
  std::vector<Finding> findings_;
};

// [[recorded]] tables of what the rubric compares with the solution, to be put into the rubric.
void print_recorded(const GradingSession& session) {
  const Rubric& rubric = session.rubric();
  std::map<std::string, std::set<std::string>> wanted;
  for (const CheckRule& check : rubric.checks)
    if (check.relative_to == RelativeTo::kSolution) {
      wanted[check.metric].insert(check.kernels.begin(), check.kernels.end());
      for (const std::string& id : check.runs)
        if (const RunRule* run = rubric.find_run(id); check.kernels.empty())
          wanted[check.metric].insert(run->kernels.begin(), run->kernels.end());
    }
  for (const auto& [metric, kernels] : wanted) {
    std::map<std::string, std::string> values;
    std::string why;
    for (const Record& record : session.solution_records())
      if (auto value = metric_value(record, metric, &why); value && kernels.count(record.kernel))
        values[record.kernel] = format_number(value->value);
    std::printf("\n[[recorded]]\nbackend = \"%s\"\nmetric = \"%s\"\n[recorded.values]\n",
                session.machine().backend.c_str(), metric.c_str());
    for (const auto& [kernel, value] : values)
      std::printf("\"%s\" = %s\n", kernel.c_str(), value.c_str());
  }
}

}  // namespace

int selfcheck_command(const CommandOptions& options) {
  SessionOptions settings = options.session;
  settings.threads = 0;
  TemporaryWork work;
  GradingSession session(settings, work.path() + "/work");
  session.prepare_reference();
  if (options.record) {
    print_recorded(session);
    return kExitGood;
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
