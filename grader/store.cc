// SPDX-License-Identifier: Apache-2.0
// SQLite, in write-ahead mode with full synchronization: what add() has returned from is on disk.
#include "grader/store.h"

#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include <climits>
#include <filesystem>

#include "common/base/error.h"
#include "grader/results_folder.h"
#include "grader/sqlite_statement.h"
#include "grader/store_schema.h"
#include "runner/process.h"

namespace lockstep::grader {
namespace {

constexpr char kColumns[] =
    "id, homework, submission, path, content_hash, config_hash, backend, device, driver, arch, "
    "compiler, sandbox, module_hash, seed, attempts, build_seconds, run_seconds, finished_at, "
    "verdict, reason, message, points, max_points, undecided_points, identity, quoted, draw, "
    "review_points, node, execution_hash, ended, judged_from, file";

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

// Quoted text as it is kept: fit to be shown, and read by hand.
std::string kept(const Quoted& quoted) {
  std::string text;
  for (const std::string& line : quoted.lines()) text += line + "\n";
  return text;
}

// A line each; the text of a source line follows the line that it belongs to, with the mark.
std::vector<CostLine> costs_of(const std::string& text) {
  const std::string mark = kQuoteMark;
  std::vector<CostLine> costs;
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find('\n', at), text.size());
    std::string line = text.substr(at, end - at);
    at = end + 1;
    if (costs.empty() || line.rfind(mark, 0) != 0)
      costs.push_back({line, {}});
    else
      costs.back().source = Quoted(costs.back().source.raw() + line.substr(mark.size()) + "\n");
  }
  return costs;
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
  g.identity = s.bytes();
  g.verdict.quoted = Quoted(s.text());
  g.draw = s.integer();
  g.verdict.review_points = s.real();
  g.node = s.text();
  g.execution_hash = s.text();
  g.ended = s.text();
  g.judged_from = s.integer();
  g.file = s.text();
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

Store::Store(const std::string& folder)
    : path_(folder + "/results.db"), lock_(lock_results(folder)) {
  try {
    open_database(std::filesystem::canonical(folder).string() + "/results.db");
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

// The folder may be reached through links, the file is none.
void Store::open_database(const std::string& real_path) {
  // SQLite makes its other files as readable as this one. Closed before SQLite has it open: closing
  // any descriptor of a file gives up all locks of the process on it, and another process that
  // takes itself for the last would remove the log that is being written.
  UniqueFd(open(real_path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600)).reset();
  constexpr int kHow = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOFOLLOW;
  if (sqlite3_open_v2(real_path.c_str(), &db_, kHow, nullptr) != SQLITE_OK)
    throw Error(path_ + ": " + sqlite3_errmsg(db_), kExitCannotRun);
  sqlite3_busy_timeout(db_, 5000);
  execute("PRAGMA journal_mode = WAL");
  execute("PRAGMA synchronous = FULL");
  execute("PRAGMA foreign_keys = ON");
  create_or_migrate();
  make_small();
}

void Store::execute(const char* sql) {
  char* message = nullptr;
  if (sqlite3_exec(db_, sql, nullptr, nullptr, &message) == SQLITE_OK) return;
  std::string text = message != nullptr ? message : "unknown error";
  sqlite3_free(message);
  throw Error(path_ + ": " + text, kExitCannotRun);
}

void Store::in_transaction(const std::function<void()>& change) {
  execute("BEGIN IMMEDIATE");
  try {
    change();
    execute("COMMIT");
  } catch (...) {
    sqlite3_exec(db_, "ROLLBACK", nullptr, nullptr, nullptr);
    throw;
  }
}

void Store::create_or_migrate() {
  in_transaction([&] {
    if (std::string problem = bring_to_version(db_, kStoreVersion); !problem.empty())
      throw Error(path_ + ": " + problem);
  });
}

// What a migration has left empty: nothing else removes rows.
void Store::make_small() {
  Statement s(db_,
              "SELECT freelist_count * 2 > page_count FROM pragma_freelist_count, "
              "pragma_page_count");
  const bool mostly_empty = s.step() && s.integer() != 0;
  s.restart();
  if (mostly_empty) execute("VACUUM");
}

void Store::load_checks(Graded* graded) {
  Statement s(db_,
              "SELECT id, title, status, points, max_points, hidden, kernel, measured, threshold, "
              "tier, message, costs, hint, reproduce, quoted, blocks, waits_for "
              "FROM check_result WHERE grading = ? "
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
    c.costs = costs_of(s.text());
    c.hint = s.text();
    c.reproduce = s.text();
    c.quoted = Quoted(s.text());
    c.blocks = s.real();
    c.waits_for = s.text();
    graded->verdict.checks.push_back(std::move(c));
  }
}

std::vector<std::string> Store::backends(const std::string& homework) {
  Statement s(db_, "SELECT DISTINCT backend FROM grading WHERE homework = ? ORDER BY backend");
  s.bind(homework);
  std::vector<std::string> all;
  while (s.step()) all.push_back(s.text());
  return all;
}

std::optional<Graded> Store::latest(const std::string& homework, const std::string& identity,
                                    const std::string& backend) {
  std::string sql = std::string("SELECT ") + kColumns +
                    " FROM grading WHERE homework = ? AND identity = ? AND backend = ? "
                    "ORDER BY id DESC LIMIT 1";
  Statement s(db_, sql.c_str());
  s.bind(homework).bind_bytes(identity).bind(backend);
  if (!s.step()) return std::nullopt;
  Graded graded = read_graded(s);
  load_checks(&graded);
  load_submitted(&graded);
  return graded;
}

std::vector<Graded> Store::all_latest(const std::string& homework, const std::string& backend) {
  std::string sql = std::string("SELECT ") + kColumns +
                    " FROM grading WHERE id IN (SELECT max(id) FROM grading WHERE homework = ? "
                    "AND backend = ? GROUP BY identity) ORDER BY submission, identity";
  Statement s(db_, sql.c_str());
  s.bind(homework).bind(backend);
  std::vector<Graded> all;
  while (s.step()) all.push_back(read_graded(s));
  for (Graded& graded : all) {
    load_checks(&graded);
    load_submitted(&graded);
  }
  return all;
}

void Store::add(Graded* graded, const std::vector<GradedLaunch>& plan,
                const std::vector<Record>& records, const Reference& solution) {
  in_transaction([&] {
    graded->id = add_row(*graded);
    add_execution(*graded);
    add_source(*graded);
    add_code(graded->module_hash, graded->code);
    add_checks(*graded);
    add_launches(*graded, plan, records);
    add_solution(*graded, solution);
  });
}

void Store::add_judged(std::vector<Graded>* gradings) {
  in_transaction([&] {
    for (Graded& graded : *gradings) {
      graded.id = add_row(graded);
      add_checks(graded);
      copy_given(graded);
    }
  });
}

int64_t Store::add_row(const Graded& g) {
  Statement s(db_,
              "INSERT INTO grading (homework, submission, path, content_hash, config_hash, "
              "backend, device, driver, arch, compiler, sandbox, module_hash, seed, attempts, "
              "build_seconds, run_seconds, finished_at, verdict, reason, message, points, "
              "max_points, undecided_points, identity, quoted, draw, review_points, "
              "node, execution_hash, ended, judged_from, file) "
              "VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
  for (const std::string* field :
       {&g.homework, &g.submission, &g.path, &g.content_hash, &g.config_hash, &g.backend, &g.device,
        &g.driver, &g.arch, &g.compiler, &g.sandbox, &g.module_hash})
    s.bind(*field);
  s.bind(static_cast<int64_t>(g.seed)).bind(int64_t{g.attempts});
  s.bind(g.build_seconds).bind(g.run_seconds).bind(g.finished_at);
  s.bind(std::string(to_string(g.verdict.kind))).bind(g.verdict.reason).bind(g.verdict.message);
  // No points are not 0 points.
  bool none = g.verdict.kind == VerdictKind::kInfraError;
  s.bind(none ? std::nullopt : std::optional<double>(g.verdict.points));
  s.bind(g.verdict.max_points).bind(g.verdict.undecided_points);
  s.bind_bytes(g.identity).bind(kept(g.verdict.quoted)).bind(g.draw).bind(g.verdict.review_points);
  s.bind(g.node).bind(g.execution_hash).bind(g.ended).bind(g.judged_from);
  s.bind(g.file).step();
  return sqlite3_last_insert_rowid(db_);
}

// Once, however many hand it in and however often it is graded.
void Store::add_source(const Graded& graded) {
  if (graded.source.empty()) return;
  Statement s(db_, "INSERT OR IGNORE INTO source VALUES (?, ?)");
  s.bind(graded.content_hash).bind_bytes(graded.source).step();
}

void Store::add_checks(const Graded& graded) {
  Statement s(db_, "INSERT INTO check_result VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
  int64_t position = 0;
  for (const CheckOutcome& c : graded.verdict.checks) {
    std::string costs;
    for (const CostLine& cost : c.costs) costs += cost.words + "\n" + cost.source.marked(INT_MAX);
    s.restart();
    s.bind(graded.id).bind(position++).bind(c.id).bind(c.title);
    s.bind(std::string(to_string(c.status))).bind(c.points).bind(c.max_points);
    s.bind(int64_t{c.hidden}).bind(c.kernel).bind(c.measured).bind(c.threshold).bind(c.tier);
    s.bind(c.message).bind(costs).bind(c.hint).bind(c.reproduce).bind(kept(c.quoted));
    s.bind(c.blocks).bind(c.waits_for);
    s.step();
  }
}

}  // namespace lockstep::grader
