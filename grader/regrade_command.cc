// SPDX-License-Identifier: Apache-2.0
// grader regrade: points by a changed rubric, without executing anything. See docs/grading.md.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>

#include "common/base/error.h"
#include "common/base/processors.h"
#include "common/base/text.h"
#include "grader/commands.h"
#include "grader/last_class.h"
#include "grader/rejudge.h"
#include "grader/report.h"

namespace lockstep::grader {
namespace {

constexpr int kNameWidth = 24, kColumns = 80;
constexpr double kSlack = 1e-9;

// What a check is worth to both, by id in the new rubric's order; nothing: it has no such check.
struct CheckChange {
  std::string id;
  std::optional<double> before, now;
};

std::vector<CheckChange> changes_of(const Verdict& before, const Verdict& now) {
  std::vector<CheckChange> changes;
  for (const CheckOutcome& c : now.checks) changes.push_back({c.id, std::nullopt, c.points});
  for (const CheckOutcome& c : before.checks) {
    auto found = std::find_if(changes.begin(), changes.end(),
                              [&](const CheckChange& one) { return one.id == c.id; });
    if (found == changes.end()) found = changes.insert(changes.end(), {c.id, {}, {}});
    found->before = c.points;
  }
  std::erase_if(changes, [](const CheckChange& c) {
    return std::fabs(c.before.value_or(0) - c.now.value_or(0)) <= kSlack;
  });
  return changes;
}

std::string points_text(double points) { return format_number(std::round(points * 100) / 100); }

// "+5" or "-2.5".
std::string signed_text(double difference) {
  return (difference > 0 ? "+" : "") + points_text(difference);
}

std::string changes_text(const std::vector<CheckChange>& changes) {
  std::string text;
  for (const CheckChange& c : changes) {
    text += (text.empty() ? "" : ", ") + c.id + " " +
            signed_text(c.now.value_or(0) - c.before.value_or(0));
    if (!c.before) text += " (new)";
    if (!c.now) text += " (gone)";
  }
  return text;
}

double difference_of(const Rejudged& one) {
  return one.now ? one.now->verdict.points - one.before.verdict.points : 0;
}

// By how it came out, with the sums that are told at the end.
struct Tally {
  size_t gain = 0, lose = 0, same = 0, current = 0, left = 0;
  double before = 0, now = 0, most_before = 0, most = 0;  // of those that were judged anew

  size_t judged() const { return gain + lose + same; }
  void add(const Rejudged& one) {
    if (!one.now) return void(++(one.why.empty() ? current : left));
    const double difference = difference_of(one);
    ++(difference > kSlack ? gain : difference < -kSlack ? lose : same);
    before += one.before.verdict.points;
    now += one.now->verdict.points;
    most_before = one.before.verdict.max_points;
    most = one.now->verdict.max_points;
  }
};

nlohmann::json line_json(const Rejudged& one) {
  const nlohmann::json whole = report_json(one.before);
  nlohmann::json line = {{"points_before", whole["points"]},
                         {"verdict_before", whole["verdict"]},
                         {"max_points_before", whole["max_points"]}};
  for (const char* key : {"homework", "submission", "identity", "backend"}) line[key] = whole[key];
  line["outcome"] = one.now ? "judged" : one.why.empty() ? "current" : "to_execute";
  line["why"] = one.why;
  if (!one.now) return line;
  const Verdict& now = one.now->verdict;
  line["points"] = now.points;
  line["max_points"] = now.max_points;
  line["verdict"] = to_string(now.kind);
  line["checks"] = nlohmann::json::array();
  for (const CheckChange& c : changes_of(one.before.verdict, now))
    line["checks"].push_back({{"id", c.id},
                              {"before", c.before ? nlohmann::json(*c.before) : nullptr},
                              {"now", c.now ? nlohmann::json(*c.now) : nullptr}});
  return line;
}

nlohmann::json tally_json(const Tally& t, const std::string& backend, bool dry_run) {
  return {{"summary",
           {{"backend", backend},
            {"judged", t.judged()},
            {"gain", t.gain},
            {"lose", t.lose},
            {"same", t.same},
            {"current", t.current},
            {"to_execute", t.left},
            {"stored", !dry_run}}}};
}

void print_changes(const std::vector<Rejudged>& all) {
  for (const bool gains : {true, false}) {
    const char* heading = gains ? "gain:\n" : "lose:\n";
    for (const Rejudged& one : all) {
      const double difference = difference_of(one);
      if (gains ? difference <= kSlack : difference >= -kSlack) continue;
      std::fputs(std::exchange(heading, ""), stdout);
      const std::string points = points_text(one.before.verdict.points) + " -> " +
                                 points_text(one.now->verdict.points) + " (" +
                                 signed_text(difference) + ")";
      std::printf("  %s  %s  %s\n", pad_right(one.before.submission, kNameWidth).c_str(),
                  pad_right(points, 24).c_str(),
                  changes_text(changes_of(one.before.verdict, one.now->verdict)).c_str());
    }
  }
}

// By reason, so that what all have in common is said once.
void print_left(const std::vector<Rejudged>& all, const std::string& homework) {
  std::map<std::string, std::vector<std::string>> left;
  for (const Rejudged& one : all)
    if (!one.now && !one.why.empty()) left[one.why].push_back(one.before.submission);
  for (const auto& [why, names] : left) {
    std::printf("to be executed (%s):\n", why.c_str());
    std::string list;
    for (const std::string& name : names) list += (list.empty() ? "  " : ", ") + name;
    std::fputs(wrapped(list + "\n", kColumns, 0).c_str(), stdout);
  }
  if (!left.empty())
    std::printf("grader run %s SUBMISSIONS grades these, with the same -o and --rubric\n",
                homework.c_str());
}

void print_text(const std::vector<Rejudged>& all, const Tally& t, const std::string& homework,
                bool dry_run) {
  print_changes(all);
  print_left(all, homework);
  std::printf("%zu judged anew%s: %zu gain, %zu lose, %zu as before", t.judged(),
              dry_run ? " (and not stored: --dry-run)" : "", t.gain, t.lose, t.same);
  if (t.judged() > 0)
    std::printf("; mean %s of %s -> %s of %s",
                points_text(t.before / static_cast<double>(t.judged())).c_str(),
                format_number(t.most_before).c_str(),
                points_text(t.now / static_cast<double>(t.judged())).c_str(),
                format_number(t.most).c_str());
  std::printf("\n");
  if (t.current > 0) std::printf("%zu are judged by this rubric already\n", t.current);
  if (t.left > 0) std::printf("%zu must be executed\n", t.left);
}

std::string cage_of(const CommandOptions& options, const Toolchain& tools,
                    const std::string& backend) {
  Sandbox sandbox({tools.bwrap, tools.runner, tools.cuda}, options.session.least_strength());
  if (backend == "gpu") sandbox.prepare_for_gpu();
  return sandbox.weakness();
}

void regrade(Store& store, const CommandOptions& options, const Rubric& rubric,
             const Toolchain& tools, const std::string& backend) {
  const RejudgeTerms terms{rubric, tools, backend, cage_of(options, tools, backend)};
  const std::vector<Rejudged> all =
      rejudge(store, terms, options.jobs > 0 ? options.jobs : processors());
  std::vector<Graded> judged;
  Tally tally;
  for (const Rejudged& one : all) {
    tally.add(one);
    if (one.now && !options.dry_run) judged.push_back(*one.now);
  }
  store.add_judged(&judged);
  if (!options.json) return print_text(all, tally, rubric.homework, options.dry_run);
  for (const Rejudged& one : all) std::fputs(json_line(line_json(one)).c_str(), stdout);
  std::fputs(json_line(tally_json(tally, backend, options.dry_run)).c_str(), stdout);
}

}  // namespace

int regrade_command(const CommandOptions& options) {
  require_results(options.results);
  const Toolchain tools = find_toolchain(find_top());
  Rubric rubric = rubric_to_judge_by(options.session, tools.top);
  rubric.columns = ask_columns(rubric.homework, tools);
  Store store(options.results);
  const std::vector<std::string> backends =
      graded_backends(store, rubric.homework, options.session.backend);
  for (const std::string& backend : backends) {
    if (backends.size() > 1 && !options.json) std::printf("on the %s:\n", backend.c_str());
    regrade(store, options, rubric, tools, backend);
  }
  return kExitGood;
}

}  // namespace lockstep::grader
