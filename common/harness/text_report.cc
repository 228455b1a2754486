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

// What stands in the row instead of figures; "" where it has none.
std::string short_problem(const CheckResult& check) {
  if (check.status == "wrong")
    return fmt::format("WRONG: {} of {} elements, see above", check.errors, check.checked);
  if (check.status == "fault")
    return fmt::format("FAULT: {}, see above", shown_name(check.fault_kind));
  if (check.status == "guard") return "WRONG: writes outside of its arrays, see above";
  if (check.status == "input_changed") return "WRONG: changes its input, see above";
  return {};
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

// What the rows below one heading have in common.
std::string heading_of(const Case& c) {
  return c.table.empty() ? c.kernel + " " + c.label : c.table;
}

}  // namespace

TextReport::TextReport(std::ostream& out, const TextReportOptions& options)
    : out_(out), options_(options), problems_(options.table.width) {}

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
    out_ << wrapped(what + ": " + printable(reason), options_.table.width, 4);
  }
}

void TextReport::start_kernel(const Row& row) {
  finish_kernel();
  heading_ = heading_of(row.c);
  note_missing_counters(row);
  TableStyle style = options_.table;
  const bool counted = has_counts(row.record.counts) || options_.emulated;
  if (row.record.check.status == "correct" && !counted) style.counters = false;
  style.memory_bars = data_is_in_memory(row.facts.work, options_.device);
  style.label_width = row.c.row.empty() ? 0 : kLabelWidth;
  table_.emplace(style);
  print_heading(row);
}

void TextReport::print_heading(const Row& row) {
  out_ << "\n" << wrapped(kernel_heading(row), options_.table.width, 4) << table_->heading();
  interrupted_ = false;
}

// What is wrong comes first, then its row.
void TextReport::print_problem(const std::string& text) {
  out_ << text;
  interrupted_ |= !text.empty();
}

void TextReport::row(const Row& row) {
  erase_progress();
  const CheckResult& check = row.record.check;
  if (row.small) problems_.keep(row);
  if (!row.small) print_problem(problems_.tell_kept());
  if (check.status == "not_run") return problems_.not_run(row);
  launches_++;
  const bool correct = check.status == "correct";
  if (!correct) failures_[row.c.kernel]++;
  if (row.small) return;
  if (!correct) print_problem(problems_.tell(row));
  if (correct || has_row(row)) print_row(row);
  out_ << std::flush;
}

// A fault ends a kernel's launches: in a table of its own it would be alone.
bool TextReport::has_row(const Row& row) const {
  const CheckResult& check = row.record.check;
  const bool alone = heading_of(row.c) != heading_ && row.c.row.empty();
  return !short_problem(check).empty() && !(check.status == "fault" && alone);
}

void TextReport::print_row(const Row& row) {
  const Record& record = row.record;
  if (heading_of(row.c) != heading_)
    start_kernel(row);
  else if (interrupted_)
    print_heading(row);
  if (record.check.status != "correct") {
    out_ << table_->note_row(metrics_of(row), short_problem(record.check), row.c.row);
    return;
  }
  out_ << table_->row(metrics_of(row), busy_fractions(record.derived, row.facts, options_.device),
                      row.c.row);
  if (!record.counts.lines.empty()) last_ = row;
  note_findings(row);
  note_changes(row);
}

void TextReport::print_lines() {
  if (!options_.lines || !last_) return;
  const int64_t warps = (last_->facts.threads + 31) / 32;
  out_ << wrapped(fmt::format("Lines of {} with {} warps by warp instructions:", last_->c.kernel,
                              warps),
                  options_.table.width, 4)
       << (options_.annotate.empty()
               ? costliest_lines(last_->record.counts, last_->facts.work, options_.table.width)
               : annotated_source(last_->record.counts, last_->facts.work, options_.annotate,
                                  options_.table.width));
}

void TextReport::note_changes(const Row& row) {
  const Record* before = options_.before ? options_.before->same_launch(row.record) : nullptr;
  if (before == nullptr) return;
  Changes found = changes_between(*before, row.record, options_.table.columns);
  if (found.most <= changes_.most) return;
  const int64_t warps = (row.facts.threads + 31) / 32;
  found.words += row.c.row.empty() ? fmt::format(" ({} warps)", warps) : " (" + row.c.row + ")";
  changes_ = found;
}

// What several launches show is told once, of the launch that it costs most.
void TextReport::note_findings(const Row& row) {
  for (const Finding& finding : row.findings) {
    const auto at = std::find_if(findings_.begin(), findings_.end(), [&](const Told& told) {
      return told.finding.place == finding.place && told.finding.kind == finding.kind;
    });
    const int64_t warps = static_cast<int64_t>((row.facts.threads + 31) / 32);
    const std::string shape = warps == 1 ? "1 warp" : fmt::format("{} warps", warps);
    const Told told{finding, row.c.kernel, row.c.row.empty() ? shape : row.c.row};
    if (at == findings_.end())
      findings_.push_back(told);
    else if (at->finding.share < finding.share)
      *at = told;
  }
}

// The costliest of each kernel.
void TextReport::print_findings() {
  constexpr int kMostOfAKernel = 3;
  std::stable_sort(findings_.begin(), findings_.end(),
                   [](const Told& a, const Told& b) { return a.finding.share > b.finding.share; });
  std::map<std::string, int> told;
  for (const Told& f : findings_)
    if (told[f.kernel]++ < kMostOfAKernel)
      out_ << wrapped(fmt::format("{}: {} ({})", f.finding.place, f.finding.words, f.row),
                      options_.table.width, 4);
  findings_.clear();
}

void TextReport::finish_kernel() {
  if (!changes_.words.empty())
    out_ << wrapped("Since " + options_.since + ": " + changes_.words, options_.table.width, 4);
  changes_ = {};
  print_findings();
  print_lines();
  last_.reset();
}

void TextReport::kernel_output(const std::string& text) {
  erase_progress();
  out_ << Quoted(text).marked(options_.table.width);
}

void TextReport::finish() {
  erase_progress();
  finish_kernel();
  const std::string rest = problems_.rest();
  out_ << rest;
  if (failures_.empty()) return;
  int failed = 0;
  std::vector<std::string> names;
  for (const auto& [kernel, count] : failures_) {
    failed += count;
    names.push_back(count == 1 ? kernel : fmt::format("{} ({})", kernel, count));
  }
  const std::string verb =
      launches_ == 1 ? "1 launch is" : fmt::format("{} launches are", launches_);
  out_ << (rest.empty() ? "\n" : "")
       << wrapped(fmt::format("{} of {} not right: {}", failed, verb, some_of(names)),
                  options_.table.width, 4);
}

}  // namespace lockstep
