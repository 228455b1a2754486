// SPDX-License-Identifier: Apache-2.0
// See goals.h.
#include "common/harness/goals.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "common/backend/metric_names.h"
#include "common/backend/module_files.h"

namespace lockstep {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr size_t kLargestFile = size_t{16} << 20;

// What remarks look at. The last are counted by line alone.
constexpr const char* kOfLaunches[] = {metric::kWarpInstructions,  metric::kThreadInstructions,
                                       metric::kGlobalLoadSectors, metric::kGlobalStoreSectors,
                                       metric::kSharedWavefronts,  metric::kSharedWavefrontsIdeal,
                                       metric::kLocalSectors,      metric::kGlobalBankConflicts,
                                       metric::kAtomicRequests,    metric::kBarriers};
constexpr const char* kOfLines[] = {metric::kDoubleInstructions, metric::kIntegerDivisions,
                                    metric::kSettledBranches};

double distance(double a, double b) {
  return std::fabs(std::log(std::max(a, 1.0) / std::max(b, 1.0)));
}

bool same(const Dim3& a, const Dim3& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

Dim3 shape_of(const json& j) {
  return {j.at(0).get<uint32_t>(), j.at(1).get<uint32_t>(), j.at(2).get<uint32_t>()};
}

Goals::Launch launch_of(const json& j) {
  Goals::Launch launch;
  launch.kernel = j.at("kernel").get<std::string>();
  launch.parameters = j.at("parameters").get<std::map<std::string, int64_t>>();
  launch.elements = j.at("elements").get<int64_t>();
  launch.grid = shape_of(j.at("grid"));
  launch.block = shape_of(j.at("block"));
  launch.counts = j.at("counts").get<std::map<std::string, double>>();
  return launch;
}

}  // namespace

double Goal::of(const std::string& metric) const {
  const auto at = counts.find(metric);
  return at == counts.end() ? 0 : at->second;
}

std::map<std::string, double> totals_of(const Counts& counts) {
  std::map<std::string, double> totals;
  for (const char* name : kOfLaunches)
    if (const Count* count = counts.find(name); count != nullptr && count->value != 0)
      totals[name] = count->value;
  for (const LineCounts& line : counts.lines) {
    for (const char* name : kOfLines) totals[name] += line.of(name);
    for (const char* name : metric::kByPurpose) totals[name] += line.of(name);
  }
  std::erase_if(totals, [](const auto& total) { return total.second == 0; });
  return totals;
}

Goals Goals::of_file(const std::string& path) {
  Goals goals;
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) return goals;
  try {
    const json file = json::parse(read_file(path, kLargestFile));
    for (const json& j : file.at("launches")) goals.launches_.push_back(launch_of(j));
  } catch (const json::exception& error) {
    throw Error(
        fmt::format("{}: no goals as make goals writes them ({}); take the one that came "
                    "with the homework",
                    path, error.what()));
  }
  return goals;
}

void Goals::keep(const Record& record) {
  if (record.check.status != "correct" || record.counts.values.empty()) return;
  launches_.push_back({record.kernel, record.parameters, record.elements, record.grid, record.block,
                       totals_of(record.counts)});
}

std::string Goals::text(const std::string& homework) const {
  std::string out = fmt::format("{{\"homework\": \"{}\", \"launches\": [\n", homework);
  for (const Launch& l : launches_) {
    const json j = {{"kernel", l.kernel},
                    {"parameters", l.parameters},
                    {"elements", l.elements},
                    {"grid", {l.grid.x, l.grid.y, l.grid.z}},
                    {"block", {l.block.x, l.block.y, l.block.z}},
                    {"counts", l.counts}};
    out += j.dump() + (&l == &launches_.back() ? "\n" : ",\n");
  }
  return out + "]}\n";
}

std::optional<Goal> Goals::find(const Record& record, bool shape_is_free) const {
  const Launch* nearest = nullptr;
  double least = 0;
  Goal goal;
  for (const Launch& l : launches_) {
    if (l.kernel != record.kernel) continue;
    const bool shaped = same(l.grid, record.grid) && same(l.block, record.block);
    const bool problem = l.parameters == record.parameters && l.elements == record.elements;
    if (problem && shaped) return Goal{l.counts, true};
    if (problem && shape_is_free) {
      goal.same_problem = true;
      for (const auto& [name, value] : l.counts)
        goal.counts[name] = std::max(goal.counts[name], value);
    }
    const double far =
        distance(static_cast<double>(l.elements), static_cast<double>(record.elements)) +
        distance(static_cast<double>(l.block.count()), static_cast<double>(record.block.count()));
    if (nearest == nullptr || far < least) nearest = &l, least = far;
  }
  if (goal.same_problem) return goal;
  if (nearest == nullptr || nearest->elements <= 0) return std::nullopt;
  const double scale =
      static_cast<double>(record.elements) / static_cast<double>(nearest->elements);
  for (const auto& [name, value] : nearest->counts) goal.counts[name] = value * scale;
  return goal;
}

std::string goals_file(const std::string& executable) {
  return (fs::path(executable).parent_path() / "goals.json").string();
}

}  // namespace lockstep
