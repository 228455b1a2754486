// SPDX-License-Identifier: Apache-2.0
// See problem_list.h.
#include "common/harness/problem_list.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/base/text.h"
#include "common/harness/launch_plan.h"

namespace lockstep {
namespace {

constexpr int kIndent = 4;  // of a line that goes on
constexpr size_t kMostNames = 6;

bool never_ends(const Row& row) {
  const std::string& kind = row.record.check.fault_kind;
  return kind == "too_slow" || kind == "timeout" || kind == "deadlock";
}

bool has(const std::vector<std::string>& all, const std::string& name) {
  return std::find(all.begin(), all.end(), name) != all.end();
}

// The first line without what differs between instances of one template: names and numbers.
std::string without_names(const Row& row) {
  std::string line = row.record.check.message;
  line.resize(std::min(line.find('\n'), line.size()));
  const std::string& kernel = row.record.kernel;
  for (size_t at; !kernel.empty() && (at = line.find(kernel)) != std::string::npos;)
    line.erase(at, kernel.size());
  std::erase_if(line, [](unsigned char c) { return std::isdigit(c) || c == ','; });
  return line;
}

// Faults are alike that are of one kind in one line; where no line is known, those of one template
// in the same words.
std::string key_of(const Row& row) {
  const CheckResult& check = row.record.check;
  const std::string key = check.status + ";" + check.fault_kind + ";";
  if (check.status == "missing_kernel") return key;
  if (check.fault_line > 0) return key + check.fault_file + ";" + std::to_string(check.fault_line);
  if (check.status == "bad_constant") return key + check.message;
  return key + base_name(row.c.kernel) + ";" + without_names(row);
}

}  // namespace

std::string some_of(const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < names.size() && i < kMostNames; i++)
    text += (i == 0 ? "" : ", ") + printable(names[i]);
  if (names.size() > kMostNames) text += fmt::format(" and {} more", names.size() - kMostNames);
  return text;
}

std::string ProblemList::line(const std::string& before,
                              const std::vector<std::string>& names) const {
  return wrapped(before + ": " + some_of(names), width_, kIndent);
}

std::string ProblemList::details(const Row& row) const {
  const CheckResult& check = row.record.check;
  std::string text =
      "\n" + wrapped(printable(check.message, true), width_, kIndent) + check.quoted.marked(width_);
  return text + wrapped_command("  To repeat: " + check.repeat, width_, 2 + kIndent);
}

ProblemList::Kind* ProblemList::kind_of(const Row& row, bool* is_new) {
  const std::string key = key_of(row), kernel = row.c.kernel;
  *is_new = false;
  for (Kind& kind : kinds_)  // one problem of a kernel explains the others
    if (kind.kernel == kernel || has(kind.others, kernel)) return &kind;
  for (Kind& kind : kinds_) {
    if (kind.key != key) continue;
    kind.others.push_back(kernel);
    return &kind;
  }
  *is_new = true;
  kinds_.push_back({key, kernel, {}, 0});
  return &kinds_.back();
}

std::string ProblemList::name_same(Kind* kind) const {
  const std::vector<std::string> same(kind->others.begin() + kind->named, kind->others.end());
  kind->named = static_cast<int>(kind->others.size());
  if (same.empty()) return {};
  return line(kinds_.size() == 1 ? "  The same" : "  The same as " + printable(kind->kernel), same);
}

std::string ProblemList::tell(const Row& row) {
  bool is_new = false;
  kind_of(row, &is_new);
  return is_new && kinds_.size() <= kMostKinds ? details(row) : "";
}

std::string ProblemList::tell_kept() {
  std::vector<Row> rows = std::move(kept_);
  kept_.clear();
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row& a, const Row& b) { return never_ends(a) && !never_ends(b); });
  std::vector<const Row*> first;
  for (const Row& row : rows) {
    bool is_new = false;
    kind_of(row, &is_new);
    if (is_new && kinds_.size() <= kMostKinds) first.push_back(&row);
  }
  std::string text;
  for (const Row* row : first) {
    bool is_new = false;
    text += details(*row) + name_same(kind_of(*row, &is_new));
  }
  return text;
}

// Of kinds without details.
std::string ProblemList::name_undescribed() {
  std::vector<std::string> all;
  for (size_t i = kMostKinds; i < kinds_.size(); i++) {
    all.push_back(kinds_[i].kernel);
    all.insert(all.end(), kinds_[i].others.begin(), kinds_[i].others.end());
    kinds_[i].named = static_cast<int>(kinds_[i].others.size());
  }
  if (all.empty()) return {};
  return line("Wrong in other ways, which --kernel shows one by one", all);
}

std::string ProblemList::rest() {
  std::string text = tell_kept();
  std::string lists = name_undescribed();
  for (Kind& kind : kinds_) lists += name_same(&kind);
  for (const Skipped& skipped : skipped_)
    lists += line("Not run (" + printable(skipped.reason) + ")", skipped.kernels) +
             skipped.quoted.marked(width_);
  if (wrong_not_run_) lists += "What is wrong is not measured.\n";
  return text + (lists.empty() ? "" : "\n") + lists;
}

void ProblemList::not_run(const Row& row) {
  const std::string& kernel = row.c.kernel;
  const bool wrong = std::any_of(kinds_.begin(), kinds_.end(), [&](const Kind& kind) {
    return kind.kernel == kernel || has(kind.others, kernel);
  });
  wrong_not_run_ |= wrong;
  if (wrong) return;
  const CheckResult& check = row.record.check;
  auto at = std::find_if(skipped_.begin(), skipped_.end(),
                         [&](const Skipped& s) { return s.reason == check.message; });
  if (at == skipped_.end()) at = skipped_.insert(at, {check.message, check.quoted, {}});
  if (!has(at->kernels, kernel)) at->kernels.push_back(kernel);
}

}  // namespace lockstep
