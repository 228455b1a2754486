// SPDX-License-Identifier: Apache-2.0
// SQLite, in write-ahead mode with full synchronization: what add() has returned from is on disk.
#include "grader/store.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include <filesystem>

#include "common/error.h"

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

// A prepared statement; values are bound and columns read in order.
class Statement {
 public:
  Statement(sqlite3* db, const char* sql) : db_(db) {
    if (sqlite3_prepare_v2(db, sql, -1, &s_, nullptr) != SQLITE_OK) fail();
  }
  ~Statement() { sqlite3_finalize(s_); }
  Statement(const Statement&) = delete;

  Statement& bind(const std::string& v) {
    check(sqlite3_bind_text(s_, ++bound_, v.data(), static_cast<int>(v.size()), SQLITE_TRANSIENT));
    return *this;
  }
  Statement& bind(int64_t v) {
    check(sqlite3_bind_int64(s_, ++bound_, v));
    return *this;
  }
  Statement& bind(double v) {
    check(sqlite3_bind_double(s_, ++bound_, v));
    return *this;
  }
  Statement& bind(const std::optional<double>& v) {
    if (v) return bind(*v);
    check(sqlite3_bind_null(s_, ++bound_));
    return *this;
  }
  bool step() {
    column_ = 0;
    int got = sqlite3_step(s_);
    if (got == SQLITE_ROW) return true;
    if (got != SQLITE_DONE) fail();
    return false;
  }
  void restart() {
    sqlite3_reset(s_);
    bound_ = 0;
  }
  std::string text() {
    int bytes = sqlite3_column_bytes(s_, column_);
    const auto* p = reinterpret_cast<const char*>(sqlite3_column_text(s_, column_++));
    return p == nullptr ? "" : std::string(p, static_cast<size_t>(bytes));
  }
  int64_t integer() { return sqlite3_column_int64(s_, column_++); }
  double real() { return sqlite3_column_double(s_, column_++); }
  std::optional<double> maybe_real() {
    if (sqlite3_column_type(s_, column_) == SQLITE_NULL) return ++column_, std::nullopt;
    return real();
  }

 private:
  void check(int code) {
    if (code != SQLITE_OK) fail();
  }
  [[noreturn]] void fail() {
    throw Error(std::string("the results cannot be read or written: ") + sqlite3_errmsg(db_),
                kExitCannotRun);
  }
  sqlite3* db_;
  sqlite3_stmt* s_ = nullptr;
  int bound_ = 0, column_ = 0;
};

constexpr char kColumns[] =
    "id, homework, submission, path, content_hash, config_hash, backend, device, driver, arch, "
    "compiler, sandbox, module_hash, seed, attempts, build_seconds, run_seconds, finished_at, "
    "verdict, reason, message, points, max_points, undecided_points";

VerdictKind verdict_kind(const std::string& text) {
  for (VerdictKind kind :
       {VerdictKind::kPass, VerdictKind::kPartial, VerdictKind::kFail, VerdictKind::kStudentError,
        VerdictKind::kInfraError, VerdictKind::kNotMeasured, VerdictKind::kReview})
    if (text == to_string(kind)) return kind;
  throw Error("the results hold an unknown verdict '" + text + "'");
}

CheckStatus check_status(const std::string& text) {
  for (CheckStatus status : {CheckStatus::kPass, CheckStatus::kPartial, CheckStatus::kFail,
                             CheckStatus::kReview, CheckStatus::kNotMeasured})
    if (text == to_string(status)) return status;
  throw Error("the results hold an unknown status '" + text + "'");
}

Graded read_graded(Statement& s) {
  Graded g;
  g.id = s.integer();
  for (std::string* field :
       {&g.homework, &g.submission, &g.path, &g.content_hash, &g.config_hash, &g.backend, &g.device,
        &g.driver, &g.arch, &g.compiler, &g.sandbox, &g.module_hash})
    *field = s.text();
  g.seed = static_cast<uint64_t>(s.integer());
  g.attempts = static_cast<int>(s.integer());
  g.build_seconds = s.real();
  g.run_seconds = s.real();
  g.finished_at = s.text();
  g.verdict.kind = verdict_kind(s.text());
  g.verdict.reason = s.text();
  g.verdict.message = s.text();
  g.verdict.points = s.maybe_real().value_or(0);
  g.verdict.max_points = s.real();
  g.verdict.undecided_points = s.real();
  return g;
}

}  // namespace

std::string utc_now() {
  time_t now = time(nullptr);
  tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

Store::Store(const std::string& folder) : path_(folder + "/results.db") {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  lock_ = open((folder + "/lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock_ < 0) throw Error(folder + ": cannot be written", kExitCannotRun);
  if (flock(lock_, LOCK_EX | LOCK_NB) != 0) {
    close(lock_);
    throw Error(folder + ": another grader is working with these results; wait until it ends",
                kExitCannotRun);
  }
  try {
    open_database();
  } catch (...) {
    close_all();
    throw;
  }
}

Store::~Store() { close_all(); }

void Store::close_all() {
  sqlite3_close(db_);
  close(lock_);
}

void Store::open_database() {
  if (sqlite3_open_v2(path_.c_str(), &db_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr) !=
      SQLITE_OK)
    throw Error(path_ + ": " + sqlite3_errmsg(db_), kExitCannotRun);
  sqlite3_busy_timeout(db_, 5000);
  execute("PRAGMA journal_mode = WAL");
  execute("PRAGMA synchronous = FULL");
  execute("PRAGMA foreign_keys = ON");
  create();
}

void Store::execute(const char* sql) {
  char* message = nullptr;
  if (sqlite3_exec(db_, sql, nullptr, nullptr, &message) == SQLITE_OK) return;
  std::string text = message != nullptr ? message : "unknown error";
  sqlite3_free(message);
  throw Error(path_ + ": " + text, kExitCannotRun);
}

void Store::create() {
  Statement tables(db_, "SELECT count(*) FROM sqlite_master");
  tables.step();
  if (tables.integer() == 0) {
    execute("BEGIN IMMEDIATE");
    execute(kSchema);
    execute("COMMIT");
    return;
  }
  Statement has_meta(db_, "SELECT count(*) FROM sqlite_master WHERE name = 'meta'");
  has_meta.step();
  if (has_meta.integer() == 0) throw Error(path_ + ": is not a file of this grader's results");
  Statement version(db_, "SELECT value FROM meta WHERE key = 'schema_version'");
  std::string found = version.step() ? version.text() : "unknown";
  if (found != std::to_string(kStoreVersion))
    throw Error(path_ + ": has schema version " + found + ", but this grader knows " +
                std::to_string(kStoreVersion) + "; use another results folder");
}

void Store::load_checks(Graded* graded) {
  Statement s(db_,
              "SELECT id, title, status, points, max_points, hidden, kernel, measured, threshold, "
              "tier, message, costs, hint, reproduce FROM check_result WHERE grading = ? "
              "ORDER BY position");
  s.bind(graded->id);
  while (s.step()) {
    CheckOutcome c;
    c.id = s.text();
    c.title = s.text();
    c.status = check_status(s.text());
    c.points = s.real();
    c.max_points = s.real();
    c.hidden = s.integer() != 0;
    c.kernel = s.text();
    c.measured = s.maybe_real();
    c.threshold = s.maybe_real();
    c.tier = s.text();
    c.message = s.text();
    std::string costs = s.text();
    for (size_t at = 0; at < costs.size();) {
      size_t end = std::min(costs.find('\n', at), costs.size());
      c.costs.push_back(costs.substr(at, end - at));
      at = end + 1;
    }
    c.hint = s.text();
    c.reproduce = s.text();
    graded->verdict.checks.push_back(std::move(c));
  }
}

std::optional<Graded> Store::latest(const std::string& homework, const std::string& submission,
                                    const std::string& backend) {
  std::string sql = std::string("SELECT ") + kColumns +
                    " FROM grading WHERE homework = ? AND submission = ? AND backend = ? "
                    "ORDER BY id DESC LIMIT 1";
  Statement s(db_, sql.c_str());
  s.bind(homework).bind(submission).bind(backend);
  if (!s.step()) return std::nullopt;
  Graded graded = read_graded(s);
  load_checks(&graded);
  return graded;
}

std::vector<Graded> Store::all_latest(const std::string& homework, const std::string& backend) {
  std::string sql = std::string("SELECT ") + kColumns +
                    " FROM grading WHERE id IN (SELECT max(id) FROM grading WHERE homework = ? "
                    "AND backend = ? GROUP BY submission) ORDER BY submission";
  Statement s(db_, sql.c_str());
  s.bind(homework).bind(backend);
  std::vector<Graded> all;
  while (s.step()) all.push_back(read_graded(s));
  for (Graded& graded : all) load_checks(&graded);
  return all;
}

void Store::add(Graded* graded, const std::vector<GradedLaunch>& plan,
                const std::vector<Record>& records) {
  execute("BEGIN IMMEDIATE");
  try {
    const Graded& g = *graded;
    Statement s(db_,
                "INSERT INTO grading (homework, submission, path, content_hash, config_hash, "
                "backend, device, driver, arch, compiler, sandbox, module_hash, seed, attempts, "
                "build_seconds, run_seconds, finished_at, verdict, reason, message, points, "
                "max_points, undecided_points) VALUES "
                "(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
    for (const std::string* field :
         {&g.homework, &g.submission, &g.path, &g.content_hash, &g.config_hash, &g.backend,
          &g.device, &g.driver, &g.arch, &g.compiler, &g.sandbox, &g.module_hash})
      s.bind(*field);
    s.bind(static_cast<int64_t>(g.seed)).bind(int64_t{g.attempts});
    s.bind(g.build_seconds).bind(g.run_seconds).bind(g.finished_at);
    s.bind(std::string(to_string(g.verdict.kind))).bind(g.verdict.reason).bind(g.verdict.message);
    // No points are not 0 points.
    bool none = g.verdict.kind == VerdictKind::kInfraError;
    s.bind(none ? std::nullopt : std::optional<double>(g.verdict.points));
    s.bind(g.verdict.max_points).bind(g.verdict.undecided_points);
    s.step();
    graded->id = sqlite3_last_insert_rowid(db_);
    add_checks(*graded);
    add_records(*graded, plan, records);
    execute("COMMIT");
  } catch (...) {
    sqlite3_exec(db_, "ROLLBACK", nullptr, nullptr, nullptr);
    throw;
  }
}

void Store::add_checks(const Graded& graded) {
  Statement s(db_, "INSERT INTO check_result VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
  int64_t position = 0;
  for (const CheckOutcome& c : graded.verdict.checks) {
    std::string costs;
    for (const std::string& line : c.costs) costs += line + "\n";
    s.restart();
    s.bind(graded.id).bind(position++).bind(c.id).bind(c.title);
    s.bind(std::string(to_string(c.status))).bind(c.points).bind(c.max_points);
    s.bind(int64_t{c.hidden}).bind(c.kernel).bind(c.measured).bind(c.threshold).bind(c.tier);
    s.bind(c.message).bind(costs).bind(c.hint).bind(c.reproduce);
    s.step();
  }
}

void Store::add_records(const Graded& graded, const std::vector<GradedLaunch>& plan,
                        const std::vector<Record>& records) {
  Statement s(db_, "INSERT INTO record VALUES (?,?,?,?)");
  for (size_t i = 0; i < records.size() && i < plan.size(); ++i) {
    Record brief = records[i];
    // Costs by line are in the checks that need them; whole, they would be most of the file.
    brief.counts.lines.clear();
    s.restart();
    s.bind(graded.id).bind(static_cast<int64_t>(i)).bind(plan[i].run).bind(to_json_line(brief));
    s.step();
  }
}

}  // namespace lockstep::grader
