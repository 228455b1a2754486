// SPDX-License-Identifier: Apache-2.0
// Printing tables. See text_report.h.
#include "common/harness/text_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "common/base/quoted.h"
#include "common/base/text.h"
#include "common/harness/line_report.h"

namespace lockstep {
namespace {

// Cases with rows of their own have no kernel in common.
std::string kernel_heading(const Row& row) {
  if (!row.c.row.empty()) return row.c.table + ". " + row.c.label;
  std::string text = fmt::format("{} {}.", row.c.library ? "Library" : "Kernel", row.c.kernel);
  if (row.kernel.registers >= 0) text += fmt::format(" {} registers.", row.kernel.registers);
  if (row.kernel.shared_bytes > 0)
    text += fmt::format(" {} bytes shared.", row.kernel.shared_bytes);
  if (row.kernel.spill_bytes > 0)
    text += fmt::format(" {} bytes of spills.", row.kernel.spill_bytes);
  return text + " " + row.c.label;
}

constexpr int kLabelWidth = 12;

// What stands in the row instead of figures.
std::string short_problem(const CheckResult& check) {
  if (check.status == "wrong")
    return fmt::format("WRONG: {} of {} elements, see below", check.errors, check.checked);
  if (check.status == "fault")
    return fmt::format("FAULT: {}, see below", shown_name(check.fault_kind));
  if (check.status == "guard") return "WRONG: writes outside of its arrays, see below";
  if (check.status == "input_changed") return "WRONG: changes its input, see below";
  if (check.status == "not_run") return "not run: " + check.message;
  return "see below";
}

bool has_counts(const Counts& counts) { return !counts.values.empty(); }

// Raw and derived metrics, those of the shape where nothing was derived, and the first kernel's
// resources.
std::map<std::string, Count> metrics_of(const Row& row) {
  std::map<std::string, Count> metrics = row.record.derived;
  metrics.insert(row.record.counts.values.begin(), row.record.counts.values.end());
  if (metrics.empty()) metrics = derive_metrics({}, row.facts, {});
  const auto add = [&](const char* name, int64_t value) {
    if (value >= 0) metrics[name] = {static_cast<double>(value), Tier::kExact};
  };
  add(metric::kRegisters, row.record.registers);
  add(metric::kSpillBytes, row.record.spill_bytes);
  return metrics;
}

std::string table_of(const Case& c) { return c.table.empty() ? c.kernel : c.table; }

// What the rows below one heading have in common.
std::string heading_of(const Case& c) {
  return c.table.empty() ? c.kernel + " " + c.label : c.table;
}

}  // namespace

TextReport::TextReport(std::ostream& out, const TextReportOptions& options)
    : out_(out), options_(options) {}

void TextReport::erase_progress() {
  if (!progress_shown_) return;
  out_ << "\r\x1b[K" << std::flush;
  progress_shown_ = false;
}

void TextReport::progress(const std::string& text) {
  if (!options_.terminal) return;
  erase_progress();
  const size_t room = static_cast<size_t>(std::max(options_.table.width - 1, 10));
  out_ << text.substr(0, room) << std::flush;
  progress_shown_ = true;
}

// Without a single count there is no use for columns of dashes; the reason is told once. Only what
// a column is made of is missed.
void TextReport::note_missing_counters(const Row& row) {
  static const std::set<std::string> kShown = {metric::kWarpInstructions,
                                               metric::kGlobalLoadRequests,
                                               metric::kGlobalStoreRequests,
                                               metric::kGlobalBankConflicts,
                                               metric::kL2ToL1Bytes,
                                               metric::kL1ToL2Bytes,
                                               metric::kDramBytes};
  if (!options_.table.counters || options_.emulated) return;
  for (const auto& [metric, reason] : row.record.counts.unavailable) {
    if (!kShown.count(metric) || told_[reason]) continue;
    told_[reason] = true;
    const std::string what = has_counts(row.record.counts) ? "No " + metric : "No counters";
    out_ << what << ": " << printable(reason) << "\n";
  }
}

void TextReport::start_kernel(const Row& row) {
  finish_kernel();
  kernel_ = table_of(row.c);
  heading_ = heading_of(row.c);
  note_missing_counters(row);
  TableStyle style = options_.table;
  const bool counted = has_counts(row.record.counts) || options_.emulated;
  if (row.record.check.status == "correct" && !counted) style.counters = false;
  style.memory_bars = data_is_in_memory(row.facts.work, options_.device);
  style.label_width = row.c.row.empty() ? 0 : kLabelWidth;
  table_.emplace(style);
  out_ << "\n" << kernel_heading(row) << "\n" << table_->heading();
}

void TextReport::row(const Row& row) {
  erase_progress();
  if (heading_of(row.c) != heading_) start_kernel(row);
  launches_++;
  const Record& record = row.record;
  if (record.check.status == "correct") {
    out_ << table_->row(metrics_of(row), busy_fractions(record.derived, row.facts, options_.device),
                        row.c.row);
    if (!record.counts.lines.empty()) last_ = row;
    findings_ = row.findings;
  } else {
    failures_[kernel_]++;
    out_ << table_->note_row(metrics_of(row), short_problem(record.check), row.c.row);
    if (record.check.status != "not_run") note_problem(row);
  }
  out_ << std::flush;
}

void TextReport::print_lines() {
  if (!options_.lines || !last_) return;
  const int64_t warps = (last_->facts.threads + 31) / 32;
  out_ << fmt::format("Lines of {} with {} warps by warp instructions:\n", last_->c.kernel, warps)
       << (options_.annotate.empty()
               ? costliest_lines(last_->record.counts, last_->facts.work, options_.table.width)
               : annotated_source(last_->record.counts, last_->facts.work, options_.annotate));
}

// One problem of a kernel explains the others, as a rule.
void TextReport::note_problem(const Row& row) {
  const CheckResult& check = row.record.check;
  for (const auto& [kernel, told] : problems_)
    if (kernel == row.c.kernel || told.message == check.message) return;
  problems_.emplace_back(row.c.kernel, check);
}

void TextReport::finish_kernel() {
  for (const std::string& finding : findings_) out_ << wrapped(finding, options_.table.width, 4);
  findings_.clear();
  print_lines();
  last_.reset();
  for (const auto& [kernel, check] : problems_)
    out_ << (options_.terminal ? wrapped(printable(check.message, true), options_.table.width, 4)
                               : printable(check.message, true) + "\n")
         << check.quoted.marked(options_.table.width) << "  To repeat: " << check.repeat << "\n";
  problems_.clear();
  out_ << std::flush;
}

void TextReport::kernel_output(const std::string& text) {
  erase_progress();
  out_ << Quoted(text).marked(options_.table.width);
}

void TextReport::finish() {
  erase_progress();
  finish_kernel();
  if (failures_.empty()) return;
  int failed = 0;
  std::string names;
  for (const auto& [kernel, count] : failures_) {
    failed += count;
    names += fmt::format("{}{} ({})", names.empty() ? "" : ", ", kernel, count);
  }
  out_ << fmt::format("\n{} of {} launches are not right: {}\n", failed, launches_, names);
}

}  // namespace lockstep
