// SPDX-License-Identifier: Apache-2.0
// The list of formats. See format.h.
#include "grader/export/format.h"

#include "common/base/error.h"
#include "common/base/quoted.h"

namespace lockstep::grader {

const std::vector<Format>& all_formats() {
  static const std::vector<Format> formats = {
      {"json", "all that is known, for programs of your own", "results.json", false, false, false,
       export_json},
      {"junit", "JUnit XML", "results.xml", false, false, false, export_junit},
      {"csv", "a table with a column for each check", "results.csv", false, false, false,
       export_csv},
      {"canvas", "Canvas: grades to import", "canvas.csv", false, true, false, export_canvas},
      {"moodle", "Moodle: grades and feedback to import", "moodle.csv", false, true, false,
       export_moodle},
      {"gradescope", "Gradescope", "results.json", true, false, false, export_gradescope},
      {"autolab", "Autolab: the report with its last line", "output.txt", true, false, true,
       export_autolab},
      {"prairielearn", "PrairieLearn", "results.json", true, false, true, export_prairielearn},
      {"classroom50", "Classroom 50", "result.json", true, true, true, export_classroom50},
      {"github", "GitHub Actions: for autograding-grading-reporter", "result.txt", true, false,
       true, export_github},
      {"check50", "check50", "check50.json", true, false, true, export_check50}};
  return formats;
}

const Format& find_format(const std::string& name) {
  std::string known;
  for (const Format& format : all_formats()) {
    if (name == format.name) return format;
    known += (known.empty() ? "" : ", ") + std::string(format.name);
  }
  throw Error("no format is called " + shown_word(name) + "; expected one of " + known);
}

}  // namespace lockstep::grader
