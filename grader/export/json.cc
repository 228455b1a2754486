// SPDX-License-Identifier: Apache-2.0
// Everything, as JSON: what `--json` prints of each submission, and what becomes of its points.
#include "grader/export/write.h"
#include "grader/report.h"

namespace lockstep::grader {

Exported export_json(const Sheet& sheet, const FormatSettings&) {
  Json students = Json::array();
  for (const SheetRow& row : sheet.rows) {
    Json one = {{"name", row.name},
                {"student", row.student.key},
                {"earned", points_json(row.earned)},
                {"points", points_json(row.points)},
                {"max_points", rounded(row.max_points)},
                {"why_no_points", row.why_no_points},
                {"submitted_at", row.graded.submitted.at},
                {"submitted_by", row.graded.submitted.told_by},
                {"late", row.late ? Json({{"seconds", row.late->seconds},
                                          {"days", row.late->days},
                                          {"keeps", row.late->keeps},
                                          {"words", row.late->words}})
                                  : Json()}};
    one["grading"] = Json::parse(json_line(report_json(row.graded)));
    students.push_back(std::move(one));
  }
  return {{{"results.json", json_text({{"homework", sheet.homework},
                                       {"title", sheet.title},
                                       {"max_points", rounded(sheet.max_points)},
                                       {"students", students}})}},
          {}};
}

}  // namespace lockstep::grader
