// SPDX-License-Identifier: Apache-2.0
// Tables: one of all checks, and those that Canvas and Moodle import. These two leave out who has
// no grade, since an empty cell may be taken for one, and who would have two.
#include <algorithm>
#include <map>
#include <set>

#include "grader/export/write.h"

namespace lockstep::grader {
namespace {

std::vector<Cell> texts(const std::vector<std::string>& all) {
  std::vector<Cell> cells;
  for (const std::string& text : all) cells.push_back(Cell::text(text));
  return cells;
}

// By what a platform calls students: who is called so. It would keep one of two grades.
class Keys {
 public:
  using KeysOf = std::function<std::vector<std::string>(const Student&)>;

  Keys(const Sheet& sheet, const std::string& platform, KeysOf keys_of)
      : platform_(platform), keys_of_(std::move(keys_of)) {
    for (const SheetRow& row : sheet.rows)
      for (const std::string& key : known(row)) ++times_[key];
  }
  // Whether the row has a grade for somebody; else it is left out.
  bool take(const SheetRow& row, const std::string& columns, Exported* out) const {
    const bool doubtful = !row.why_nobodys.empty() || is_shared(row);
    const std::string why = why_not(row, columns);
    if (!why.empty()) out->left_out.push_back({row.name, why, doubtful});
    return why.empty();
  }

 private:
  std::string why_not(const SheetRow& row, const std::string& columns) const {
    if (!row.why_nobodys.empty()) return row.why_nobodys;
    if (!row.points) return row.why_no_points;
    if (known(row).empty())
      return platform_ + "'s name for them is not known; give a table with a column " + columns +
             " (--students)";
    if (!is_shared(row)) return {};
    return "another of the class has the same name in " + platform_ +
           "; put the table of students right";
  }
  bool is_shared(const SheetRow& row) const {
    const std::vector<std::string> keys = known(row);
    return std::any_of(keys.begin(), keys.end(),
                       [&](const std::string& key) { return times_.at(key) > 1; });
  }
  // With the column that each stands in; the same in capitals.
  std::vector<std::string> known(const SheetRow& row) const {
    std::vector<std::string> keys;
    size_t column = 0;
    for (std::string key : keys_of_(row.student)) {
      ++column;
      for (char& c : key) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
      if (!key.empty()) keys.push_back(std::to_string(column) + ":" + key);
    }
    return keys;
  }

  const std::string platform_;
  const KeysOf keys_of_;
  std::map<std::string, size_t> times_;
};

std::vector<Cell> cells_of(const SheetRow& row, const std::vector<std::string>& ids) {
  std::vector<Cell> cells;
  for (const std::string& name : {row.name, row.student.key, row.student.email})
    cells.push_back(Cell::name(name));
  cells.push_back(Cell::number(row.points));
  cells.push_back(Cell::number(row.max_points));
  cells.push_back(Cell::text(row.verdict));
  cells.push_back(Cell::text(row.why_no_points));
  cells.push_back(Cell::number(row.earned));
  cells.push_back(Cell::text(row.graded.submitted.at));
  cells.push_back(Cell::text(row.late ? row.late->words : ""));
  for (const std::string& id : ids) {
    std::optional<double> points;
    for (const SheetCheck& c : row.checks)
      if (c.id == id) points = c.points;
    cells.push_back(Cell::number(points));
  }
  return cells;
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
  std::string text = csv_line(texts(head));
  for (const SheetRow& row : sheet.rows) text += csv_line(cells_of(row, ids));
  return {{{"results.csv", text}}, {}};
}

Exported export_canvas(const Sheet& sheet, const FormatSettings& settings) {
  const std::string assignment = settings.assignment.empty() ? sheet.homework : settings.assignment;
  const Keys keys(sheet, "Canvas", [](const Student& s) {
    return std::vector<std::string>{s.canvas, s.sis_user, s.sis_login};
  });
  Exported out;
  std::string text =
      csv_line(texts({"Student", "ID", "SIS User ID", "SIS Login ID", "Section", assignment}));
  std::vector<Cell> most = texts({"    Points Possible", "", "", "", ""});
  most.push_back(Cell::number(sheet.max_points));
  text += csv_line(most);
  for (const SheetRow& row : sheet.rows) {
    if (!keys.take(row, "canvas, sis_user or sis_login", &out)) continue;
    const Student& s = row.student;
    std::vector<Cell> cells =
        texts({s.name.empty() ? row.name : s.name, s.canvas, s.sis_user, s.sis_login, s.section});
    cells.push_back(Cell::number(row.points));
    text += csv_line(cells);
  }
  out.files.push_back({"canvas.csv", text});
  return out;
}

// Moodle takes feedback for HTML.
Exported export_moodle(const Sheet& sheet, const FormatSettings& settings) {
  const std::string assignment = settings.assignment.empty() ? sheet.homework : settings.assignment;
  bool by_number = false;
  for (const SheetRow& row : sheet.rows) by_number = by_number || !row.student.idnumber.empty();
  const auto key_of = [by_number](const Student& s) { return by_number ? s.idnumber : s.email; };
  const Keys keys(sheet, "Moodle",
                  [&](const Student& s) { return std::vector<std::string>{key_of(s)}; });
  Exported out;
  std::string text = csv_line(
      texts({by_number ? "useridnumber" : "useremail", assignment, assignment + " feedback"}));
  for (const SheetRow& row : sheet.rows)
    if (keys.take(row, "email or idnumber", &out))
      text += csv_line(
          {Cell::text(key_of(row.student)), Cell::number(row.points), Cell::html(row.feedback)});
  out.files.push_back({"moodle.csv", text});
  return out;
}

}  // namespace lockstep::grader
