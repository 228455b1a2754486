// SPDX-License-Identifier: Apache-2.0
// One check of a rubric against the records. A kernel whose result is wrong anywhere earns nothing
// for its counts; what was not measured is never a pass; every comparison is !(a <= b). What this
// device tells of the solution but not of the submission is the submission's own doing: it fails.
#include "grader/judge_check.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "common/metrics.h"
#include "grader/costs.h"

namespace lockstep::grader {
namespace {

// The launches that a check looks at, and what became of them.
class Bench {
 public:
  explicit Bench(const JudgeInput& input) : in_(input) {
    for (size_t i = 0; i < in_.plan.size(); ++i) {
      const std::string& kernel = in_.plan[i].launch.kernel;
      bool made = i < in_.records.size();
      if (made && in_.records[i].check.status == "correct") continue;
      if (made && is_fault(in_.records[i], "unsupported"))
        unsupported_.emplace(kernel, i);
      else if (made && is_fault(in_.records[i], "too_slow") && in_.plan[i].launch.counters)
        continue;  // only what needs this launch's counts lacks them
      else
        first_bad_.emplace(kernel, i);
    }
  }

  static bool is_fault(const Record& record, const char* kind) {
    return record.check.status == "fault" && record.check.fault_kind == kind;
  }
  const JudgeInput& in() const { return in_; }
  const Record* record(size_t i) const {
    return i < in_.records.size() ? &in_.records[i] : nullptr;
  }
  // Index of the first launch of a kernel, in any run, that was not right.
  std::optional<size_t> first_bad(const std::string& kernel) const {
    auto found = first_bad_.find(kernel);
    return found == first_bad_.end() ? std::nullopt : std::optional<size_t>(found->second);
  }
  std::optional<size_t> first_unsupported(const std::string& kernel) const {
    auto found = unsupported_.find(kernel);
    return found == unsupported_.end() ? std::nullopt : std::optional<size_t>(found->second);
  }
  std::vector<std::string> kernels_of(const CheckRule& check) const {
    return in_.rubric.kernels_of(check);
  }
  // The solution's record of launch i, or of another kernel on the same problem; may be null.
  const Record* of_solution(size_t i, const std::string& kernel) const {
    const Reference& r = in_.reference;
    for (size_t j = 0; j < r.plan.size() && j < r.records.size(); ++j)
      if (same_problem(in_.plan[i], r.plan[j], kernel)) return &r.records[j];
    return nullptr;
  }
  // Whether the solution was measured here: then this device can decide what it decides of it.
  bool decides() const { return in_.reference.known; }
  std::vector<size_t> launches_of(const CheckRule& check, const std::string& kernel) const {
    std::vector<size_t> launches;
    for (size_t i = 0; i < in_.plan.size(); ++i)
      if (in_.plan[i].launch.kernel == kernel &&
          std::find(check.runs.begin(), check.runs.end(), in_.plan[i].run) != check.runs.end())
        launches.push_back(i);
    return launches;
  }

 private:
  const JudgeInput& in_;
  std::map<std::string, size_t> first_bad_, unsupported_;
};

// By how much a launch was too slow, where that is known.
std::string too_slow_words(const Bench& bench, size_t i) {
  const JudgeInput& in = bench.in();
  const Record* solution = bench.of_solution(i, in.plan[i].launch.kernel);
  const Count* needed =
      solution != nullptr ? solution->counts.find(metric::kWarpInstructions) : nullptr;
  if (needed == nullptr || !(needed->value > 0)) return {};
  double budget = double(in.rubric.limits.step_budget);
  return "\nthe solution takes " + format_number(needed->value) +
         " warp instructions there: this is more than " +
         format_number(std::floor(budget / needed->value)) + " times as many";
}

// What went wrong in launch `i`, for the student.
void describe_bad(const Bench& bench, size_t i, CheckOutcome* out) {
  const JudgeInput& in = bench.in();
  const PlannedLaunch& launch = in.plan[i].launch;
  const Record* record = bench.record(i);
  out->kernel = launch.kernel;
  std::string where = launch.kernel + ", " + std::to_string(launch.vectors) + " vectors, " +
                      std::to_string(launch.blocks) + " blocks of " + std::to_string(launch.warps) +
                      " warps: ";
  if (record == nullptr) {
    out->message = where + "was not executed, because an earlier launch ended everything";
    return;
  }
  // The harness names kernel, place and problem; where a place comes first, it stays first.
  std::string said = lines_of(record->check.message, in.rubric.file, 8);
  bool placed = said.rfind(in.rubric.file + ":", 0) == 0;
  out->message = placed         ? said + "\n(" + where + record->check.status + ")"
                 : said.empty() ? where + record->check.status
                 : said.rfind(launch.kernel, 0) == 0
                     ? said + "\n(" + std::to_string(launch.vectors) + " vectors)"
                     : where + said;
  if (Bench::is_fault(*record, "too_slow")) out->message += too_slow_words(bench, i);
  out->quoted = quoted_of(*record, in.rubric.file);
  out->reproduce = reproduce_command(in.rubric, launch, in.backend, record->check.seed, false);
}

// A check that could not be decided: the submission's doing where it is decided of the solution.
void set_undecided(const Bench& bench, CheckOutcome* out) {
  bool review = bench.in().rubric.undecided == Undecided::kReview;
  out->status = !bench.decides() ? CheckStatus::kNotMeasured
                : review         ? CheckStatus::kReview
                                 : CheckStatus::kFail;
  if (!bench.decides()) return;
  out->undecided = true;
  out->message += review
                      ? "\nthe solution's can be told here: a person has to decide"
                      : "\nthe solution's can be told here, so this counts as not reached: write "
                        "it in a way that can be told, too";
}

void judge_correct(const Bench& bench, const CheckRule& check, CheckOutcome* out) {
  size_t good = 0, total = 0, undecided = 0;
  bool told = false;
  for (const std::string& kernel : bench.kernels_of(check)) {
    ++total;
    std::optional<size_t> bad, refused;
    for (size_t i : bench.launches_of(check, kernel)) {
      const Record* record = bench.record(i);
      if (record != nullptr && record->check.status == "correct") continue;
      if (record != nullptr && Bench::is_fault(*record, "unsupported"))
        refused = refused ? refused : i;
      else
        bad = bad ? bad : i;
    }
    if (!bad && !refused) ++good;
    if (!bad && refused) ++undecided;
    if (bad && !told) {
      describe_bad(bench, *bad, out);
      told = true;
    } else if (refused && !told && out->message.empty()) {
      describe_bad(bench, *refused, out);
    }
  }
  if (undecided > 0 && good + undecided == total) {
    set_undecided(bench, out);
    if (out->status != CheckStatus::kFail) return;
  }
  double share = check.partial && total > 0 ? double(good) / double(total) : good == total;
  out->points = check.points * share;
  out->status = good == total ? CheckStatus::kPass
                : share > 0   ? CheckStatus::kPartial
                              : CheckStatus::kFail;
  if (good < total && total > 1)
    out->message +=
        "\n" + std::to_string(total - good) + " of " + std::to_string(total) + " kernels are wrong";
}

// The value to compare with: 1, another kernel's or the solution's. nullopt, with the reason.
std::optional<double> base_value(const Bench& bench, const CheckRule& check, size_t i,
                                 std::string* why) {
  const JudgeInput& in = bench.in();
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
  auto value = base != nullptr ? metric_value(*base, check.metric, why) : std::nullopt;
  return value ? std::optional<double>(value->value) : std::nullopt;
}

// One launch against the threshold: the share of the points, or nullopt and why not.
struct Measured {
  std::optional<double> share;
  std::string why;
  double value = 0;
  double limit = 0;      // the one that is passed, or is nearer
  double clearance = 0;  // how far on the good side, as a share of the limit
  bool upper = true;     // which limit that is
  Tier tier = Tier::kMeasured;
};

// What is added to each limit of a launch, whose warps are those that were asked for.
double added(const CheckRule& check, const Record& record) {
  const uint64_t warps_per_block = (record.block.count() + 31) / 32;
  return check.plus + check.plus_per_warp * double(record.grid.count() * warps_per_block);
}

// `plus`: what is added to each limit.
void compare(const CheckRule& check, double base, double plus, Measured* m) {
  m->share = 1;
  m->clearance = HUGE_VAL;
  for (bool upper : {true, false}) {
    const std::optional<double>& factor = upper ? check.at_most : check.at_least;
    if (!factor) continue;
    double limit = *factor * base + plus;
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
  double zero = *check.zero_at * base + plus;
  double share = (zero - m->value) / (zero - m->limit);
  m->share = share > 0 && share < 1 ? share : 0.0;
}

Measured measure(const Bench& bench, const CheckRule& check, size_t i) {
  Measured m;
  const Record* record = bench.record(i);
  if (record == nullptr || record->check.status != "correct") return m;
  auto value = metric_value(*record, check.metric, &m.why);
  if (!value) return m;
  double base = 1;
  if (check.relative_to != RelativeTo::kNothing) {
    auto found = base_value(bench, check, i, &m.why);
    if (!found) return m;
    base = *found;
  }
  m.value = value->value;
  m.tier = value->tier;
  compare(check, base, added(check, *record), &m);
  return m;
}

std::string threshold_words(const CheckRule& check, const std::string& kernel, const Measured& m) {
  std::string words = std::string(m.upper ? "at most " : "at least ") + format_number(m.limit);
  if (check.relative_to == RelativeTo::kNothing) return words;
  std::string of = base_kernel_of(check.base_kernel, kernel);
  if (check.relative_to == RelativeTo::kSolution)
    of = "the solution" + (of == kernel ? "" : "'s " + of);
  double factor = m.upper ? *check.at_most : *check.at_least;
  words += " (" + (factor == 1 ? std::string() : format_number(factor) + " of ") + of;
  if (check.plus != 0) words += " + " + format_number(check.plus);
  if (check.plus_per_warp != 0) words += " + " + format_number(check.plus_per_warp) + " a warp";
  return words + ")";
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
    set_undecided(bench, out);
    return true;
  }
  return false;
}

// A launch without the figure that is judged: was it cut, or can nothing be told of such code?
void tell_missing(const Bench& bench, const CheckRule& check, size_t i, const std::string& why,
                  CheckOutcome* out) {
  const std::string& kernel = bench.in().plan[i].launch.kernel;
  const Record* record = bench.record(i);
  if (record == nullptr || record->check.status != "correct") {
    describe_bad(bench, i, out);
    out->status = CheckStatus::kFail;
    return;
  }
  out->kernel = kernel;
  out->message = kernel + ": " + check.metric + ": not measured";
  out->quoted = Quoted(why);  // a backend's words, as a rule
  out->status = CheckStatus::kNotMeasured;
  std::string unused;
  const Record* solution = bench.of_solution(i, kernel);
  if (metric_value(*record, check.metric, &unused)) return;  // it is the base that is missing
  if (solution != nullptr && metric_value(*solution, check.metric, &unused))
    set_undecided(bench, out);
}

void tell_metric(const Bench& bench, const CheckRule& check, size_t i, const Measured& m,
                 CheckOutcome* out) {
  const JudgeInput& in = bench.in();
  const PlannedLaunch& launch = in.plan[i].launch;
  out->kernel = launch.kernel;
  out->measured = m.value;
  out->threshold = m.limit;
  out->clearance = m.clearance;
  out->tier = lockstep::to_string(m.tier);
  out->message = launch.kernel + ": " + check.metric + " is " + format_number(m.value) +
                 ", expected " + threshold_words(check, launch.kernel, m);
  if (*m.share >= 1) return;
  out->reproduce = reproduce_command(in.rubric, launch, in.backend, launch.seed, true) + " --lines";
  if (m.upper)
    out->costs =
        costly_lines(*bench.record(i), check.metric, m.value, m.limit, in.rubric.file, in.source);
}

void judge_metric(const Bench& bench, const CheckRule& check, CheckOutcome* out) {
  // The worst launch decides: the one with the least share, and of those the farthest off.
  std::optional<std::pair<double, double>> worst;
  for (const std::string& kernel : bench.kernels_of(check)) {
    if (refuse_wrong(bench, kernel, out)) return;
    if (check.relative_to == RelativeTo::kKernel &&
        refuse_wrong(bench, base_kernel_of(check.base_kernel, kernel), out))
      return;
  }
  for (const std::string& kernel : bench.kernels_of(check))
    for (size_t i : bench.launches_of(check, kernel)) {
      Measured m = measure(bench, check, i);
      if (!m.share) return tell_missing(bench, check, i, m.why, out);
      std::pair<double, double> standing(*m.share, m.clearance);
      if (worst && standing >= *worst) continue;
      worst = standing;
      tell_metric(bench, check, i, m, out);
    }
  double share = worst ? worst->first : 0;
  out->points = check.points * share;
  out->status = share >= 1  ? CheckStatus::kPass
                : share > 0 ? CheckStatus::kPartial
                            : CheckStatus::kFail;
}

// Some checks only mean something as far as others have passed: the least share of those, with its
// title.
struct Gate {
  double share = 1;
  std::string title;
};

double share_of(const CheckOutcome& check) {
  if (check.status == CheckStatus::kPass) return 1;
  if (check.status != CheckStatus::kPartial || !(check.max_points > 0)) return 0;
  return check.points / check.max_points;
}

// True where the check is decided by an earlier one.
bool refuse_early(const CheckRule& check, const std::vector<CheckOutcome>& earlier, Gate* gate,
                  CheckOutcome* out) {
  for (const CheckOutcome& other : earlier) {
    const auto& needed = check.requires_checks;
    if (std::find(needed.begin(), needed.end(), other.id) == needed.end()) continue;
    const double share = share_of(other);
    if (share < gate->share) *gate = {share, other.title};
    if (share > 0) continue;
    out->status = other.status == CheckStatus::kPartial ? CheckStatus::kFail : other.status;
    out->message = "counts only where this passes: " + other.title;
    return true;
  }
  return false;
}

void pass_gate(const Gate& gate, CheckOutcome* out) {
  if (gate.share >= 1 || !(out->points > 0)) return;
  out->points *= gate.share;
  out->status = CheckStatus::kPartial;
  out->message += "\ncounts only as far as this passes: " + gate.title;
}

}  // namespace

CheckOutcome judge_check(const JudgeInput& input, const CheckRule& check,
                         const std::vector<CheckOutcome>& earlier) {
  Bench bench(input);
  CheckOutcome out;
  out.id = check.id;
  out.title = check.title;
  out.max_points = check.points;
  out.hidden = check.visibility == Visibility::kHidden;
  const auto& where = check.backends;
  if (!where.empty() && std::find(where.begin(), where.end(), input.backend) == where.end()) {
    out.message = "not decided on the " + input.backend;
    return out;
  }
  Gate gate;
  if (refuse_early(check, earlier, &gate, &out)) return out;
  if (check.kind == CheckKind::kCorrect)
    judge_correct(bench, check, &out);
  else
    judge_metric(bench, check, &out);
  if (out.status == CheckStatus::kFail || out.status == CheckStatus::kPartial)
    out.hint = check.hint;
  pass_gate(gate, &out);
  return out;
}

}  // namespace lockstep::grader
