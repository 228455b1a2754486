// SPDX-License-Identifier: Apache-2.0
// One grading from another grader's file of results, row by row. What columns there are, the
// tables tell: both files have this grader's schema.
#include <memory>

#include "common/base/error.h"
#include "grader/sqlite_statement.h"
#include "grader/store.h"
#include "grader/store_schema.h"

namespace lockstep::grader {
namespace {

// "a, b, c": a table's columns, but for `without`.
std::string columns_of(sqlite3* db, const std::string& table, const std::string& without) {
  Statement s(db, "SELECT name FROM pragma_table_info(?) WHERE name <> ? ORDER BY cid");
  s.bind(table).bind(without);
  std::string list;
  while (s.step()) list += (list.empty() ? "" : ", ") + s.text();
  return list;
}

// Throws Error where the file is none of ours.
void require_results(const std::string& file) {
  sqlite3* db = nullptr;
  constexpr int kHow = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW;
  const int code = sqlite3_open_v2(file.c_str(), &db, kHow, nullptr);
  const std::unique_ptr<sqlite3, int (*)(sqlite3*)> closed(db, sqlite3_close);
  if (code != SQLITE_OK) throw Error(file + ": cannot be opened", kExitCannotRun);
  if (std::string problem = bring_to_version(db, kStoreVersion); !problem.empty())
    throw Error(file + ": " + problem);
}

}  // namespace

void Store::write_copy(const std::string& file) {
  Statement s(db_, "VACUUM INTO ?");
  s.bind(file).step();
}

Graded Store::take_over(const std::string& file, const Graded& wanted) {
  require_results(file);
  Statement(db_, "ATTACH ? AS incoming").bind(file).step();
  struct Detach {
    sqlite3* db;
    ~Detach() { sqlite3_exec(db, "DETACH incoming", nullptr, nullptr, nullptr); }
  } detach{db_};
  in_transaction([&] { copy_incoming(wanted); });
  return latest(wanted.homework, wanted.identity, wanted.backend).value();
}

// Whoever was killed after a grading was taken over, and before its file was away, has it already.
bool Store::has_incoming(int64_t id) {
  Statement s(db_,
              "SELECT 1 FROM main.grading AS mine JOIN incoming.grading AS other "
              "USING (homework, identity, backend, content_hash, config_hash, node, seed, "
              "finished_at, build_seconds, run_seconds) WHERE other.id = ?");
  s.bind(id);
  return s.step();
}

void Store::copy_incoming(const Graded& wanted) {
  int64_t from = 0;
  {
    Statement s(
        db_,
        "SELECT id FROM incoming.grading WHERE homework = ? AND identity = ? AND backend = ? "
        "AND content_hash = ? AND config_hash = ?");
    s.bind(wanted.homework).bind_bytes(wanted.identity).bind(wanted.backend);
    s.bind(wanted.content_hash).bind(wanted.config_hash);
    if (!s.step())
      throw Error(path_ + ": a file of results is not of the submission it is named for");
    from = s.integer();
  }
  if (has_incoming(from)) return;
  const std::string columns = columns_of(db_, "grading", "id");
  Statement(db_, ("INSERT INTO main.grading (" + columns + ") SELECT " + columns +
                  " FROM incoming.grading WHERE id = ?")
                     .c_str())
      .bind(from)
      .step();
  const int64_t id = sqlite3_last_insert_rowid(db_);
  for (const char* table : {"check_result", "launches", "by_line"}) {
    const std::string rest = columns_of(db_, table, "grading");
    Statement s(db_, ("INSERT INTO main." + std::string(table) + " (grading, " + rest +
                      ") SELECT ?, " + rest + " FROM incoming." + table + " WHERE grading = ?")
                         .c_str());
    s.bind(id).bind(from).step();
  }
  Statement(
      db_, "INSERT OR IGNORE INTO main.source SELECT * FROM incoming.source WHERE content_hash = ?")
      .bind(wanted.content_hash)
      .step();
  // What gradings share, by what it follows from.
  for (const char* table : {"code", "solution", "given", "plan", "execution"})
    Statement(db_, ("INSERT OR IGNORE INTO main." + std::string(table) +
                    " SELECT * FROM incoming." + table)
                       .c_str())
        .step();
  Statement(db_, "UPDATE main.grading SET submission = ?, judged_from = 0 WHERE id = ?")
      .bind(wanted.submission)
      .bind(id)
      .step();
}

}  // namespace lockstep::grader
