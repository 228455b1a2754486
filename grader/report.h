// SPDX-License-Identifier: Apache-2.0
// Verdicts as text for a terminal and as JSON. What a student wrote or caused stands in lines that
// begin with kQuoteMark (common/base/quoted.h), in JSON in fields named "quoted", an array of
// lines; every other line is ours.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "grader/store.h"

namespace lockstep::grader {

struct ReportOptions {
  bool color = false;
  bool brief = false;  // only what is not a pass
  // How many checks that are not passed are told with lines, hint and command; a student has enough
  // to do with the first.
  size_t most_told = SIZE_MAX;
  int width = 80;  // of the terminal: quoted lines are broken there
};

// Some lines: verdict, points, and every check with what it found.
std::string report_text(const Graded& graded, const ReportOptions& options);
// "alice  partial  75 / 100   conflicts-8: ..."
std::string report_line(const Graded& graded, int name_width);
// How many of each verdict, and the points' spread, of those who are in the class, by identity; how
// many others have results.
std::string summary_text(const std::vector<Graded>& all, const std::set<std::string>& in_class);
// What a new grading changes: "points 75 -> 100; instructions-8: 23.1 -> 13.3"; "" for nothing.
std::string changes_text(const Graded& before, const Graded& after);

nlohmann::json report_json(const Graded& graded);
// One line of ASCII, whatever bytes the texts hold.
std::string json_line(const nlohmann::json& value);

// Whether a check tells of the fault that the verdict is named after: then its message is told
// once.
bool is_told(const Verdict& verdict);
// "student_error (does not compile)".
std::string verdict_words(const Verdict& verdict);

}  // namespace lockstep::grader
