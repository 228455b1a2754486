// SPDX-License-Identifier: Apache-2.0
// What the judge reads out of records, and how it puts figures and commands into words.
#include <cmath>
#include <cstdio>

#include "common/base/text.h"
#include "common/harness/metrics.h"
#include "grader/cost_table.h"
#include "grader/costs.h"
#include "grader/judge.h"

namespace lockstep::grader {

const char* to_string(CheckStatus status) {
  switch (status) {
    case CheckStatus::kPass:
      return "pass";
    case CheckStatus::kPartial:
      return "partial";
    case CheckStatus::kFail:
      return "fail";
    case CheckStatus::kReview:
      return "review";
    case CheckStatus::kNotMeasured:
      return "not_measured";
    case CheckStatus::kHidden:
      return "hidden";
  }
  return "";
}

const char* to_string(VerdictKind kind) {
  switch (kind) {
    case VerdictKind::kPass:
      return "pass";
    case VerdictKind::kPartial:
      return "partial";
    case VerdictKind::kFail:
      return "fail";
    case VerdictKind::kStudentError:
      return "student_error";
    case VerdictKind::kInfraError:
      return "infra_error";
    case VerdictKind::kNotMeasured:
      return "not_measured";
    case VerdictKind::kReview:
      return "review";
  }
  return "";
}

std::string format_number(double value) {
  char text[40];
  const double size = std::fabs(value);
  const bool whole = size < 1e15 && (size >= 1000 || value == std::floor(value));
  std::snprintf(text, sizeof text, whole ? "%.0f" : "%.4g", value);
  return text;
}

std::string reason_of_fault(const std::string& kind) {
  for (const char* same : {"timeout", "out_of_memory", "out_of_bounds", "launch_failed",
                           "unsupported", "too_slow", "protocol"})
    if (kind == same) return kind;
  if (kind == "deadlock") return "timeout";
  // What a card would not notice is a wrong program, not a crash of it.
  for (const char* checker :
       {"race", "uninitialized", "bad_mask", "divergent_barrier", "read_only"})
    if (kind == checker) return {};
  return "crash";
}

std::optional<Count> metric_value(const Record& record, const std::string& metric,
                                  std::string* why) {
  auto finite = [&](double value, Tier tier) -> std::optional<Count> {
    if (std::isfinite(value)) return Count{value, tier};
    *why = "its value is not a number";
    return std::nullopt;
  };
  if (auto found = record.derived.find(metric); found != record.derived.end())
    return finite(found->second.value, found->second.tier);
  if (const Count* count = record.counts.find(metric)) return finite(count->value, count->tier);
  if (metric == metric::kRegisters && record.registers >= 0)
    return Count{double(record.registers), Tier::kExact};
  if (metric == metric::kSpillBytes && record.spill_bytes >= 0)
    return Count{double(record.spill_bytes), Tier::kExact};
  if (metric == metric::kTimeUs && record.time_us) return finite(*record.time_us, Tier::kMeasured);
  auto reason = record.counts.unavailable.find(metric);
  if (reason == record.counts.unavailable.end())
    reason = record.counts.unavailable.find(raw_count_of(metric));
  *why = reason != record.counts.unavailable.end() ? reason->second : "not offered by this backend";
  return std::nullopt;
}

MetricNames judged_metrics(const Rubric& rubric) {
  // What is granted follows from the warps, how slow a cut launch is from its instructions, and
  // what may go to L2 from what is stored.
  MetricNames names = {
      metric::kBlocks,          metric::kWarpsPerBlock,      metric::kWarpInstructions,
      metric::kWrittenElements, metric::kGlobalStoreSectors, metric::kLocalSectors,
      metric::kAtomicRequests};
  const auto add = [&](const std::string& name) {
    names.insert(name);
    names.insert(raw_count_of(name));
  };
  for (const CheckRule& check : rubric.checks) {
    for (const std::string& name : metrics_of(check)) add(name);
    for (const EvidentHint& hint : check.hints) add(hint.metric);
  }
  return names;
}

std::string reproduce_command(const Rubric& rubric, const PlannedLaunch& launch,
                              const std::string& backend, uint64_t seed, bool counters) {
  std::string shape;
  if (launch.warps > 0)
    shape = " " + std::to_string(launch.blocks) + " " + std::to_string(launch.warps);
  return "./" + rubric.homework + shape + " --vectors " + std::to_string(launch.vectors) +
         " --kernel " + shell_quoted(launch.kernel) + " --seed " + std::to_string(seed) +
         " --backend " + backend + (counters ? "" : " --no-counters");
}

}  // namespace lockstep::grader
