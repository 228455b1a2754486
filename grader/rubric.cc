// SPDX-License-Identifier: Apache-2.0
// Reading rubric.toml: types and keys by TomlTable, and here what belongs together.
#include "grader/rubric.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "common/backend/fault_words.h"
#include "common/backend/module_files.h"
#include "common/base/error.h"
#include "common/harness/metrics.h"
#include "grader/assembly.h"
#include "grader/cost_table.h"
#include "grader/sha256.h"
#include "grader/toml_reader.h"

namespace lockstep::grader {
namespace {

constexpr int64_t kMostVectors = 1 << 28;
constexpr size_t kMostKernels = 1000;

std::vector<std::string> kernels_of(TomlTable& table) {
  std::vector<std::string> kernels;
  for (const std::string& pattern : table.texts("kernels"))
    for (std::string& name : expand_braces(pattern)) {
      if (name.find_first_of(" *?{}") != std::string::npos)
        table.fail("kernels", "'kernels': \"" + name +
                                  "\" is not a kernel's whole name; expected one like "
                                  "\"norm_group_u<8,8,{1,2,4}>\", without spaces or wildcards");
      kernels.push_back(std::move(name));
    }
  if (kernels.size() > kMostKernels) table.fail("kernels", "'kernels': too many");
  return kernels;
}

// A list [from, to] of two numbers.
Range range_of(TomlTable& t, const char* key, int64_t least, int64_t most) {
  std::vector<int64_t> ends = t.integers(key, least, most);
  if (ends.size() != 2 || ends[0] > ends[1])
    t.fail(key, std::string("'") + key + "': expected [from, to], the second not below the first");
  return {ends[0], ends[1]};
}

void read_drawn(TomlTable& t, RunRule* run) {
  if (auto random = t.table("random_vectors")) {
    run->drawn_sizes = static_cast<int>(random->integer("count", 1, 1, 100));
    run->sizes = {random->integer("from", 1, 1, kMostVectors),
                  random->integer("to", 0, 1, kMostVectors)};
    if (run->sizes.to < run->sizes.from)
      random->fail("expected 'from' and 'to', the second not below the first");
    random->finish();
  }
  if (auto random = t.table("random_shapes")) {
    run->drawn_shapes = static_cast<int>(random->integer("count", 1, 1, 100));
    run->shape_blocks = range_of(*random, "blocks", 1, 1 << 20);
    run->shape_warps = range_of(*random, "warps", 1, 32);
    random->finish();
  }
}

// Blocks and warps, fixed or drawn; the homework's own where no run has a say.
void read_shapes(TomlTable& t, bool own_shapes, RunRule* run) {
  run->own_shape = own_shapes;
  run->blocks = t.integers("blocks", -64, 1 << 20);
  for (int64_t warps : t.integers("warps", 1, 32)) run->warps.push_back(static_cast<int>(warps));
  const bool stated = !run->blocks.empty() || !run->warps.empty();
  if (own_shapes && (stated || run->drawn_shapes > 0))
    t.fail("'blocks', 'warps' and 'random_shapes' are not for a rubric with shapes = \"own\"");
  if (own_shapes) {
    run->blocks = {0};
    run->warps = {0};
  } else if (run->drawn_shapes == 0 || stated) {
    if (run->blocks.empty()) run->blocks = {0};
    if (run->warps.empty()) run->warps = {8};
  }
}

RunRule read_run(TomlTable t, bool own_shapes) {
  RunRule run;
  run.line = t.line();
  run.id = t.text("id");
  run.kernels = kernels_of(t);
  if (run.kernels.empty()) t.fail("'kernels' is missing; expected names of kernels");
  run.drawn_kernels = static_cast<int>(t.integer("random_kernels", 0, 0, kMostKernels));
  run.vectors = t.integers("vectors", 1, kMostVectors);
  read_drawn(t, &run);
  if (run.vectors.empty() && run.drawn_sizes == 0)
    t.fail("expected 'vectors' (sizes) or 'random_vectors' { count, from, to }");
  read_shapes(t, own_shapes, &run);
  run.inputs = static_cast<int>(t.integer("inputs", 1, 1, 100));
  run.counters = t.flag("counters", false);
  t.finish();
  return run;
}

// Kind "costs": each is held against the solution's.
void read_costs(TomlTable& t, CheckRule* check) {
  constexpr double kMost = 1.5;
  check->at_most = t.number("at_most", kMost);
  if (!(*check->at_most >= 1)) t.fail("at_most", "'at_most': expected a factor of at least 1");
  check->relative_to = RelativeTo::kSolution;
  check->granted = t.flag("granted", true);
  check->metrics = t.texts("metrics");
  for (const std::string& metric : check->metrics)
    if (find_cost(metric) == nullptr || find_cost(metric)->metric != metric) {
      std::string known;
      for (const Cost& cost : cost_table()) known += " " + cost.metric;
      t.fail("metrics", "'metrics': \"" + metric + "\" is no cost; expected some of" + known);
    }
}

// A check of costs that names none looks at all that no other check of its runs names.
void share_out_costs(Rubric* rubric) {
  auto shares_runs = [](const CheckRule& a, const CheckRule& b) {
    return std::any_of(a.runs.begin(), a.runs.end(), [&](const std::string& run) {
      return std::find(b.runs.begin(), b.runs.end(), run) != b.runs.end();
    });
  };
  const std::vector<CheckRule> stated = rubric->checks;
  for (CheckRule& check : rubric->checks) {
    if (check.kind != CheckKind::kCosts || !check.metrics.empty()) continue;
    std::set<std::string> named;
    for (const CheckRule& other : stated)
      for (const std::string& metric : metrics_of(other))
        if (const Cost* cost = find_cost(metric); cost != nullptr && shares_runs(check, other))
          named.insert(cost->metric);
    for (const Cost& cost : cost_table())
      if (named.count(cost.metric) == 0) check.metrics.push_back(cost.metric);
  }
}

std::string read_metric(TomlTable& t) {
  const std::string metric = t.text("metric");
  for (const MetricInfo& info : all_metrics())
    if (info.name == metric) return metric;
  t.fail("metric", "'metric': there is no metric \"" + metric + "\"; docs/metrics.md lists them");
}

EvidentHint read_evident_hint(TomlTable t) {
  EvidentHint hint;
  hint.hint = t.text("hint");
  hint.faults = t.texts("faults");
  for (const std::string& kind : hint.faults)
    if (kind != "wrong" && kind != "input_changed" && fault_words(kind) == fault_words(""))
      t.fail("faults", "'faults': there is no \"" + kind + "\"; docs/grading.md lists them");
  if (hint.faults.empty()) {
    hint.metric = read_metric(t);
    hint.above = t.maybe_number("above");
    hint.below = t.maybe_number("below");
    if (!hint.above && !hint.below) t.fail("expected 'above', 'below' or both");
  }
  t.finish();
  return hint;
}

void read_threshold(TomlTable& t, CheckRule* check) {
  check->metric = read_metric(t);
  check->at_most = t.maybe_number("at_most");
  check->at_least = t.maybe_number("at_least");
  check->zero_at = t.maybe_number("zero_at");
  bool both = check->at_most && check->at_least;
  if (!check->at_most && !check->at_least) t.fail("expected 'at_most', 'at_least' or both");
  if (both && !(*check->at_least <= *check->at_most))
    t.fail("at_least", "'at_least': expected a number that is not above 'at_most'");
  if (both && check->zero_at)
    t.fail("zero_at", "'zero_at': expected 'at_most' or 'at_least' with it, not both");
  if (check->zero_at && (check->at_most ? !(*check->zero_at > *check->at_most)
                                        : !(*check->zero_at < *check->at_least)))
    t.fail("zero_at", std::string("'zero_at': expected a number ") +
                          (check->at_most ? "above 'at_most'" : "below 'at_least'"));
  check->plus = t.number("plus", 0);
  check->plus_per_element = t.number("plus_per_element", 0);
  check->plus_per_warp = t.number("plus_per_warp", 0);
  std::string relative = t.text("relative_to", "");
  const std::string of_solution = "solution:";
  if (relative == "solution") {
    check->relative_to = RelativeTo::kSolution;
  } else if (relative.rfind(of_solution, 0) == 0) {
    check->relative_to = RelativeTo::kSolution;
    check->base_kernel = relative.substr(of_solution.size());
  } else if (!relative.empty()) {
    check->relative_to = RelativeTo::kKernel;
    check->base_kernel = relative;
  }
}

CheckRule read_check(TomlTable t) {
  CheckRule check;
  check.line = t.line();
  check.id = t.text("id");
  check.title = t.text("title");
  const std::string kind = t.word("kind", {"correct", "metric", "costs"}, nullptr);
  check.kind = kind == "metric"  ? CheckKind::kMetric
               : kind == "costs" ? CheckKind::kCosts
                                 : CheckKind::kCorrect;
  check.points = t.number("points");
  if (check.points < 0) t.fail("points", "'points': expected a number from 0");
  check.visibility = t.word("visibility", {"public", "hidden"}, "public") == "hidden"
                         ? Visibility::kHidden
                         : Visibility::kPublic;
  check.hint = t.text("hint", "");
  for (const TomlTable& hint : t.tables("hints")) check.hints.push_back(read_evident_hint(hint));
  check.backends = t.texts("backends");
  for (const std::string& backend : check.backends)
    if (backend != "gpu" && backend != "emulator")
      t.fail("backends", "'backends': expected \"gpu\", \"emulator\" or both");
  check.runs = t.texts("runs");
  if (check.runs.empty()) t.fail("'runs' is missing; expected ids of [[run]] tables");
  check.kernels = kernels_of(t);
  check.requires_checks = t.texts("requires");
  if (check.kind == CheckKind::kMetric)
    read_threshold(t, &check);
  else if (check.kind == CheckKind::kCosts)
    read_costs(t, &check);
  else
    check.partial = t.flag("partial", false);
  t.finish();
  return check;
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
  read_policy_and_limits(top, &rubric);
  read_reference(top, &rubric);
  read_late(top, &rubric);
  for (TomlTable& t : top.tables("run")) rubric.runs.push_back(read_run(t, rubric.own_shapes));
  for (TomlTable& t : top.tables("check")) rubric.checks.push_back(read_check(t));
  if (rubric.runs.empty()) top.fail("expected at least one [[run]]");
  if (rubric.checks.empty()) top.fail("expected at least one [[check]]");
  check_ids(rubric);
  share_out_costs(&rubric);
  for (const CheckRule& check : rubric.checks) {
    connect(rubric, check);
    rubric.points += check.points;
  }
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
