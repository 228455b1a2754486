// SPDX-License-Identifier: Apache-2.0
// The columns that a table can have: how each metric is headed and printed. A homework names those
// it wants (Assignment::columns()); --help says what they mean.
#pragma once

#include <string>
#include <vector>

namespace lockstep {

enum class Digits { kWhole, kTenths, kHundredths, kTime };

struct Column {
  std::string metric;   // of all_metrics()
  std::string heading;  // UTF-8
  std::string group;    // columns of a group stand side by side under it; "" for none
  int width = 0;
  Digits digits = Digits::kWhole;
  // Where there is nothing to show, the column is left out: without times, without counters, with
  // at most one block an SM.
  enum Needs { kAlways, kResident, kTime, kCounter, kTimedCounter } needs = kAlways;
  bool predicted = false;  // may carry a mark
};

// The column of a metric; one that is not declared specially is headed by the metric's name.
Column column_of(const std::string& metric);

// A figure as it is printed. Times have the digits that matter: 5.2, 58.3, 101.
std::string shown_figure(Digits digits, double value);

// Those of hw01 and hw02: warps, instructions, conflicts, traffic, rates.
std::vector<std::string> standard_columns();

// A line a column, for --help: heading, unit and meaning.
std::string explain_columns(const std::vector<std::string>& metrics);

}  // namespace lockstep
