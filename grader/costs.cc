// SPDX-License-Identifier: Apache-2.0
// Costs by source line. See costs.h.
#include "grader/costs.h"

#include <algorithm>
#include <cmath>

#include "common/base/text.h"
#include "common/harness/metrics.h"

namespace lockstep::grader {
namespace {

struct Charge {
  const char* metric;
  const char* raw;    // the count that lines are charged with
  const char* words;  // for it
};

const Charge* charge_of(const std::string& name) {
  static const Charge kCharges[] = {
      {metric::kInstPerElement, metric::kWarpInstructions, "warp instructions"},
      {metric::kThreadsPerInstruction, metric::kWarpInstructions, "warp instructions"},
      {metric::kConflictsPerGlobalRequest, metric::kGlobalBankConflicts, "bank conflicts"},
      {metric::kConflictsPerElement, metric::kGlobalBankConflicts, "bank conflicts"},
      {metric::kLoadSectorsPerElement, metric::kGlobalLoadSectors, "load sectors"},
      {metric::kStoreSectorsPerElement, metric::kGlobalStoreSectors, "store sectors"},
      {metric::kSharedConflictsPerElement, metric::kSharedWavefronts, "shared wavefronts"},
      {metric::kL2ReadRatio, metric::kL2ToL1Bytes, "bytes from L2"},
      {metric::kL2WriteRatio, metric::kL1ToL2Bytes, "bytes to L2"},
      {metric::kLoadSectorsPerRequest, metric::kGlobalLoadSectors, "load sectors"},
      {metric::kStoreSectorsPerRequest, metric::kGlobalStoreSectors, "store sectors"},
      {metric::kSharedConflicts, metric::kSharedWavefronts, "shared wavefronts"},
      {metric::kSharedConflictsPerRequest, metric::kSharedWavefronts, "shared wavefronts"},
  };
  for (const Charge& charge : kCharges)
    if (name == charge.metric || name == charge.raw) return &charge;
  return nullptr;
}

constexpr size_t kMostBytes = 240;  // of a line's text

std::string base_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

std::string text_of_line(const std::string& source, int line) {
  size_t at = 0;
  for (int n = 1; n < line; ++n) {
    at = next_source_line(source, at);
    if (at == std::string::npos) return {};
  }
  std::string text = source.substr(at, std::min(source.find('\n', at), source.size()) - at);
  size_t first = text.find_first_not_of(" \t");
  return first == std::string::npos ? "" : text.substr(first, kMostBytes);
}

}  // namespace

std::string raw_count_of(const std::string& metric) {
  const Charge* charge = charge_of(metric);
  return charge == nullptr ? "" : charge->raw;
}

std::vector<CostLine> costly_lines(const Record& record, const std::string& metric, double value,
                                   double limit, const std::string& file,
                                   const std::string& source) {
  const Charge* charge = charge_of(metric);
  const Count* total = charge != nullptr ? record.counts.find(charge->raw) : nullptr;
  if (total == nullptr || !(total->value > 0)) return {};
  struct Line {
    const LineCounts* where;
    double cost;
  };
  std::vector<Line> lines;
  for (const LineCounts& line : record.counts.lines) {
    auto found = line.counts.find(charge->raw);
    bool own = base_name(line.file) == file;  // a header's line is charged to who calls it
    if (own && found != line.counts.end() && found->second.value > 0)
      lines.push_back({&line, found->second.value});
  }
  std::stable_sort(lines.begin(), lines.end(),
                   [](const Line& a, const Line& b) { return a.cost > b.cost; });
  if (lines.size() > 3) lines.resize(3);
  std::vector<CostLine> out;
  for (const Line& line : lines) {
    out.push_back({file + ":" + std::to_string(line.where->line) + ": " + format_number(line.cost) +
                       " of " + format_number(total->value) + " " + charge->words + " (" +
                       format_number(std::round(100 * line.cost / total->value)) + " %)",
                   Quoted(text_of_line(source, line.where->line))});
  }
  if (!out.empty() && value > 0)
    out.push_back({"the budget of the whole kernel is " +
                       format_number(std::floor(total->value * limit / value)) + " " +
                       charge->words,
                   {}});
  return out;
}

}  // namespace lockstep::grader
