// SPDX-License-Identifier: Apache-2.0
// In write-ahead mode whoever reads keeps nobody from writing: the copy is made in one reading
// transaction, beside its place. See backup.h.
#include "grader/backup.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <memory>

#include "common/base/error.h"
#include "common/base/quoted.h"
#include "grader/sqlite_statement.h"
#include "grader/store.h"
#include "grader/store_schema.h"
#include "grader/whole_file.h"
#include "runner/process.h"

namespace lockstep::grader {
namespace {

namespace fs = std::filesystem;
using Database = std::unique_ptr<sqlite3, int (*)(sqlite3*)>;

Database open_database(const std::string& file) {
  sqlite3* db = nullptr;
  const int code =
      sqlite3_open_v2(file.c_str(), &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW, nullptr);
  Database owned(db, sqlite3_close);
  if (code != SQLITE_OK)
    throw Error(shown_word(file, 200) + ": cannot be opened: " + sqlite3_errmsg(db),
                kExitCannotRun);
  sqlite3_busy_timeout(db, 5000);
  return owned;
}

std::string one_value(sqlite3* db, const char* sql) {
  Statement s(db, sql);
  return s.step() ? s.text() : std::string();
}

void copy_results(const std::string& from, const std::string& to) {
  const Database db = open_database(from);
  if (std::string problem = problem_with(db.get(), kStoreVersion); !problem.empty())
    throw Error(shown_word(from, 200) + ": " + problem);
  write_whole(to, "", false);  // for its owner alone; SQLite fills what is empty
  Statement(db.get(), "VACUUM INTO ?").bind(to).step();
}

void copy_key(const std::string& from, const std::string& to) {
  const UniqueFd file(open(from.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  char key[4096];
  const ssize_t size = file.get() < 0 ? -1 : read(file.get(), key, sizeof key);
  if (size < 0) return;
  write_whole(to, std::string(key, static_cast<size_t>(size)), true);
}

Backup look_at(const std::string& file) {
  const Database db = open_database(file);
  if (one_value(db.get(), "PRAGMA quick_check") != "ok")
    throw Error(shown_word(file, 200) + ": is damaged, as the results are", kExitCannotRun);
  return {std::stoll(one_value(db.get(), "SELECT count(*) FROM grading")),
          static_cast<int64_t>(fs::file_size(file))};
}

}  // namespace

Backup back_up(const std::string& results, const std::string& to) {
  std::error_code error;
  if (fs::exists(fs::symlink_status(to, error)))
    throw Error(shown_word(to, 200) + ": is there already; give a folder that is not");
  const std::string from = fs::canonical(results).string();
  std::string fresh = fs::absolute(to).lexically_normal().string();
  while (fresh.size() > 1 && fresh.back() == '/') fresh.pop_back();
  fresh += "." + std::to_string(getpid()) + ".new";
  if (mkdir(fresh.c_str(), 0700) != 0) cannot_write(fresh);
  try {
    copy_results(from + "/results.db", fresh + "/results.db");
    copy_key(from + "/pseudonym.key", fresh + "/pseudonym.key");
    const Backup made = look_at(fresh + "/results.db");
    put_on_disk(fresh + "/results.db");
    put_on_disk(fresh);
    if (rename(fresh.c_str(), to.c_str()) != 0) cannot_write(to);
    return made;
  } catch (...) {
    fs::remove_all(fresh, error);
    throw;
  }
}

}  // namespace lockstep::grader
