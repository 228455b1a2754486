// SPDX-License-Identifier: Apache-2.0
// What a cluster costs besides grading, from the times that its tasks have written.
#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "grader/cluster/front.h"

namespace lockstep::grader {
namespace {

std::optional<double> median(std::vector<double> values) {
  if (values.empty()) return std::nullopt;
  std::sort(values.begin(), values.end());
  const size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

std::string seconds(const std::optional<double>& value) {
  if (!value) return "-";
  char text[40];
  std::snprintf(text, sizeof text, "%.2f s", *value);
  return text;
}

}  // namespace

std::string times_in_words(const std::vector<std::string>& times, double submitted) {
  std::vector<double> to_start, to_first, between, graded;
  std::set<std::string> nodes;
  size_t tasks = 0;
  for (const std::string& text : times) {
    const auto j = nlohmann::json::parse(text, nullptr, false);
    if (!j.is_object() || !j.contains("items") || j["items"].empty()) continue;
    ++tasks;
    nodes.insert(j.value("node", ""));
    const double start = j.value("start", 0.0);
    if (submitted > 0 && start > submitted) to_start.push_back(start - submitted);
    to_first.push_back(j.value("fit", start) - start);
    // When the task looked for one, had it, had graded it, and when the result was there.
    for (const auto& item : j["items"]) {
      graded.push_back(item.at(2).get<double>() - item.at(1).get<double>());
      between.push_back(item.at(1).get<double>() - item.at(0).get<double>() +
                        item.at(3).get<double>() - item.at(2).get<double>());
    }
  }
  if (tasks == 0) return {};
  return std::to_string(tasks) + (tasks == 1 ? " task" : " tasks") + " on " +
         std::to_string(nodes.size()) + (nodes.size() == 1 ? " node" : " nodes") +
         "; medians: " + seconds(median(to_start)) + " from sbatch to a task's start, " +
         seconds(median(to_first)) + " until it had looked at its node, " +
         seconds(median(graded)) + " to grade a submission and " + seconds(median(between)) +
         " with each besides";
}

}  // namespace lockstep::grader
