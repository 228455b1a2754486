// SPDX-License-Identifier: Apache-2.0
// One check of a rubric against the records. A kernel whose result is wrong anywhere earns nothing
// for its counts; what was not measured is never a pass; every comparison is !(a <= b). What this
// device tells of the solution but not of the submission is the submission's own doing: it fails.
#include "grader/judge_check.h"

#include <algorithm>

#include "grader/bench.h"

namespace lockstep::grader {
namespace {

// By a fault, not by a limit.
bool is_stopped(const Record& record) {
  return record.check.status == "guard" ||
         (record.check.status == "fault" && !Bench::is_fault(record, "unsupported") &&
          !Bench::is_fault(record, "too_slow"));
}

// ": f<1>, f<2>" where it is some kernels, and not nearly all.
std::string names_of(const std::vector<std::string>& kernels, size_t total) {
  constexpr size_t kMost = 4;
  if (kernels.size() >= total) return {};
  std::string text;
  for (size_t i = 0; i < std::min(kernels.size(), kMost); ++i)
    text += (i == 0 ? ": " : ", ") + kernels[i];
  return kernels.size() > kMost ? text + " ..." : text;
}

// Adds to *first the earlier of the two.
void take_first(std::optional<size_t> launch, std::optional<size_t>* first) {
  if (launch && (!*first || *launch < **first)) *first = launch;
}

void judge_correct(const Bench& bench, const CheckRule& check, CheckOutcome* out) {
  size_t good = 0, total = 0, undecided = 0;
  std::vector<std::string> wrong;
  std::optional<size_t> told, stopped, doubtful;
  for (const std::string& kernel : bench.kernels_of(check)) {
    ++total;
    std::optional<size_t> bad, refused;
    for (size_t i : bench.launches_of(check, kernel)) {
      const Record* record = bench.record(i);
      if (record != nullptr && record->check.status == "correct") continue;
      const auto first = bench.first_unsupported(kernel);
      const bool skipped = first && record != nullptr && record->check.status == "not_run";
      if (skipped || (record != nullptr && Bench::is_fault(*record, "unsupported")))
        refused = refused ? refused : skipped ? first : i;
      else
        bad = bad ? bad : i;
      if (record != nullptr && is_stopped(*record)) take_first(i, &stopped);
    }
    if (!bad && !refused) ++good;
    if (!bad && refused) ++undecided;
    if (bad) wrong.push_back(kernel);
    if (!told) told = bad;
    if (!doubtful) doubtful = refused;
  }
  // A fault says more than wrong figures, which may come of it.
  if (stopped || told || doubtful)
    describe_bad(bench, *(stopped ? stopped : told ? told : doubtful), out);
  if (undecided > 0 && good + undecided == total) {
    out->bad_launch.reset();
    set_undecided(bench, out);
    if (out->status != CheckStatus::kFail) return;
  }
  double share = check.partial && total > 0 ? double(good) / double(total) : good == total;
  out->points = check.points * share;
  out->share = share;
  out->status = good == total ? CheckStatus::kPass
                : share > 0   ? CheckStatus::kPartial
                              : CheckStatus::kFail;
  if (good < total && total > 1)
    out->message += "\n" + std::to_string(total - good) + " of " + std::to_string(total) +
                    " kernels are wrong" + names_of(wrong, total);
}

// Some checks only mean something as far as others have passed: the least share of those, with its
// title.
struct Gate {
  double share = 1;
  std::string id, title;
};

double share_of(const CheckOutcome& check) {
  if (check.status == CheckStatus::kPass) return 1;
  return check.status == CheckStatus::kPartial ? check.share : 0;
}

// True where the check is decided by an earlier one. What has failed decides, whatever a person may
// say of another one.
bool refuse_early(const CheckRule& check, const std::vector<CheckOutcome>& earlier, Gate* gate,
                  CheckOutcome* out) {
  const CheckOutcome* refusing = nullptr;
  double at_stake = 1;
  for (const CheckOutcome& other : earlier) {
    const auto& needed = check.requires_checks;
    if (std::find(needed.begin(), needed.end(), other.id) == needed.end()) continue;
    const double share = share_of(other);
    const bool review = other.status == CheckStatus::kReview;
    at_stake = std::min(at_stake, review ? other.at_stake : share);
    if (share < gate->share) *gate = {share, other.id, other.title};
    if (share > 0) continue;
    if (refusing == nullptr || (refusing->status == CheckStatus::kReview && !review))
      refusing = &other;
  }
  if (refusing == nullptr) return false;
  out->status = refusing->status == CheckStatus::kPartial ? CheckStatus::kFail : refusing->status;
  out->at_stake = at_stake;
  out->waits_for = refusing->waits_for.empty() ? refusing->id : refusing->waits_for;
  for (const CheckOutcome& first : earlier)
    if (first.id == out->waits_for) out->message = "counts only where this passes: " + first.title;
  return true;
}

// What the rubric says to this kind of fault; empty where that is nothing special.
std::string hint_of_fault(const Bench& bench, const CheckRule& check, size_t launch) {
  const Record* record = bench.record(launch);
  if (record == nullptr) return {};
  const CheckResult& result = record->check;
  const std::string kind = result.status == "guard"   ? "out_of_bounds"
                           : result.status == "fault" ? result.fault_kind
                                                      : result.status;
  for (const EvidentHint& hint : check.hints)
    if (std::find(hint.faults.begin(), hint.faults.end(), kind) != hint.faults.end())
      return hint.hint;
  return {};
}

// What went wrong is told once, by the first check that meets it: one fault has many wrong kernels.
void refer_to(const std::vector<CheckOutcome>& earlier, bool is_wrong, CheckOutcome* out) {
  auto tells = [&](const CheckOutcome& other) {
    return other.bad_launch && (is_wrong || other.bad_launch == out->bad_launch);
  };
  const auto teller = std::find_if(earlier.begin(), earlier.end(), tells);
  if (teller == earlier.end()) return;
  out->waits_for = teller->waits_for.empty() ? teller->id : teller->waits_for;
  out->message = out->kernel + " went wrong, as told above: its counts are worth nothing";
  out->quoted = {};
  out->hint.clear();
  out->reproduce.clear();
}

void pass_gate(const Gate& gate, CheckOutcome* out) {
  out->at_stake *= gate.share;
  if (gate.share >= 1 || !(out->share > 0)) return;
  if (out->share >= 1 && out->max_points == 0) out->waits_for = gate.id;
  out->points *= gate.share;
  out->share *= gate.share;
  out->status = CheckStatus::kPartial;
  out->message += "\ncounts only as far as this passes: " + gate.title;
}

}  // namespace

CheckOutcome judge_check(const Bench& bench, const CheckRule& check,
                         const std::vector<CheckOutcome>& earlier) {
  const JudgeInput& input = bench.in();
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
  else if (check.kind == CheckKind::kCosts)
    judge_costs(bench, check, &out);
  else
    judge_metric(bench, check, &out);
  const bool failed = out.status == CheckStatus::kFail || out.status == CheckStatus::kPartial;
  if (failed && out.bad_launch) out.hint = hint_of_fault(bench, check, *out.bad_launch);
  // What a check of counts advises does not help one whose result is wrong.
  const bool is_wrong = out.bad_launch && bench.first_bad(out.kernel);
  const bool fits = check.kind == CheckKind::kCorrect || !is_wrong;
  if (failed && fits && out.hint.empty()) out.hint = check.hint;
  if (check.kind != CheckKind::kCorrect && out.bad_launch) refer_to(earlier, is_wrong, &out);
  pass_gate(gate, &out);
  return out;
}

}  // namespace lockstep::grader
