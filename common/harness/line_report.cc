// SPDX-License-Identifier: Apache-2.0
// Costs by source line. See line_report.h.
#include "common/harness/line_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <vector>

#include "common/base/quoted.h"
#include "common/harness/metrics.h"

namespace lockstep {
namespace {

struct Cost {
  double instructions = 0;
  const LineCounts* line = nullptr;
};

std::string base_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// Modules name files as they like; only sources are opened.
bool is_source(const std::string& path) {
  const std::string end = path.substr(std::min(path.rfind('.'), path.size()));
  return end == ".cu" || end == ".cuh" || end == ".h";
}

// The text of a line; "" where the file is not there. The build runs in
// the top folder, a student often in the homework's: so the bare name is tried as well.
std::string source_text(const std::string& file, int line) {
  constexpr int kMostLines = 100000;
  constexpr size_t kMostBytes = 400;
  if (!is_source(file) || line < 1 || line > kMostLines) return {};
  std::ifstream in(file);
  if (!in) in.open(base_name(file));
  std::string text;
  for (int i = 0; i < line; i++)
    if (!std::getline(in, text)) return {};
  const size_t start = text.find_first_not_of(" \t");
  return start == std::string::npos ? std::string() : text.substr(start, kMostBytes);
}

}  // namespace

std::string costliest_lines(const Counts& counts, const UsefulWork& work, int width, int most) {
  std::vector<Cost> costs;
  double total = 0;
  for (const LineCounts& line : counts.lines) {
    const auto found = line.counts.find(metric::kWarpInstructions);
    if (found == line.counts.end() || !(found->second.value > 0)) continue;
    total += found->second.value;
    costs.push_back({found->second.value, &line});
  }
  std::stable_sort(costs.begin(), costs.end(),
                   [](const Cost& a, const Cost& b) { return a.instructions > b.instructions; });
  if (static_cast<int>(costs.size()) > most) costs.resize(most);
  std::string out;
  for (const Cost& cost : costs) {
    const double per_element = 32 * cost.instructions / static_cast<double>(work.elements);
    out += fmt::format("{:5.1f} % {:5.1f} I/el  {}:{}\n", 100 * cost.instructions / total,
                       per_element, shown_word(base_name(cost.line->file)), cost.line->line);
    out += Quoted(source_text(cost.line->file, cost.line->line)).marked(width);
  }
  return out;
}

}  // namespace lockstep
