// SPDX-License-Identifier: Apache-2.0
// Records as they come, one JSON line each. See report.h.
#include "common/harness/report.h"

namespace lockstep {
namespace {

class RecordReport : public Report {
 public:
  explicit RecordReport(std::ostream& out) : out_(out) {}
  void row(const Row& row) override { out_ << to_json_line(row.record) << "\n" << std::flush; }

 private:
  std::ostream& out_;
};

}  // namespace

std::unique_ptr<Report> make_record_report(std::ostream& out) {
  return std::make_unique<RecordReport>(out);
}

}  // namespace lockstep
