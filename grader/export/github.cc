// SPDX-License-Identifier: Apache-2.0
// GitHub Actions: the `result` of a step for classroom-resources/autograding-grading-reporter, in
// base64. The reporter prints its texts on a job's output, where a line may be a command to the
// runner, so none of them is one.
#include <nettle/base64.h>

#include "grader/export/write.h"

namespace lockstep::grader {
namespace {

std::string base64(const std::string& text) {
  std::string out(BASE64_ENCODE_RAW_LENGTH(text.size()), '\0');
  base64_encode_raw(out.data(), text.size(), reinterpret_cast<const uint8_t*>(text.data()));
  return out;
}

// "::error::" at the start of a line and "##[error]" anywhere are commands to the runner.
std::string no_command(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (!out.empty() && out.back() == ':' && c == ':') out += ' ';
    if (!out.empty() && out.back() == '#' && (c == '#' || c == '[')) out += ' ';
    out += c;
  }
  return out;
}

Json github_test(const std::string& name, const char* status, double score,
                 const std::string& message) {
  return {{"name", no_command(name)},
          {"status", status},
          {"score", rounded(score)},
          {"message", no_command(message)},
          {"test_code", ""},
          {"filename", ""},
          {"line_no", 0},
          {"duration", 0}};
}

}  // namespace

Exported export_github(const Sheet& sheet, const FormatSettings&) {
  return for_each_row(sheet, "result.txt", [&](const SheetRow& row, std::string*) {
    Json out = {{"version", 1}, {"status", "error"}, {"max_score", 0}, {"tests", Json::array()}};
    if (!row.points) {
      // Of a maximum of 0 the reporter tells no points at all.
      out["tests"].push_back(github_test("not graded", "error", 0, row.why_no_points));
      return std::optional(base64(json_text(out, false)) + "\n");
    }
    out["status"] = row.kind == VerdictKind::kPass ? "pass" : "fail";
    out["max_score"] = rounded(row.max_points);
    for (const SheetCheck& c : row.checks)
      if (c.points)
        out["tests"].push_back(github_test(mark_of(c.status) + " " + c.title,
                                           c.status == CheckStatus::kPass ? "pass" : "fail",
                                           *c.points, c.text));
    // The reporter adds up.
    if (row.late && *row.points != *row.earned)
      out["tests"].push_back(
          github_test("late", "fail", *row.points - *row.earned, row.late->words));
    return std::optional(base64(json_text(out, false)) + "\n");
  });
}

}  // namespace lockstep::grader
