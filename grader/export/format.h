// SPDX-License-Identifier: Apache-2.0
// The formats of `grader export` and `grader check --format`: what each platform reads, one small
// file each. docs/platforms/ says what a platform does with them. A row without a grade is never
// written as 0: it is left out, with why, or written as the platform's own "not graded".
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "grader/export/sheet.h"

namespace lockstep::grader {

struct FormatSettings {
  std::string assignment;  // canvas: the gradebook's heading, "hw02 (1234)"; empty: the homework
  // Classroom 50 and check50: CLASSROOM, ASSIGNMENT, SUBMISSION_TAG and so on.
  std::map<std::string, std::string> environment;
};

struct ExportFile {
  std::string path;  // below the folder, or just a name
  std::string contents;
};

struct LeftOut {
  std::string name, why;
  bool doubtful = false;  // it may be a student's whose another may be, too
};

struct Exported {
  std::vector<ExportFile> files;
  std::vector<LeftOut> left_out;
};

struct Format {
  const char* name;
  const char* what;       // for --help
  const char* file;       // "results.csv"; of a format of one file a student: "results.json"
  bool for_each_student;  // a folder with a folder for each
  bool needs_identity;    // names of the platform's own: no pseudonyms
  // The student sees all of it at once: graded without hidden checks where the platform grades.
  bool seen_at_once;
  std::function<Exported(const Sheet&, const FormatSettings&)> make;
};

const std::vector<Format>& all_formats();
// Throws Error that lists them.
const Format& find_format(const std::string& name);

// One format each.
Exported export_json(const Sheet& sheet, const FormatSettings& settings);
Exported export_junit(const Sheet& sheet, const FormatSettings& settings);
Exported export_csv(const Sheet& sheet, const FormatSettings& settings);
Exported export_canvas(const Sheet& sheet, const FormatSettings& settings);
Exported export_moodle(const Sheet& sheet, const FormatSettings& settings);
Exported export_gradescope(const Sheet& sheet, const FormatSettings& settings);
Exported export_autolab(const Sheet& sheet, const FormatSettings& settings);
Exported export_prairielearn(const Sheet& sheet, const FormatSettings& settings);
Exported export_classroom50(const Sheet& sheet, const FormatSettings& settings);
Exported export_github(const Sheet& sheet, const FormatSettings& settings);
Exported export_check50(const Sheet& sheet, const FormatSettings& settings);

}  // namespace lockstep::grader
