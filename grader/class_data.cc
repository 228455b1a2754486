// SPDX-License-Identifier: Apache-2.0
// A class's page. See pages.h.
#include <algorithm>
#include <cmath>
#include <set>

#include "common/harness/page_parts.h"
#include "grader/pages.h"
#include "grader/report.h"

namespace lockstep::grader {
namespace {

using nlohmann::json;

// Of a check that was decided by another, or where nothing was run.
constexpr char kWaits = 'w';

char letter_of(const Graded& g, const CheckOutcome& c) {
  const bool nothing_run = g.verdict.kind == VerdictKind::kStudentError && g.module_hash.empty();
  if (nothing_run || (!c.waits_for.empty() && c.status != CheckStatus::kPass)) return kWaits;
  switch (c.status) {
    case CheckStatus::kPass:
      return 'p';
    case CheckStatus::kPartial:
      return 'h';
    case CheckStatus::kFail:
      return 'f';
    case CheckStatus::kReview:
      return 'r';
    case CheckStatus::kNotMeasured:
      return 'n';
    case CheckStatus::kHidden:
      return 'x';
  }
  return ' ';
}

// In the order of the latest grading; those that only earlier ones have behind them.
std::vector<const CheckOutcome*> checks_of(const std::vector<Graded>& students) {
  std::vector<const Graded*> newest;
  for (const Graded& g : students) newest.push_back(&g);
  std::stable_sort(newest.begin(), newest.end(),
                   [](const Graded* a, const Graded* b) { return a->id > b->id; });
  std::vector<const CheckOutcome*> checks;
  std::set<std::string> ids;
  for (const Graded* g : newest)
    for (const CheckOutcome& c : g->verdict.checks)
      if (ids.insert(c.id).second) checks.push_back(&c);
  return checks;
}

json student_json(const Graded& g, const std::string& file,
                  const std::vector<const CheckOutcome*>& checks) {
  const Verdict& v = g.verdict;
  std::string letters;
  int first = -1;
  for (size_t i = 0; i < checks.size(); ++i) {
    const auto own = std::find_if(v.checks.begin(), v.checks.end(),
                                  [&](const CheckOutcome& c) { return c.id == checks[i]->id; });
    letters += own == v.checks.end() ? ' ' : letter_of(g, *own);
    const bool missed = letters.back() == 'f' || letters.back() == 'h';
    if (missed && first < 0) first = static_cast<int>(i);
  }
  // The words of a verdict without its kind, which stands before them.
  std::string reason = verdict_words(v);
  const size_t at = reason.find(" (");
  reason = at == std::string::npos ? "" : reason.substr(at + 2, reason.size() - at - 3);
  return {{"name", g.submission},
          {"file", file},
          {"verdict", to_string(v.kind)},
          {"words", verdict_words(v)},
          {"reason", v.kind == VerdictKind::kInfraError ? "" : reason},
          {"points", v.kind == VerdictKind::kInfraError ? json() : json(v.points)},
          {"max", v.max_points},
          {"checks", letters},
          {"first", first},
          {"review", v.review_points},
          {"weak", g.sandbox == "weak"}};
}

json similar_json(const std::vector<Fingerprint>& codes) {
  json groups = json::array();
  for (const SimilarGroup& group : similar_groups(codes))
    groups.push_back({{"members", group.members}, {"least", group.least}, {"most", group.most}});
  return groups;
}

// What all have in common is told once; where they differ, all that there is.
json facts_of(const std::vector<Graded>& students) {
  const auto all = [&](auto field) {
    std::set<std::string> values;
    for (const Graded& g : students) values.insert(field(g));
    std::string text;
    for (const std::string& value : values)
      if (!value.empty()) text += (text.empty() ? "" : "; ") + value;
    return text.empty() ? "none" : text;
  };
  std::string first, last;
  for (const Graded& g : students) {
    if (first.empty() || g.finished_at < first) first = g.finished_at;
    last = std::max(last, g.finished_at);
  }
  return facts_json({{"Backend", all([](const Graded& g) { return g.backend; })},
                     {"Device", all([](const Graded& g) { return g.device; })},
                     {"Driver", all([](const Graded& g) { return g.driver; })},
                     {"Compiler", all([](const Graded& g) { return g.compiler; })},
                     {"Sandbox", all([](const Graded& g) { return g.sandbox; })},
                     {"Graded", first + " to " + last},
                     {"Homework, solution and grader (SHA-256)",
                      all([](const Graded& g) { return g.config_hash; })}});
}

}  // namespace

json class_data(const std::vector<Graded>& students, const std::vector<std::string>& files,
                const std::vector<Fingerprint>& codes, size_t absent, const PageNames& names) {
  const std::vector<const CheckOutcome*> checks = checks_of(students);
  json list = json::array(), rows = json::array();
  for (const CheckOutcome* c : checks)
    list.push_back(
        {{"id", c->id}, {"title", c->title}, {"max", c->max_points}, {"hidden", c->hidden}});
  double most = 0;
  for (size_t i = 0; i < students.size(); ++i) {
    rows.push_back(student_json(students[i], files[i], checks));
    most = std::max(most, students[i].verdict.max_points);
  }
  const auto not_compared = std::count_if(
      codes.begin(), codes.end(), [](const Fingerprint& code) { return code.size() < kLeastRuns; });
  return {{"homework", students.empty() ? "" : students[0].homework},
          {"title", names.title},
          {"max", most},
          {"facts", facts_of(students)},
          {"checks", list},
          {"students", rows},
          {"similar", similar_json(codes)},
          {"similar_words",
           "The share of their machine code that both have, without what was given; names, "
           "comments and layout do not change it. From " +
               std::to_string(static_cast<int>(std::lround(100 * kVerySimilar))) +
               " % on. It is a reason to look, and no proof: a short kernel has few good forms."},
          {"not_compared", not_compared},
          {"absent", absent}};
}

}  // namespace lockstep::grader
