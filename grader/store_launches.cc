// SPDX-License-Identifier: Apache-2.0
// What the store keeps of launches: plans, records, counts by line, and what they depend on.
#include <algorithm>

#include "common/base/error.h"
#include "grader/packed.h"
#include "grader/packed_records.h"
#include "grader/sha256.h"
#include "grader/sqlite_statement.h"
#include "grader/store.h"

namespace lockstep::grader {
namespace {

PackedText pack(const std::string& text) {
  return {static_cast<int64_t>(text.size()), text.empty() ? "" : packed(text)};
}

PackedText read_packed(Statement* s) {
  const int64_t size = s->integer();
  return {size, s->bytes()};
}

// The grading whose launches these are.
int64_t origin_of(const Graded& graded) {
  return graded.judged_from != 0 ? graded.judged_from : graded.id;
}

}  // namespace

std::string PackedText::text() const { return size == 0 ? "" : unpacked(bytes, size); }

void Store::add_execution(const Graded& graded) {
  if (graded.execution.empty()) return;
  Statement s(db_, "INSERT OR IGNORE INTO execution VALUES (?, ?)");
  s.bind(graded.execution_hash).bind(graded.execution).step();
}

// A sitting has few plans, however many it grades.
std::string Store::add_plan(const std::vector<GradedLaunch>& plan) {
  const std::string text = plan_text(plan), hash = sha256(text);
  Statement there(db_, "SELECT 1 FROM plan WHERE hash = ?");
  if (there.bind(hash).step()) return hash;
  const PackedText kept = pack(text);
  Statement s(db_, "INSERT INTO plan VALUES (?, ?, ?)");
  s.bind(hash).bind(kept.size).bind_bytes(kept.bytes).step();
  return hash;
}

void Store::add_launches(const Graded& graded, const std::vector<GradedLaunch>& plan,
                         const std::vector<Record>& records) {
  if (records.empty() && graded.ended.empty()) return;
  const PackedText brief = pack(records_text(records)), lines = pack(lines_text(records));
  Statement s(db_, "INSERT INTO launches VALUES (?, ?, ?, ?, ?, ?)");
  s.bind(graded.id).bind(add_plan(plan));
  s.bind(brief.size).bind_bytes(brief.bytes).bind(lines.size).bind_bytes(lines.bytes).step();
}

// A draw's launches of it, and those that were made for what some submission does elsewhere: these
// come one after the other.
void Store::add_solution(const Graded& graded, const Reference& solution) {
  if (solution.records.empty()) return;
  Reference all = solution;
  Statement there(db_,
                  "SELECT plan, size, records FROM solution WHERE config_hash = ? AND backend = ? "
                  "AND seed = ?");
  there.bind(graded.config_hash).bind(graded.backend).bind(static_cast<int64_t>(graded.seed));
  if (there.step()) {
    all.plan = plan_of(there.text());
    std::vector<size_t> further;
    for (size_t i = 0; i < solution.plan.size(); ++i)
      if (std::none_of(all.plan.begin(), all.plan.end(), [&](const GradedLaunch& one) {
            return one.launch == solution.plan[i].launch;
          }))
        further.push_back(i);
    if (further.empty()) return;
    all.records = records_from_text(read_packed(&there).text());
    for (const size_t i : further) {
      all.plan.push_back(solution.plan[i]);
      all.records.push_back(solution.records.at(i));
    }
  }
  const PackedText records = pack(records_text(all.records));
  Statement s(db_, "INSERT OR REPLACE INTO solution VALUES (?, ?, ?, ?, ?, ?)");
  s.bind(graded.config_hash).bind(graded.backend).bind(static_cast<int64_t>(graded.seed));
  s.bind(add_plan(all.plan)).bind(records.size).bind_bytes(records.bytes).step();
}

std::optional<StoredLaunches> Store::launches_of(const Graded& graded) {
  Statement s(db_, "SELECT plan, size, records, lines_size, lines FROM launches WHERE grading = ?");
  s.bind(origin_of(graded));
  if (!s.step()) return std::nullopt;
  StoredLaunches found;
  found.plan = s.text();
  found.records = read_packed(&s);
  found.lines = read_packed(&s);
  return found;
}

// By the configuration that it was measured in.
std::optional<StoredLaunches> Store::solution_launches(const Graded& graded) {
  Statement s(db_,
              "SELECT plan, size, records FROM solution WHERE backend = ? AND seed = ? "
              "AND config_hash = (SELECT config_hash FROM grading WHERE id = ?)");
  s.bind(graded.backend).bind(static_cast<int64_t>(graded.seed)).bind(origin_of(graded));
  if (!s.step()) return std::nullopt;
  StoredLaunches found;
  found.plan = s.text();
  found.records = read_packed(&s);
  return found;
}

std::vector<GradedLaunch> Store::plan_of(const std::string& hash) {
  Statement s(db_, "SELECT size, json FROM plan WHERE hash = ?");
  s.bind(hash);
  if (!s.step()) throw Error(path_ + ": a plan of launches is missing", kExitCannotRun);
  return plan_from_text(read_packed(&s).text());
}

std::optional<std::string> Store::execution_of(const std::string& hash) {
  Statement s(db_, "SELECT json FROM execution WHERE hash = ?");
  s.bind(hash);
  if (hash.empty() || !s.step()) return std::nullopt;
  return s.text();
}

std::vector<Record> Store::records_of(const Graded& graded) {
  const auto found = launches_of(graded);
  return found ? records_from_text(found->records.text()) : std::vector<Record>();
}

std::vector<Record> Store::solution_of(const Graded& graded) {
  const auto found = solution_launches(graded);
  return found ? records_from_text(found->records.text()) : std::vector<Record>();
}

// Before version 8 the sums were kept instead of the launches' own.
std::optional<std::string> Store::by_line_of(const Graded& graded) {
  if (const auto found = launches_of(graded); found && found->lines.size > 0)
    return by_line_text(found->records.text(), found->lines.text());
  Statement s(db_, "SELECT size, json FROM by_line WHERE grading = ?");
  s.bind(origin_of(graded));
  if (!s.step()) return std::nullopt;
  return read_packed(&s).text();
}

}  // namespace lockstep::grader
