// SPDX-License-Identifier: Apache-2.0
// Columns, headings, rows. See table.h. docs/metrics.md tells a reader what the columns mean.
#include "common/harness/table.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/base/text.h"
#include "common/harness/bars.h"

namespace lockstep {
namespace {

constexpr char kMark = '~';
constexpr char kMissing[] = "-";

// "----- L2-Cache -----" over several columns; the bare name where there is no room for dashes.
std::string group_heading(const std::string& name, int width) {
  const int dashes = width - display_width(name) - 2;
  if (dashes < 2) return pad_left(name, width);
  const int left = dashes / 2;
  return std::string(left, '-') + " " + name + " " + std::string(dashes - left, '-');
}

}  // namespace

std::vector<Column> Table::shown_columns(const TableStyle& style) {
  std::vector<Column> columns;
  for (const std::string& metric : style.columns) {
    Column column = column_of(metric);
    const bool needs_counters =
        column.needs == Column::kCounter || column.needs == Column::kTimedCounter;
    const bool needs_times = column.needs == Column::kTime || column.needs == Column::kTimedCounter;
    if (column.needs == Column::kResident && !style.resident) continue;
    if ((needs_counters && !style.counters) || (needs_times && !style.times)) continue;
    if (column.predicted && style.marks) column.width++;
    columns.push_back(column);
  }
  return columns;
}

Table::Table(const TableStyle& style) : style_(style), columns_(shown_columns(style)) {
  for (const Column& column : columns_) width_ += 1 + column.width;
  width_ = std::max(width_ - 1, 0);
  if (style.label_width > 0) width_ += style.label_width + 1;
}

int Table::bars_width() const {
  if (!style_.times || !style_.bars) return 0;
  return style_.width - 1 - (width_ + 1);
}

std::string Table::group_line() const {
  std::string line;
  for (size_t i = 0; i < columns_.size();) {
    const std::string group = columns_[i].group;
    int width = columns_[i++].width;
    const std::string between = line.empty() ? "" : " ";
    if (group.empty()) {
      line += between + std::string(width, ' ');
      continue;
    }
    while (i < columns_.size() && group == columns_[i].group) width += 1 + columns_[i++].width;
    line += between + group_heading(group, width);
  }
  line.resize(line.find_last_not_of(' ') + 1);
  return line.empty() ? line : beginning("") + line;  // empty where there is no group
}

std::string Table::beginning(const std::string& label) const {
  if (style_.label_width == 0) return {};
  return label + std::string(std::max(style_.label_width - display_width(label), 0), ' ') + " ";
}

std::string Table::heading() const {
  std::string line;
  for (const Column& column : columns_)
    line += (line.empty() ? "" : " ") + pad_left(column.heading, column.width);
  const std::string bars = bars_heading(bars_width(), style_.memory_bars);
  if (!bars.empty()) line += " " + bars;
  const std::string groups = group_line();
  return (groups.empty() ? "" : groups + "\n") + beginning("") + line + "\n";
}

std::string Table::cell(const Column& column, const std::map<std::string, Count>& metrics) const {
  const auto found = metrics.find(column.metric);
  if (found == metrics.end()) return pad_left(kMissing, column.width);
  std::string text = shown_figure(column.digits, found->second.value);
  if (style_.marks && found->second.tier == Tier::kPredicted) text = kMark + text;
  return pad_left(text, column.width);
}

std::string Table::row(const std::map<std::string, Count>& metrics, const Busy& busy,
                       const std::string& label) const {
  std::string line;
  for (const Column& column : columns_) line += (line.empty() ? "" : " ") + cell(column, metrics);
  const std::string bars = draw_bars(busy, bars_width());
  if (!bars.empty()) line += " " + bars;
  return beginning(label) + line + "\n";
}

std::string Table::note_row(const std::map<std::string, Count>& metrics, const std::string& note,
                            const std::string& label) const {
  return beginning(label) + (columns_.empty() ? "" : cell(columns_[0], metrics) + " ") + note +
         "\n";
}

}  // namespace lockstep
