// SPDX-License-Identifier: Apache-2.0
// What the store keeps for pages: source, machine code, counts by line, the solution's figures.
#include <nlohmann/json.hpp>

#include "common/base/error.h"
#include "grader/packed.h"
#include "grader/sqlite_statement.h"
#include "grader/store.h"

namespace lockstep::grader {
namespace {

using nlohmann::json;

struct Sum {
  int64_t elements = 0, launches = 0;
  std::map<std::pair<std::string, int>, std::map<std::string, double>> lines;
};

// {KERNEL: {"elements": E, "launches": N, "lines": [[FILE, LINE, {METRIC: COUNT}]]}}, summed over
// the launches that were counted; "" where there were none.
std::string by_line_json(const std::vector<Record>& records) {
  std::map<std::string, Sum> sums;
  for (const Record& record : records) {
    if (record.counts.lines.empty()) continue;
    Sum& sum = sums[record.kernel];
    sum.elements += record.elements;
    ++sum.launches;
    for (const LineCounts& line : record.counts.lines)
      for (const auto& [metric, count] : line.counts)
        if (count.value != 0) sum.lines[{line.file, line.line}][metric] += count.value;
  }
  json all = json::object();
  for (const auto& [kernel, sum] : sums) {
    json lines = json::array();
    for (const auto& [place, counts] : sum.lines)
      lines.push_back({place.first, place.second, counts});
    all[kernel] = {{"elements", sum.elements}, {"launches", sum.launches}, {"lines", lines}};
  }
  return sums.empty() ? "" : all.dump(-1, ' ', true, json::error_handler_t::replace);
}

std::optional<std::string> maybe_unpacked(Statement& s) {
  if (!s.step()) return std::nullopt;
  const int64_t size = s.integer();
  return unpacked(s.bytes(), size);
}

std::vector<Record> read_records(Statement& s) {
  std::vector<Record> records;
  while (s.step()) {
    try {
      records.push_back(record_from_json_line(s.text()));
    } catch (const Error&) {  // of an earlier version
    }
  }
  return records;
}

}  // namespace

void Store::add_code(const std::string& module_hash, const std::string& code) {
  if (module_hash.empty() || code.empty()) return;
  Statement s(db_, "INSERT OR IGNORE INTO code VALUES (?, ?, ?)");
  s.bind(module_hash).bind(static_cast<int64_t>(code.size())).bind_bytes(packed(code)).step();
}

void Store::add_by_line(const Graded& graded, const std::vector<Record>& records) {
  const std::string text = by_line_json(records);
  if (text.empty()) return;
  Statement s(db_, "INSERT INTO by_line VALUES (?, ?, ?)");
  s.bind(graded.id).bind(static_cast<int64_t>(text.size())).bind_bytes(packed(text)).step();
}

std::optional<std::string> Store::source_of(const Graded& graded) {
  Statement s(db_, "SELECT text FROM source WHERE content_hash = ?");
  s.bind(graded.content_hash);
  if (!s.step()) return std::nullopt;
  return s.bytes();
}

std::optional<std::string> Store::code_of(const std::string& module_hash) {
  Statement s(db_, "SELECT size, json FROM code WHERE module_hash = ?");
  s.bind(module_hash);
  return maybe_unpacked(s);
}

std::optional<std::string> Store::by_line_of(const Graded& graded) {
  Statement s(db_, "SELECT size, json FROM by_line WHERE grading = ?");
  s.bind(graded.id);
  return maybe_unpacked(s);
}

std::vector<Record> Store::records_of(const Graded& graded) {
  Statement s(db_, "SELECT json FROM record WHERE grading = ? ORDER BY position");
  s.bind(graded.id);
  return read_records(s);
}

std::vector<Record> Store::solution_of(const Graded& graded) {
  Statement s(db_,
              "SELECT json FROM solution WHERE config_hash = ? AND backend = ? AND seed = ? "
              "ORDER BY position");
  s.bind(graded.config_hash).bind(graded.backend).bind(static_cast<int64_t>(graded.seed));
  return read_records(s);
}

void Store::add_solution(const Graded& graded, const std::vector<Record>& records) {
  if (records.empty()) return;
  Statement there(db_, "SELECT 1 FROM solution WHERE config_hash = ? AND backend = ? AND seed = ?");
  there.bind(graded.config_hash).bind(graded.backend).bind(static_cast<int64_t>(graded.seed));
  if (there.step()) return;
  Statement s(db_, "INSERT OR IGNORE INTO solution VALUES (?, ?, ?, ?, ?)");
  for (size_t i = 0; i < records.size(); ++i) {
    Record brief = records[i];
    brief.counts.lines.clear();
    s.restart();
    s.bind(graded.config_hash).bind(graded.backend).bind(static_cast<int64_t>(graded.seed));
    s.bind(static_cast<int64_t>(i)).bind(to_json_line(brief)).step();
  }
}

void Store::add_given(const std::string& config_hash, const std::string& module_hash,
                      const std::string& code) {
  in_transaction([&] {
    add_code(module_hash, code);
    Statement s(db_, "INSERT OR REPLACE INTO given VALUES (?, ?)");
    s.bind(config_hash).bind(module_hash).step();
  });
}

std::optional<std::string> Store::given_of(const std::string& config_hash) {
  Statement s(db_, "SELECT module_hash FROM given WHERE config_hash = ?");
  s.bind(config_hash);
  if (!s.step()) return std::nullopt;
  return s.text();
}

}  // namespace lockstep::grader
