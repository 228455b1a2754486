// SPDX-License-Identifier: Apache-2.0
// Gradescope's results.json. A submission without a grade has no such file: Gradescope then shows
// that the autograder failed, and keeps no 0.
#include "grader/export/write.h"

namespace lockstep::grader {
namespace {

Json gradescope_test(const SheetCheck& c) {
  Json test = {{"name", mark_of(c.status) + " " + c.title}, {"name_format", "text"}};
  if (c.max_points > 0) {
    test["score"] = points_json(c.points);
    test["max_score"] = rounded(c.max_points);
  }
  test["status"] = c.status == CheckStatus::kPass ? "passed" : "failed";
  test["output"] = c.text;
  test["output_format"] = "text";
  if (c.hidden) test["visibility"] = "after_published";
  test["extra_data"] = {{"id", c.id}};
  return test;
}

}  // namespace

Exported export_gradescope(const Sheet& sheet, const FormatSettings&) {
  return for_each_row(sheet, "results.json", [&](const SheetRow& row, std::string*) {
    if (!row.points) return std::optional<std::string>();
    std::string head = row.verdict + "\n" + row.message;
    if (row.late && !row.late->words.empty()) head += "Late: " + row.late->words + "\n";
    if (row.graded.sandbox != "full") head += "Graded in a sandbox without namespaces.\n";
    Json out = {{"score", rounded(*row.points)},
                {"execution_time", rounded(row.graded.build_seconds + row.graded.run_seconds)},
                {"output", head},
                {"output_format", "text"},
                {"test_output_format", "text"},
                {"test_name_format", "text"},
                {"stdout_visibility", "hidden"}};
    out["tests"] = Json::array();
    // What has no points and was not measured is no failure.
    for (const SheetCheck& c : row.checks)
      if (c.points) out["tests"].push_back(gradescope_test(c));
    out["extra_data"] = {{"seed", std::to_string(row.graded.seed)},
                         {"backend", row.graded.backend},
                         {"device", row.graded.device}};
    return std::optional(json_text(out));
  });
}

}  // namespace lockstep::grader
