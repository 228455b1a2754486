// SPDX-License-Identifier: Apache-2.0
// The launches of a grading as the store keeps them: records without their counts by line as
// columns, those counts apart, and the plan. Few readers need all, and each part is read alone.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "common/harness/record.h"
#include "grader/judge.h"
#include "grader/plan.h"

namespace lockstep::grader {

// Many more launches than a rubric makes.
inline constexpr size_t kMostLaunches = 100'000;

std::string plan_text(const std::vector<GradedLaunch>& plan);
std::vector<GradedLaunch> plan_from_text(const std::string& text);
// Whether both are executed alike, whatever the runs are called.
bool same_launches(const std::vector<GradedLaunch>& a, const std::vector<GradedLaunch>& b);

// Without lines.
std::string records_text(const std::vector<Record>& records);
// Of JSON lines of any version, as earlier graders kept them.
std::string records_text(const std::vector<std::string>& lines);
// All that is kept; those of another version are left out.
std::vector<Record> records_from_text(const std::string& text);
// What judging needs, in a tenth of the time: what a launch did, and of its figures those named.
// Throws Error where one is of another version or is damaged.
std::vector<Record> figures_from_text(const std::string& text, const MetricNames& metrics);

// [[FILE, LINE, [LAUNCH, ...], {METRIC: [COUNT, ...]}], ...]: the launches that were charged at a
// line and, for each metric, the count of each of them; "" where nothing was counted by line.
std::string lines_text(const std::vector<Record>& records);
// By launch. Tiers are not kept: they are those of the launch's own counts.
std::map<size_t, std::vector<LineCounts>> lines_from_text(const std::string& text);

// {KERNEL: {"elements": E, "launches": N, "lines": [[FILE, LINE, {METRIC: COUNT}]]}}, summed over
// the launches that were counted by line, without zeros; "" where there were none.
std::string by_line_text(const std::string& records, const std::string& lines);

}  // namespace lockstep::grader
