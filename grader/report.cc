// SPDX-License-Identifier: Apache-2.0
// Verdicts in words. See report.h.
#include "grader/report.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "common/base/text.h"

namespace lockstep::grader {
namespace {

const char* mark_of(CheckStatus status) {
  switch (status) {
    case CheckStatus::kPass:
      return "pass";
    case CheckStatus::kPartial:
      return "part";
    case CheckStatus::kFail:
      return "FAIL";
    case CheckStatus::kReview:
      return " ?  ";
    case CheckStatus::kNotMeasured:
    case CheckStatus::kHidden:
      return " -  ";
  }
  return "";
}

std::string colored(const std::string& text, CheckStatus status, bool color) {
  if (!color) return text;
  const char* code = status == CheckStatus::kPass      ? "\x1b[32m"
                     : status == CheckStatus::kFail    ? "\x1b[31m"
                     : status == CheckStatus::kPartial ? "\x1b[33m"
                                                       : "\x1b[2m";
  return code + text + "\x1b[0m";
}

std::string indented(const std::string& text, const std::string& indent) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find('\n', at), text.size());
    out += indent + text.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return out;
}

std::string points_text(double points, double most) {
  return format_number(std::round(points * 100) / 100) + " / " + format_number(most);
}

// Our own lines are broken between words; those that go on are indented by kContinued more.
constexpr int kMostColumns = 80, kLeastColumns = 40, kContinued = 4;

int columns_of(const ReportOptions& options) {
  return std::clamp(options.width, kLeastColumns, kMostColumns);
}

std::string broken(const std::string& text, const std::string& indent,
                   const ReportOptions& options) {
  return wrapped(indented(text, indent), columns_of(options), kContinued);
}

// A command goes on behind a "\", so that it can be copied as it stands; an option stays with its
// value.
std::string command_text(const std::string& words, const std::string& command,
                         const std::string& indent, const ReportOptions& options) {
  const size_t most = static_cast<size_t>(columns_of(options)) - 2;
  std::string out, row = indent + words;
  for (size_t at = 0; at < command.size();) {
    const size_t end = std::min(command.find(" --", at + 1), command.size());
    const std::string part = command.substr(at, end - at);
    if (at > 0 && row.size() + part.size() > most) {
      out += row + " \\\n";
      row = indent + std::string(kContinued - 1, ' ');
    }
    row += part;
    at = end;
  }
  return out + row + "\n";
}

bool is_gate(const CheckOutcome& c) { return c.max_points == 0 && c.blocks > 0; }
bool waits(const CheckOutcome& c) { return !c.waits_for.empty(); }
bool is_missed(const CheckOutcome& c) {
  return (c.status == CheckStatus::kFail || c.status == CheckStatus::kPartial) && !waits(c);
}

// "  [pass] 5 / 5     its title".
std::string head_text(const char* mark, CheckStatus status, const std::string& points,
                      const std::string& title, const ReportOptions& options) {
  const std::string start = std::string("  [") + mark + "] " + pad_right(points, 9) + " ";
  const std::string room(start.size(), ' ');
  std::string text = wrapped(room + title, columns_of(options), 0);
  return "  [" + colored(mark, status, options.color) + "]" + start.substr(8) +
         text.substr(start.size());
}

// How much is said of a check; kFirst: its hint stands at the report's end.
enum class Telling { kAll, kFirst, kFigures };

std::string check_text(const CheckOutcome& c, Telling telling, const ReportOptions& options) {
  if (c.status == CheckStatus::kHidden)
    return "  [" + colored(mark_of(c.status), c.status, options.color) + "] a hidden check\n";
  std::string title = c.title;
  if (is_gate(c))
    title += c.status == CheckStatus::kPartial
                 ? " (" + format_number(c.blocks) + " points count as far as it passes)"
                 : " (blocks " + format_number(c.blocks) + " points)";
  std::string line =
      head_text(mark_of(c.status), c.status,
                is_gate(c) ? "gate" : points_text(c.points, c.max_points), title, options);
  if (options.brief && c.status == CheckStatus::kPass) return line;
  const std::string indent(9, ' ');
  line += broken(c.message, indent, options) + c.quoted.marked(options.width);
  if (telling == Telling::kFigures) return line;
  for (const CostLine& cost : c.costs)
    line += broken(cost.words, indent + "  ", options) + cost.source.marked(options.width);
  if (!c.hint.empty() && telling != Telling::kFirst)
    line += broken("Hint: " + c.hint, indent, options);
  if (!c.reproduce.empty()) line += command_text("Repeat: ", c.reproduce, indent, options);
  return line;
}

// The gates that are open, and the checks that wait for others, in a line each.
std::string folded_text(const Verdict& v, const ReportOptions& options) {
  std::string open, waiting;
  double points = 0;
  std::set<std::string> reasons;
  for (const CheckOutcome& c : v.checks) {
    if (is_gate(c) && c.status == CheckStatus::kPass) open += (open.empty() ? "" : ", ") + c.id;
    if (!waits(c) || c.max_points == 0) continue;
    points += c.max_points;
    waiting += (waiting.empty() ? "" : ", ") + c.id;
    for (const CheckOutcome& other : v.checks)
      if (other.id == c.waits_for) reasons.insert(other.title);
  }
  std::string text;
  if (!open.empty()) text += head_text("pass", CheckStatus::kPass, "gates", open, options);
  if (points > 0)
    text += wrapped("  [ -- ] " + format_number(points) + " points (" + waiting + ") wait for " +
                        (reasons.size() == 1 ? "this: " + *reasons.begin() : "what fails above"),
                    columns_of(options), 11);
  return text;
}

// The check to look at before all others; null: none is missed.
const CheckOutcome* first_missed(const Verdict& v) {
  const auto found = std::find_if(v.checks.begin(), v.checks.end(), is_missed);
  return found == v.checks.end() ? nullptr : &*found;
}

std::string checks_text(const Verdict& v, const ReportOptions& options) {
  const CheckOutcome* first = first_missed(v);
  std::string text, hidden;
  size_t missed = 0;
  for (const CheckOutcome& c : v.checks) {
    const bool folded = waits(c) || (is_gate(c) && c.status == CheckStatus::kPass);
    std::string& to = c.status == CheckStatus::kHidden ? hidden : text;
    if (folded) continue;
    missed += is_missed(c) ? 1 : 0;
    to += check_text(c,
                     &c == first                  ? Telling::kFirst
                     : missed > options.most_told ? Telling::kFigures
                                                  : Telling::kAll,
                     options);
  }
  return text + folded_text(v, options) + hidden;
}

const std::map<std::string, std::string>& reasons() {
  static const std::map<std::string, std::string> words = {
      {"compile", "does not compile"},
      {"compile_timeout", "compiling takes too long"},
      {"compile_memory", "compiling takes too much memory"},
      {"forbidden", "holds what is not allowed"},
      {"staging", "cannot be taken"},
      {"crash", "crashes"},
      {"timeout", "hangs"},
      {"too_slow", "too slow"},
      {"launch_failed", "cannot be launched"},
      {"ungradable", "cannot be graded where the solution can"},
      {"out_of_memory", "runs out of memory"},
      {"out_of_bounds", "reaches outside its arrays"}};
  return words;
}

// Of some points.
std::string spread_text(std::vector<double> points) {
  std::sort(points.begin(), points.end());
  double sum = 0;
  for (double p : points) sum += p;
  const size_t half = points.size() / 2;
  const double median = (points[half] + points[(points.size() - 1) / 2]) / 2;
  return "mean " + format_number(std::round(10 * sum / double(points.size())) / 10) + ", median " +
         format_number(median);
}

}  // namespace

bool is_told(const Verdict& v) {
  return !v.message.empty() &&
         std::any_of(v.checks.begin(), v.checks.end(), [&](const CheckOutcome& c) {
           return !waits(c) && c.message.find(v.message) != std::string::npos;
         });
}

std::string verdict_words(const Verdict& verdict) {
  std::string text = to_string(verdict.kind);
  std::replace(text.begin(), text.end(), '_', ' ');
  if (verdict.reason.empty()) return text;
  auto found = reasons().find(verdict.reason);
  return text + " (" + (found == reasons().end() ? verdict.reason : found->second) + ")";
}

std::string report_text(const Graded& g, const ReportOptions& options) {
  const Verdict& v = g.verdict;
  std::string text = g.homework + "  " + g.submission + ": " + verdict_words(v);
  if (v.kind == VerdictKind::kInfraError)
    text += ", no points given or taken";
  else if (!v.has_hidden())
    text += ", " + points_text(v.points, v.max_points) + " points";
  if (v.undecided_points > 0 && v.kind != VerdictKind::kInfraError)
    text += " (" + format_number(v.undecided_points) + " not measured)";
  if (v.review_points > 0)
    text += " (" + format_number(v.review_points) + " for a person to decide)";
  text += "\n";
  if (g.sandbox == "weak") text += "  !! WEAK SANDBOX: compiled and run without namespaces !!\n";
  if (g.sandbox == "middle") text += "  Sandbox without namespaces: files confined by Landlock.\n";
  const bool nothing_run = v.kind == VerdictKind::kStudentError && g.module_hash.empty();
  if (nothing_run || !is_told(v))
    text += broken(v.message, "  ", options) + v.quoted.marked(options.width);
  if (!nothing_run) text += checks_text(v, options);
  const std::string last = g.backend + " (" + g.device + "), " + g.compiler + ", seed " +
                           std::to_string(g.seed) + ", compiled in " +
                           format_number(std::round(g.build_seconds * 10) / 10) + " s, run in " +
                           format_number(std::round(g.run_seconds * 10) / 10) + " s";
  text += broken(last, "  ", options);
  if (!g.file.empty()) text += broken("Graded: " + g.file, "  ", options);
  const CheckOutcome* first = nothing_run ? nullptr : first_missed(v);
  if (first == nullptr) return text;
  const std::string hint = first->hint.empty() ? "" : ". " + first->hint;
  return text + broken("Do this first: " + first->title + hint, "  ", options);
}

std::string report_line(const Graded& g, int name_width) {
  const Verdict& v = g.verdict;
  std::string points = v.kind == VerdictKind::kInfraError ? "- / " + format_number(v.max_points)
                                                          : points_text(v.points, v.max_points);
  std::string text =
      pad_right(g.submission, name_width) + "  " + pad_left(points, 11) + "  " + verdict_words(v);
  constexpr size_t kMostNamed = 3;
  std::string failed;
  size_t count = 0;
  for (const CheckOutcome& c : v.checks) {
    if (g.module_hash.empty() || c.status == CheckStatus::kPass || ++count > kMostNamed) continue;
    failed += (failed.empty() ? "" : ", ") + c.id +
              (c.status == CheckStatus::kNotMeasured ? " (not measured)"
               : c.status == CheckStatus::kReview    ? " (review)"
                                                     : "");
  }
  if (count > kMostNamed) failed += " and " + std::to_string(count - kMostNamed) + " more";
  return failed.empty() ? text : text + ": " + failed;
}

std::string summary_text(const std::vector<Graded>& all, const std::set<std::string>& in_class) {
  std::map<std::string, int> kinds;
  std::vector<double> points;
  double most = 0;
  size_t absent = 0;
  for (const Graded& g : all) {
    if (!in_class.contains(g.identity)) {
      ++absent;
      continue;
    }
    ++kinds[to_string(g.verdict.kind)];
    most = std::max(most, g.verdict.max_points);
    if (g.verdict.kind != VerdictKind::kInfraError) points.push_back(g.verdict.points);
  }
  std::string text = std::to_string(all.size() - absent) + " submissions:";
  const char* separator = " ";
  for (const char* kind :
       {"pass", "partial", "fail", "student_error", "review", "not_measured", "infra_error"}) {
    if (kinds[kind] == 0) continue;
    text += separator + std::to_string(kinds[kind]) + " " + kind;
    separator = ", ";
  }
  if (!points.empty()) text += "; points of " + format_number(most) + ": " + spread_text(points);
  text += "\n";
  if (absent > 0)
    text += "Not counted: " + std::to_string(absent) +
            " with results of an earlier run who are not in this class (NAME/absent).\n";
  if (kinds["infra_error"] > 0)
    text +=
        "Those with an infrastructure error have no points; the same command tries them "
        "again.\n";
  return text;
}

std::string changes_text(const Graded& before, const Graded& after) {
  std::string text;
  auto add = [&](const std::string& what, const std::string& from, const std::string& to) {
    if (from != to) text += (text.empty() ? "" : "; ") + what + " " + from + " -> " + to;
  };
  add("verdict", verdict_words(before.verdict), verdict_words(after.verdict));
  add("points", format_number(before.verdict.points), format_number(after.verdict.points));
  for (const CheckOutcome& now : after.verdict.checks)
    for (const CheckOutcome& then : before.verdict.checks) {
      if (now.id != then.id || !now.measured || !then.measured) continue;
      add(now.id + ":", format_number(*then.measured), format_number(*now.measured));
    }
  return text;
}

}  // namespace lockstep::grader
