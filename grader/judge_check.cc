// SPDX-License-Identifier: Apache-2.0
// One check of a rubric against the records. A kernel whose result is wrong anywhere earns nothing
// for its counts; what was not measured is never a pass; every comparison is !(a <= b). What this
// device tells of the solution but not of the submission is the submission's own doing: it fails.
#include "grader/judge_check.h"

#include <algorithm>

#include "grader/bench.h"

namespace lockstep::grader {
namespace {

void judge_correct(const Bench& bench, const CheckRule& check, CheckOutcome* out) {
  size_t good = 0, total = 0, undecided = 0;
  bool told = false;
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
  out->share = share;
  out->status = good == total ? CheckStatus::kPass
                : share > 0   ? CheckStatus::kPartial
                              : CheckStatus::kFail;
  if (good < total && total > 1)
    out->message +=
        "\n" + std::to_string(total - good) + " of " + std::to_string(total) + " kernels are wrong";
}

// Some checks only mean something as far as others have passed: the least share of those, with its
// title.
struct Gate {
  double share = 1;
  std::string title;
};

double share_of(const CheckOutcome& check) {
  if (check.status == CheckStatus::kPass) return 1;
  return check.status == CheckStatus::kPartial ? check.share : 0;
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
  if (gate.share >= 1 || !(out->share > 0)) return;
  out->points *= gate.share;
  out->share *= gate.share;
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
  else if (check.kind == CheckKind::kCosts)
    judge_costs(bench, check, &out);
  else
    judge_metric(bench, check, &out);
  const bool failed = out.status == CheckStatus::kFail || out.status == CheckStatus::kPartial;
  if (failed && out.hint.empty()) out.hint = check.hint;
  pass_gate(gate, &out);
  return out;
}

}  // namespace lockstep::grader
