// SPDX-License-Identifier: Apache-2.0
// A copy of results is whole whenever it is made, opens as results do, and keeps nobody waiting.
#include "grader/backup.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/error.h"
#include "grader/pseudonyms.h"
#include "grader/store.h"
#include "runner/process.h"
#include "tests/grader/temporary.h"

namespace lockstep::grader {
namespace {

Graded sample(const std::string& name) {
  Graded g;
  g.homework = "hw02";
  g.submission = g.identity = name;
  g.content_hash = "h" + name;
  g.backend = "emulator";
  g.source = std::string(4000, 'x');
  g.verdict.kind = VerdictKind::kPass;
  g.verdict.checks.resize(2);
  return g;
}

void add_some(Store* store, int count) {
  for (int i = 0; i < count; ++i) {
    Graded g = sample(std::to_string(i));
    store->add(&g, {}, {});
  }
}

// One grader adds without end; its longest wait for the file is told through a pipe.
TEST(Backup, IsWholeWhileGradingRuns) {
  TemporaryFolder t;
  {
    Store store(t.path("r"));
    add_some(&store, 300);
  }
  const pid_t child = fork();
  if (child == 0) {
    Store store(t.path("r"));
    for (int i = 300;; ++i) {
      Graded g = sample(std::to_string(i));
      const double start = monotonic_seconds();
      store.add(&g, {}, {});
      if (monotonic_seconds() - start > 4) _exit(1);  // SQLite's patience is 5 s
    }
  }
  int64_t before = 0;
  for (const char* name : {"a", "b", "c", "d"}) {
    usleep(200000);
    const Backup made = back_up(t.path("r"), t.path(name));
    EXPECT_GT(made.gradings, before);
    before = made.gradings;
    struct stat info {};
    ASSERT_EQ(stat(t.path(std::string(name) + "/results.db").c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0077, 0u);
    Store copy(t.path(name));
    const std::vector<Graded> all = copy.all_latest("hw02", "emulator");
    EXPECT_EQ(static_cast<int64_t>(all.size()), made.gradings);
    for (const Graded& g : all) {
      EXPECT_EQ(g.verdict.checks.size(), 2u);
      EXPECT_TRUE(copy.source_of(g));
    }
  }
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, WNOHANG), 0) << "the grader has ended";
  kill(child, SIGKILL);
  waitpid(child, &status, 0);
  Store store(t.path("r"));
  EXPECT_GE(static_cast<int64_t>(store.all_latest("hw02", "emulator").size()), before);
}

TEST(Backup, HasTheKeyOfPseudonyms) {
  TemporaryFolder t;
  Store store(t.path("r"));
  add_some(&store, 1);
  const std::string key = pseudonym_key(t.path("r"));
  back_up(t.path("r"), t.path("copy/"));
  EXPECT_EQ(pseudonym_key(t.path("copy")), key);
}

TEST(Backup, RefusesWhatIsThereAndWhatIsNoGraders) {
  TemporaryFolder t;
  {
    Store store(t.path("r"));
    add_some(&store, 1);
  }
  std::filesystem::create_directories(t.path("there"));
  EXPECT_THROW(back_up(t.path("r"), t.path("there")), Error);
  EXPECT_THROW(back_up(t.path("r"), t.path("no/such/place")), Error);
  std::filesystem::create_symlink(t.path("r/results.db"), t.path("there/results.db"));
  EXPECT_THROW(back_up(t.path("there"), t.path("copy")), Error);
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open(t.path("r/results.db").c_str(), &db), SQLITE_OK);
  EXPECT_EQ(
      sqlite3_exec(db, "CREATE VIEW best AS SELECT * FROM grading", nullptr, nullptr, nullptr),
      SQLITE_OK);
  sqlite3_close(db);
  EXPECT_THROW(back_up(t.path("r"), t.path("copy")), Error);
  EXPECT_FALSE(std::filesystem::exists(t.path("copy")));
  // Nothing half-made is left beside it.
  size_t left = 0;
  for (const auto& one : std::filesystem::directory_iterator(t.path()))
    left += one.path().filename().string().find(".new") != std::string::npos ? 1 : 0;
  EXPECT_EQ(left, 0u);
}

}  // namespace
}  // namespace lockstep::grader
