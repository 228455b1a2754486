// SPDX-License-Identifier: Apache-2.0
// Costs by source line. See line_report.h.
#include "common/harness/line_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <vector>

#include "common/base/quoted.h"
#include "common/base/text.h"
#include "common/harness/metrics.h"

namespace lockstep {
namespace {

struct Cost {
  double instructions = 0;
  const LineCounts* line = nullptr;
};

// What the line moves, a request, beside the least that would do; "" where it moves nothing.
std::string traffic(const LineCounts& line) {
  std::string out;
  const auto add = [&](const char* what, double moved, double least, double requests) {
    if (requests > 0)
      out += fmt::format("  {} {:.1f} of {:.1f}", what, moved / requests,
                         std::max(least, requests) / requests);
  };
  add("ld", line.of(metric::kGlobalLoadSectors), line.of(metric::kLoadedSectors),
      line.of(metric::kGlobalLoadRequests));
  add("st", line.of(metric::kGlobalStoreSectors), line.of(metric::kStoredSectors),
      line.of(metric::kGlobalStoreRequests));
  add("shared", line.of(metric::kSharedWavefronts), line.of(metric::kSharedWavefrontsIdeal),
      line.of(metric::kSharedRequests));
  if (const double local = line.of(metric::kLocalSectors); local > 0)
    out += fmt::format("  local {:.0f}", local);
  return out;
}

std::string base_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// Modules name files as they like; only sources are opened.
bool is_source(const std::string& path) {
  const std::string end = path.substr(std::min(path.rfind('.'), path.size()));
  return end == ".cu" || end == ".cuh" || end == ".h";
}

// Opens a source as a module names it. The build runs in the top folder, a student often in the
// homework's: so the bare name is tried as well.
std::ifstream open_source(const std::string& file) {
  std::ifstream in;
  if (!is_source(file)) return in;
  in.open(file);
  if (!in) in.open(base_name(file));
  return in;
}

// The text of a line; "" where the file is not there.
std::string source_text(const std::string& file, int line) {
  constexpr int kMostLines = 100000;
  constexpr size_t kMostBytes = 400;
  if (line < 1 || line > kMostLines) return {};
  std::ifstream in = open_source(file);
  std::string text;
  for (int i = 0; i < line; i++)
    if (!std::getline(in, text)) return {};
  const size_t start = text.find_first_not_of(" \t");
  return start == std::string::npos ? std::string() : text.substr(start, kMostBytes);
}

// A line of so many columns at most, with "..." where there was more.
std::string cut(const std::string& line, int width) {
  if (widest_columns(line) <= width) return line;
  std::string out;
  Character c;
  for (size_t at = 0; next_character(line, &at, &c);) {
    if (widest_columns(out) + widest_columns(c) + 3 > width) break;
    out += c.bytes;
  }
  return out + "...";
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
    out += wrapped(
        fmt::format("{:5.1f} % {:5.1f} I/el  {}:{}{}", 100 * cost.instructions / total, per_element,
                    shown_word(base_name(cost.line->file)), cost.line->line, traffic(*cost.line)),
        width, 15);
    out += Quoted(source_text(cost.line->file, cost.line->line)).marked(width);
  }
  return out;
}

std::string annotated_source(const Counts& counts, const UsefulWork& work,
                             const std::string& student_file, int width) {
  std::map<int, const LineCounts*> by_line;
  std::string file;
  double total = 0;
  for (const LineCounts& line : counts.lines) {
    total += line.of(metric::kWarpInstructions);
    if (base_name(line.file) != student_file) continue;
    file = line.file;
    by_line[line.line] = &line;
  }
  std::ifstream in = open_source(file);
  std::string out, text;
  for (int n = 1; std::getline(in, text); n++) {
    const auto at = by_line.find(n);
    std::string costs;
    if (at != by_line.end()) {
      const double instructions = at->second->of(metric::kWarpInstructions);
      costs = fmt::format("{:5.1f} % {:5.1f} I/el", 100 * instructions / total,
                          32 * instructions / static_cast<double>(work.elements));
      if (const std::string moved = traffic(*at->second); !moved.empty())
        out += std::string(20, ' ') + moved + "\n";
    }
    out += cut(fmt::format("{:<20}{:4} {}", costs, n, printable(text)), width) + "\n";
  }
  return out;
}

}  // namespace lockstep
