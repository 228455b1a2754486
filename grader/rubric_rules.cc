// SPDX-License-Identifier: Apache-2.0
// See rubric_rules.h.
#include "grader/rubric_rules.h"

#include <utility>

#include "common/backend/fault_words.h"
#include "common/harness/metrics.h"
#include "grader/cost_table.h"

namespace lockstep::grader {
namespace {

constexpr int64_t kMostVectors = 1 << 28;

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

}  // namespace

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
  check.passes_by = t.texts("passes_by");
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

}  // namespace lockstep::grader
