// SPDX-License-Identifier: Apache-2.0
// Results as tables on a terminal: a heading for each kernel, a row for each launch; before them
// what is wrong and how to repeat that.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/backend/device_info.h"
#include "common/harness/history.h"
#include "common/harness/problem_list.h"
#include "common/harness/report.h"
#include "common/harness/table.h"

namespace lockstep {

struct TextReportOptions {
  TableStyle table;
  bool emulated = false;
  bool lines = false;     // costs by source line after each kernel
  std::string annotate;   // a student's file to print with them; "": none
  bool terminal = false;  // progress is shown
  // What each kernel's figures are held against, in words "the last run"; null: nothing.
  const History* before = nullptr;
  std::string since;
  DeviceInfo device;
};

class TextReport : public Report {
 public:
  TextReport(std::ostream& out, const TextReportOptions& options);

  void progress(const std::string& text) override;
  void row(const Row& row) override;
  void kernel_output(const std::string& text) override;
  void finish() override;

 private:
  bool has_row(const Row& row) const;
  void print_row(const Row& row);
  void print_problem(const std::string& text);
  void start_kernel(const Row& row);
  void print_heading(const Row& row);
  void finish_kernel();
  void erase_progress();
  void note_missing_counters(const Row& row);
  void print_lines();
  void note_changes(const Row& row);
  void note_findings(const Row& row);
  void print_findings();

  std::ostream& out_;
  const TextReportOptions options_;
  bool progress_shown_ = false;
  std::string heading_;       // of the table that is being printed
  bool interrupted_ = false;  // by what is wrong: the heading is due again
  std::optional<Table> table_;
  ProblemList problems_;
  Changes changes_;  // of the launch of this table that has changed most
  struct Told {
    Finding finding;
    std::string kernel, row;
  };
  std::vector<Told> findings_;           // of all launches of this table, each once
  std::optional<Row> last_;              // the last launch of this kernel that has counts by line
  std::map<std::string, bool> told_;     // reasons already given
  std::map<std::string, int> failures_;  // launches that were not right, by kernel
  int launches_ = 0;                     // that were run
};

}  // namespace lockstep
