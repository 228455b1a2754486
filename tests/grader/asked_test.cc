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
  folder.write("own/sys/asks.h", "#if __has_include(\"quadmath.h\")");
  EXPECT_EQ(foreign(record('+', own("sys/asks.h")) + record('-', own("sys/quadmath.h")) +
                    record('-', "./quadmath.h")),
            Names{});
}

// A macro of the submission's that a header has evaluated.
TEST_F(AskedFiles, AreTheSubmissionsWhereNoHeaderNamesThem) {
  folder.write("own/assert.h", "#if __GNUC_PREREQ(2, 95)");
  EXPECT_EQ(foreign(record('+', own("assert.h")) + record('-', own("Makefile")) +
                    record('-', "./Makefile")),
            Names{"Makefile"});
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

TEST_F(AskedFiles, AreTheCompilersAsTheyAreWritten) {
  EXPECT_EQ(foreign(record('-', own("sys/../x.h"))), Names{});
  std::filesystem::create_directory_symlink(folder.path("own"), folder.path("link"));
  EXPECT_EQ(Asked(record('+', "h/instances.cu") + record('+', "./h/s.cu") +
                      record('+', own("sys/types.h")) + record('-', folder.path("link/nowhere")),
                  "nowhere", "h/instances.cu", "h/s.cu")
                .foreign(),
            Names{});
  const std::string around = folder.path("elsewhere/../own/x.h");
  EXPECT_EQ(foreign(record('-', around)), Names{around});
  EXPECT_EQ(foreign(record('-', own("sys/../../own/x.h"))), Names{});
  EXPECT_EQ(foreign(record('-', own("sys/../../x.h"))), Names{"sys/../../x.h"});
  // However long they are.
  std::string many;
  for (int i = 0; i < 5000; ++i) {
    std::string name = std::to_string(i);
    for (int k = 0; k < 1000; ++k) name += "/../x";
    many += record('-', own(name));
  }
  EXPECT_EQ(foreign(many), Names{});
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
