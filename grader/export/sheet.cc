// SPDX-License-Identifier: Apache-2.0
// From gradings to a sheet. See sheet.h.
#include "grader/export/sheet.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>

#include "common/base/quoted.h"
#include "common/base/text.h"
#include "grader/file_names.h"
#include "grader/pseudonyms.h"
#include "grader/report.h"
#include "grader/sha256.h"

namespace lockstep::grader {
namespace {

constexpr int kColumns = 100;
constexpr size_t kMostTold = 3;
constexpr char kHiddenTitle[] = "a hidden check";

std::string one_line(const std::string& text) { return printable(text); }

// Our own texts, too, are held to what a sheet promises.
Graded cleaned(Graded graded) {
  const auto clean = [](std::string* text) { *text = printable(*text, true); };
  Verdict& v = graded.verdict;
  for (std::string* text : {&graded.submission, &graded.path, &graded.file, &graded.backend,
                            &graded.device, &graded.driver, &graded.arch, &graded.compiler,
                            &graded.sandbox, &graded.finished_at, &graded.submitted.at})
    *text = one_line(*text);
  v.reason = one_line(v.reason);
  clean(&v.message);
  for (CheckOutcome& c : v.checks) {
    for (std::string* text : {&c.id, &c.title, &c.kernel, &c.tier, &c.waits_for, &c.reproduce})
      *text = one_line(*text);
    clean(&c.message);
    clean(&c.hint);
    for (CostLine& cost : c.costs) clean(&cost.words);
  }
  return graded;
}

void add_line(std::string* text, const std::string& line) {
  if (line.empty()) return;
  *text += line;
  if (text->back() != '\n') *text += '\n';
}

std::string text_of(const CheckOutcome& c) {
  std::string text;
  add_line(&text, c.message);
  text += c.quoted.marked(kColumns);
  for (const CostLine& cost : c.costs) {
    add_line(&text, cost.words);
    text += cost.source.marked(kColumns);
  }
  if (!c.hint.empty()) add_line(&text, "Hint: " + c.hint);
  if (!c.reproduce.empty()) add_line(&text, "Repeat: " + c.reproduce);
  return text;
}

SheetCheck sheet_check(const CheckOutcome& c) {
  SheetCheck out;
  out.id = c.id;
  out.status = c.status;
  out.max_points = c.max_points;
  out.hidden = c.hidden;
  out.title = c.hidden ? kHiddenTitle : c.title;
  out.waits_for = c.waits_for;
  if (c.status != CheckStatus::kNotMeasured && c.status != CheckStatus::kReview)
    out.points = std::clamp(c.points, 0.0, c.max_points);
  if (!c.hidden) out.text = text_of(c);
  return out;
}

// A student is told that a hidden check is there, and nothing of what it found.
Graded for_student(Graded graded) {
  for (CheckOutcome& c : graded.verdict.checks) {
    if (!c.hidden) continue;
    const CheckOutcome found = c;
    c = CheckOutcome();
    c.id = found.id;
    c.title = kHiddenTitle;
    c.status = found.status;
    c.points = found.points;
    c.max_points = found.max_points;
    c.hidden = true;
  }
  return graded;
}

std::string reason_without_points(const Verdict& v) {
  if (v.kind == VerdictKind::kInfraError)
    return "infrastructure error: " + v.reason + "; the next run tries again";
  std::string why;
  if (v.undecided_points > 0)
    why = plain_number(v.undecided_points) + " of " + plain_number(v.max_points) +
          " points were not measured: this device does not offer what they look at";
  if (v.review_points > 0)
    why += (why.empty() ? "" : "; ") + plain_number(v.review_points) + " of " +
           plain_number(v.max_points) + " points are left to a person";
  return why;
}

// What a late policy takes from the points of a row.
void set_points(const Rubric& rubric, SheetRow* row) {
  const Graded& g = row->graded;
  row->why_no_points = reason_without_points(g.verdict);
  if (row->why_no_points.empty())
    row->earned = row->points = std::clamp(g.verdict.points, 0.0, g.verdict.max_points);
  const std::optional<int64_t> at = parse_time(g.submitted.at);
  if (!rubric.late || !at) return;
  row->late = lateness(*rubric.late, *at);
  if (row->points) *row->points *= row->late->keeps;
}

std::string feedback_of(const SheetRow& row) {
  ReportOptions options;
  options.width = kColumns;
  options.most_told = kMostTold;
  std::string text = report_text(for_student(row.graded), options);
  if (!row.late || row.late->words.empty()) return printable(text, true);
  text += "Late: " + row.late->words;
  if (row.points)
    text += "; " + plain_number(*row.earned) + " points become " + plain_number(*row.points);
  return printable(text, true) + "\n";
}

SheetRow sheet_row(const Rubric& rubric, const Graded& kept) {
  SheetRow row;
  row.graded = cleaned(kept);
  const Graded& graded = row.graded;
  row.name = row.graded.submission;
  row.kind = graded.verdict.kind;
  row.verdict = one_line(verdict_words(graded.verdict));
  add_line(&row.message, graded.verdict.message);
  row.message += graded.verdict.quoted.marked(kColumns);
  row.max_points = graded.verdict.max_points;
  for (const CheckOutcome& c : graded.verdict.checks)
    if (c.status != CheckStatus::kHidden) row.checks.push_back(sheet_check(c));
  set_points(rubric, &row);
  row.feedback = feedback_of(row);
  return row;
}

// Of what every file system keeps as it is; by a hash of the whole where that is not the name, or
// is a device's in Windows ("con").
std::string file_name_of(const std::string& name, const std::string& unique, bool taken) {
  constexpr size_t kMost = 48;
  std::string file;
  for (const char c : name.substr(0, kMost)) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                       c == '-' || c == '_';
    file += plain ? c : '_';
  }
  const bool kept = file == name && !file.empty() && file[0] != '-';
  if (kept && !taken && problem_of_name(file).empty()) return file;
  return "s_" + file + "_" + sha256(unique).substr(0, 16);
}

void set_files(std::vector<SheetRow>* rows) {
  std::map<std::string, int> times;  // without case
  const auto lower = [](std::string text) {
    for (char& c : text) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
    return text;
  };
  for (const SheetRow& row : *rows) ++times[lower(row.name)];
  for (SheetRow& row : *rows) {
    const std::string plain = lower(row.name);
    const bool taken = times[plain] > 1 || plain.starts_with("s_");
    row.file = file_name_of(row.name, row.graded.identity + "\n" + row.name, taken);
  }
}

using Owners = StudentTable::Owners;

Owners owners_of(const std::vector<Graded>& gradings, const StudentTable* table) {
  std::vector<std::string> identities;
  for (const Graded& graded : gradings) identities.push_back(graded.identity);
  return table == nullptr ? Owners{} : table->owners(identities);
}

void set_student(const Owners& owners, const std::string& identity, SheetRow* row) {
  for (const auto& [student, several] : owners.several)
    if (std::find(several.begin(), several.end(), identity) != several.end())
      row->why_nobodys = "it is one of " + std::to_string(several.size()) + " that would be " +
                         shown_word(student->key) +
                         "'s, and nothing tells which is; take the others out of the class and "
                         "grade it again";
  if (!row->why_nobodys.empty()) return;
  const auto found = owners.of.find(identity);
  row->student = found == owners.of.end() ? student_of_identity(identity) : *found->second;
}

}  // namespace

std::string plain_number(double value) {
  char text[64];
  std::snprintf(text, sizeof text, "%.4f", value);
  std::string out = text;
  while (out.back() == '0') out.pop_back();
  if (out.back() == '.') out.pop_back();
  return out == "-0" ? "0" : out;
}

Sheet make_sheet(const Rubric& rubric, const std::vector<Graded>& gradings,
                 const SheetOptions& options) {
  Sheet sheet{rubric.homework, one_line(rubric.title), rubric.points, {}};
  std::map<std::string, std::string> names;
  if (!options.pseudonym_key.empty()) {
    std::set<std::string> identities;
    for (const Graded& graded : gradings) identities.insert(graded.identity);
    names = pseudonyms(options.pseudonym_key, identities);
  }
  const Owners owners = owners_of(gradings, options.table);
  for (const Graded& graded : gradings) {
    if (!names.empty()) {
      sheet.rows.push_back(sheet_row(rubric, under_pseudonym(graded, names.at(graded.identity))));
      continue;
    }
    sheet.rows.push_back(sheet_row(rubric, graded));
    set_student(owners, graded.identity, &sheet.rows.back());
  }
  // The order of names would tell whose a pseudonym is.
  if (!names.empty())
    std::sort(sheet.rows.begin(), sheet.rows.end(),
              [](const SheetRow& a, const SheetRow& b) { return a.name < b.name; });
  set_files(&sheet.rows);
  return sheet;
}

}  // namespace lockstep::grader
