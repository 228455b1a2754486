// SPDX-License-Identifier: Apache-2.0
// A grader that is killed and started again: nothing that was done is lost or done twice, and
// nothing of it goes on behind its back. LOCKSTEP_KILLS says how often (3).
#include <gtest/gtest.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <random>

#include "common/base/error.h"
#include "grader/toolchain.h"
#include "runner/process.h"
#include "tests/grader/corpus.h"
#include "tests/grader/corpus_run.h"
#include "tests/grader/temporary.h"

namespace lockstep::grader {
namespace {

int64_t number(const std::string& database, const char* sql) {
  sqlite3* db = nullptr;
  sqlite3_stmt* s = nullptr;
  int64_t value = -1;
  if (sqlite3_open_v2(database.c_str(), &db, SQLITE_OPEN_READWRITE, nullptr) == SQLITE_OK &&
      sqlite3_prepare_v2(db, sql, -1, &s, nullptr) == SQLITE_OK && sqlite3_step(s) == SQLITE_ROW)
    value = sqlite3_column_int64(s, 0);
  sqlite3_finalize(s);
  sqlite3_close(db);
  return value;
}

// The processes of runners and compilers that work below a folder.
std::string left_below(const std::string& folder) {
  ProcessResult found = run_process(
      {"/bin/sh", "-c", "ps -eo args | grep '" + folder + "' | grep -v -e grep -e /bin/sh || true"},
      clean_environment(), {});
  return found.out;
}

TEST(Kill, LosesNothingAndRepeatsNothing) {
  ProcessLimits limits;
  limits.wall_s = 300;
  TemporaryFolder t;
  make_corpus("hw02", t.path("corpus"), "emulator");
  constexpr int kQuick = 30, kSlow = 6;
  for (int i = 0; i < kQuick; ++i)
    t.write("class/quick" + std::to_string(i) + ".cu",
            "#include \"/etc/passwd\"\n// " + std::to_string(i));
  for (int i = 0; i < kSlow; ++i) {
    std::filesystem::copy(t.path("corpus/honest-as_solution.cu"),
                          t.path("class/slow" + std::to_string(i) + ".cu"));
  }
  std::vector<std::string> command = {"grader/grader",
                                      "run",
                                      "hw02",
                                      t.path("class"),
                                      "-o",
                                      t.path("results"),
                                      "--backend",
                                      "emulator",
                                      "--rubric",
                                      "tests/grader/data/two_kernels.toml"};
  if (access(command[0].c_str(), X_OK) != 0) GTEST_SKIP() << "grader/grader is not built";
  try {
    find_toolchain(find_top());
  } catch (const Error& e) {
    GTEST_SKIP() << e.what();
  }
  const char* wanted = std::getenv("LOCKSTEP_KILLS");
  int kills = wanted != nullptr ? std::atoi(wanted) : 3;
  std::mt19937 random(12345);
  int64_t before = 0;
  for (int i = 0; i < kills; ++i) {
    ChildProcess grader(command, clean_environment(), -1, -1, -1);
    usleep(200000 + random() % 5000000);
    kill(grader.pid(), SIGKILL);
    grader.wait_ended(5, nullptr);
    // The kernel takes a moment to end a cage, longer on a busy machine.
    for (int wait = 0; wait < 50 && !left_below(t.path("results")).empty(); ++wait) usleep(100000);
    EXPECT_EQ(left_below(t.path("results")), "");
    // No file yet: killed before there was anything to keep.
    int64_t now = number(t.path("results/results.db"), "SELECT count(*) FROM grading");
    EXPECT_GE(std::max<int64_t>(now, 0), before) << "kill " << i;
    before = std::max<int64_t>(now, 0);
    if (before == 0) continue;
    const ProcessResult all = run_process(
        {"grader/grader", "export", "csv", "hw02", "-o", t.path("results"), "--out", t.path("csv")},
        clean_environment(), limits);
    EXPECT_NE(all.out.find("36 of 36 submissions"), std::string::npos) << all.out << all.err;
  }
  ProcessResult last = run_process(command, clean_environment(), limits);
  EXPECT_TRUE(last.good()) << last.out << last.err;
  std::string database = t.path("results/results.db");
  EXPECT_EQ(number(database, "SELECT count(*) FROM grading"), kQuick + kSlow);
  EXPECT_EQ(number(database, "SELECT count(DISTINCT submission) FROM grading"), kQuick + kSlow);
  EXPECT_EQ(number(database, "SELECT count(*) FROM grading WHERE verdict = 'pass'"), kSlow);
  EXPECT_FALSE(std::filesystem::exists(t.path("results/work")));
  // And once more there is nothing to do.
  last = run_process(command, clean_environment(), limits);
  EXPECT_NE(last.out.find("36 unchanged"), std::string::npos) << last.out;
  EXPECT_EQ(number(database, "SELECT count(*) FROM grading"), kQuick + kSlow);
}

// However it ends, the submission's text, its module and the plan are gone a moment later.
TEST(Kill, LeavesNothingOfACheckBehind) {
  if (access("grader/grader", X_OK) != 0 || !can_compile()) GTEST_SKIP();
  for (const int signal : {SIGINT, SIGTERM, SIGKILL}) {
    TemporaryFolder t;
    std::vector<std::string> environment = clean_environment();
    std::erase_if(environment, [](const std::string& one) { return one.starts_with("TMPDIR="); });
    environment.push_back("TMPDIR=" + t.path());
    const bool weak = std::getenv("LOCKSTEP_WEAK_SANDBOX") != nullptr;
    std::vector<std::string> command = {
        "grader/grader", "check",    "hw02",     "hw02/hw02.cu",
        "--backend",     "emulator", "--rubric", "tests/grader/data/two_kernels.toml"};
    if (weak) command.push_back("--weak-sandbox");
    ChildProcess grader(command, environment, -1, -1, -1);
    const auto files = [&] {
      size_t count = 0;
      std::error_code error;
      for (const auto& one : std::filesystem::recursive_directory_iterator(t.path(), error))
        count += one.path().filename() == "hw02.cu" ? 1 : 0;
      return count;
    };
    for (int wait = 0; wait < 600 && files() == 0; ++wait) usleep(50000);
    ASSERT_GT(files(), 0u);
    struct stat info {};
    for (const auto& one : std::filesystem::directory_iterator(t.path())) {
      ASSERT_EQ(stat(one.path().c_str(), &info), 0);
      EXPECT_EQ(info.st_mode & (weak ? 0066 : 0077), 0u);
    }
    kill(grader.pid(), signal);
    EXPECT_TRUE(grader.wait_ended(5, nullptr));
    for (int wait = 0; wait < 100 && !std::filesystem::is_empty(t.path()); ++wait) usleep(100000);
    EXPECT_TRUE(std::filesystem::is_empty(t.path())) << "after signal " << signal;
  }
}

}  // namespace
}  // namespace lockstep::grader
