// SPDX-License-Identifier: Apache-2.0
// See trace_table.h.
#include "common/harness/trace_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/base/text.h"

namespace lockstep {
namespace {

constexpr size_t kGap = 2;

// "0 -> 4" where the line changed it; of what it was before it was set, nothing.
std::string cell(const LineTrace::Value& value) {
  const bool set = value.before != "-" && value.before != "?";
  return printable(set && value.before != value.after ? value.before + " -> " + value.after
                                                      : value.after);
}

// Whether '?' or '-' stands there for a value, be it an element's.
bool mentions(const std::string& text, char sign) {
  for (size_t at = text.find(sign); at != std::string::npos; at = text.find(sign, at + 1))
    if (at + 1 == text.size() || text[at + 1] == ',' || text[at + 1] == '}') return true;
  return false;
}

struct TraceColumn {
  std::string name;
  std::vector<std::string> cells;
  size_t width() const {
    int width = display_width(name);
    for (const std::string& text : cells) width = std::max(width, display_width(text));
    return static_cast<size_t>(width);
  }
};

// Those of one table, by row; row 0 is the heading.
std::string line_of(const std::vector<TraceColumn>& columns, size_t first, size_t last, size_t row,
                    const std::string& turn) {
  std::string line = "  " + pad_left(turn, static_cast<int>(columns[0].width()));
  for (size_t k = first; k < last; k++) {
    const std::string& text = row == 0 ? columns[k].name : columns[k].cells[row - 1];
    line += std::string(kGap, ' ') + pad_right(text, static_cast<int>(columns[k].width()));
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

// The turns that are not shown stand before the last one.
std::string table_of(const LineTrace& trace, const std::vector<TraceColumn>& columns, size_t first,
                     size_t last) {
  std::string out = line_of(columns, first, last, 0, columns[0].name);
  for (size_t row = 1; row <= trace.turns.size(); row++) {
    const uint64_t before = row == 1 ? 0 : trace.turns[row - 2].number;
    if (const uint64_t left_out = trace.turns[row - 1].number - before - 1; left_out > 0)
      out += fmt::format("  ... and {} more; the last:\n", left_out);
    out += line_of(columns, first, last, row, columns[0].cells[row - 1]);
  }
  return out;
}

}  // namespace

std::string trace_table(const LineTrace& trace, int width) {
  std::vector<TraceColumn> columns{{"turn", {}}};
  for (const LineTrace::Turn& turn : trace.turns)
    columns[0].cells.push_back(std::to_string(turn.number));
  bool unknown = false, unset = false;
  for (size_t k = 0; k < trace.columns.size(); k++) {
    columns.push_back({printable(trace.columns[k]), {}});
    for (const LineTrace::Turn& turn : trace.turns) {
      columns.back().cells.push_back(cell(turn.values.at(k)));
      unknown |= mentions(columns.back().cells.back(), '?');
      unset |= mentions(columns.back().cells.back(), '-');
    }
  }
  std::string out;
  size_t first = 1;
  do {
    size_t last = first, used = kGap + columns[0].width();
    while (last < columns.size() &&
           (last == first || used + kGap + columns[last].width() <= static_cast<size_t>(width)))
      used += kGap + columns[last++].width();
    out += (first > 1 ? "\n" : "") + table_of(trace, columns, first, last);
    first = last;
  } while (first < columns.size());
  if (unknown) out += "?: not known here, or outside of its array.\n";
  if (unset) out += "-: nothing has been stored there yet.\n";
  return out;
}

}  // namespace lockstep
