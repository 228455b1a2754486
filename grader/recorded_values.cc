// SPDX-License-Identifier: Apache-2.0
// See recorded_values.h.
#include "grader/recorded_values.h"

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "common/backend/module_files.h"
#include "common/base/error.h"
#include "common/harness/metrics.h"
#include "grader/cost_table.h"

namespace lockstep::grader {
namespace {

constexpr size_t kPublicDraws = 4;

// Of the ratios in cost_table(), those whose denominator a record has.
bool per_element(const std::string& metric) {
  return metric == metric::kConflictsPerElement || metric == metric::kLoadSectorsPerElement ||
         metric == metric::kStoreSectorsPerElement;
}

// What every limit on a cost grants besides.
double granted(const Record& record, const std::string& metric, double value) {
  const Cost* cost = find_cost(metric);
  const auto elements = double(record.elements);
  const double over = per_element(metric) ? elements : 1;
  if (cost == nullptr || (cost->metric != metric && over == 1) || !(over > 0)) return 1e-9;
  const auto warps = double(record.grid.count() * ((record.block.count() + 31) / 32));
  const Grant grant = grant_of(*cost, value * over, warps, elements);
  return (grant.once + grant.per_element * elements + grant.per_warp * warps) / over;
}

// By how much a value may differ from what it was. Where a card's counts do not repeat, half of
// what a check of costs leaves (half as much again, and the grant): then points do not hang on it.
double slack(const Record& record, const std::string& metric, double value, double margin) {
  const double besides = granted(record, metric, value);
  if (record.backend == "gpu" && !repeats_on_a_card(metric))
    return 0.5 * (0.5 * std::fabs(value) + besides);
  return margin * (std::fabs(value) + besides);
}

}  // namespace

std::vector<Finding> recorded_values(GradingSession& session) {
  std::vector<Finding> findings;
  for (const Reference& then : session.recorded()) {
    Reference now = session.measure_solution(then.seed);
    std::string wrong, why;
    for (size_t i = 0; i < then.records.size() && i < now.records.size(); ++i)
      for (const auto& [metric, count] : then.records[i].derived) {
        auto value = metric_value(now.records[i], metric, &why);
        if (!value || !(std::fabs(value->value - count.value) <=
                        slack(now.records[i], metric, count.value, session.rubric().margin)))
          wrong = metric + " of " + then.records[i].kernel + " is " + format_number(count.value) +
                  ", measured " + (value ? format_number(value->value) : "nothing");
      }
    findings.push_back({wrong.empty(), "recorded values of seed " + std::to_string(then.seed) +
                                           (wrong.empty() ? " hold" : ": " + wrong)});
  }
  return findings;
}

std::vector<std::string> stale_recorded_values(GradingSession& session) {
  std::vector<std::string> stale;
  for (const Finding& f : recorded_values(session))
    if (!f.good) stale.push_back(f.text);
  return stale;
}

void record_values(GradingSession& session) {
  std::vector<Reference> references;
  for (uint64_t seed : secret_seeds(kPublicDraws))
    references.push_back(session.measure_solution(seed));
  const std::string path = session.recorded_path();
  std::error_code error;
  std::string before = std::filesystem::exists(path, error) ? read_file(path, 16 << 20) : "";
  std::string text = write_recorded(before, path, session.rubric(), session.machine().backend,
                                    session.tools().arch, references);
  if (!(std::ofstream(path) << text << std::flush))
    throw Error("cannot write " + path, kExitCannotRun);
  std::printf("%s: %zu draws of the %s recorded\n", path.c_str(), references.size(),
              session.machine().backend.c_str());
}

}  // namespace lockstep::grader
