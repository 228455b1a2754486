// SPDX-License-Identifier: Apache-2.0
// See history.h.
#include "common/harness/history.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "common/backend/module_files.h"
#include "common/harness/columns.h"
#include "common/harness/metrics.h"

namespace lockstep {
namespace {

namespace fs = std::filesystem;

constexpr size_t kLargestFile = size_t{64} << 20;
constexpr size_t kMostTold = 3;

std::string key_of(const Record& r) {
  std::string key = r.homework + ";" + r.kernel + ";" + r.backend + ";" + r.device;
  for (const auto& [name, value] : r.parameters) key += fmt::format(";{}={}", name, value);
  for (const Dim3& d : {r.grid, r.block}) key += fmt::format(";{}x{}x{}", d.x, d.y, d.z);
  return key;
}

const Count* figure(const Record& r, const std::string& metric) {
  for (const auto* figures : {&r.derived, &r.counts.values})
    if (const auto at = figures->find(metric); at != figures->end()) return &at->second;
  return nullptr;
}

struct Change {
  int rank = 0;
  double size = 0;
  std::string words;
};

// One from nothing or to nothing is as large as one by a factor of 1000.
double size_of(double before, double now) {
  if (before <= 0 || now <= 0) return std::log(1000.0);
  return std::fabs(std::log(now / before));
}

std::string heading_of(const Column& c) {
  return c.group.empty() ? c.heading : c.group + " " + c.heading;
}

}  // namespace

History History::of_file(const std::string& path) {
  History history;
  std::istringstream lines(read_file(path, kLargestFile));
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with('{')) history.keep(record_from_json_line(line));
  return history;
}

History History::of_last_run(const std::string& path) {
  try {
    return of_file(path);
  } catch (const Error&) {
    return {};
  }
}

void History::keep(const Record& record) {
  if (record.check.status != "correct") return;
  Record& kept = records_[key_of(record)] = record;
  kept.counts.lines.clear();
}

const Record* History::same_launch(const Record& record) const {
  const auto at = records_.find(key_of(record));
  return at == records_.end() ? nullptr : &at->second;
}

void History::write(const std::string& path) const {
  if (records_.empty()) return;
  const std::string whole = fmt::format("{}.{}", path, getpid());
  std::error_code ignored;
  std::ofstream out(whole);
  for (const auto& [key, record] : records_) out << to_json_line(record) << "\n";
  out.close();
  if (out) fs::rename(whole, path, ignored);
  fs::remove(whole, ignored);
}

std::string last_run_file(const std::string& executable) {
  const fs::path module = own_module(executable);
  return (module.parent_path() / ("." + module.filename().string() + "-last.json")).string();
}

Changes changes_between(const Record& before, const Record& now,
                        const std::vector<std::string>& columns) {
  std::vector<Change> changes;
  for (const std::string& metric : columns) {
    const Count *a = figure(before, metric), *b = figure(now, metric);
    if (a == nullptr || b == nullptr) continue;
    const Column column = column_of(metric);
    const std::string from = shown_figure(column.digits, a->value);
    const std::string to = shown_figure(column.digits, b->value);
    const bool measured = a->tier == Tier::kMeasured || b->tier == Tier::kMeasured;
    const double size = size_of(a->value, b->value);
    if (from == to || size < (measured ? 0.05 : 0.02)) continue;
    const int rank = metric == metric::kInstPerElement ? 0 : metric == metric::kTimeUs ? 1 : 2;
    changes.push_back({rank, size, heading_of(column) + " " + from + " -> " + to});
  }
  std::stable_sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
    return a.rank != b.rank ? a.rank < b.rank : a.size > b.size;
  });
  Changes result;
  for (size_t i = 0; i < changes.size() && i < kMostTold; i++) {
    result.words += (i == 0 ? "" : ", ") + changes[i].words;
    result.most = std::max(result.most, changes[i].size);
  }
  return result;
}

}  // namespace lockstep
