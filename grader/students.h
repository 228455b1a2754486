// SPDX-License-Identifier: Apache-2.0
// Who a submission is of: what the platforms call a student, and the instructor's table that brings
// it together. docs/platforms/README.md describes the file.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::grader {

// Fields are as in the table, or empty.
struct Student {
  std::string key;  // column `student`: what the course calls them; each its own
  std::string name, email, github, canvas, moodle, idnumber, sis_user, sis_login, section, file;
  std::string submitted;  // when, for this homework: a time that parse_time() takes
};

// An identity as intake makes it: "canvas//123", "moodle//45", "github//ada",
// "gradescope//a@x.edu", "student//KEY". No file's name holds a slash, and no other identity two in
// a row.
inline constexpr std::string_view kPlatformMark = "//";
std::string platform_identity(const std::string& platform, const std::string& name);

class StudentTable {
 public:
  // CSV (RFC 4180) with a first row of the columns' names. Throws Error "FILE:LINE: ..." for what
  // is no such file, a column that is not known, a student who is there twice, and a name of a
  // platform's that is given to two.
  static StudentTable read(const std::string& text, const std::string& path);

  // Whose an identity is; null: nobody's.
  const Student* find(const std::string& identity) const;
  // Whose a file is that is neither a source nor an archive: by its name without an ending, too
  // ("ada" and "ada.cu" of ada.cu.txt), whichever ending the table has. Null: nobody's, or it may
  // be several's.
  const Student* find_of_any_ending(const std::string& identity) const;
  const std::vector<Student>& all() const { return students_; }

  // The one rule of whose each submission of a class is. Where several would be one student's none
  // is: nobody gets into another's place by a name.
  struct Owners {
    std::map<std::string, const Student*> of;  // by identity; who is not in it is nobody's
    std::map<const Student*, std::vector<std::string>> several;
  };
  Owners owners(const std::vector<std::string>& identities) const;

 private:
  std::vector<Student> students_;
  std::map<std::string, size_t> by_identity_;
  std::map<std::string, std::set<size_t>> by_stem_;  // of column `file`
};

// What an identity tells by itself, where no table has it.
Student student_of_identity(const std::string& identity);

// The rows of a CSV file, each with the line that it begins in. Throws Error "FILE:LINE: ...".
struct CsvRow {
  int line = 0;
  std::vector<std::string> cells;
};
std::vector<CsvRow> parse_csv(const std::string& text, const std::string& path);

}  // namespace lockstep::grader
