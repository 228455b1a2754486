// SPDX-License-Identifier: Apache-2.0
// Tables: one of all checks, and those that Canvas and Moodle import. These two leave out who has
// no grade, since an empty cell may be taken for one.
#include <set>

#include "grader/export/write.h"

namespace lockstep::grader {
namespace {

std::string number_or_nothing(const std::optional<double>& value) {
  return value ? plain_number(rounded(*value)) : "";
}

}  // namespace

Exported export_csv(const Sheet& sheet, const FormatSettings&) {
  std::vector<std::string> ids;
  std::set<std::string> seen;
  for (const SheetRow& row : sheet.rows)
    for (const SheetCheck& c : row.checks)
      if (seen.insert(c.id).second) ids.push_back(c.id);
  std::vector<std::string> head = {"name",         "student", "email",         "points",
                                   "max_points",   "verdict", "why_no_points", "earned",
                                   "submitted_at", "late"};
  for (const std::string& id : ids) head.push_back("check " + id);
  std::string text = csv_line(head);
  for (const SheetRow& row : sheet.rows) {
    std::vector<std::string> cells = {row.name,
                                      row.student.key,
                                      row.student.email,
                                      number_or_nothing(row.points),
                                      plain_number(row.max_points),
                                      row.verdict,
                                      row.why_no_points,
                                      number_or_nothing(row.earned),
                                      row.graded.submitted.at,
                                      row.late ? row.late->words : ""};
    for (const std::string& id : ids) {
      std::string cell;
      for (const SheetCheck& c : row.checks)
        if (c.id == id) cell = number_or_nothing(c.points);
      cells.push_back(cell);
    }
    text += csv_line(cells);
  }
  return {{{"results.csv", text}}, {}};
}

Exported export_canvas(const Sheet& sheet, const FormatSettings& settings) {
  const std::string assignment = settings.assignment.empty() ? sheet.homework : settings.assignment;
  Exported out;
  std::string text =
      csv_line({"Student", "ID", "SIS User ID", "SIS Login ID", "Section", assignment}) +
      csv_line({"    Points Possible", "", "", "", "", plain_number(sheet.max_points)});
  for (const SheetRow& row : sheet.rows) {
    const Student& s = row.student;
    if (!row.points || (s.canvas.empty() && s.sis_user.empty() && s.sis_login.empty())) {
      out.left_out.push_back(
          {row.name, !row.points ? row.why_no_points
                                 : "Canvas' number for them is not known; give a table with a "
                                   "column canvas, sis_user or sis_login (--students)"});
      continue;
    }
    text += csv_line({s.name.empty() ? row.name : s.name, s.canvas, s.sis_user, s.sis_login,
                      s.section, plain_number(rounded(*row.points))});
  }
  out.files.push_back({"canvas.csv", text});
  return out;
}

Exported export_moodle(const Sheet& sheet, const FormatSettings& settings) {
  const std::string assignment = settings.assignment.empty() ? sheet.homework : settings.assignment;
  bool by_number = false;
  for (const SheetRow& row : sheet.rows) by_number = by_number || !row.student.idnumber.empty();
  Exported out;
  std::string text =
      csv_line({by_number ? "useridnumber" : "useremail", assignment, assignment + " feedback"});
  for (const SheetRow& row : sheet.rows) {
    const std::string& key = by_number ? row.student.idnumber : row.student.email;
    if (!row.points || key.empty()) {
      out.left_out.push_back(
          {row.name, !row.points ? row.why_no_points
                                 : "Moodle's name for them is not known; give a table with a "
                                   "column email or idnumber (--students)"});
      continue;
    }
    text += csv_line({key, plain_number(rounded(*row.points)), row.feedback});
  }
  out.files.push_back({"moodle.csv", text});
  return out;
}

}  // namespace lockstep::grader
