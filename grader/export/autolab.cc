// SPDX-License-Identifier: Apache-2.0
// Autolab: what the autograder prints, the last line with the scores. Autolab puts quotes around
// every bare "word:" of that line before it reads it as JSON, so no text stands in it.
#include "grader/export/write.h"

namespace lockstep::grader {
namespace {

// No "word:" in texts either: the stages may be read in the same way.
std::string without_keys(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == ':' ? std::string(" -") : std::string(1, c);
  return out;
}

Json stages_of(const SheetRow& row) {
  Json checks = Json::object();
  for (const SheetCheck& c : row.checks) {
    if (!c.points) continue;
    Json one = {{"passed", c.status == CheckStatus::kPass}};
    const std::string first = c.text.substr(0, c.text.find('\n'));
    if (c.status != CheckStatus::kPass)
      one["hint"] = without_keys(plain_number(*c.points) + " of " + plain_number(c.max_points) +
                                 " points" + (first.empty() ? "" : ". " + first));
    checks[without_keys(c.hidden ? "hidden " + c.id : c.id)] = one;
  }
  return {{"_presentation", "semantic"}, {"stages", {"Checks"}}, {"Checks", checks}};
}

}  // namespace

Exported export_autolab(const Sheet& sheet, const FormatSettings&) {
  return for_each_row(sheet, "output.txt", [&](const SheetRow& row, std::string*) {
    if (!row.points) return std::optional<std::string>();
    const Json scores = {{"scores", {{sheet.homework, rounded(*row.points)}}},
                         {"scoreboard", {rounded(*row.points)}}};
    return std::optional(row.feedback + json_text(stages_of(row), false) +
                         json_text(scores, false));
  });
}

}  // namespace lockstep::grader
