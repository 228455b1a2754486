// SPDX-License-Identifier: Apache-2.0
// Results are the grader's own: nothing that a student hands in is taken for them, or leads away.
#include "grader/results_folder.h"

#include <sqlite3.h>
#include <sys/stat.h>

#include "common/base/error.h"
#include "grader/commands.h"
#include "grader/store.h"
#include "tests/grader/temporary.h"

namespace lockstep::grader {
namespace {

namespace fs = std::filesystem;

// Stands in a folder while it lives.
class Standing {
 public:
  explicit Standing(const std::string& folder) : before_(fs::current_path()) {
    fs::current_path(folder);
  }
  ~Standing() { fs::current_path(before_); }
  Standing(const Standing&) = delete;

 private:
  fs::path before_;
};

TEST(Results, NeverLieAmongTheSubmissions) {
  TemporaryFolder t;
  t.write("class/ada/hw02.cu", "1");
  t.write("class/results/hw02.cu", "a student's");
  t.write("elsewhere/x", "");
  t.write("class.zip", "");
  fs::create_directory_symlink(t.path("class"), t.path("link"));
  fs::create_directory_symlink(t.path("elsewhere"), t.path("class/out"));
  const Standing standing(t.path("class"));
  const std::vector<std::pair<std::string, std::string>> apart = {
      {"../results", "."},          {t.path("results"), "."},
      {"../elsewhere", "../class"}, {"../link/../results", "../class"},
      {"../class.d", "../class"},   {"../results", "../class.zip"},
      {"results", "../elsewhere"},  {"../results", "../not_there"}};
  for (const auto& [results, submissions] : apart)
    EXPECT_NO_THROW(require_apart(results, submissions)) << results << " " << submissions;
  const std::vector<std::pair<std::string, std::string>> mixed = {
      {"results", "."},
      {".", "."},
      {"new", "."},
      {"ada/new/deep", ".."},
      {"..", "../class"},
      {"../link/results", "../class"},
      {"results", "../link"},
      {t.path("class/results"), "../class"},
      // What it is a link to lies apart, and a student may have made the link.
      {"out", "."},
      {"out/new", "../class"},
      {"ada/../../results", "."},
      {"..", "../class.zip"}};
  for (const auto& [results, submissions] : mixed) {
    try {
      require_apart(results, submissions);
      ADD_FAILURE() << results << " " << submissions;
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), kExitUsage);
      EXPECT_NE(std::string(e.what()).find("-o"), std::string::npos) << e.what();
    }
  }
}

// Before anything is made or opened.
TEST(Results, OfARunInTheClasssFolderAreAskedFor) {
  TemporaryFolder t;
  t.write("class/ada.cu", "1");
  const Standing standing(t.path("class"));
  CommandOptions options;
  options.session.homework = "hw02";
  options.path = ".";
  try {
    run_command(options);
    ADD_FAILURE();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), kExitUsage);
    EXPECT_NE(std::string(e.what()).find("give another folder with -o"), std::string::npos);
  }
  EXPECT_FALSE(fs::exists(t.path("class/results")));
}

TEST(Results, AreReadByNobodyElse) {
  TemporaryFolder t;
  const mode_t before = umask(022);
  {
    Store store(t.path("results"));
    Graded g;
    g.homework = "hw02";
    g.verdict.kind = VerdictKind::kPass;
    store.add(&g, {}, {});
    size_t files = 0;
    for (const auto& one : fs::directory_iterator(t.path("results"))) {
      EXPECT_EQ(one.status().permissions() & (fs::perms::group_all | fs::perms::others_all),
                fs::perms::none)
          << one.path();
      ++files;
    }
    EXPECT_GE(files, 3u) << "lock, results.db and its log";
  }
  EXPECT_EQ(fs::status(t.path("results")).permissions(), fs::perms::owner_all);
  // One that is there already is as open as its owner has made it.
  fs::create_directory(t.path("open"));
  fs::permissions(t.path("open"), fs::perms(0755));
  Store store(t.path("open"));
  EXPECT_EQ(fs::status(t.path("open")).permissions(), fs::perms(0755));
  umask(before);
}

TEST(Results, FollowNoLinkInTheirFolder) {
  for (const char* file : {"lock", "results.db"}) {
    TemporaryFolder t;
    fs::create_directories(t.path("r"));
    fs::create_symlink(t.path("outside"), t.path(std::string("r/") + file));
    EXPECT_THROW(Store store(t.path("r")), Error) << file;
    EXPECT_FALSE(fs::exists(t.path("outside"))) << file;
  }
  // The folder itself is the instructor's.
  TemporaryFolder t;
  fs::create_directories(t.path("real"));
  fs::create_directory_symlink(t.path("real"), t.path("link"));
  { Store store(t.path("link")); }
  EXPECT_TRUE(fs::exists(t.path("real/results.db")));
}

std::string problem_after(const std::string& sql) {
  TemporaryFolder t;
  { Store store(t.path()); }
  sqlite3* db = nullptr;
  EXPECT_EQ(sqlite3_open(t.path("results.db").c_str(), &db), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sql;
  sqlite3_close(db);
  try {
    Store store(t.path());
  } catch (const Error& e) {
    return e.what();
  }
  return {};
}

TEST(Results, HoldWhatAGraderMakesAndNothingElse) {
  EXPECT_EQ(problem_after("SELECT 1"), "");
  const std::vector<std::pair<std::string, std::string>> others = {
      {"CREATE TRIGGER better AFTER INSERT ON grading BEGIN UPDATE grading SET points = 100; END",
       "trigger better"},
      {"CREATE VIEW best AS SELECT * FROM grading", "view best"},
      {"CREATE TABLE mine (a)", "table mine"},
      {"CREATE INDEX quick ON grading (points)", "index quick"},
      {"DROP INDEX grading_of_identity", "index grading_of_identity"},
      {"ALTER TABLE grading ADD COLUMN bonus", "table grading"},
      {"ALTER TABLE source RENAME TO texts; CREATE VIEW source AS SELECT * FROM texts", "source"},
      {"UPDATE meta SET value = '2' WHERE key = 'schema_version'", "table by_line"}};
  for (const auto& [sql, part] : others)
    EXPECT_NE(problem_after(sql).find(part), std::string::npos) << sql << problem_after(sql);
}

}  // namespace
}  // namespace lockstep::grader
