// SPDX-License-Identifier: Apache-2.0
// Columns, headings, rows. See table.h. docs/metrics.md tells a reader what the columns mean.
#include "common/harness/table.h"

#include <fmt/format.h>

#include "common/base/text.h"
#include "common/harness/bars.h"

namespace lockstep {
namespace {

constexpr int kWarpsWidth = 2;
constexpr char kMark = '~';
constexpr char kMissing[] = "-";

// Times have the digits that matter: 5.2, 58.3, 101.
std::string format_whole(double value) { return fmt::format("{:.0f}", value); }
std::string format_tenths(double value) { return fmt::format("{:.1f}", value); }
std::string format_time(double us) { return us < 99.95 ? format_tenths(us) : format_whole(us); }
std::string format_hundredths(double value) { return fmt::format("{:.2f}", value); }

// "----- L2-Cache -----" over several columns; the bare name where there is no room for dashes.
std::string group_heading(const std::string& name, int width) {
  const int dashes = width - display_width(name) - 2;
  if (dashes < 2) return pad_left(name, width);
  const int left = dashes / 2;
  return std::string(left, '-') + " " + name + " " + std::string(dashes - left, '-');
}

}  // namespace

std::vector<Table::Column> Table::all_columns(const TableStyle& style) {
  const std::vector<Column> all = {
      {metric::kResidentWarps, "ac", "", 2, format_whole, Column::kResident},
      {metric::kUtilization, "Utl", "", 4, format_hundredths, Column::kAlways},
      {metric::kTimeUs, "t/\xC2\xB5s", "", 4, format_time, Column::kTime},
      {metric::kInstPerElement, "I/el", "", 5, format_tenths, Column::kCounter, true},
      {metric::kConflictsPerGlobalRequest, "BXW", "", 4, format_tenths, Column::kCounter, true},
      {metric::kL2ReadRatio, "N*R", "L2-Cache", 4, format_tenths, Column::kCounter, true},
      {metric::kL2WriteRatio, "N*W", "L2-Cache", 4, format_tenths, Column::kCounter, true},
      {metric::kL2PeakPercent, "%pk", "L2-Cache", 3, format_whole, Column::kTimedCounter},
      {metric::kL2Gbps, "GB/s", "L2-Cache", 4, format_whole, Column::kTimedCounter},
      {metric::kDramGbps, "GB/s", "DRAM", 4, format_whole, Column::kTimedCounter},
      {metric::kFpGflops, "FP \xCE\xB8", "", 4, format_whole, Column::kTime},
  };
  std::vector<Column> columns;
  for (const Column& column : all) {
    const bool needs_counters =
        column.needs == Column::kCounter || column.needs == Column::kTimedCounter;
    const bool needs_times = column.needs == Column::kTime || column.needs == Column::kTimedCounter;
    if (column.needs == Column::kResident && !style.resident) continue;
    if ((needs_counters && !style.counters) || (needs_times && !style.times)) continue;
    columns.push_back(column);
    if (column.predicted && style.marks) columns.back().width++;
  }
  return columns;
}

Table::Table(const TableStyle& style) : style_(style), columns_(all_columns(style)) {
  width_ = kWarpsWidth;
  for (const Column& column : columns_) width_ += 1 + column.width;
}

int Table::bars_width() const {
  if (!style_.times || !style_.bars) return 0;
  return style_.width - 1 - (width_ + 1);
}

std::string Table::group_line() const {
  std::string line(kWarpsWidth, ' ');
  for (size_t i = 0; i < columns_.size();) {
    const std::string group = columns_[i].group;
    int width = columns_[i++].width;
    if (group.empty()) {
      line += std::string(1 + width, ' ');
      continue;
    }
    while (i < columns_.size() && group == columns_[i].group) width += 1 + columns_[i++].width;
    line += " " + group_heading(group, width);
  }
  return line.substr(0, line.find_last_not_of(' ') + 1);  // empty where there is no group
}

std::string Table::heading() const {
  std::string line = "wp";
  for (const Column& column : columns_) line += " " + pad_left(column.heading, column.width);
  const std::string bars = bars_heading(bars_width(), style_.memory_bars);
  if (!bars.empty()) line += " " + bars;
  const std::string groups = group_line();
  return (groups.empty() ? "" : groups + "\n") + line + "\n";
}

std::string Table::row(int warps, const std::map<std::string, Count>& derived,
                       const Busy& busy) const {
  std::string line = pad_left(std::to_string(warps), kWarpsWidth);
  for (const Column& column : columns_) {
    const auto found = derived.find(column.metric);
    std::string cell = kMissing;
    if (found != derived.end()) {
      cell = column.format(found->second.value);
      if (style_.marks && found->second.tier == Tier::kPredicted) cell = kMark + cell;
    }
    line += " " + pad_left(cell, column.width);
  }
  const std::string bars = draw_bars(busy, bars_width());
  if (!bars.empty()) line += " " + bars;
  return line + "\n";
}

std::string Table::note_row(int warps, const std::string& note) const {
  return pad_left(std::to_string(warps), kWarpsWidth) + " " + note + "\n";
}

}  // namespace lockstep
