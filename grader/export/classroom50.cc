// SPDX-License-Identifier: Apache-2.0
// Classroom 50's result.json (classroom50/result/v1). It knows whole numbers only, so points are
// written in hundredths: what is not all stays below all, and what is not nothing stays above it.
#include <algorithm>
#include <cmath>

#include "grader/export/write.h"

namespace lockstep::grader {
namespace {

// How many a point is, for all submissions of a homework alike: every maximum is whole then, and
// there is room between nothing and all.
int64_t units_of_point(const std::vector<SheetCheck>& checks) {
  int64_t units = 100;
  for (const SheetCheck& c : checks) {
    const auto fits = [&] {
      const double whole = c.max_points * double(units);
      return c.max_points == 0 || (whole >= 2 && std::fabs(whole - std::round(whole)) < 1e-6);
    };
    while (units < 1000000 && !fits()) units *= 10;
  }
  return units;
}

// Whole points: all only where all are earned, 0 only where none are.
int64_t whole_points(double points, double most, int64_t units) {
  const int64_t all = std::llround(most * double(units));
  if (points >= most) return all;
  if (!(points > 0) || all < 2) return 0;
  return std::clamp<int64_t>(int64_t(std::floor(points * double(units) + 1e-6)), 1, all - 1);
}

// Text of GitHub's, or of the runner's environment.
std::string setting(const FormatSettings& settings, const std::string& key,
                    const std::string& otherwise) {
  const auto found = settings.environment.find(key);
  return found == settings.environment.end() || found->second.empty() ? otherwise : found->second;
}

Json tests_of(const SheetRow& row, int64_t units, int64_t* sum, int64_t* most) {
  Json tests = Json::array();
  for (const SheetCheck& c : row.checks) {
    if (!c.points) continue;
    const int64_t score = whole_points(*c.points, c.max_points, units);
    const int64_t all = std::llround(c.max_points * double(units));
    *sum += score;
    *most += all;
    tests.push_back({{"test-name", c.title.empty() ? c.id : c.title},
                     {"passed", c.status == CheckStatus::kPass},
                     {"score", score},
                     {"max-score", all},
                     {"output", c.text}});
  }
  return tests;
}

}  // namespace

Exported export_classroom50(const Sheet& sheet, const FormatSettings& settings) {
  return for_each_row(sheet, "result.json", [&](const SheetRow& row, std::string* why) {
    if (!row.points) return std::optional<std::string>();
    Json out = {{"schema", "classroom50/result/v1"}};
    out["classroom"] = setting(settings, "CLASSROOM", "");
    out["assignment"] = setting(settings, "ASSIGNMENT", sheet.homework);
    out["assignment_type"] = setting(settings, "ASSIGNMENT_TYPE", "individual");
    out["owner"] = setting(settings, "OWNER", row.student.github);
    out["submission"] = setting(settings, "SUBMISSION_TAG", "");
    out["commit"] = setting(settings, "COMMIT_URL", "");
    out["release"] = setting(settings, "RELEASE_URL", "");
    out["review"] = setting(settings, "REVIEW_URL", "");
    out["datetime"] = setting(settings, "DATETIME", row.graded.submitted.at);
    for (const auto& [key, value] : out.items())
      if (value == "") {
        *why = "its " + key + " is not known; Classroom 50 tells it where it grades";
        return std::optional<std::string>();
      }
    if (!row.graded.finished_at.empty()) out["graded_at"] = row.graded.finished_at;
    const int64_t units = units_of_point(row.checks);
    int64_t sum = 0, most = 0;
    const Json tests = tests_of(row, units, &sum, &most);
    // What lateness takes is in no test.
    out["score"] = row.late && row.late->keeps < 1
                       ? std::min(sum, whole_points(*row.points, row.max_points, units))
                       : sum;
    out["max-score"] = most;
    out["tests"] = tests;
    return std::optional(json_text(out));
  });
}

}  // namespace lockstep::grader
