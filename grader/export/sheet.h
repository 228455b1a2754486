// SPDX-License-Identifier: Apache-2.0
// What every export is made of: the gradings of a class, each with its points as they count, or
// with why there are none. A platform's format says how to write that down and nothing else. All
// texts are valid UTF-8 without control characters but newlines.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/late.h"
#include "grader/rubric.h"
#include "grader/store.h"
#include "grader/students.h"

namespace lockstep::grader {

struct SheetCheck {
  std::string id, title;
  CheckStatus status = CheckStatus::kNotMeasured;
  std::optional<double> points;  // nothing: not measured, or left to a person; never 0 instead
  double max_points = 0;
  bool hidden = false;    // by the rubric: what was found is not told
  std::string waits_for;  // id of the check that decided it by failing
  // What was found; what a submission had a hand in is in lines that begin with kQuoteMark.
  std::string text;
};

struct SheetRow {
  std::string name;  // as shown, or a pseudonym
  std::string file;  // a name for a file or folder: ASCII letters, figures, - and _; each its own
  Student student;   // as far as it is known; empty under a pseudonym
  // Why it is nobody's, where the table has several for one student: no platform's grade then.
  std::string why_nobodys = {};
  VerdictKind kind = VerdictKind::kInfraError;
  std::string verdict;           // in words
  std::string message;           // likewise told as a check's text
  std::optional<double> earned;  // by the checks; nothing: there is no grade
  std::optional<double> points;  // those, less what lateness takes
  double max_points = 0;
  std::string why_no_points;
  std::optional<Lateness> late;  // nothing: no policy, or the time is not known
  std::vector<SheetCheck> checks;
  std::string feedback;  // for the student: the whole report
  Graded graded;         // as kept, or under a pseudonym
};

struct Sheet {
  std::string homework, title;
  double max_points = 0;
  std::vector<SheetRow> rows;
};

struct SheetOptions {
  std::string pseudonym_key;            // empty: names
  const StudentTable* table = nullptr;  // null: none
};

// A grade there is only where everything was decided: no infrastructure error, nothing that was not
// measured or is left to a person.
Sheet make_sheet(const Rubric& rubric, const std::vector<Graded>& gradings,
                 const SheetOptions& options);

// "75", "68.25": at most four places, no exponent.
std::string plain_number(double value);

}  // namespace lockstep::grader
