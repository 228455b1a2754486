// SPDX-License-Identifier: Apache-2.0
// Checks that hold a launch's counts against limits. What was not measured is never a pass, and
// every comparison is !(a <= b). See bench.h and docs/grading.md.
#include <algorithm>
#include <cmath>

#include "common/harness/columns.h"
#include "common/harness/metrics.h"
#include "grader/bench.h"
#include "grader/cost_table.h"
#include "grader/costs.h"
#include "grader/judge_check.h"

namespace lockstep::grader {
namespace {

// One metric of a check; `cost`: that of a check of kind "costs", which has grants of its own.
struct Aim {
  const CheckRule& check;
  const std::string& metric;
  const Cost* cost = nullptr;
};

// Whether two stores into one sector go to L2 as one hangs on when they come there, and a card's
// count of that does not repeat: limits are of what was stored. The factor; 1: nothing is known.
double without_merging(const Record& base, const std::string& metric) {
  if (metric != metric::kL2WriteRatio && metric != metric::kL1ToL2Bytes) return 1;
  std::string unused;
  const auto sent = metric_value(base, metric::kL1ToL2Bytes, &unused);
  const auto stored = metric_value(base, metric::kGlobalStoreSectors, &unused);
  if (!sent || !stored || !(sent->value > 0)) return 1;
  return std::max(32 * stored->value / sent->value, 1.0);
}

// A card now and then counts bytes to L2 that nobody stored (28288 or 55104 of them, where 400
// were: H200, driver 580, in one grading of ten): what a kernel sends is what it stores at most.
// The factor.
double of_what_is_stored(const Record& record, const std::string& metric) {
  if (metric != metric::kL2WriteRatio && metric != metric::kL1ToL2Bytes) return 1;
  constexpr double kSectorsOfAtomic = 32;  // one a lane
  std::string unused;
  const auto value = [&](const char* name) {
    const auto count = metric_value(record, name, &unused);
    return count ? count->value : HUGE_VAL;
  };
  const double most = 32 * (value(metric::kGlobalStoreSectors) + value(metric::kLocalSectors) +
                            kSectorsOfAtomic * value(metric::kAtomicRequests));
  const auto sent = metric_value(record, metric::kL1ToL2Bytes, &unused);
  return sent && sent->value > most ? most / sent->value : 1;
}

// The value to compare with: 1, another kernel's or the solution's. nullopt, with the reason.
std::optional<double> base_value(const Bench& bench, const Aim& aim, size_t i, std::string* why) {
  const JudgeInput& in = bench.in();
  const CheckRule& check = aim.check;
  std::string kernel = base_kernel_of(check.base_kernel, in.plan[i].launch.kernel);
  const Record* base = nullptr;
  if (check.relative_to == RelativeTo::kSolution) {
    base = bench.of_solution(i, kernel);
    *why = "the solution, which it is compared with, is not at hand";
  } else {
    for (size_t j = 0; j < in.plan.size() && j < in.records.size() && base == nullptr; ++j)
      if (same_problem(in.plan[i], in.plan[j], kernel)) base = &in.records[j];
    *why = kernel + " was not measured";
  }
  auto value = base != nullptr ? metric_value(*base, aim.metric, why) : std::nullopt;
  if (!value) return std::nullopt;
  return value->value * (in.backend == "gpu" ? without_merging(*base, aim.metric) : 1);
}

// One launch against the threshold: the share of the points, or nullopt and why not.
struct Measured {
  std::optional<double> share;
  std::string why;
  double value = 0;
  double limit = 0;      // the one that is passed, or is nearer
  double clearance = 0;  // how far on the good side, as a share of the limit
  Grant granted;         // besides
  bool upper = true;     // which limit that is
  double more = 0;       // of a launch as large as a card's: Bench::more_of_large()
  Tier tier = Tier::kMeasured;
};

// Warps of the first launch; nothing where a recorded solution does not say.
std::optional<double> warps_of(const Record* record) {
  if (record == nullptr) return std::nullopt;
  std::string why;
  const auto blocks = metric_value(*record, metric::kBlocks, &why);
  const auto warps = metric_value(*record, metric::kWarpsPerBlock, &why);
  return blocks && warps ? std::optional(blocks->value * warps->value) : std::nullopt;
}

// 32-bit elements that the arrays bring, each once: Cost::waits.
double elements_moved(const Record& record) {
  const auto elements = static_cast<double>(record.elements);
  return record.input_bytes > 0 ? std::min(elements, double(record.input_bytes) / 4) : elements;
}

// What is added to each limit of a launch. Who chooses the shape has the solution's warps, not his
// own: more of them buy nothing.
double add_up(const Bench& bench, size_t i, const Record& record, const Aim& aim, double base,
              Grant* granted) {
  const CheckRule& check = aim.check;
  const double own = static_cast<double>(record.grid.count() * ((record.block.count() + 31) / 32));
  const double warps =
      warps_of(bench.of_solution(i, bench.in().plan[i].launch.kernel)).value_or(own);
  const bool moved = aim.cost != nullptr && aim.cost->waits;
  const double elements = moved ? elements_moved(record) : double(record.elements);
  *granted = aim.cost == nullptr ? Grant{check.plus_per_element, check.plus_per_warp, check.plus}
             : check.granted     ? grant_of(*aim.cost, base, warps, elements)
                                 : Grant{};
  // Stages are there for each turn of a loop, and their turns are not known by the elements.
  if (bench.in().plan[i].launch.drawn && moved && aim.cost->element_share > 0)
    granted->once =
        std::max(granted->once, aim.cost->element_share * check.at_most.value_or(0) * base);
  return granted->once + granted->per_element * elements + granted->per_warp * std::min(warps, own);
}

// Limits are made for the sizes that are counted: in those of a card, which are looked at for what
// a kernel does there alone, a quarter more passes (Bench::more_of_large). So does what passes in
// smaller ones: where the kernel is counted with the most elements, it tells how many times the
// solution's it takes.
std::optional<double> as_in_smaller(const Bench& bench, const Aim& aim, size_t i, double base) {
  const std::vector<GradedLaunch>& plan = bench.in().plan;
  std::optional<size_t> most;
  for (const size_t j : bench.launches_of(aim.check, plan[i].launch.kernel)) {
    const bool other = plan[j].launch.drawn || plan[j].launch.opposed;
    if (other || bench.record(j) == nullptr || bench.record(j)->check.status != "correct") continue;
    if (!most || bench.record(j)->elements > bench.record(*most)->elements) most = j;
  }
  std::string unused;
  if (!most) return std::nullopt;
  const auto value = metric_value(*bench.record(*most), aim.metric, &unused);
  const bool alone = aim.check.relative_to == RelativeTo::kNothing;
  const auto of = alone ? std::optional(1.0) : base_value(bench, aim, *most, &unused);
  if (!value || !of || !(*of > 0)) return std::nullopt;
  return value->value / *of * base;
}

struct Limits {
  const CheckRule& check;
  double base = 1, plus = 0;      // what is added to each
  std::optional<double> smaller;  // as_in_smaller()
  double more = 0;                // Bench::more_of_large(); 0: it is none

  double limit(bool upper) const {
    const double limit = (upper ? *check.at_most : *check.at_least) * base + plus;
    if (more <= 0) return limit;
    return upper ? more * std::max(limit, smaller.value_or(0)) : limit / more;
  }
};

void compare(const Limits& limits, Measured* m) {
  const CheckRule& check = limits.check;
  m->share = 1;
  m->clearance = HUGE_VAL;
  for (bool upper : {true, false}) {
    if (!(upper ? check.at_most : check.at_least)) continue;
    double limit = limits.limit(upper);
    bool good = upper ? m->value <= limit : m->value >= limit;
    double distance = upper ? limit - m->value : m->value - limit;
    double clearance = distance / std::max(std::fabs(limit), 1e-9);
    if (!good) m->share = 0;
    if (good && clearance >= m->clearance) continue;
    m->limit = limit;
    m->upper = upper;
    m->clearance = clearance;
  }
  if (*m->share >= 1 || !check.zero_at) return;
  double zero = *check.zero_at * limits.base + limits.plus;
  double share = (zero - m->value) / (zero - m->limit);
  m->share = zero > m->limit && share > 0 && share < 1 ? share : 0.0;
}

Measured measure(const Bench& bench, const Aim& aim, size_t i) {
  const CheckRule& check = aim.check;
  Measured m;
  const Record* record = bench.record(i);
  if (record == nullptr || record->check.status != "correct") return m;
  auto value = metric_value(*record, aim.metric, &m.why);
  if (!value) return m;
  double base = 1;
  if (check.relative_to != RelativeTo::kNothing) {
    auto found = base_value(bench, aim, i, &m.why);
    if (!found) return m;
    base = *found;
  }
  m.value = value->value;
  if (bench.in().backend == "gpu") m.value *= of_what_is_stored(*record, aim.metric);
  m.tier = value->tier;
  if (bench.in().plan[i].launch.drawn) m.more = bench.more_of_large(i);
  Limits limits{check, base, add_up(bench, i, *record, aim, base, &m.granted), {}, m.more};
  if (m.more > 0) limits.smaller = as_in_smaller(bench, aim, i, base);
  compare(limits, &m);
  return m;
}

// Large ones are whole, so that what passes is within what is told.
double told_limit(const Measured& m) {
  if (std::fabs(m.limit) < 1000) return m.limit;
  return m.upper ? std::floor(m.limit) : std::ceil(m.limit);
}

std::string threshold_words(const CheckRule& check, const std::string& kernel, const Measured& m) {
  std::string words =
      std::string(m.upper ? "at most " : "at least ") + format_number(told_limit(m));
  if (m.more > 0)
    return words + " (" + format_number(m.more) + " times what passes in smaller ones)";
  if (check.relative_to == RelativeTo::kNothing) return words;
  std::string of = base_kernel_of(check.base_kernel, kernel);
  if (check.relative_to == RelativeTo::kSolution)
    of = "the solution" + (of == kernel ? "" : "'s " + of);
  double factor = m.upper ? *check.at_most : *check.at_least;
  words += " (" + (factor == 1 ? std::string() : format_number(factor) + " of ") + of;
  const Grant& g = m.granted;
  if (g.once != 0) words += " + " + format_number(g.once);
  if (g.per_element != 0) words += " + " + format_number(g.per_element) + " an element";
  if (g.per_warp != 0) words += " + " + format_number(g.per_warp) + " a warp";
  return words + ")";
}

// "conflicts_per_element (BXW)": with the heading of the table's column that shows the same, of
// which it is the total, or which is made of it.
std::string with_heading(const Rubric& rubric, const std::string& metric) {
  const auto is_total = [&](const std::string& column) {
    const auto& all = all_metrics();
    return std::any_of(all.begin(), all.end(), [&](const MetricInfo& info) {
      return info.name == column && info.total == metric;
    });
  };
  const auto is_part = [&](const std::string& column) { return raw_count_of(column) == metric; };
  const auto& columns = rubric.columns;
  auto found = std::find(columns.begin(), columns.end(), metric);
  if (found == columns.end()) found = std::find_if(columns.begin(), columns.end(), is_total);
  if (found == columns.end()) found = std::find_if(columns.begin(), columns.end(), is_part);
  if (found == columns.end()) return metric;
  const Column column = column_of(*found);
  const bool is_short = column.heading.size() < 3;  // "Sect/req ld"
  return metric + " (" + (is_short && !column.group.empty() ? column.group + " " : "") +
         column.heading + ")";
}

// Wrong results: the counts of such a kernel mean nothing. True when that decided the check.
bool refuse_wrong(const Bench& bench, const std::string& kernel, CheckOutcome* out) {
  if (auto bad = bench.first_bad(kernel)) {
    describe_bad(bench, *bad, out);
    out->message = "its counts are worth nothing, because the result is not right\n" + out->message;
    out->status = CheckStatus::kFail;
    return true;
  }
  if (auto refused = bench.first_unsupported(kernel)) {
    describe_bad(bench, *refused, out);
    out->bad_launch.reset();  // not shown to be wrong
    set_undecided(bench, out);
    return true;
  }
  return false;
}

// A launch without the figure that is judged: was it cut, or can nothing be told of such code?
void tell_missing(const Bench& bench, const std::string& metric, size_t i, const std::string& why,
                  CheckOutcome* out) {
  const std::string& kernel = bench.in().plan[i].launch.kernel;
  const Record* record = bench.record(i);
  if (record == nullptr || record->check.status != "correct") {
    describe_bad(bench, i, out);
    out->status = CheckStatus::kFail;
    return;
  }
  out->kernel = kernel;
  out->message = kernel + ": " + with_heading(bench.in().rubric, metric) + ": not measured";
  out->quoted = Quoted(why);  // a backend's words, as a rule
  out->status = CheckStatus::kNotMeasured;
  std::string unused;
  const Record* solution = bench.of_solution(i, kernel);
  if (metric_value(*record, metric, &unused)) return;  // it is the base that is missing
  if (solution != nullptr && metric_value(*solution, metric, &unused)) set_undecided(bench, out);
}

// What the figures of the launch call for; empty where the rubric has nothing special for them.
std::string evident_hint(const CheckRule& check, const Record& record) {
  std::string unused;
  for (const EvidentHint& hint : check.hints) {
    if (!hint.faults.empty()) continue;
    const auto value = metric_value(record, hint.metric, &unused);
    if (!value || (hint.above && !(value->value > *hint.above)) ||
        (hint.below && !(value->value < *hint.below)))
      continue;
    return hint.hint;
  }
  return {};
}

void tell_metric(const Bench& bench, const Aim& aim, size_t i, const Measured& m,
                 CheckOutcome* out) {
  const CheckRule& check = aim.check;
  const JudgeInput& in = bench.in();
  const PlannedLaunch& launch = in.plan[i].launch;
  out->kernel = launch.kernel;
  out->metric = aim.metric;
  out->measured = m.value;
  out->threshold = told_limit(m);
  out->clearance = m.clearance;
  out->tier = lockstep::to_string(m.tier);
  out->message = launch.kernel + ": " + with_heading(in.rubric, aim.metric) + " is " +
                 format_number(m.value) + ", expected " + threshold_words(check, launch.kernel, m);
  if (*m.share >= 1) return;
  if (launch.opposed) out->opposed = i;
  out->hint = evident_hint(check, *bench.record(i));
  out->reproduce = reproduce_command(in.rubric, launch, in.backend, launch.seed, true) + " --lines";
  if (!m.upper) return;
  Record record = *bench.record(i);
  if (in.lines) record.counts.lines = in.lines(i);
  out->costs = costly_lines(record, aim.metric, m.value, m.limit, in.rubric.file, in.source);
}

void judge_limit(const Bench& bench, const Aim& aim, CheckOutcome* out) {
  const CheckRule& check = aim.check;
  // The worst launch decides: the one with the least share, and of those the farthest off.
  std::optional<std::pair<double, double>> worst;
  std::pair<size_t, Measured> told;
  std::pair<std::optional<size_t>, std::string> uncounted;  // an opposed launch, and why
  for (const std::string& kernel : bench.kernels_of(check)) {
    if (refuse_wrong(bench, kernel, out)) return;
    if (check.relative_to == RelativeTo::kKernel &&
        refuse_wrong(bench, base_kernel_of(check.base_kernel, kernel), out))
      return;
  }
  for (const std::string& kernel : bench.kernels_of(check))
    for (size_t i : bench.launches_of(check, kernel)) {
      Measured m = measure(bench, aim, i);
      if (!m.share && bench.in().plan[i].launch.opposed) {
        if (!uncounted.first) uncounted = {i, m.why};
        continue;
      }
      if (!m.share) return tell_missing(bench, aim.metric, i, m.why, out);
      std::pair<double, double> standing(*m.share, m.clearance);
      if (worst && standing >= *worst) continue;
      worst = standing;
      told = {i, m};
    }
  if (uncounted.first && (!worst || worst->first >= 1)) {
    tell_missing(bench, aim.metric, *uncounted.first, uncounted.second, out);
    out->opposed = uncounted.first;
    out->clearance = -HUGE_VAL;  // it may cost anything
    return;
  }
  if (worst) tell_metric(bench, aim, told.first, told.second, out);
  double share = worst ? worst->first : 0;
  out->points = check.points * share;
  out->share = share;
  out->status = share >= 1  ? CheckStatus::kPass
                : share > 0 ? CheckStatus::kPartial
                            : CheckStatus::kFail;
}

// Some launch of the check has this count, or the solution's has.
bool counts_here(const Bench& bench, const CheckRule& check, const std::string& metric) {
  std::string unused;
  for (const std::string& kernel : bench.kernels_of(check))
    for (size_t i : bench.launches_of(check, kernel)) {
      const Record* ours = bench.record(i);
      const Record* solution = bench.of_solution(i, kernel);
      if (ours != nullptr && metric_value(*ours, metric, &unused)) return true;
      if (solution != nullptr && metric_value(*solution, metric, &unused)) return true;
    }
  return false;
}

}  // namespace

void judge_metric(const Bench& bench, const CheckRule& check, CheckOutcome* out) {
  judge_limit(bench, {check, check.metric}, out);
}

void judge_costs(const Bench& bench, const CheckRule& check, CheckOutcome* out) {
  const CheckOutcome empty = *out;
  const auto is_told = [&](const std::string& metric) { return counts_here(bench, check, metric); };
  // Where this device tells nothing of it, a gate holds nobody off.
  if (check.points == 0 && std::none_of(check.metrics.begin(), check.metrics.end(), is_told)) {
    for (const std::string& kernel : bench.kernels_of(check))
      if (refuse_wrong(bench, kernel, out)) return;
    out->status = CheckStatus::kPass;
    return;
  }
  bool is_first = true;
  for (const std::string& metric : check.metrics) {
    if (!is_told(metric)) continue;
    CheckOutcome found = empty;
    judge_limit(bench, {check, metric, find_cost(metric)}, &found);
    const bool worse = found.clearance.value_or(HUGE_VAL) < out->clearance.value_or(HUGE_VAL);
    // Of opposed launches it is asked how far off they are; else the first cost that fails is told.
    const bool told = found.status != CheckStatus::kPass && !bench.with_opposed();
    if (is_first || told || worse) *out = found;
    if (told) return;
    is_first = false;
  }
}

}  // namespace lockstep::grader
