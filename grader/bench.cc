// SPDX-License-Identifier: Apache-2.0
// What became of the launches. See bench.h.
#include "grader/bench.h"

#include <cmath>

#include "common/harness/metrics.h"
#include "grader/judge_check.h"

namespace lockstep::grader {

Bench::Bench(const JudgeInput& input, bool with_opposed) : in_(input), with_opposed_(with_opposed) {
  for (const CheckRule& check : in_.rubric.checks)
    kernels_[check.id] = in_.rubric.kernels_of(check);
  for (size_t i = 0; i < in_.plan.size(); ++i) {
    const std::string& kernel = in_.plan[i].launch.kernel;
    bool made = i < in_.records.size();
    const bool correct = made && in_.records[i].check.status == "correct";
    if (in_.plan[i].launch.opposed && !(with_opposed && correct)) continue;
    if (in_.plan[i].launch.drawn && !tells(i)) continue;
    launches_[kernel].push_back(i);
    if (correct) continue;
    const bool skipped = made && in_.records[i].check.status == "not_run";
    if (skipped && unsupported_.count(kernel) > 0) continue;
    if (made && is_fault(in_.records[i], "unsupported"))
      unsupported_.emplace(kernel, i);
    else if (made && is_fault(in_.records[i], "too_slow") && in_.plan[i].launch.counters)
      continue;  // only what needs this launch's counts lacks them
    else
      first_bad_.emplace(kernel, i);
  }
}

// Where the shape is drawn and warps have little to do, what they do once counts for more, and
// where they have next to nothing to do, limits are of no use.
double Bench::more_of_large(size_t i) const {
  constexpr double kMuchAWarp = 150, kLeastAWarp = 80;  // instructions, of the solution
  constexpr double kUsual = 1.25, kOfLittle = 2;
  const Record* const ours = record(i);
  const Record* const solution = of_solution(i, in_.plan[i].launch.kernel);
  if (ours == nullptr || solution == nullptr || solution->check.status != "correct") return 0;
  const auto warps = double(solution->grid.count() * ((solution->block.count() + 31) / 32));
  const Count* const instructions = solution->counts.find(metric::kWarpInstructions);
  if (ours->check.status == "wrong" || ours->check.status == "fault") return kUsual;
  if (ours->check.status != "correct" || instructions == nullptr) return 0;
  const bool shaped = in_.plan[i].launch.warps > 0;
  if (!shaped || instructions->value >= kMuchAWarp * warps) return kUsual;
  return instructions->value >= kLeastAWarp * warps ? kOfLittle : 0;
}

bool Bench::is_fault(const Record& record, const char* kind) {
  return record.check.status == "fault" && record.check.fault_kind == kind;
}

const Record* Bench::record(size_t i) const {
  return i < in_.records.size() ? &in_.records[i] : nullptr;
}

std::optional<size_t> Bench::first_bad(const std::string& kernel) const {
  auto found = first_bad_.find(kernel);
  return found == first_bad_.end() ? std::nullopt : std::optional<size_t>(found->second);
}

std::optional<size_t> Bench::first_unsupported(const std::string& kernel) const {
  auto found = unsupported_.find(kernel);
  return found == unsupported_.end() ? std::nullopt : std::optional<size_t>(found->second);
}

const std::vector<std::string>& Bench::kernels_of(const CheckRule& check) const {
  return kernels_.at(check.id);
}

const Record* Bench::of_solution(size_t i, const std::string& kernel) const {
  const Reference& r = in_.reference;
  for (size_t j = 0; j < r.plan.size() && j < r.records.size(); ++j)
    if (same_problem(in_.plan[i], r.plan[j], kernel)) return &r.records[j];
  return nullptr;
}

std::vector<size_t> Bench::launches_of(const CheckRule& check, const std::string& kernel) const {
  std::vector<size_t> launches;
  const auto all = launches_.find(kernel);
  if (all == launches_.end()) return launches;
  for (const size_t i : all->second) {
    const GradedLaunch& one = in_.plan[i];
    if (one.launch.drawn
            ? looks_at(in_.rubric, check, one)
            : std::find(check.runs.begin(), check.runs.end(), one.run) != check.runs.end())
      launches.push_back(i);
  }
  return launches;
}

namespace {

// What would do, where that is known; after how much the launch was cut is told by its fault.
std::string too_slow_words(const Bench& bench, size_t i) {
  const JudgeInput& in = bench.in();
  const Record* solution = bench.of_solution(i, in.plan[i].launch.kernel);
  const Count* needed =
      solution != nullptr ? solution->counts.find(metric::kWarpInstructions) : nullptr;
  if (needed == nullptr || !(needed->value > 0)) return {};
  return "\nthe solution takes " + format_number(needed->value) + " warp instructions there";
}

}  // namespace

void describe_bad(const Bench& bench, size_t i, CheckOutcome* out) {
  const JudgeInput& in = bench.in();
  const PlannedLaunch& launch = in.plan[i].launch;
  const Record* record = bench.record(i);
  out->kernel = launch.kernel;
  out->bad_launch = i;
  std::string where = launch.kernel + ", " + std::to_string(launch.vectors) + " vectors";
  if (launch.warps > 0)
    where += ", " + std::to_string(launch.blocks) + " blocks of " + std::to_string(launch.warps) +
             " warps";
  where += ": ";
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

void set_undecided(const Bench& bench, CheckOutcome* out) {
  bool review = bench.in().rubric.undecided == Undecided::kReview;
  out->status = !bench.decides() ? CheckStatus::kNotMeasured
                : review         ? CheckStatus::kReview
                                 : CheckStatus::kFail;
  if (!bench.decides()) return;
  out->undecided = true;
  out->at_stake = review ? 1 : 0;
  out->message += review
                      ? "\nthe solution's can be told here: a person has to decide"
                      : "\nthe solution's can be told here, so this counts as not reached: write "
                        "it in a way that can be told, too";
}

}  // namespace lockstep::grader
