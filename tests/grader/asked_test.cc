// SPDX-License-Identifier: Apache-2.0
// Which of the preprocessor's questions hang on more than its own folders.
#include "grader/asked.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "common/base/error.h"
#include "tests/grader/temporary.h"

namespace lockstep::grader {
namespace {

using Names = std::vector<std::string>;

class AskedFiles : public testing::Test {
 protected:
  void SetUp() override { folder.write("own/sys/types.h", ""); }
  std::string own(const std::string& file) const { return folder.path("own/" + file); }
  static std::string record(char found, const std::string& name) { return found + name + '\0'; }
  // What is asked for in each build, and these besides.
  Names foreign(const std::string& records) const {
    return Asked(record('+', "h/instances.cu") + record('-', "h/h/s.cu") + record('+', "./h/s.cu") +
                     records + record('-', own("nowhere")) + record('-', own("cccl/nowhere")),
                 "nowhere", "h/instances.cu", "h/s.cu")
        .foreign();
  }
  TemporaryFolder folder;
};

TEST_F(AskedFiles, OfTheCompilersFoldersAreNoneOfOthers) {
  EXPECT_EQ(foreign(record('-', own("format")) + record('-', own("sys/no/such.h")) +
                    record('+', own("sys/types.h")) + record('+', own("sys/../sys/types.h"))),
            Names{});
  // A header that asks for "x" does so beside itself and in the top folder.
  EXPECT_EQ(foreign(record('-', own("sys/quadmath.h")) + record('-', "./quadmath.h")), Names{});
}

TEST_F(AskedFiles, AreForeignWhereTheAnswerHangsOnWhatLiesElsewhere) {
  const std::string beside = record('-', "./h/types.h") + record('-', "./types.h");
  EXPECT_EQ(foreign(beside), Names{"types.h"});
  EXPECT_EQ(foreign(beside + record('+', own("sys/types.h"))), Names{"types.h"});
  EXPECT_EQ(foreign(beside + record('+', own("types.h"))), Names{});
  EXPECT_EQ(foreign(record('+', "./h/instances.cu")), Names{"instances.cu"});
  for (char found : {'+', '-'})
    EXPECT_EQ(foreign(record(found, "/etc/passwd") + record(found, own("../passwd"))),
              (Names{"/etc/passwd", "../passwd"}));
}

TEST_F(AskedFiles, BehindALinkAreWhereItLeads) {
  std::filesystem::create_directory(folder.path("other"));
  std::filesystem::create_directory_symlink(folder.path("other"), own("link"));
  EXPECT_EQ(foreign(record('-', own("link/x.h"))), Names{"link/x.h"});
  EXPECT_EQ(foreign(record('-', own("link/../own/x.h"))), Names{});
}

TEST_F(AskedFiles, AreNotKnownWhereTheListIsNotWhole) {
  EXPECT_THROW(foreign(record('?', "x")), Error);
  const std::string ours = record('+', "h/instances.cu") + record('+', "./h/s.cu");
  const std::string nowhere = record('-', own("nowhere"));
  for (const std::string& list : {std::string(), ours, nowhere, ours + nowhere + "+cut off"})
    EXPECT_THROW(Asked(list, "nowhere", "h/instances.cu", "h/s.cu"), Error);
  EXPECT_NO_THROW(Asked(ours + nowhere, "nowhere", "h/instances.cu", "h/s.cu"));
}

}  // namespace
}  // namespace lockstep::grader
