// SPDX-License-Identifier: Apache-2.0
// Verdicts: the checks summed up, and what else the records tell. See judge.h.
#include "grader/judge.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <set>

#include "common/base/text.h"
#include "grader/bench.h"
#include "grader/judge_check.h"

namespace lockstep::grader {
namespace {

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
    if (check.status == CheckStatus::kReview) verdict->review_points += check.max_points;
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

}  // namespace

Verdict judge(const JudgeInput& input) {
  Verdict verdict;
  const Bench bench(input);
  for (const CheckRule& check : input.rubric.checks)
    verdict.checks.push_back(judge_check(bench, check, verdict.checks));
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
