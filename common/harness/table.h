// SPDX-License-Identifier: Apache-2.0
// The table of a kernel: which columns there are, their headings, and a row at a time. Every
// column has its width from the start, so that rows can be printed as they come.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "common/backend/counts.h"
#include "common/harness/columns.h"
#include "common/harness/metrics.h"

namespace lockstep {

struct TableStyle {
  std::vector<std::string> columns = standard_columns();
  bool resident = false;     // the ac column
  bool times = true;         // time, rates and bars; without, those columns are left out
  bool counters = true;      // likewise
  bool marks = false;        // room for a ~ before predicted figures
  bool bars = true;          // where there are times
  bool memory_bars = false;  // '*' is memory traffic: data_is_in_memory()
  int width = 80;            // of the terminal
  int label_width = 0;       // of what stands before the columns in each row
};

class Table {
 public:
  explicit Table(const TableStyle& style);

  // Groups of columns on a line, where there are any, then columns on the next; both once for each
  // line of a row.
  std::string heading() const;
  // One line, or several where the terminal has no room for all columns side by side. A metric that
  // is not there prints as "-"; so do bars without a time as none.
  std::string row(const std::map<std::string, Count>& metrics, const Busy& busy,
                  const std::string& label = {}) const;
  // For a launch with a wrong result, a fault, and so on: " 8 WRONG 12 of 4096 elements", with the
  // first column alone.
  std::string note_row(const std::map<std::string, Count>& metrics, const std::string& note,
                       const std::string& label = {}) const;

 private:
  static std::vector<Column> shown_columns(const TableStyle& style);
  using Columns = std::vector<Column>;
  std::string cell(const Column& column, const std::map<std::string, Count>& metrics) const;
  std::string group_line(const Columns& columns) const;
  std::string beginning(const std::string& label) const;
  int bars_width() const;

  TableStyle style_;
  std::vector<Columns> lines_;  // of a row
  int width_ = 0;               // of the label and the columns of the first
};

}  // namespace lockstep
