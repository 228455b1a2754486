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

Table::Table(const TableStyle& style) : style_(style), lines_(1) {
  const int label = style.label_width > 0 ? style.label_width + 1 : 0;
  const Columns columns = shown_columns(style);
  int width = label;
  for (size_t i = 0; i < columns.size();) {
    Columns group = {columns[i++]};  // which stays together
    while (!group[0].group.empty() && i < columns.size() && columns[i].group == group[0].group)
      group.push_back(columns[i++]);
    int wider = -1;
    for (const Column& column : group) wider += 1 + column.width;
    const int headed = std::max(wider, display_width(group[0].group));
    if (!lines_.back().empty() && width + 1 + headed > style.width) {
      lines_.emplace_back();
      width = label;
    }
    width += (lines_.back().empty() ? 0 : 1) + wider;
    lines_.back().insert(lines_.back().end(), group.begin(), group.end());
    if (lines_.size() == 1) width_ = width;
  }
}

int Table::bars_width() const {
  if (!style_.times || !style_.bars) return 0;
  return style_.width - 1 - (width_ + 1);
}

std::string Table::group_line(const Columns& columns) const {
  std::string line;
  for (size_t i = 0; i < columns.size();) {
    const std::string group = columns[i].group;
    int width = columns[i++].width;
    const std::string between = line.empty() ? "" : " ";
    if (group.empty()) {
      line += between + std::string(width, ' ');
      continue;
    }
    while (i < columns.size() && group == columns[i].group) width += 1 + columns[i++].width;
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
  std::string text;
  for (const Columns& columns : lines_) {
    std::string line;
    for (const Column& column : columns)
      line += (line.empty() ? "" : " ") + pad_left(column.heading, column.width);
    const std::string bars =
        text.empty() ? bars_heading(bars_width(), style_.memory_bars) : std::string();
    if (!bars.empty()) line += " " + bars;
    const std::string groups = group_line(columns);
    text += (groups.empty() ? "" : groups + "\n") + beginning("") + line + "\n";
  }
  return text;
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
  std::string text;
  for (const Columns& columns : lines_) {
    std::string line;
    for (const Column& column : columns) line += (line.empty() ? "" : " ") + cell(column, metrics);
    const std::string bars = text.empty() ? draw_bars(busy, bars_width()) : std::string();
    if (!bars.empty()) line += " " + bars;
    text += beginning(text.empty() ? label : "") + line + "\n";
  }
  return text;
}

std::string Table::note_row(const std::map<std::string, Count>& metrics, const std::string& note,
                            const std::string& label) const {
  const Columns& columns = lines_[0];
  return beginning(label) + (columns.empty() ? "" : cell(columns[0], metrics) + " ") + note + "\n";
}

}  // namespace lockstep
