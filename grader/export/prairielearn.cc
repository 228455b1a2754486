// SPDX-License-Identifier: Apache-2.0
// PrairieLearn's results.json. Without a grade it is not gradable, which costs no attempt.
#include <algorithm>

#include "grader/export/write.h"

namespace lockstep::grader {
namespace {

constexpr size_t kMostText = 100000;  // the file may hold 1 MB

std::string cut(const std::string& text) {
  if (text.size() <= kMostText) return text;
  size_t end = kMostText;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return text.substr(0, end) + "\n...\n";
}

// Of all tests together no more than so much.
Json tests_of(const SheetRow& row) {
  Json tests = Json::array();
  const size_t each = kMostText * 3 / std::max<size_t>(1, row.checks.size());
  for (const SheetCheck& c : row.checks) {
    const std::string text = c.text.size() > each ? "see the report below\n" : c.text;
    // Not measured without a grade that hangs on it: PrairieLearn shows 0 of 0 as neither.
    tests.push_back({{"name", mark_of(c.status) + " " + c.title},
                     {"points", c.points ? rounded(*c.points) : 0},
                     {"max_points", c.points ? rounded(c.max_points) : 0},
                     {"output", text}});
  }
  return tests;
}

}  // namespace

Exported export_prairielearn(const Sheet& sheet, const FormatSettings&) {
  return for_each_row(sheet, "results.json", [&](const SheetRow& row, std::string*) {
    if (!row.points || !(row.max_points > 0)) {
      const std::string why = row.points ? "the rubric has no points" : row.why_no_points;
      return std::optional(json_text({{"gradable", false},
                                      {"message", "Not graded, and no attempt used: " + why},
                                      {"format_errors", "Not graded: " + why}}));
    }
    Json out = {{"gradable", true},
                {"score", std::clamp(*row.points / row.max_points, 0.0, 1.0)},
                {"message", row.verdict},
                {"output", cut(row.feedback)}};
    if (row.late && !row.late->words.empty())
      out["message"] = row.verdict + ". Late: " + row.late->words;
    out["tests"] = tests_of(row);
    return std::optional(json_text(out));
  });
}

}  // namespace lockstep::grader
