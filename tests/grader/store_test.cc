// SPDX-License-Identifier: Apache-2.0
// Results survive: they come back as they were, are never half there, and only to one grader.
#include "grader/store.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/error.h"
#include "tests/grader/temporary.h"

namespace lockstep::grader {
namespace {

Graded sample(const std::string& name, double points) {
  Graded g;
  g.homework = "hw02";
  g.submission = name;
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
  c.costs = {"one", "two"};
  g.verdict.checks = {c, c};
  return g;
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
  EXPECT_EQ(got->verdict.points, 42.5);
  ASSERT_EQ(got->verdict.checks.size(), 2u);
  EXPECT_EQ(got->verdict.checks[1].costs, (std::vector<std::string>{"one", "two"}));
  EXPECT_EQ(got->verdict.checks[0].message, "a\nb 'quoted' \"x\"; DROP TABLE grading;");
  EXPECT_EQ(got->verdict.checks[0].measured, 12.5);
  EXPECT_FALSE(got->verdict.checks[0].threshold.has_value());
  EXPECT_FALSE(store.latest("hw02", "o'brien", "gpu").has_value());
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
  t.write("other/results.db", "this is no database, but long enough to be looked at as one ......");
  EXPECT_THROW(Store other(t.path("other")), Error);
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
