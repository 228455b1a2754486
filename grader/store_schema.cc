// SPDX-License-Identifier: Apache-2.0
// Version 1 and the steps that followed. A new file takes the same way as an old one, so that both
// end with the same tables.
#include "grader/store_schema.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "common/base/quoted.h"
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

// The steps from one version to another; 0: there is nothing yet.
void take_steps(sqlite3* db, int from, int to) {
  if (from < 1 && to >= 1) execute(db, kSchema);
  if (from < 2 && to >= 2) to_version_2(db);
  if (from < 3 && to >= 3) execute(db, kVersion3);
  if (from < 4 && to >= 4) execute(db, kVersion4);
  if (from < 5 && to >= 5) execute(db, kVersion5);
  if (from < 6 && to >= 6) execute(db, kVersion6);
  if (from < 7 && to >= 7) execute(db, kVersion7);
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

}  // namespace

std::string bring_to_version(sqlite3* db, int version) {
  auto number_of = [db](const char* sql) {
    Statement s(db, sql);
    return s.step() ? s.text() : std::string();
  };
  if (number_of("SELECT count(*) FROM sqlite_master") == "0") take_steps(db, 0, 1);
  if (number_of("SELECT count(*) FROM sqlite_master WHERE name = 'meta'") == "0")
    return "is not a file of this grader's results";
  std::string found = number_of("SELECT value FROM meta WHERE key = 'schema_version'");
  int at = std::atoi(found.c_str());
  if (at < 1 || at > version || found != std::to_string(at))
    return "has schema version " + shown_word(found) + ", but this grader knows " +
           std::to_string(version) + "; use another results folder";
  if (std::string part = foreign_part(db, at); !part.empty())
    return "is not as a grader makes it (" + part +
           "); drop what is not a grader's, or use another results folder";
  if (at == version) return {};
  take_steps(db, at, version);
  Statement now(db, "UPDATE meta SET value = ? WHERE key = 'schema_version'");
  now.bind(std::to_string(version)).step();
  return {};
}

}  // namespace lockstep::grader
