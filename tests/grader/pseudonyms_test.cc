// SPDX-License-Identifier: Apache-2.0
// A pseudonym is one student's, today and later, and tells nothing without the key.
#include "grader/pseudonyms.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <thread>

#include "common/base/error.h"
#include "grader/report.h"
#include "grader/sha256.h"
#include "tests/grader/temporary.h"

namespace lockstep::grader {
namespace {

namespace fs = std::filesystem;

TEST(Pseudonyms, StayWhoeverComesAndGoes) {
  const std::string key(64, 'a');
  std::set<std::string> all;
  for (int i = 0; i < 300; ++i) all.insert("student" + std::to_string(i) + ".cu");
  const auto names = pseudonyms(key, all);
  ASSERT_EQ(names.size(), all.size());
  for (const auto& [identity, name] : names) {
    const std::string alone = pseudonyms(key, {identity}).at(identity);
    EXPECT_EQ(name.rfind(alone, 0), 0u) << name << " " << alone;
    EXPECT_EQ(alone.size(), std::string("student-7f3a9c").size());
    EXPECT_NE(pseudonyms(std::string(64, 'b'), {identity}).at(identity), alone);
  }
}

// 20,000 names share six digits about twelve times.
TEST(Pseudonyms, AreNeverTwoAlikeNorOneTheBeginningOfAnother) {
  std::set<std::string> all, shown;
  for (int i = 0; i < 20000; ++i) all.insert(std::to_string(i));
  size_t longer = 0;
  for (const auto& [identity, name] : pseudonyms("key", all)) {
    shown.insert(name);
    longer += name.size() > 14 ? 1 : 0;
  }
  ASSERT_EQ(shown.size(), all.size());
  EXPECT_GE(longer, 2u);
  EXPECT_LE(longer, 100u);
  for (auto it = shown.begin(); std::next(it) != shown.end(); ++it)
    EXPECT_NE(std::next(it)->rfind(*it, 0), 0u) << *it;
}

TEST(Pseudonyms, HaveAKeyThatIsMadeOnceAndReadByNobodyElse) {
  TemporaryFolder t;
  const mode_t before = umask(0);
  std::vector<std::string> keys(8);
  std::vector<std::thread> threads;
  for (std::string& key : keys) threads.emplace_back([&] { key = pseudonym_key(t.path()); });
  for (std::thread& thread : threads) thread.join();
  umask(before);
  for (const std::string& key : keys) EXPECT_EQ(key, keys[0]);
  EXPECT_EQ(keys[0].size(), 64u);
  EXPECT_EQ(pseudonym_key(t.path()), keys[0]);
  EXPECT_EQ(fs::status(t.path("pseudonym.key")).permissions(), fs::perms(0600));
  EXPECT_EQ(std::distance(fs::directory_iterator(t.path()), fs::directory_iterator()), 1);
  TemporaryFolder other;
  EXPECT_NE(pseudonym_key(other.path()), keys[0]);
}

TEST(Pseudonyms, AreNotMadeWithAKeyThatIsNone) {
  for (const char* text :
       {"", "short\n", "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdeF\n"}) {
    TemporaryFolder t;
    t.write("pseudonym.key", text);
    EXPECT_THROW(pseudonym_key(t.path()), Error) << text;
  }
  TemporaryFolder t;
  t.write("elsewhere", std::string(64, '0') + "\n");
  fs::create_symlink(t.path("elsewhere"), t.path("pseudonym.key"));
  EXPECT_THROW(pseudonym_key(t.path()), Error);
  EXPECT_THROW(pseudonym_key(t.path("not there")), Error);
}

TEST(Pseudonyms, LeaveNoNameInAGrading) {
  Graded g;
  g.submission = "ada";
  g.identity = "ada.cu";
  g.path = "class/ada.cu";
  g.file = "ada/hw02.cu";
  g.verdict.kind = VerdictKind::kStudentError;
  g.verdict.reason = "staging";
  g.verdict.message = "ada.cu is a symbolic link";
  const std::string staging = json_line(report_json(under_pseudonym(g, "student-000000")));
  EXPECT_EQ(staging.find("ada"), std::string::npos) << staging;
  EXPECT_EQ(staging.find("6164612e6375"), std::string::npos) << staging;
  EXPECT_NE(staging.find("student-000000"), std::string::npos);
  g.verdict.kind = VerdictKind::kInfraError;
  g.verdict.reason = g.verdict.message = "ada.cu cannot be read: Permission denied";
  EXPECT_EQ(json_line(report_json(under_pseudonym(g, "student-000000"))).find("ada"),
            std::string::npos);
  // What is no name is told as it was.
  g.verdict.kind = VerdictKind::kPartial;
  g.verdict.reason = "too_slow";
  g.verdict.message = "hw02.cu:7: it does not end";
  EXPECT_EQ(under_pseudonym(g, "x").verdict.message, g.verdict.message);
}

}  // namespace
}  // namespace lockstep::grader
