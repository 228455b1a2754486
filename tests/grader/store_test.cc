// SPDX-License-Identifier: Apache-2.0
// Results survive: they come back as they were, are never half there, and only to one grader.
#include "grader/store.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/error.h"
#include "grader/columns.h"
#include "grader/store_schema.h"
#include "tests/grader/temporary.h"

namespace lockstep::grader {
namespace {

Graded sample(const std::string& name, double points) {
  Graded g;
  g.homework = "hw02";
  g.submission = name;
  g.identity = name;
  g.file = "src/hw02.cu";
  g.content_hash = "h" + name;
  g.backend = "emulator";
  g.device = "NVIDIA H200";
  g.seed = (uint64_t{1} << 63) - 5;
  g.verdict.kind = VerdictKind::kPartial;
  g.verdict.points = points;
  g.verdict.max_points = 100;
  CheckOutcome c;
  c.id = "fast";
  c.status = CheckStatus::kFail;
  c.max_points = 30;
  c.measured = 12.5;
  c.message = "a\nb 'quoted' \"x\"; DROP TABLE grading;";
  c.costs = {{"one", Quoted("[pass]\nthe rest of a line that is none")}, {"two", {}}};
  c.quoted = Quoted("hw02.cu:1: error\n");
  c.blocks = 25;
  c.waits_for = "right";
  g.verdict.checks = {c, c};
  return g;
}

std::string text_of(const std::string& database, const std::string& sql) {
  sqlite3* db = nullptr;
  sqlite3_stmt* s = nullptr;
  std::string text = "nothing";
  if (sqlite3_open(database.c_str(), &db) == SQLITE_OK &&
      sqlite3_prepare_v2(db, sql.c_str(), -1, &s, nullptr) == SQLITE_OK)
    for (text.clear(); sqlite3_step(s) == SQLITE_ROW;)
      for (int i = 0; i < sqlite3_column_count(s); ++i) {
        const auto* value = sqlite3_column_text(s, i);
        text += std::string(value == nullptr ? "" : reinterpret_cast<const char*>(value)) + " ";
      }
  sqlite3_finalize(s);
  sqlite3_close(db);
  return text;
}

TEST(Store, GivesBackWhatItWasGiven) {
  TemporaryFolder t;
  {
    Store store(t.path("r"));
    Graded g = sample("o'brien", 42.5);
    Record record;
    record.kernel = "f<8>";
    store.add(&g, {{"run", {}}}, {record});
  }
  Store store(t.path("r"));
  auto got = store.latest("hw02", "o'brien", "emulator");
  ASSERT_TRUE(got.has_value());
  EXPECT_EQ(got->seed, (uint64_t{1} << 63) - 5);
  EXPECT_EQ(got->file, "src/hw02.cu");
  EXPECT_EQ(got->verdict.points, 42.5);
  EXPECT_EQ(got->verdict.checks.at(0).blocks, 25);
  EXPECT_EQ(got->verdict.checks.at(0).waits_for, "right");
  ASSERT_EQ(got->verdict.checks.size(), 2u);
  const CheckOutcome& second = got->verdict.checks[1];
  ASSERT_EQ(second.costs.size(), 2u);
  EXPECT_EQ(second.costs[0].words, "one");
  EXPECT_EQ(second.costs[0].source.lines()[0], "[pass]");
  EXPECT_EQ(second.costs[1].words, "two");
  EXPECT_TRUE(second.costs[1].source.empty());
  EXPECT_EQ(second.quoted.lines(), (std::vector<std::string>{"hw02.cu:1: error"}));
  EXPECT_EQ(got->verdict.checks[0].message, "a\nb 'quoted' \"x\"; DROP TABLE grading;");
  EXPECT_EQ(got->verdict.checks[0].measured, 12.5);
  EXPECT_FALSE(got->verdict.checks[0].threshold.has_value());
  EXPECT_FALSE(store.latest("hw02", "o'brien", "gpu").has_value());
}

// What a person looks at is what was graded.
TEST(Store, KeepsTheTextThatWasGraded) {
  TemporaryFolder t;
  const std::string text("// \xFF\n\0;", 7);
  {
    Store store(t.path());
    for (const char* name : {"a", "b", "a", "none"}) {
      Graded g = sample(name, 1);
      g.content_hash = name == std::string("none") ? "problem" : "same";
      if (g.content_hash == "same") g.source = text;
      store.add(&g, {}, {});
    }
  }
  EXPECT_EQ(text_of(t.path("results.db"), "SELECT count(*), content_hash, hex(text) FROM source"),
            "1 same 2F2F20FF0A003B ");
}

// What pages show beside the points.
TEST(Store, KeepsCodeCountsByLineAndTheSolutionsFigures) {
  TemporaryFolder t;
  Store store(t.path());
  Record record;
  record.kernel = "f<8>";
  record.elements = 100;
  LineCounts line;
  line.file = "hw02/hw02.cu";
  line.line = 7;
  line.counts = {{"warp_instructions", {30, Tier::kExact}}, {"local_sectors", {0, Tier::kExact}}};
  record.counts.lines = {line};
  Graded first = sample("a", 1), second = sample("b", 1);
  for (Graded* g : {&first, &second}) {
    g->module_hash = "m";
    g->code = R"({"sm": 90})";
    g->config_hash = "c";
    store.add(g, {{"run", {}}, {"run", {}}}, {record, record},
              Reference{0, true, {{"run", {}}}, {record}});
  }
  EXPECT_EQ(
      store.by_line_of(first),
      R"({"f<8>":{"elements":200,"launches":2,"lines":[["hw02/hw02.cu",7,{"warp_instructions":60.0}]]}})");
  EXPECT_EQ(store.code_of("m"), R"({"sm": 90})");
  EXPECT_EQ(store.records_of(first).size(), 2u);
  EXPECT_TRUE(store.records_of(first)[0].counts.lines.empty());
  EXPECT_EQ(store.solution_of(second).size(), 1u);
  EXPECT_EQ(text_of(t.path("results.db"), "SELECT count(*) FROM code"), "1 ");
  EXPECT_EQ(text_of(t.path("results.db"), "SELECT count(*) FROM solution"), "1 ");
  // Nothing was kept of others, which is not the same as nothing.
  Graded none = sample("c", 1);
  none.seed = 5;
  store.add(&none, {}, {});
  EXPECT_FALSE(store.by_line_of(none).has_value());
  EXPECT_FALSE(store.code_of("").has_value());
  EXPECT_FALSE(store.source_of(none).has_value());
  EXPECT_TRUE(store.solution_of(none).empty());
  EXPECT_FALSE(store.given_of("c").has_value());
  store.add_given("c", "given", "[]");
  EXPECT_EQ(store.given_of("c"), "given");
  EXPECT_EQ(store.code_of("given"), "[]");
}

TEST(Store, TheLatestGradingCounts) {
  TemporaryFolder t;
  Store store(t.path());
  for (double points : {10.0, 20.0}) {
    Graded g = sample("a", points);
    store.add(&g, {}, {});
  }
  Graded other = sample("b", 5);
  store.add(&other, {}, {});
  auto all = store.all_latest("hw02", "emulator");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].verdict.points, 20);
}

TEST(Store, AnInfrastructureErrorHasNoPointsAtAll) {
  TemporaryFolder t;
  {
    Store store(t.path());
    Graded g = sample("a", 0);
    g.verdict.kind = VerdictKind::kInfraError;
    store.add(&g, {}, {});
  }
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open(t.path("results.db").c_str(), &db), SQLITE_OK);
  sqlite3_stmt* s = nullptr;
  sqlite3_prepare_v2(db, "SELECT points IS NULL FROM grading", -1, &s, nullptr);
  ASSERT_EQ(sqlite3_step(s), SQLITE_ROW);
  EXPECT_EQ(sqlite3_column_int(s, 0), 1);
  sqlite3_finalize(s);
  sqlite3_close(db);
}

TEST(Store, IsForOneGraderAtATime) {
  TemporaryFolder t;
  Store store(t.path());
  EXPECT_THROW(Store second(t.path()), Error);
}

TEST(Store, RefusesOtherVersionsAndOtherFiles) {
  TemporaryFolder t;
  { Store store(t.path()); }
  sqlite3* db = nullptr;
  sqlite3_open(t.path("results.db").c_str(), &db);
  sqlite3_exec(db, "UPDATE meta SET value = '99' WHERE key = 'schema_version'", nullptr, nullptr,
               nullptr);
  sqlite3_close(db);
  EXPECT_THROW(Store again(t.path()), Error);
  EXPECT_EQ(text_of(t.path("results.db"), "SELECT value FROM meta WHERE key = 'schema_version'"),
            "99 ");
  t.write("other/results.db", "this is no database, but long enough to be looked at as one ......");
  EXPECT_THROW(Store other(t.path("other")), Error);
}

constexpr char kVersion1[] = "tests/grader/data/results_v1.db";

// The file was made by the grader of commit 2046903, of a class with ada.cu, dup, dup.cu,
// dup.cu.cu, bob\x01.cu and others.
TEST(Store, BringsAFileOfVersion1UpToThisOne) {
  TemporaryFolder t;
  std::filesystem::create_directories(t.path("r"));
  std::filesystem::copy_file(kVersion1, t.path("r/results.db"));
  const char* kOld = "SELECT id, submission, verdict, points, config_hash, seed FROM grading";
  const std::string before = text_of(kVersion1, kOld);
  ASSERT_NE(before.find("mallory student_error"), std::string::npos) << before;
  {
    Store store(t.path("r"));
    auto ada = store.latest("hw02", "ada.cu", "emulator");
    ASSERT_TRUE(ada.has_value());
    EXPECT_EQ(ada->verdict.points, 10);
    EXPECT_EQ(ada->draw, 0);
    EXPECT_EQ(ada->verdict.review_points, 0);
    EXPECT_EQ(ada->verdict.checks.size(), 1u);
    auto mallory = store.latest("hw02", "mallory.cu", "emulator");
    ASSERT_TRUE(mallory.has_value());
    EXPECT_EQ(mallory->verdict.message, "");
    EXPECT_NE(mallory->verdict.quoted.marked().find("    | hw02.cu:82: thread"), std::string::npos);
    // Two had the name dup.cu; by their paths they are told apart.
    EXPECT_EQ(store.all_latest("hw02", "emulator").size(), 7u);
    for (const char* name : {"dup", "dup.cu", "dup.cu.cu"})
      EXPECT_TRUE(store.latest("hw02", name, "emulator").has_value()) << name;
    // Whose "bob?" was is not known any more: nobody's of today.
    for (const char* name : {"bob?.cu", "bob\x01.cu", "bob?"})
      EXPECT_FALSE(store.latest("hw02", name, "emulator").has_value());
    EXPECT_TRUE(store.latest("hw02", "version 1/bob?", "emulator").has_value());
    Graded g = sample("ada.cu", 7);
    g.draw = 19;
    g.verdict.review_points = 2.5;
    g.source = "code";
    store.add(&g, {}, {});
  }
  EXPECT_EQ(text_of(t.path("r/results.db"), "SELECT text FROM source"), "code ");
  Store again(t.path("r"));
  auto ada = again.latest("hw02", "ada.cu", "emulator");
  EXPECT_EQ(ada->verdict.points, 7);
  EXPECT_EQ(ada->draw, 19);
  EXPECT_EQ(ada->verdict.review_points, 2.5);
  EXPECT_EQ(text_of(t.path("r/results.db"), std::string(kOld) + " WHERE id <= 7"), before);
}

// A file as the grader of that version made it, with a grading of ada's; and what `sql` adds.
void make_version(int version, const std::string& folder, const std::string& sql) {
  std::filesystem::create_directories(folder);
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open((folder + "/results.db").c_str(), &db), SQLITE_OK);
  EXPECT_EQ(bring_to_version(db, version), "");
  const std::string ada =
      "INSERT INTO grading (homework, submission, path, content_hash, config_hash, backend, "
      "device, "
      "driver, arch, compiler, sandbox, module_hash, seed, attempts, build_seconds, run_seconds, "
      "finished_at, verdict, reason, message, points, max_points, undecided_points, identity) "
      "VALUES ('hw02', 'ada', 'ada', 'hada', 'c', 'emulator', 'd', '', 'sm_90', 'nvcc', 'full', "
      "'m', 5, 1, 0, 0, '', 'partial', '', '', 7, 100, 0, CAST('ada' AS BLOB));";
  EXPECT_EQ(sqlite3_exec(db, (ada + sql).c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
      << sqlite3_errmsg(db);
  sqlite3_close(db);
}

TEST(Store, BringsAFileOfVersion2UpToThisOne) {
  TemporaryFolder t;
  make_version(2, t.path(), "");
  Store store(t.path());
  EXPECT_EQ(store.latest("hw02", "ada", "emulator")->verdict.points, 7);
  Graded g = sample("bob", 8);
  g.source = "code";
  store.add(&g, {}, {});
  EXPECT_EQ(text_of(t.path("results.db"), "SELECT content_hash, text FROM source"), "hbob code ");
}

TEST(Store, BringsAFileOfVersion4UpToThisOne) {
  TemporaryFolder t;
  make_version(4, t.path(), "");
  Store store(t.path());
  const auto ada = store.latest("hw02", "ada", "emulator");
  EXPECT_EQ(ada->verdict.points, 7);
  EXPECT_FALSE(store.by_line_of(*ada).has_value());
  store.add_given("c", "m", "[]");
  EXPECT_EQ(store.code_of("m"), "[]");
}

// Records were rows of JSON lines; what is of an earlier form of records stays, too.
TEST(Store, BringsAFileOfVersion7UpToThisOne) {
  TemporaryFolder t;
  Record record;
  record.kernel = "f<8>";
  record.check.status = "correct";
  record.counts.values["branches"] = {0.1, Tier::kExact};
  const std::string line = to_json_line(record), old = R"({"record":3,"kernel":"g"})";
  std::string sql = "INSERT INTO by_line VALUES (1, 2, x'789cabae0500017500f9');";
  for (int i = 0; i < 300; ++i)
    sql += "INSERT INTO record VALUES (1, " + std::to_string(i) + ", 'run', '" +
           (i == 299 ? old : line) + "');";
  sql += "INSERT INTO solution VALUES ('c', 'emulator', 5, 0, '" + line + "');";
  make_version(7, t.path(), sql);
  const auto size_before = std::filesystem::file_size(t.path("results.db"));
  {
    Store store(t.path());
    const Graded ada = store.latest("hw02", "ada", "emulator").value();
    const std::vector<Record> records = store.records_of(ada);
    ASSERT_EQ(records.size(), 299u);
    EXPECT_EQ(to_json_line(records[298]), line);
    ASSERT_EQ(store.solution_of(ada).size(), 1u);
    EXPECT_EQ(to_json_line(store.solution_of(ada)[0]), line);
    EXPECT_EQ(store.by_line_of(ada), "{}");
    const std::string text = store.launches_of(ada)->records.text();
    EXPECT_EQ(from_columns(text, 1000)[299], nlohmann::json::parse(old));
    EXPECT_THROW(store.plan_of(store.launches_of(ada)->plan), Error) << "it was not kept";
    EXPECT_FALSE(store.execution_of(ada.execution_hash).has_value());
  }
  EXPECT_EQ(text_of(t.path("results.db"), "SELECT name FROM sqlite_master WHERE name = 'record'"),
            "");
  EXPECT_LT(std::filesystem::file_size(t.path("results.db")), size_before / 2);
}

// A grading that was judged anew has the launches of the one that was executed.
TEST(Store, KeepsFromWhichGradingOneWasJudgedAnew) {
  TemporaryFolder t;
  Store store(t.path());
  Record record;
  record.kernel = "f<8>";
  Graded first = sample("ada", 1);
  first.config_hash = "then";
  first.execution_hash = "e";
  first.execution = "{}";
  first.ended = "timeout";
  const PlannedLaunch launch{"f<8>", 1, 2, 3, UINT64_MAX, true};
  store.add(&first, {{"run", launch}}, {record}, Reference{0, true, {{"run", launch}}, {record}});
  store.add_given("then", "given", "[]");
  Graded again = store.latest("hw02", "ada", "emulator").value();
  again.judged_from = first.id;
  again.config_hash = "now";
  again.verdict.points = 2;
  std::vector<Graded> judged = {again};
  store.add_judged(&judged);
  const Graded got = store.latest("hw02", "ada", "emulator").value();
  EXPECT_NE(got.id, first.id);
  EXPECT_EQ(got.judged_from, first.id);
  EXPECT_EQ(got.verdict.points, 2);
  EXPECT_EQ(got.ended, "timeout");
  EXPECT_EQ(got.execution_hash, "e");
  EXPECT_EQ(store.records_of(got).size(), 1u);
  EXPECT_EQ(store.solution_of(got).size(), 1u);
  EXPECT_EQ(store.given_of("now"), "given");
  EXPECT_EQ(store.execution_of("e"), "{}");
  const auto plan = store.plan_of(store.launches_of(got)->plan);
  ASSERT_EQ(plan.size(), 1u);
  EXPECT_EQ(plan[0].run, "run");
  EXPECT_TRUE(plan[0].launch == launch);
  EXPECT_EQ(text_of(t.path("results.db"), "SELECT count(*) FROM launches"), "1 ");
}

TEST(Store, ANewFileHasTheTablesOfAMigratedOne) {
  TemporaryFolder t;
  std::filesystem::create_directories(t.path("old"));
  std::filesystem::copy_file(kVersion1, t.path("old/results.db"));
  { Store old(t.path("old")), fresh(t.path("new")); }
  const char* kTables = "SELECT name, sql FROM sqlite_master ORDER BY name";
  EXPECT_EQ(text_of(t.path("old/results.db"), kTables), text_of(t.path("new/results.db"), kTables));
  EXPECT_NE(text_of(t.path("new/results.db"), kTables).find("identity BLOB"), std::string::npos);
}

// As many rows as make the migration last long enough to be killed in it.
void make_large_version_1(const std::string& database) {
  std::filesystem::copy_file(kVersion1, database);
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open(database.c_str(), &db), SQLITE_OK);
  const std::string columns =
      "homework, submission, path, content_hash, config_hash, backend, device, driver, arch, "
      "compiler, sandbox, module_hash, seed, attempts, build_seconds, run_seconds, finished_at, "
      "verdict, reason, message, points, max_points, undecided_points";
  const std::string sql =
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) INSERT INTO "
      "grading (" +
      columns + ") SELECT " + columns + " FROM grading, n WHERE id = 6";
  EXPECT_EQ(sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(db);
}

TEST(Store, AKilledMigrationHasNotBegunOrIsDone) {
  TemporaryFolder t;
  std::filesystem::create_directories(t.path());
  make_large_version_1(t.path("large.db"));
  int untouched = 0, done = 0;
  for (int wait_ms = 0; wait_ms < 4000 && done == 0; wait_ms += wait_ms < 30 ? 3 : wait_ms / 4) {
    const std::string folder = t.path(std::to_string(wait_ms));
    std::filesystem::create_directories(folder);
    std::filesystem::copy_file(t.path("large.db"), folder + "/results.db");
    pid_t child = fork();
    if (child == 0) {
      Store store(folder);
      for (;;) pause();
    }
    usleep(static_cast<useconds_t>(wait_ms) * 1000);
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    const std::string database = folder + "/results.db";
    if (text_of(database, "SELECT value FROM meta WHERE key = 'schema_version'") == "1 ") {
      ++untouched;
      EXPECT_EQ(text_of(database, "SELECT count(*) FROM pragma_table_info('grading')"), "24 ");
    } else {
      ++done;
    }
    Store store(folder);
    EXPECT_EQ(text_of(database,
                      "SELECT count(*), min(length(identity)), min(length(quoted) = 0) "
                      "FROM grading WHERE submission = 'ada'"),
              "5001 6 1 ");
    std::filesystem::remove_all(folder);
  }
  EXPECT_GT(untouched, 2) << "it was never killed early enough";
  EXPECT_EQ(done, 1);
}

TEST(Store, AllGradingsOfOneAreShownAsTheyAreCalledNow) {
  TemporaryFolder t;
  Store store(t.path());
  const std::string zero("a\0b", 3);
  for (const std::string& name : {std::string("a"), std::string("b"), zero, std::string("a")}) {
    Graded g = sample(name, 1);
    g.backend = store.latest("hw02", name, "emulator") ? "gpu" : "emulator";
    store.add(&g, {}, {});
  }
  Graded other = sample("a", 1);
  other.homework = "hw01";
  store.add(&other, {}, {});
  auto known = store.identities("hw02");
  std::sort(known.begin(), known.end());
  EXPECT_EQ(known, (std::vector<std::string>{"a", zero, "b"}));
  store.show_as("hw02", {{"a", "a.cu"}, {zero, "a\\x00b"}, {"nobody", "x"}});
  EXPECT_EQ(text_of(t.path("results.db"),
                    "SELECT homework, submission FROM grading ORDER BY homework, submission"),
            "hw01 a hw02 a.cu hw02 a.cu hw02 a\\x00b hw02 b ");
}

TEST(Store, KeysAreBytes) {
  TemporaryFolder t;
  Store store(t.path());
  const std::vector<std::string> names = {"bob\x01",
                                          "bob\x02",
                                          "bob?",
                                          "bob",
                                          "BOB",
                                          "\xFF",
                                          "\xFE",
                                          "\xC3\xA9",
                                          "e\xCC\x81",
                                          "a\nb",
                                          std::string("a\0b", 3),
                                          std::string("a\0c", 3)};
  for (size_t i = 0; i < names.size(); ++i) {
    Graded g = sample(names[i], double(i));
    g.submission = "the same text";
    store.add(&g, {}, {});
  }
  EXPECT_EQ(store.all_latest("hw02", "emulator").size(), names.size());
  for (size_t i = 0; i < names.size(); ++i)
    EXPECT_EQ(store.latest("hw02", names[i], "emulator")->verdict.points, double(i));
}

TEST(Store, AKillAtAnyMomentLeavesWholeGradingsOnly) {
  TemporaryFolder t;
  int told[2];
  ASSERT_EQ(pipe(told), 0);
  pid_t child = fork();
  if (child == 0) {
    Store store(t.path());
    for (int i = 0; i < 100000; ++i) {
      Graded g = sample(std::to_string(i), 1);
      store.add(&g, {}, {});
      char c = 1;
      if (write(told[1], &c, 1) != 1) _exit(1);
    }
    _exit(0);
  }
  close(told[1]);
  size_t done = 0;
  char c;
  while (done < 40 && read(told[0], &c, 1) == 1) ++done;
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  while (read(told[0], &c, 1) == 1) ++done;
  close(told[0]);
  Store store(t.path());
  auto all = store.all_latest("hw02", "emulator");
  EXPECT_GE(all.size(), done);
  EXPECT_LE(all.size(), done + 1);
  for (const Graded& g : all) EXPECT_EQ(g.verdict.checks.size(), 2u);
}

}  // namespace
}  // namespace lockstep::grader
