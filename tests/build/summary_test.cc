// SPDX-License-Identifier: Apache-2.0
// tests/run, which ends `make test`: it counts what GoogleTest binaries report, and takes a crash,
// a hang or an empty binary for a failure. The binaries here are scripts that talk like one.
#include <gtest/gtest.h>

#include "tests/build/tree.h"

namespace lockstep::build_test {
namespace {

class Summary : public testing::Test {
 protected:
  void add(const std::string& name, const std::string& body) {
    write_file(folder_.path() + "/" + name, "#!/bin/bash\n" + body + "\n");
    run(folder_.path(), "chmod +x " + name);
    binaries_ += " ./" + name;
  }
  Outcome summary(const std::string& environment = "") {
    return run(folder_.path(),
               "TEST_SHARDS=1 " + environment + " '" + top() + "/tests/run'" + binaries_);
  }
  static std::string last_line(const Outcome& outcome) {
    const size_t end = outcome.output.find_last_not_of('\n');
    const size_t start = outcome.output.find_last_of('\n', end);
    return outcome.output.substr(start + 1, end - start);
  }

  const std::string passes_ = "echo '[ RUN      ] A.b'; echo '[       OK ] A.b (1 ms)'\n";
  const std::string fails_ =
      "echo '[ RUN      ] A.c'; echo 'a.cc:3: Failure'; echo '[  FAILED  ] A.c (1 ms)'\n";
  TemporaryFolder folder_;
  std::string binaries_;
};

TEST_F(Summary, AddsUpAndShowsWhatFailed) {
  add("one", passes_ + passes_);
  add("two", passes_ + fails_ +
                 "echo '[ RUN      ] A.d'; echo '[  SKIPPED ] A.d (0 ms)'\n"
                 "echo '[  FAILED  ] 1 test, listed below:'; echo '[  FAILED  ] A.c'; exit 1");
  const Outcome outcome = summary();
  EXPECT_EQ(last_line(outcome), "3 passed, 1 failed, 1 skipped");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_TRUE(outcome.has("a.cc:3: Failure")) << outcome.output;
}

TEST_F(Summary, AddsUpWhatRunsBeside) {
  run(folder_.path(), "mkdir slurm");
  add("slurm/run", "while [ ! -e ended ]; do sleep 0.1; done\n" + passes_ + fails_ + "exit 1");
  add("one", passes_ + "touch ended");
  const Outcome outcome = summary();
  EXPECT_EQ(last_line(outcome), "2 passed, 1 failed");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_LT(outcome.output.find("one "), outcome.output.find("slurm "));
}

TEST_F(Summary, AllGoodIsStatusZero) {
  add("one", passes_);
  const Outcome outcome = summary();
  EXPECT_EQ(last_line(outcome), "1 passed, 0 failed");
  EXPECT_EQ(outcome.status, 0);
}

TEST_F(Summary, ACrashIsAFailureAndNamesTheTest) {
  add("one", passes_ + fails_ + "echo '[ RUN      ] A.boom'; kill -SEGV $$");
  const Outcome outcome = summary();
  EXPECT_EQ(last_line(outcome), "1 passed, 2 failed");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_TRUE(outcome.has("in or after A.boom")) << outcome.output;
}

TEST_F(Summary, AnErrorBeforeTheFirstTestAndNoTestAtAllAreFailures) {
  add("one", "exit 127");
  add("two", "exit 0");
  EXPECT_EQ(last_line(summary()), "0 passed, 2 failed");
}

TEST_F(Summary, AHangIsAFailure) {
  add("one", passes_ + "sleep 60");
  const Outcome outcome = summary("TEST_TIMEOUT=1");
  EXPECT_EQ(last_line(outcome), "1 passed, 1 failed");
  EXPECT_TRUE(outcome.has("did not end within 1 s")) << outcome.output;
}

TEST_F(Summary, ShardsAddUpAndAnyMayFailButAllMayNotBeEmpty) {
  const std::string first = "if [ $GTEST_SHARD_INDEX = 0 ]; then\n";
  add("one", first + passes_ + "else\n" + passes_ + fails_ + "exit 1; fi");
  add("two", first + passes_ + "fi");
  add("three", first + "kill -SEGV $$; fi\n" + passes_);
  add("four", "exit 0");
  const Outcome outcome = summary("TEST_SHARDS=2");
  EXPECT_EQ(last_line(outcome), "4 passed, 3 failed");
  EXPECT_TRUE(outcome.has("three: ended with status 139")) << outcome.output;
  EXPECT_TRUE(outcome.has("four: ran no test")) << outcome.output;
}

}  // namespace
}  // namespace lockstep::build_test
