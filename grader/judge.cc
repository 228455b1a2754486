// SPDX-License-Identifier: Apache-2.0
// Verdicts: the checks summed up, and what else the records tell. See judge.h.
#include "grader/judge.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <set>

#include "common/backend/metric_names.h"
#include "common/base/text.h"
#include "grader/bench.h"
#include "grader/judge_check.h"

namespace lockstep::grader {
namespace {

// As a share of the limit. The compiler, too, has more than one way through a loop, which cost
// nearly the same, and a loop of few turns may take one more.
constexpr double kClearlyWorse = 0.5;

// "/src/./hw02/hw02.cu:81" as "hw02.cu:81": the folders are those of the cage.
std::string without_folders(std::string text, const std::string& file) {
  auto of_path = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || std::strchr("/._-", c) != nullptr;
  };
  for (size_t at = text.find("/" + file); at != std::string::npos; at = text.find("/" + file)) {
    size_t begin = at;
    while (begin > 0 && of_path(text[begin - 1])) --begin;
    text.erase(begin, at + 1 - begin);
  }
  return text;
}

}  // namespace

Quoted quoted_of(const Record& record, const std::string& file) {
  return Quoted(without_folders(record.check.quoted.raw(), file));
}

std::string lines_of(const std::string& message, const std::string& file, size_t most) {
  std::string text = printable(message, true);
  text = without_folders(std::move(text), file);
  size_t at = 0;
  for (size_t n = 0; n < most && at != std::string::npos; ++n) {
    at = text.find('\n', at);
    if (at != std::string::npos) ++at;
  }
  if (at != std::string::npos) text.resize(at);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

bool Verdict::has_hidden() const {
  return std::any_of(checks.begin(), checks.end(),
                     [](const CheckOutcome& c) { return c.status == CheckStatus::kHidden; });
}

namespace {

// Of a hidden check a student learns that it is there.
void add_hidden(const Rubric& rubric, Verdict* verdict) {
  for (const std::string& id : rubric.hidden_checks) {
    CheckOutcome out;
    out.id = id;
    out.status = CheckStatus::kHidden;
    out.hidden = true;
    verdict->checks.push_back(std::move(out));
  }
}

// The first fault that is an error of the student's, or of ours.
void note_faults(const JudgeInput& input, Verdict* verdict) {
  for (const Record& record : input.records) {
    const CheckResult& check = record.check;
    std::string reason;
    if (check.status == "guard") reason = "out_of_bounds";
    if (check.status == "fault") reason = reason_of_fault(check.fault_kind);
    if (reason.empty() || reason == "unsupported") continue;
    // A launch that was cut is no error of the submission: what it earned besides is its verdict.
    if (reason == "too_slow") {
      if (verdict->kind != VerdictKind::kPass) verdict->reason = reason;
      continue;
    }
    verdict->kind = reason == "protocol" ? VerdictKind::kInfraError : VerdictKind::kStudentError;
    verdict->reason = reason;
    verdict->message = lines_of(check.message, input.rubric.file, 4);
    verdict->quoted = quoted_of(record, input.rubric.file);
    return;
  }
}

// Of each check without points, those of all that require it, and what requires them.
void mark_gates(const Rubric& rubric, Verdict* verdict) {
  for (CheckOutcome& gate : verdict->checks) {
    if (gate.max_points > 0) continue;
    std::set<std::string> hanging = {gate.id};  // a check requires earlier ones alone
    for (const CheckRule& check : rubric.checks) {
      const auto& needed = check.requires_checks;
      if (std::none_of(needed.begin(), needed.end(),
                       [&](const std::string& id) { return hanging.contains(id); }))
        continue;
      hanging.insert(check.id);
      gate.blocks += check.points;
    }
  }
}

void sum_up(Verdict* verdict) {
  for (const CheckOutcome& check : verdict->checks) {
    verdict->points += check.points;
    verdict->max_points += check.max_points;
    if (check.status == CheckStatus::kNotMeasured) verdict->undecided_points += check.max_points;
    if (check.status == CheckStatus::kReview)
      verdict->review_points += check.at_stake * check.max_points;
  }
}

VerdictKind kind_of_points(const Verdict& v) {
  constexpr double kSlack = 1e-9;
  double decided = v.max_points - v.undecided_points;
  if (v.points >= v.max_points - kSlack) return VerdictKind::kPass;
  if (v.review_points > 0) return VerdictKind::kReview;
  if (v.undecided_points > 0 && v.points >= decided - kSlack) return VerdictKind::kNotMeasured;
  return v.points > kSlack ? VerdictKind::kPartial : VerdictKind::kFail;
}

// Of the check's launches, that of a kernel whose comparisons cannot be looked at.
std::optional<size_t> not_looked_at(const JudgeInput& input, const CheckRule& check) {
  for (size_t i = 0; i < input.plan.size(); i++)
    if (const auto& opposed = input.plan[i].launch.opposed)
      if (opposed->instructions.empty() && looks_at(input.rubric, check, input.plan[i])) return i;
  return std::nullopt;
}

// What is lost already stays lost, whatever the person says.
void leave_to_a_person(CheckOutcome* seen) {
  seen->status = CheckStatus::kReview;
  seen->at_stake = seen->share;
  seen->points = seen->share = 0;
}

// How much less may be written by drawn blocks than by the solution's: blocks are not all alike.
constexpr double kWrittenAtLeast = 0.95;

// What is counted has checks of its own that look at what it does there.
bool is_counted(const Rubric& rubric, const std::string& kernel) {
  return std::any_of(rubric.runs.begin(), rubric.runs.end(), [&](const RunRule& run) {
    return run.counters &&
           std::find(run.kernels.begin(), run.kernels.end(), kernel) != run.kernels.end();
  });
}

// Of the check's launches as large as a card's, one whose blocks tell nothing, or do less than the
// solution's, so that others must do more. What it does there is for a person to decide.
std::optional<size_t> not_seen_large(const Bench& bench, const CheckRule& check) {
  const JudgeInput& input = bench.in();
  std::string unused;
  for (size_t i = 0; i < input.plan.size() && i < input.records.size(); i++) {
    const PlannedLaunch& launch = input.plan[i].launch;
    if (!launch.drawn || launch.opposed) continue;
    if (!looks_at(input.rubric, check, input.plan[i])) continue;
    if (check.kind == CheckKind::kCorrect && is_counted(input.rubric, launch.kernel)) continue;
    const Record* solution = bench.of_solution(i, launch.kernel);
    if (solution == nullptr || solution->check.status != "correct") continue;
    // Not where others before it have used up what all may take.
    const CheckResult& result = input.records[i].check;
    if (result.status == "not_run" && !result.quoted.raw().empty()) return i;
    if (!bench.tells(i)) continue;
    const auto ours = metric_value(input.records[i], metric::kWrittenElements, &unused);
    const auto theirs = metric_value(*solution, metric::kWrittenElements, &unused);
    if (ours && theirs && ours->value < kWrittenAtLeast * theirs->value) return i;
  }
  return std::nullopt;
}

void doubt_large(const Bench& bench, const CheckRule& check, CheckOutcome* seen) {
  if (!(seen->share > 0)) return;
  const auto i = not_seen_large(bench, check);
  if (!i) return;
  leave_to_a_person(seen);
  const PlannedLaunch& launch = bench.in().plan[*i].launch;
  const CheckResult& result = bench.in().records[*i].check;
  seen->kernel = launch.kernel;
  seen->message = launch.kernel + ": what it does in a launch as large as a card's (" +
                  std::to_string(launch.vectors) +
                  " vectors) cannot be told by some of its blocks" +
                  (result.status == "correct" ? ", which do less than the solution's" : "") +
                  ": a person has to decide";
  if (result.status != "correct") seen->quoted = result.quoted;
}

// A comparison that had one answer in all launches, whatever was drawn and searched for, decides
// something that was not seen. Where the result is right with the other answer, too, and costs far
// more than may be, the code has two ways to it, and nobody knows what leads to the worse one: the
// points of what that costs are for a person to decide.
void doubt(const Bench& with_opposed, const CheckRule& check,
           const std::vector<CheckOutcome>& earlier, CheckOutcome* seen) {
  if (!(seen->share > 0) || check.kind == CheckKind::kCorrect) return;
  const JudgeInput& input = with_opposed.in();
  if (const auto i = not_looked_at(input, check)) {
    leave_to_a_person(seen);
    seen->opposed = *i;
    seen->kernel = input.plan[*i].launch.kernel;
    seen->message = seen->kernel +
                    ": what it does where its comparisons come out the other way than in all "
                    "launches cannot be looked at: a person has to decide";
    if (*i < input.records.size()) seen->quoted = input.records[*i].check.quoted;
    return;
  }
  const CheckOutcome other = judge_check(with_opposed, check, earlier);
  if (!other.opposed || !(other.clearance.value_or(0) < -kClearlyWorse)) return;
  const int line = input.plan[*other.opposed].launch.opposed->line;
  leave_to_a_person(seen);
  seen->opposed = other.opposed;
  seen->kernel = other.kernel;
  seen->measured = other.measured;
  seen->threshold = other.threshold;
  seen->clearance = other.clearance;
  const std::string place =
      line > 0 ? input.rubric.file + ":" + std::to_string(line) + ": " : std::string();
  const bool told = std::any_of(earlier.begin(), earlier.end(), [&](const CheckOutcome& one) {
    return one.opposed && input.plan[*one.opposed].launch.opposed->line == line;
  });
  seen->message =
      told ? place + "with the other answer, as above,\n" + other.message
           : place +
                 "what is compared here had the same answer in every launch; with the other "
                 "answer the result is right, too, but\n" +
                 other.message +
                 "\nwhich of the two ways is taken elsewhere is not known: a person has to decide";
}

bool has_opposed(const JudgeInput& input) {
  return std::any_of(input.plan.begin(), input.plan.end(),
                     [](const GradedLaunch& one) { return one.launch.opposed.has_value(); });
}

}  // namespace

Verdict judge(const JudgeInput& input) {
  Verdict verdict;
  const Bench bench(input);
  std::optional<Bench> with_opposed;
  if (has_opposed(input)) with_opposed.emplace(input, true);
  for (const CheckRule& check : input.rubric.checks) {
    CheckOutcome outcome = judge_check(bench, check, verdict.checks);
    doubt_large(bench, check, &outcome);
    if (with_opposed) doubt(*with_opposed, check, verdict.checks, &outcome);
    verdict.checks.push_back(std::move(outcome));
  }
  mark_gates(input.rubric, &verdict);
  sum_up(&verdict);
  verdict.kind = kind_of_points(verdict);
  note_faults(input, &verdict);
  if (!input.ended.empty()) {
    verdict.kind = VerdictKind::kStudentError;
    verdict.reason = input.ended;
    verdict.message = "all launches together passed the limit of this homework";
  }
  add_hidden(input.rubric, &verdict);
  return verdict;
}

Verdict student_error(const Rubric& rubric, const std::string& reason, const std::string& message,
                      Quoted quoted) {
  Verdict verdict;
  verdict.kind = VerdictKind::kStudentError;
  verdict.reason = reason;
  verdict.message = printable(message, true);
  verdict.quoted = std::move(quoted);
  for (const CheckRule& rule : rubric.checks) {
    CheckOutcome out;
    out.id = rule.id;
    out.title = rule.title;
    out.max_points = rule.points;
    out.hidden = rule.visibility == Visibility::kHidden;
    out.status = CheckStatus::kFail;
    out.message = "nothing was run";
    verdict.checks.push_back(out);
  }
  sum_up(&verdict);
  add_hidden(rubric, &verdict);
  return verdict;
}

Verdict infra_error(const Rubric& rubric, const std::string& message, Quoted quoted) {
  Verdict verdict;
  verdict.kind = VerdictKind::kInfraError;
  verdict.reason = lines_of(message, rubric.file, 1);
  verdict.message = printable(message, true);
  verdict.quoted = std::move(quoted);
  verdict.max_points = rubric.points;
  verdict.undecided_points = rubric.points;
  add_hidden(rubric, &verdict);
  return verdict;
}

}  // namespace lockstep::grader
