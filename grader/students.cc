// SPDX-License-Identifier: Apache-2.0
// The table, and CSV. See students.h.
#include "grader/students.h"

#include <algorithm>

#include "common/base/error.h"
#include "common/base/quoted.h"
#include "common/base/text.h"
#include "grader/file_names.h"
#include "grader/late.h"

namespace lockstep::grader {
namespace {

struct Column {
  const char* name;
  std::string Student::*field;
  const char* platform;  // that calls students by it; null: none
};

constexpr Column kColumns[] = {
    {"student", &Student::key, "student"},       {"name", &Student::name, nullptr},
    {"email", &Student::email, "gradescope"},    {"github", &Student::github, "github"},
    {"canvas", &Student::canvas, "canvas"},      {"moodle", &Student::moodle, "moodle"},
    {"idnumber", &Student::idnumber, nullptr},   {"sis_user", &Student::sis_user, nullptr},
    {"sis_login", &Student::sis_login, nullptr}, {"section", &Student::section, nullptr},
    {"submitted", &Student::submitted, nullptr}, {"file", &Student::file, ""}};

[[noreturn]] void fail(const std::string& path, int line, const std::string& what) {
  throw Error(path + ":" + std::to_string(line) + ": " + what);
}

std::string lower(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

std::string column_names() {
  std::string names;
  for (const Column& column : kColumns)
    names += std::string(names.empty() ? "" : ", ") + column.name;
  return names;
}

std::vector<const Column*> columns_of(const CsvRow& head, const std::string& path) {
  std::vector<const Column*> columns;
  for (const std::string& cell : head.cells) {
    const auto found = std::find_if(std::begin(kColumns), std::end(kColumns),
                                    [&](const Column& c) { return cell == c.name; });
    if (found == std::end(kColumns))
      fail(path, head.line,
           "no column is called " + shown_word(cell) + "; expected " + column_names());
    if (std::find(columns.begin(), columns.end(), found) != columns.end())
      fail(path, head.line, "two columns are called " + cell);
    columns.push_back(found);
  }
  if (std::find(columns.begin(), columns.end(), &kColumns[0]) == columns.end())
    fail(path, head.line, "there is no column 'student'; expected some of " + column_names());
  return columns;
}

}  // namespace

// GitHub's names and addresses of mail are the same in capitals.
std::string platform_identity(const std::string& platform, const std::string& name) {
  const bool folded = platform == "github" || platform == "gradescope";
  return platform + std::string(kPlatformMark) + (folded ? lower(name) : name);
}

std::vector<CsvRow> parse_csv(const std::string& text, const std::string& path) {
  std::vector<CsvRow> rows;
  std::string cell;
  CsvRow row{1, {}};
  int line = 1;
  size_t at = text.starts_with("\xef\xbb\xbf") ? 3 : 0;
  const auto end_row = [&] {
    row.cells.push_back(std::move(cell));
    cell.clear();
    if (row.cells.size() > 1 || !row.cells[0].empty()) rows.push_back(row);
    row = {line, {}};
  };
  while (at < text.size()) {
    if (text[at] == '"' && cell.empty()) {
      for (++at;; ++at) {
        if (at >= text.size()) fail(path, row.line, "a quotation mark is not closed");
        if (text[at] == '\n') ++line;
        if (text[at] != '"') {
          cell += text[at];
        } else if (at + 1 < text.size() && text[at + 1] == '"') {
          cell += text[at++];
        } else {
          break;
        }
      }
      ++at;
      if (at < text.size() && text[at] != ',' && text[at] != '\n' && text[at] != '\r')
        fail(path, line, "text stands behind a quotation mark that closes; write it as \"\"");
    } else if (text[at] == ',') {
      row.cells.push_back(std::move(cell));
      cell.clear();
      ++at;
    } else if (text[at] == '\n' || text[at] == '\r') {
      if (text[at] == '\r' && at + 1 < text.size() && text[at + 1] == '\n') ++at;
      ++at;
      ++line;
      end_row();
    } else {
      cell += text[at++];
    }
  }
  if (!cell.empty() || !row.cells.empty()) end_row();
  return rows;
}

StudentTable StudentTable::read(const std::string& text, const std::string& path) {
  const std::vector<CsvRow> rows = parse_csv(text, path);
  if (rows.empty()) fail(path, 1, "is empty; expected a row with the columns' names");
  const std::vector<const Column*> columns = columns_of(rows[0], path);
  StudentTable table;
  for (size_t i = 1; i < rows.size(); ++i) {
    const CsvRow& row = rows[i];
    if (row.cells.size() != columns.size())
      fail(path, row.line,
           std::to_string(row.cells.size()) + " cells; expected " + std::to_string(columns.size()) +
               " as in the first row");
    Student student;
    for (size_t c = 0; c < columns.size(); ++c) student.*columns[c]->field = row.cells[c];
    if (student.key.empty()) fail(path, row.line, "'student' is empty; expected a name or number");
    if (!student.submitted.empty() && !parse_time(student.submitted))
      fail(path, row.line,
           "'submitted': " + shown_word(student.submitted) +
               " is no time; expected one like 2026-11-20T23:59:00Z");
    for (const Column* column : columns) {
      const std::string& name = student.*column->field;
      if (column->platform == nullptr || name.empty()) continue;
      const std::string identity =
          column->platform[0] == '\0' ? name : platform_identity(column->platform, name);
      if (!table.by_identity_.emplace(identity, table.students_.size()).second)
        fail(path, row.line,
             std::string("'") + column->name + "': " + shown_word(name) +
                 " is another student's already");
    }
    if (!student.file.empty()) table.by_stem_[stem(student.file)].insert(table.students_.size());
    table.students_.push_back(std::move(student));
  }
  return table;
}

const Student* StudentTable::find(const std::string& identity) const {
  auto found = by_identity_.find(identity);
  // A plain file: by its whole name, or without its ending.
  if (found == by_identity_.end() && identity.find(kPlatformMark) == std::string::npos)
    found = by_identity_.find(stem(identity));
  return found == by_identity_.end() ? nullptr : &students_[found->second];
}

const Student* StudentTable::find_of_any_ending(const std::string& identity) const {
  if (const Student* student = find(identity)) return student;
  if (identity.find(kPlatformMark) != std::string::npos) return nullptr;
  const size_t dot = identity.rfind('.');
  const auto found = by_stem_.find(stem(identity.substr(0, dot == 0 ? std::string::npos : dot)));
  return found == by_stem_.end() || found->second.size() > 1 ? nullptr
                                                             : &students_[*found->second.begin()];
}

StudentTable::Owners StudentTable::owners(const std::vector<std::string>& identities) const {
  Owners owners;
  for (const std::string& identity : identities)
    if (const Student* student = find(identity)) owners.several[student].push_back(identity);
  std::erase_if(owners.several, [&](const auto& found) {
    if (found.second.size() == 1) owners.of[found.second[0]] = found.first;
    return found.second.size() == 1;
  });
  return owners;
}

Student student_of_identity(const std::string& identity) {
  Student student;
  const size_t mark = identity.find(kPlatformMark);
  if (mark == std::string::npos) return student;
  for (const Column& column : kColumns)
    if (column.platform != nullptr && identity.substr(0, mark) == column.platform)
      student.*column.field = printable(identity.substr(mark + kPlatformMark.size()));
  return student;
}

}  // namespace lockstep::grader
