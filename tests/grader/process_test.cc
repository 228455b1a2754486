// SPDX-License-Identifier: Apache-2.0
// Supervised processes: what passes a limit is ended, with all that it started.
#include "runner/process.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#include "common/base/error.h"
#include "runner/jail.h"

namespace lockstep::grader {
namespace {

ProcessResult shell(const std::string& script, ProcessLimits limits = {}) {
  return run_process({"/bin/sh", "-c", script}, clean_environment(), limits);
}

TEST(Process, GivesExitCodeSignalAndBothStreams) {
  ProcessResult result = shell("echo out; echo err >&2; exit 5");
  EXPECT_TRUE(result.exited);
  EXPECT_EQ(result.exit_code, 5);
  EXPECT_EQ(result.out, "out\n");
  EXPECT_EQ(result.err, "err\n");
  EXPECT_EQ(shell("kill -TERM $$").signal, SIGTERM);
}

TEST(Process, EndsWhatTakesTooLong) {
  ProcessLimits limits;
  limits.wall_s = 0.3;
  double start = monotonic_seconds();
  ProcessResult result = shell("sleep 20", limits);
  EXPECT_TRUE(result.timed_out);
  EXPECT_LT(monotonic_seconds() - start, 5);
}

TEST(Process, EndsWhatIsNotWantedAnyMore) {
  std::atomic<bool> stop = true;
  ProcessLimits limits;
  limits.stop = &stop;
  double start = monotonic_seconds();
  ProcessResult result = shell("sleep 20", limits);
  EXPECT_EQ(result.signal, SIGKILL);
  EXPECT_FALSE(result.timed_out);
  EXPECT_LT(monotonic_seconds() - start, 5);
}

TEST(Process, EndsWhatKeepsItsOutputOpenAfterTheEnd) {
  double start = monotonic_seconds();
  ProcessResult result = shell("sleep 20 & exit 0");
  EXPECT_TRUE(result.good());
  EXPECT_LT(monotonic_seconds() - start, 5);
}

TEST(Process, EndsWhatFloodsItsOutputAndKeepsHeadAndTail) {
  ProcessLimits limits;
  limits.output_bytes = 1000;
  limits.output_kill_bytes = 1 << 20;
  ProcessResult result = shell("echo first; yes", limits);
  EXPECT_TRUE(result.flooded);
  EXPECT_EQ(result.out.rfind("first", 0), 0u);
  EXPECT_LT(result.out.size(), 1200u);
  EXPECT_NE(result.out.find("left out"), std::string::npos);
}

TEST(Process, EndsWhatTakesTooMuchMemory) {
  ProcessLimits limits;
  limits.memory_bytes = 100 << 20;
  limits.wall_s = 20;
  // dd keeps its whole block in memory.
  ProcessResult result =
      shell("dd if=/dev/zero of=/dev/null bs=400M count=2000 2>/dev/null", limits);
  EXPECT_TRUE(result.out_of_memory);
  EXPECT_GT(result.peak_memory_bytes, limits.memory_bytes);
}

TEST(Process, AProgramThatIsNotThereIsAnErrorWithItsName) {
  try {
    run_process({"/nonexistent/program"}, {}, {});
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("/nonexistent/program"), std::string::npos);
  }
}

TEST(Process, HandsOnNoFilesAndNoEnvironment) {
  setenv("SECRET_OF_THE_GRADER", "x", 1);
  UniqueFd open_file(dup(2));
  ProcessResult result = shell("env; ls /proc/self/fd | wc -l");
  EXPECT_EQ(result.out.find("SECRET"), std::string::npos);
  // Standard streams, and ls's own folder.
  EXPECT_NE(result.out.find("\n4\n"), std::string::npos) << result.out;
}

TEST(HeadTail, KeepsAllThatFits) {
  HeadTail text(100);
  for (int i = 0; i < 10; ++i) text.append("0123456789", 10);
  EXPECT_EQ(text.text().size(), 100u);
  text.append("x", 1);
  EXPECT_EQ(text.text().substr(0, 50), "01234567890123456789012345678901234567890123456789");
  EXPECT_EQ(text.text().back(), 'x');
}

TEST(Jail, ReadsWhatItWrites) {
  Jail jail;
  jail.cpu_s = 3;
  jail.uid = 61184;
  jail.seccomp = true;
  Jail back = parse_jail(to_string(jail));
  EXPECT_EQ(back.cpu_s, 3);
  EXPECT_EQ(back.uid, 61184);
  EXPECT_TRUE(back.seccomp);
  EXPECT_EQ(back.address_bytes, 0);
  for (const char* bad : {"cpu", "cpu=", "cpu=x", "cpu=-1", "wings=2"})
    EXPECT_THROW(parse_jail(bad), Error) << bad;
}

}  // namespace
}  // namespace lockstep::grader
