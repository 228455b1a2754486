// SPDX-License-Identifier: Apache-2.0
// Version 1 and the steps that followed. A new file takes the same way as an old one, so that both
// end with the same tables.
#include "grader/store_schema.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "common/base/quoted.h"
#include "grader/columns.h"
#include "grader/packed.h"
#include "grader/packed_records.h"
#include "grader/sha256.h"
#include "grader/sqlite_statement.h"

namespace lockstep::grader {
namespace {

constexpr char kSchema[] = R"(
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO meta VALUES ('schema_version', '1'), ('made_by', 'lockstep grader');
CREATE TABLE grading (
  id INTEGER PRIMARY KEY,
  homework TEXT NOT NULL, submission TEXT NOT NULL, path TEXT NOT NULL,
  content_hash TEXT NOT NULL, config_hash TEXT NOT NULL,
  backend TEXT NOT NULL, device TEXT NOT NULL, driver TEXT NOT NULL, arch TEXT NOT NULL,
  compiler TEXT NOT NULL, sandbox TEXT NOT NULL, module_hash TEXT NOT NULL, seed INTEGER NOT NULL,
  attempts INTEGER NOT NULL, build_seconds REAL NOT NULL, run_seconds REAL NOT NULL,
  finished_at TEXT NOT NULL,
  verdict TEXT NOT NULL, reason TEXT NOT NULL, message TEXT NOT NULL,
  points REAL, max_points REAL NOT NULL, undecided_points REAL NOT NULL);
CREATE INDEX grading_of ON grading (homework, submission, backend, id);
CREATE TABLE check_result (
  grading INTEGER NOT NULL REFERENCES grading (id), position INTEGER NOT NULL,
  id TEXT NOT NULL, title TEXT NOT NULL, status TEXT NOT NULL,
  points REAL NOT NULL, max_points REAL NOT NULL, hidden INTEGER NOT NULL, kernel TEXT NOT NULL,
  measured REAL, threshold REAL, tier TEXT NOT NULL,
  message TEXT NOT NULL, costs TEXT NOT NULL, hint TEXT NOT NULL, reproduce TEXT NOT NULL,
  PRIMARY KEY (grading, position)) WITHOUT ROWID;
CREATE TABLE record (
  grading INTEGER NOT NULL REFERENCES grading (id), position INTEGER NOT NULL,
  run TEXT NOT NULL, json TEXT NOT NULL,
  PRIMARY KEY (grading, position)) WITHOUT ROWID;
)";

// Version 2: who a submission is of, told by bytes; text of others apart from ours.
constexpr char kVersion2[] = R"(
ALTER TABLE grading ADD COLUMN identity BLOB NOT NULL DEFAULT x'';
ALTER TABLE grading ADD COLUMN quoted TEXT NOT NULL DEFAULT '';
ALTER TABLE grading ADD COLUMN draw INTEGER NOT NULL DEFAULT 0;
ALTER TABLE grading ADD COLUMN review_points REAL NOT NULL DEFAULT 0;
ALTER TABLE check_result ADD COLUMN quoted TEXT NOT NULL DEFAULT '';
-- Messages were ours and others' in one: all of it is quoted.
UPDATE grading SET quoted = message, message = '';
UPDATE check_result SET quoted = message, message = '';
DROP INDEX grading_of;
)";
constexpr char kVersion2Index[] =
    "CREATE INDEX grading_of_identity ON grading (homework, identity, backend, id);";

// Version 3: what was graded can be looked at, whatever became of the file or archive.
constexpr char kVersion3[] =
    "CREATE TABLE source (content_hash TEXT PRIMARY KEY, text BLOB NOT NULL);";

// Version 4: what a check without points decides, and which one decided another.
constexpr char kVersion4[] = R"(
ALTER TABLE check_result ADD COLUMN blocks REAL NOT NULL DEFAULT 0;
ALTER TABLE check_result ADD COLUMN waits_for TEXT NOT NULL DEFAULT '';
)";

// Version 5: when something was handed in, as a platform tells.
constexpr char kVersion5[] = R"(
CREATE TABLE submitted (
  homework TEXT NOT NULL, identity BLOB NOT NULL,
  at TEXT NOT NULL, told_by TEXT NOT NULL, commit_hash TEXT NOT NULL,
  PRIMARY KEY (homework, identity)) WITHOUT ROWID;
)";

// Version 6: what a page shows beside the source: counts by line, machine code, the solution's
// figures; and what was given, that it does not count as alike.
constexpr char kVersion6[] = R"(
CREATE TABLE by_line (
  grading INTEGER PRIMARY KEY REFERENCES grading (id), size INTEGER NOT NULL, json BLOB NOT NULL);
CREATE TABLE code (module_hash TEXT PRIMARY KEY, size INTEGER NOT NULL, json BLOB NOT NULL);
CREATE TABLE solution (
  config_hash TEXT NOT NULL, backend TEXT NOT NULL, seed INTEGER NOT NULL, position INTEGER NOT NULL,
  json TEXT NOT NULL, PRIMARY KEY (config_hash, backend, seed, position)) WITHOUT ROWID;
CREATE TABLE given (config_hash TEXT PRIMARY KEY, module_hash TEXT NOT NULL);
)";

// Version 7: where it was graded.
constexpr char kVersion7[] = "ALTER TABLE grading ADD COLUMN node TEXT NOT NULL DEFAULT '';";

// Version 8: launches as columns, a row a grading; what they depend on; and from which grading one
// was judged anew.
constexpr char kVersion8[] = R"(
CREATE TABLE plan (hash TEXT PRIMARY KEY, size INTEGER NOT NULL, json BLOB NOT NULL);
CREATE TABLE launches (
  grading INTEGER PRIMARY KEY REFERENCES grading (id), plan TEXT NOT NULL,
  size INTEGER NOT NULL, records BLOB NOT NULL, lines_size INTEGER NOT NULL, lines BLOB NOT NULL);
CREATE TABLE execution (hash TEXT PRIMARY KEY, json TEXT NOT NULL);
ALTER TABLE grading ADD COLUMN execution_hash TEXT NOT NULL DEFAULT '';
ALTER TABLE grading ADD COLUMN ended TEXT NOT NULL DEFAULT '';
ALTER TABLE grading ADD COLUMN judged_from INTEGER NOT NULL DEFAULT 0;
ALTER TABLE solution RENAME TO solution_7;
CREATE TABLE solution (
  config_hash TEXT NOT NULL, backend TEXT NOT NULL, seed INTEGER NOT NULL, plan TEXT NOT NULL,
  size INTEGER NOT NULL, records BLOB NOT NULL, PRIMARY KEY (config_hash, backend, seed));
)";
constexpr char kVersion8End[] = "DROP TABLE record; DROP TABLE solution_7;";

// Version 9: who is in the class, graded or not. Before, who was not had a name that ended so.
constexpr char kVersion9[] = R"(
CREATE TABLE member (
  homework TEXT NOT NULL, identity BLOB NOT NULL, name TEXT NOT NULL,
  PRIMARY KEY (homework, identity)) WITHOUT ROWID;
INSERT OR IGNORE INTO member
  SELECT homework, identity, submission FROM grading
  WHERE submission NOT LIKE '%/absent' ORDER BY id DESC;
)";

// Version 10: which file of a folder or archive was graded.
constexpr char kVersion10[] = "ALTER TABLE grading ADD COLUMN file TEXT NOT NULL DEFAULT '';";

void execute(sqlite3* db, const char* sql) {
  if (sqlite3_exec(db, sql, nullptr, nullptr, nullptr) != SQLITE_OK)
    throw Error(std::string("the results cannot be changed: ") + sqlite3_errmsg(db),
                kExitCannotRun);
}

// Version 1 knew a path in which every byte that is not printable had become '?'. Where there is
// one, whose it was cannot be told any more: such a row belongs to nobody who can hand in again,
// since no file's name holds a '/'.
std::string identity_of(const std::string& path, const std::string& submission) {
  std::string name = path;
  while (!name.empty() && name.back() == '/') name.pop_back();
  name = name.substr(name.rfind('/') + 1);
  return name.empty() || name.find('?') != std::string::npos ? "version 1/" + submission : name;
}

void to_version_2(sqlite3* db) {
  execute(db, kVersion2);
  std::vector<std::pair<int64_t, std::string>> identities;
  Statement rows(db, "SELECT id, path, submission FROM grading");
  while (rows.step()) {
    int64_t id = rows.integer();
    std::string path = rows.text();
    identities.emplace_back(id, identity_of(path, rows.text()));
  }
  Statement update(db, "UPDATE grading SET identity = ? WHERE id = ?");
  for (const auto& [id, identity] : identities) {
    update.restart();
    update.bind_bytes(identity).bind(id).step();
  }
  execute(db, kVersion2Index);
}

// Some rows' JSON lines packed, and of their plan, which was not kept, the runs.
struct OldLaunches {
  std::vector<std::string> records;
  std::vector<nlohmann::json> runs;
};

std::string add_old_plan(sqlite3* db, const OldLaunches& old) {
  const std::string text = to_columns(old.runs), hash = sha256(text);
  Statement s(db, "INSERT OR IGNORE INTO plan VALUES (?, ?, ?)");
  s.bind(hash).bind(static_cast<int64_t>(text.size())).bind_bytes(packed(text)).step();
  return hash;
}

void add_old_launches(sqlite3* db, int64_t grading, const OldLaunches& old) {
  if (old.records.empty()) return;
  const std::string text = records_text(old.records);
  Statement s(db, "INSERT INTO launches VALUES (?, ?, ?, ?, 0, x'')");
  s.bind(grading).bind(add_old_plan(db, old)).bind(static_cast<int64_t>(text.size()));
  s.bind_bytes(packed(text)).step();
}

void pack_records(sqlite3* db) {
  Statement rows(db, "SELECT grading, run, json FROM record ORDER BY grading, position");
  int64_t grading = 0;
  OldLaunches old;
  while (rows.step()) {
    const int64_t next = rows.integer();
    if (next != grading) add_old_launches(db, std::exchange(grading, next), std::exchange(old, {}));
    old.runs.push_back({{"run", rows.text()}});
    old.records.push_back(rows.text());
  }
  add_old_launches(db, grading, old);
}

void pack_solutions(sqlite3* db) {
  std::vector<std::tuple<std::string, std::string, int64_t>> keys;
  Statement found(db, "SELECT DISTINCT config_hash, backend, seed FROM solution_7");
  while (found.step()) {
    std::string config = found.text(), backend = found.text();
    keys.emplace_back(config, backend, found.integer());
  }
  for (const auto& [config, backend, seed] : keys) {
    Statement rows(db,
                   "SELECT json FROM solution_7 WHERE config_hash = ? AND backend = ? AND seed = ? "
                   "ORDER BY position");
    rows.bind(config).bind(backend).bind(seed);
    std::vector<std::string> records;
    while (rows.step()) records.push_back(rows.text());
    const std::string text = records_text(records);
    Statement s(db, "INSERT INTO solution VALUES (?, ?, ?, '', ?, ?)");
    s.bind(config).bind(backend).bind(seed).bind(static_cast<int64_t>(text.size()));
    s.bind_bytes(packed(text)).step();
  }
}

void to_version_8(sqlite3* db) {
  execute(db, kVersion8);
  pack_records(db);
  pack_solutions(db);
  execute(db, kVersion8End);
}

// The steps from one version to another; 0: there is nothing yet.
void take_steps(sqlite3* db, int from, int to) {
  if (from < 1 && to >= 1) execute(db, kSchema);
  if (from < 2 && to >= 2) to_version_2(db);
  if (from < 3 && to >= 3) execute(db, kVersion3);
  if (from < 4 && to >= 4) execute(db, kVersion4);
  if (from < 5 && to >= 5) execute(db, kVersion5);
  if (from < 6 && to >= 6) execute(db, kVersion6);
  if (from < 7 && to >= 7) execute(db, kVersion7);
  if (from < 8 && to >= 8) to_version_8(db);
  if (from < 9 && to >= 9) execute(db, kVersion9);
  if (from < 10 && to >= 10) execute(db, kVersion10);
}

struct Part {
  std::string kind, name, sql;
  auto operator<=>(const Part&) const = default;
};

std::set<Part> parts_of(sqlite3* db) {
  std::set<Part> parts;
  // An index that SQLite makes of a table's key has no text, and goes with the table.
  Statement s(db, "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL");
  while (s.step()) {
    std::string kind = s.text(), name = s.text();
    parts.insert({kind, name, s.text()});
  }
  return parts;
}

// What the file has and its version does not make, or the other way round. A trigger of somebody
// else's would change what we write, and a view what we read.
std::string foreign_part(sqlite3* db, int version) {
  sqlite3* made = nullptr;
  const int code = sqlite3_open(":memory:", &made);
  const std::unique_ptr<sqlite3, int (*)(sqlite3*)> closed(made, sqlite3_close);
  if (code != SQLITE_OK) throw Error("SQLite has no memory", kExitCannotRun);
  take_steps(made, 0, version);
  const std::set<Part> there = parts_of(db), wanted = parts_of(made);
  std::vector<Part> other;
  std::set_symmetric_difference(there.begin(), there.end(), wanted.begin(), wanted.end(),
                                std::back_inserter(other));
  return other.empty() ? "" : shown_word(other[0].kind) + " " + shown_word(other[0].name);
}

std::string text_of(sqlite3* db, const char* sql) {
  Statement s(db, sql);
  return s.step() ? s.text() : std::string();
}

// 0: it tells none.
int version_of(sqlite3* db) {
  return std::atoi(text_of(db, "SELECT value FROM meta WHERE key = 'schema_version'").c_str());
}

}  // namespace

std::string problem_with(sqlite3* db, int version) {
  if (text_of(db, "SELECT count(*) FROM sqlite_master WHERE name = 'meta'") == "0")
    return "is not a file of this grader's results";
  const std::string found = text_of(db, "SELECT value FROM meta WHERE key = 'schema_version'");
  const int at = version_of(db);
  if (at < 1 || at > version || found != std::to_string(at))
    return "has schema version " + shown_word(found) + ", but this grader knows " +
           std::to_string(version) + "; use another results folder";
  if (std::string part = foreign_part(db, at); !part.empty())
    return "is not as a grader makes it (" + part +
           "); drop what is not a grader's, or use another results folder";
  return {};
}

std::string bring_to_version(sqlite3* db, int version) {
  if (text_of(db, "SELECT count(*) FROM sqlite_master") == "0") take_steps(db, 0, 1);
  if (std::string problem = problem_with(db, version); !problem.empty()) return problem;
  const int at = version_of(db);
  if (at == version) return {};
  take_steps(db, at, version);
  Statement now(db, "UPDATE meta SET value = ? WHERE key = 'schema_version'");
  now.bind(std::to_string(version)).step();
  return {};
}

}  // namespace lockstep::grader
