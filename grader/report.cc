// SPDX-License-Identifier: Apache-2.0
// Verdicts in words. See report.h.
#include "grader/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

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

std::string hexadecimal(const std::string& bytes) {
  std::string text;
  for (const char c : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return text;
}

std::string points_text(double points, double most) {
  return format_number(std::round(points * 100) / 100) + " / " + format_number(most);
}

std::string check_text(const CheckOutcome& c, const ReportOptions& options) {
  std::string line = "  [" + colored(mark_of(c.status), c.status, options.color) + "] ";
  if (c.status == CheckStatus::kHidden) return line + "a hidden check\n";
  line += pad_right(points_text(c.points, c.max_points), 9) + " " + c.title + "\n";
  if (options.brief && c.status == CheckStatus::kPass) return line;
  constexpr char kIndent[] = "         ";
  line += indented(c.message, kIndent) + c.quoted.marked(options.width);
  for (const CostLine& cost : c.costs)
    line += std::string(kIndent) + "  " + cost.words + "\n" + cost.source.marked(options.width);
  if (!c.hint.empty()) line += indented("Hint: " + c.hint, kIndent);
  if (!c.reproduce.empty()) line += std::string(kIndent) + "Repeat: " + c.reproduce + "\n";
  return line;
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
  text += indented(v.message, "  ") + v.quoted.marked(options.width);
  bool nothing_run = v.kind == VerdictKind::kStudentError && g.module_hash.empty();
  if (!nothing_run)
    for (const CheckOutcome& c : v.checks) text += check_text(c, options);
  text += "  " + g.backend + " (" + g.device + "), " + g.compiler + ", seed " +
          std::to_string(g.seed) + ", compiled in " +
          format_number(std::round(g.build_seconds * 10) / 10) + " s, run in " +
          format_number(std::round(g.run_seconds * 10) / 10) + " s\n";
  return text;
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

nlohmann::json report_json(const Graded& g) {
  using nlohmann::json;
  const Verdict& v = g.verdict;
  const bool no_sum = v.kind == VerdictKind::kInfraError || v.has_hidden();
  json checks = json::array();
  auto costs_of = [](const CheckOutcome& c) {
    json costs = json::array();
    for (const CostLine& cost : c.costs)
      costs.push_back({{"words", cost.words}, {"quoted", cost.source.lines()}});
    return costs;
  };
  for (const CheckOutcome& c : v.checks) {
    if (c.status == CheckStatus::kHidden) {
      checks.push_back({{"id", c.id}, {"hidden", true}});
      continue;
    }
    json one = {{"id", c.id},         {"title", c.title},           {"status", to_string(c.status)},
                {"points", c.points}, {"max_points", c.max_points}, {"hidden", c.hidden},
                {"kernel", c.kernel}, {"message", c.message},       {"quoted", c.quoted.lines()},
                {"hint", c.hint},     {"reproduce", c.reproduce},   {"costs", costs_of(c)}};
    one["measured"] = c.measured ? json(*c.measured) : json();
    one["threshold"] = c.threshold ? json(*c.threshold) : json();
    one["tier"] = c.tier;
    checks.push_back(std::move(one));
  }
  return {{"homework", g.homework},
          {"submission", g.submission},
          {"identity", hexadecimal(g.identity)},
          {"verdict", to_string(v.kind)},
          {"reason", v.reason},
          {"message", v.message},
          {"quoted", v.quoted.lines()},
          {"points", no_sum ? json() : json(v.points)},
          {"max_points", v.has_hidden() ? json() : json(v.max_points)},
          {"undecided_points", v.undecided_points},
          {"review_points", v.review_points},
          {"checks", checks},
          {"seed", g.seed},
          {"draw", g.draw},
          {"attempts", g.attempts},
          {"backend", g.backend},
          {"device", g.device},
          {"driver", g.driver},
          {"arch", g.arch},
          {"compiler", g.compiler},
          {"sandbox", g.sandbox},
          {"content_hash", g.content_hash},
          {"module_hash", g.module_hash},
          {"config_hash", g.config_hash},
          {"build_seconds", g.build_seconds},
          {"run_seconds", g.run_seconds},
          {"finished_at", g.finished_at}};
}

std::string json_line(const nlohmann::json& value) {
  return value.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace lockstep::grader
