// SPDX-License-Identifier: Apache-2.0
// Where results go as they come: tables for a person (text_report.h) or records, one JSON line a
// launch, for a program.
#pragma once

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "common/backend/backend.h"
#include "common/harness/assignment.h"
#include "common/harness/findings.h"
#include "common/harness/metrics.h"
#include "common/harness/record.h"

namespace lockstep {

// One launch: its record, and what a table needs besides.
struct Row {
  Case c;
  KernelInfo kernel;
  LaunchFacts facts;
  Record record;
  std::vector<Finding> findings;
  bool small = false;  // of a check before the measurement, that failed
};

class Report {
 public:
  virtual ~Report() = default;
  // What is being done, for a person who waits; replaced by the next call or by output.
  virtual void progress(const std::string&) {}
  virtual void row(const Row& row) = 0;
  // Text that the kernels printed; to be quoted.
  virtual void kernel_output(const std::string&) {}
  // After the last row.
  virtual void finish() {}
};

// Collects rows on their way to another report, which outlives it.
class CollectingReport : public Report {
 public:
  explicit CollectingReport(Report& to) : to_(to) {}
  void progress(const std::string& text) override { to_.progress(text); }
  void row(const Row& row) override {
    rows_.push_back(row);
    to_.row(row);
  }
  void kernel_output(const std::string& text) override { to_.kernel_output(text); }
  void finish() override { to_.finish(); }

  const std::vector<Row>& rows() const { return rows_; }

 private:
  Report& to_;
  std::vector<Row> rows_;
};

// Prints every row's record, each at once.
std::unique_ptr<Report> make_record_report(std::ostream& out);

}  // namespace lockstep
