// SPDX-License-Identifier: Apache-2.0
// A program never runs kernels that are older than what the student sees in his editor.
#include "common/harness/own_kernels.h"

#include <unistd.h>

#include "tests/common/homework_fixture.h"

namespace lockstep::harness_test {
namespace {

namespace fs = std::filesystem;

// hw99 has a module, and hw99.cu that is so many seconds older (or, negative, newer).
class OwnKernels : public HomeworkTest {
 protected:
  void write_source(int seconds_older, const std::string& beside = "hw99.ptx") {
    const std::string source = folder_ + "/hw99.cu";
    std::ofstream(source) << "kernels";
    fs::last_write_time(
        source, fs::last_write_time(folder_ + "/" + beside) - std::chrono::seconds(seconds_older));
  }
  Result run_good(const Words& arguments = {"1", "4", "--vectors", "64"}) {
    return run(arguments, good_kernels);
  }
  ModuleFiles find(const std::string& program) {
    return kernels_to_run("", folder_ + "/" + program, "hw99.cu");
  }
};

TEST_F(OwnKernels, AreNotRunWhereTheSourceIsNewer) {
  write_source(-1);
  const Result r = run_good();
  EXPECT_EQ(r.code, kExitCannotRun);
  EXPECT_EQ(r.out, "");
  EXPECT_EQ(
      r.err.rfind("hw99: hw99.cu has changed since the last make that succeeded: type make", 0), 0u)
      << r.err;
  EXPECT_FALSE(opened_);
}

TEST_F(OwnKernels, AreRunWhereTheSourceIsOlderOfTheSameAgeOrNotThere) {
  EXPECT_EQ(run_good().code, kExitGood);
  for (const int seconds_older : {1, 0}) {
    write_source(seconds_older);
    EXPECT_EQ(run_good().code, kExitGood) << seconds_older;
  }
}

// ptxas refused what nvcc made of it, or make was stopped between the two.
TEST_F(OwnKernels, AreOldWhereEitherFileIs) {
  std::ofstream(folder_ + "/hw99.cubin") << "module";
  write_source(0);
  fs::last_write_time(folder_ + "/hw99.cubin",
                      fs::last_write_time(folder_ + "/hw99.cu") - std::chrono::seconds(1));
  EXPECT_EQ(run_good().code, kExitCannotRun);
}

TEST_F(OwnKernels, AreRunAsTheyWereWhereThatIsAskedForAndByWhatNeedsNone) {
  write_source(-1);
  EXPECT_EQ(run_good({"1", "4", "--vectors", "64", "--module", folder_ + "/hw99"}).code, kExitGood);
  EXPECT_EQ(run_good({"--help"}).code, kExitGood);
  EXPECT_EQ(run_good({"--device-info"}).code, kExitGood);
}

TEST_F(OwnKernels, OfTheDebugProgramsAreHeldAgainstTheSameSource) {
  std::ofstream(folder_ + "/hw99-cuda-debug.ptx") << "module";
  write_source(-1, "hw99-cuda-debug.ptx");
  EXPECT_THROW(find("hw99-debug"), Error);
  EXPECT_THROW(find("hw99-cuda-debug"), Error);
  const auto newer = fs::last_write_time(folder_ + "/hw99.cu");
  fs::last_write_time(folder_ + "/hw99-cuda-debug.ptx", newer);
  EXPECT_EQ(find("hw99-cuda-debug").ptx, folder_ + "/hw99-cuda-debug.ptx");
  EXPECT_THROW(find("hw99-debug"), Error);
  fs::last_write_time(folder_ + "/hw99.ptx", newer);
  EXPECT_EQ(find("hw99-debug").ptx, folder_ + "/hw99.ptx");
}

// An installation for all: nobody can edit there, and its files may have any age.
TEST_F(OwnKernels, AreRunWhereNothingCanBeWritten) {
  write_source(-1);
  fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec);
  const bool root = access(folder_.c_str(), W_OK) == 0;
  if (!root) {
    EXPECT_EQ(find("hw99").ptx, folder_ + "/hw99.ptx");
  }
  fs::permissions(folder_, fs::perms::owner_all);
  if (root) GTEST_SKIP() << "root may write anywhere";
}

}  // namespace
}  // namespace lockstep::harness_test
