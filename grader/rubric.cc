// SPDX-License-Identifier: Apache-2.0
// Reading rubric.toml: types and keys by TomlTable, runs and checks by rubric_rules.h, and here
// what belongs together.
#include "grader/rubric.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "common/backend/module_files.h"
#include "common/base/error.h"
#include "grader/assembly.h"
#include "grader/cost_table.h"
#include "grader/rubric_rules.h"
#include "grader/sha256.h"
#include "grader/toml_reader.h"

namespace lockstep::grader {
namespace {

// A check of costs that names none looks at all that no other check names for all of its runs and
// kernels.
void share_out_costs(Rubric* rubric) {
  auto has_all = [](const std::vector<std::string>& all, const std::vector<std::string>& some) {
    return std::all_of(some.begin(), some.end(), [&](const std::string& one) {
      return std::find(all.begin(), all.end(), one) != all.end();
    });
  };
  auto looks_at_all_of = [&](const CheckRule& other, const CheckRule& check) {
    return has_all(other.runs, check.runs) &&
           has_all(rubric->kernels_of(other), rubric->kernels_of(check));
  };
  const std::vector<CheckRule> stated = rubric->checks;
  for (CheckRule& check : rubric->checks) {
    if (check.kind != CheckKind::kCosts || !check.metrics.empty()) continue;
    std::set<std::string> named;
    for (const CheckRule& other : stated)
      for (const std::string& metric : metrics_of(other))
        if (const Cost* cost = find_cost(metric); cost != nullptr && looks_at_all_of(other, check))
          named.insert(cost->metric);
    for (const Cost& cost : cost_table())
      if (named.count(cost.metric) == 0) check.metrics.push_back(cost.metric);
  }
}

void read_policy_and_limits(TomlTable& top, Rubric* rubric) {
  rubric->policy.headers = default_headers();
  if (auto t = top.table("policy")) {
    rubric->policy.inline_asm = t->flag("inline_asm", true);
    if (auto headers = t->texts("headers"); !headers.empty()) rubric->policy.headers = headers;
    rubric->policy.forbidden = t->texts("forbidden_operations");
    rubric->policy.machine_registers = t->flag("machine_registers", false);
    rubric->policy.global_bytes = t->integer("global_bytes", 1 << 20, 0, int64_t{1} << 32);
    t->finish();
  }
  if (auto t = top.table("limits")) {
    Limits& l = rubric->limits;
    l.compile_s = t->number("compile_s", l.compile_s);
    l.launch_s = t->number("launch_s", l.launch_s);
    l.run_s = t->number("run_s", l.run_s);
    l.memory_mib = t->integer("memory_mib", l.memory_mib, 256, 1 << 20);
    l.step_budget = t->integer("step_budget", l.step_budget, 1000, int64_t{1} << 50);
    l.total_steps = t->integer("total_steps", l.total_steps, 0, int64_t{1} << 50);
    for (double seconds : {l.compile_s, l.launch_s, l.run_s})
      if (!(seconds > 0)) t->fail("a limit of time: expected seconds above 0");
    t->finish();
  }
}

void read_late(TomlTable& top, Rubric* rubric) {
  auto t = top.table("late");
  if (!t) return;
  LatePolicy late;
  const std::string due = t->text("due");
  const std::optional<int64_t> time = parse_time(due);
  if (!time)
    t->fail("due",
            "'due': expected a time with its zone, like \"2026-11-20T23:59:00Z\" or "
            "\"2026-11-20 23:59:00 +01:00\"");
  late.due = *time;
  late.per_day = t->number("per_day");
  if (!(late.per_day >= 0 && late.per_day <= 100))
    t->fail("per_day", "'per_day': expected a percentage from 0 to 100");
  late.max_days = static_cast<int>(t->integer("max_days", 100000, 0, 100000));
  late.grace_s = t->integer("grace_minutes", 0, 0, 100000) * 60;
  t->finish();
  rubric->late = late;
}

void read_reference(TomlTable& top, Rubric* rubric) {
  if (auto t = top.table("solution")) {
    rubric->solution = t->text("file");
    rubric->solution_flags = t->texts("flags");
    t->finish();
  }
  if (auto t = top.table("selfcheck")) {
    rubric->starter = t->text("starter", "");
    rubric->starter_points = t->maybe_number("starter_points");
    rubric->wrong = t->texts("wrong");
    rubric->naive = t->texts("naive");
    rubric->margin = t->number("margin", rubric->margin);
    t->finish();
  }
}

// What a check says of runs and kernels must be there.
void connect(const Rubric& rubric, const CheckRule& check) {
  auto fail = [&](const std::string& message) {
    throw Error(rubric.path + ":" + std::to_string(check.line) + ": [[check]] \"" + check.id +
                "\": " + message);
  };
  for (const std::string& id : check.requires_checks) {
    auto earlier = [&](const CheckRule& other) {
      return other.id == id && other.line < check.line;
    };
    const auto found = std::find_if(rubric.checks.begin(), rubric.checks.end(), earlier);
    if (found == rubric.checks.end())
      fail("'requires': there is no check \"" + id + "\" before this one");
    if (found->visibility == Visibility::kHidden && check.visibility != Visibility::kHidden)
      fail("'requires': check \"" + id + "\" is hidden, so that these points would tell of it");
  }
  std::set<std::string> available;
  for (const std::string& id : check.runs) {
    const RunRule* run = rubric.find_run(id);
    if (run == nullptr) fail("'runs': there is no [[run]] with id \"" + id + "\"");
    if (check.kind != CheckKind::kCorrect && !run->counters)
      fail("'runs': run \"" + id + "\" counts nothing; expected one with counters = true");
    available.insert(run->kernels.begin(), run->kernels.end());
  }
  for (const std::string& id : check.passes_by)
    if (rubric.find_run(id) == nullptr)
      fail("'passes_by': there is no [[run]] with id \"" + id + "\"");
  for (const std::string& kernel : check.kernels)
    if (available.count(kernel) == 0) fail("'kernels': no run of this check launches " + kernel);
  const bool of_solution = check.relative_to == RelativeTo::kSolution;
  for (const RunRule& run : rubric.runs)
    if (of_solution) available.insert(run.kernels.begin(), run.kernels.end());
  for (const std::string& kernel : rubric.kernels_of(check)) {
    std::string base = base_kernel_of(check.base_kernel, kernel);
    if (available.count(base) == 0)
      fail(std::string("'relative_to': no run ") + (of_solution ? "" : "of this check ") +
           "launches " + base +
           "; expected \"solution\", \"solution:KERNEL\" or a kernel, $1 and so on being template "
           "arguments");
  }
}

void check_ids(const Rubric& rubric) {
  std::set<std::string> seen;
  auto unique = [&](const char* what, const std::string& id, int line) {
    if (!seen.insert(std::string(what) + id).second)
      throw Error(rubric.path + ":" + std::to_string(line) + ": [[" + what + "]] id \"" + id +
                  "\" is there already; expected another");
  };
  for (const RunRule& run : rubric.runs) unique("run", run.id, run.line);
  for (const CheckRule& check : rubric.checks) unique("check", check.id, check.line);
}

}  // namespace

const RunRule* Rubric::find_run(const std::string& id) const {
  for (const RunRule& run : runs)
    if (run.id == id) return &run;
  return nullptr;
}

std::vector<std::string> Rubric::kernels_of(const CheckRule& check) const {
  if (!check.kernels.empty()) return check.kernels;
  std::vector<std::string> kernels;
  for (const std::string& id : check.runs)
    for (const std::string& kernel : find_run(id)->kernels)
      if (std::find(kernels.begin(), kernels.end(), kernel) == kernels.end())
        kernels.push_back(kernel);
  return kernels;
}

std::vector<std::string> expand_braces(const std::string& pattern) {
  size_t open = pattern.find('{');
  size_t close = open == std::string::npos ? open : pattern.find('}', open);
  if (close == std::string::npos) return {pattern};
  std::vector<std::string> out;
  for (size_t at = open + 1; at <= close;) {
    size_t end = std::min(pattern.find(',', at), close);
    std::string one =
        pattern.substr(0, open) + pattern.substr(at, end - at) + pattern.substr(close + 1);
    for (std::string& rest : expand_braces(one)) {
      out.push_back(std::move(rest));
      if (out.size() > kMostKernels) return out;
    }
    at = end + 1;
  }
  return out;
}

std::string base_kernel_of(const std::string& pattern, const std::string& kernel) {
  if (pattern.empty()) return kernel;
  std::vector<std::string> arguments;
  size_t open = kernel.find('<');
  if (open != std::string::npos && kernel.back() == '>') {
    for (size_t at = open + 1; at < kernel.size();) {
      size_t end = std::min(kernel.find(',', at), kernel.size() - 1);
      arguments.push_back(kernel.substr(at, end - at));
      at = end + 1;
    }
  }
  std::string out;
  for (size_t i = 0; i < pattern.size(); ++i) {
    size_t which = i + 1 < pattern.size() && pattern[i] == '$' ? size_t(pattern[i + 1] - '1') : 99;
    if (which < arguments.size())
      out += arguments[which], ++i;
    else
      out += pattern[i];
  }
  return out;
}

Rubric parse_rubric(const std::string& text, const std::string& path) {
  Rubric rubric;
  rubric.path = path;
  rubric.text_hash = sha256(text);
  toml::table file;
  try {
    file = toml::parse(text, path);
  } catch (const toml::parse_error& e) {
    throw Error(path + ":" + std::to_string(e.source().begin.line) + ": " +
                std::string(e.description()));
  }
  TomlTable top(path, "", file);
  rubric.homework = top.text("homework");
  rubric.title = top.text("title");
  rubric.file = top.text("file", rubric.homework + ".cu");
  if (top.word("undecided", {"fail", "review"}, "fail") == "review")
    rubric.undecided = Undecided::kReview;
  rubric.own_shapes = top.word("shapes", {"drawn", "own"}, "drawn") == "own";
  rubric.given_kernels = top.texts("given_kernels");
  for (const std::string& pattern : top.texts("given_rows"))
    for (std::string& row : expand_braces(pattern)) rubric.given_rows.push_back(std::move(row));
  read_policy_and_limits(top, &rubric);
  read_reference(top, &rubric);
  read_late(top, &rubric);
  for (TomlTable& t : top.tables("run")) rubric.runs.push_back(read_run(t, rubric.own_shapes));
  for (TomlTable& t : top.tables("check")) rubric.checks.push_back(read_check(t));
  if (rubric.runs.empty()) top.fail("expected at least one [[run]]");
  if (rubric.checks.empty()) top.fail("expected at least one [[check]]");
  check_ids(rubric);
  for (const CheckRule& check : rubric.checks) {
    connect(rubric, check);
    rubric.points += check.points;
  }
  share_out_costs(&rubric);
  if (auto stated = top.maybe_number("points"); stated && std::fabs(*stated - rubric.points) > 1e-9)
    top.fail("points",
             "'points' is not the sum over the checks, which is " + std::to_string(rubric.points));
  top.finish();
  return rubric;
}

Rubric without_hidden(Rubric rubric) {
  std::set<std::string> seen, hidden;  // runs
  for (const CheckRule& check : rubric.checks) {
    const bool is_hidden = check.visibility == Visibility::kHidden;
    (is_hidden ? hidden : seen).insert(check.runs.begin(), check.runs.end());
    if (!is_hidden) continue;
    rubric.hidden_checks.push_back(check.id);
    rubric.points -= check.points;
  }
  std::erase_if(rubric.checks,
                [](const CheckRule& check) { return check.visibility == Visibility::kHidden; });
  if (rubric.checks.empty())
    throw Error(rubric.path + ": all checks are hidden: there is nothing to show to a student");
  for (RunRule& run : rubric.runs) run.unseen = hidden.contains(run.id) && !seen.contains(run.id);
  return rubric;
}

Rubric load_rubric(const std::string& path) { return parse_rubric(read_file(path, 4 << 20), path); }

}  // namespace lockstep::grader
