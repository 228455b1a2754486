// SPDX-License-Identifier: Apache-2.0
// What tasks and front leave in the shared folder of a class that a cluster grades: who makes a
// file, who has a submission, and who is not believed.
#include "grader/cluster/sitting.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <mutex>
#include <thread>

#include "common/base/error.h"
#include "tests/grader/temporary.h"

namespace lockstep::grader {
namespace {

StagedSubmission staged(const std::string& name) {
  return {name,
          name + ".cu",
          "int " + name + ";\0\xff",
          "hash of " + name,
          "",
          name + "\xfe.cu",
          "src/" + name + "\xfe.cu"};
}

Terms some_terms() {
  Terms t;
  t.homework = "hw02";
  t.backend = "emulator";
  t.config_hash = "c";
  t.results = "/r";
  t.draws.key = std::string("\0\xff\x80k", 4);
  t.draws.seeds = {~uint64_t{0}, 5};
  return t;
}

TEST(Cluster, OneOfManyMakesAFile) {
  TemporaryFolder t;
  const SharedFolder folder(t.path("shared"), true);
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> made{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i)
      threads.emplace_back([&, i] {
        made += folder.put("file" + std::to_string(round), std::string(1000, char('a' + i)));
      });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(made, 1);
    const std::string text = folder.get("file" + std::to_string(round)).value();
    EXPECT_EQ(text, std::string(1000, text[0]));
  }
  EXPECT_EQ(folder.list(".").size(), 20u);
  folder.replace("file0", "new");
  EXPECT_EQ(folder.get("file0"), "new");
  EXPECT_EQ(folder.get("none"), std::nullopt);
  EXPECT_THROW(folder.put("none/file", ""), Error);
}

TEST(Cluster, AFolderOfOthersIsNotBelieved) {
  TemporaryFolder t;
  { SharedFolder made(t.path("good"), true); }
  EXPECT_NO_THROW(SharedFolder(t.path("good"), false));
  std::filesystem::create_symlink(t.path("good"), t.path("link"));
  EXPECT_THROW(SharedFolder(t.path("link"), true), Error);
  chmod(t.path("good").c_str(), 0750);
  EXPECT_THROW(SharedFolder(t.path("good"), true), Error);
  EXPECT_THROW(SharedFolder(t.path("none"), false), Error);
  if (geteuid() != 0) return;
  chmod(t.path("good").c_str(), 0700);
  ASSERT_EQ(chown(t.path("good").c_str(), 12345, 12345), 0);
  EXPECT_THROW(SharedFolder(t.path("good"), true), Error);
}

TEST(Cluster, TermsAndSubmissionsComeBackAsTheyWere) {
  TemporaryFolder t;
  const Sitting sitting = Sitting::make(t.path("shared"), some_terms());
  const Terms got = Sitting(sitting.path()).terms();
  EXPECT_EQ(got.draws.key, some_terms().draws.key);
  EXPECT_EQ(got.draws.seeds, some_terms().draws.seeds);
  EXPECT_EQ(Sitting::find(t.path("shared"), got), std::vector<std::string>{sitting.path()});
  Terms other = got;
  other.results = "/another";
  EXPECT_TRUE(Sitting::find(t.path("shared"), other).empty());
  sitting.publish(staged("ada"));
  const WorkItem item = sitting.claim({"1_1", 0, "n"}, 3).value();
  EXPECT_EQ(item.staged.contents, staged("ada").contents);
  EXPECT_EQ(item.staged.identity, staged("ada").identity);
  EXPECT_EQ(item.staged.file, staged("ada").file);
  EXPECT_EQ(item.staged.hash, staged("ada").hash);
  struct stat about {};
  ASSERT_EQ(stat((sitting.path() + "/terms.json").c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777, 0600u);
}

TEST(Cluster, ASubmissionHasOneTaskAtATime) {
  TemporaryFolder t;
  const Sitting sitting = Sitting::make(t.path("shared"), some_terms());
  constexpr size_t kItems = 40;
  for (size_t i = 0; i < kItems; ++i) sitting.publish(staged("s" + std::to_string(i)));
  std::mutex mutex;
  std::multiset<std::string> had;
  std::vector<std::thread> tasks;
  for (int i = 0; i < 4; ++i)
    tasks.emplace_back([&, i] {
      const Sitting own(sitting.path());
      while (const auto item = own.claim({"7_" + std::to_string(i), 0, "n"}, size_t(i) * 11)) {
        std::lock_guard lock(mutex);
        had.insert(item->id);
      }
    });
  for (std::thread& task : tasks) task.join();
  EXPECT_EQ(had.size(), kItems);
  EXPECT_EQ(std::set<std::string>(had.begin(), had.end()), sitting.items());
}

// Two may find out that a task is dead; the second must not take away what a third has by then.
TEST(Cluster, AReleaseIsOfOneClaimOnly) {
  TemporaryFolder t;
  const Sitting sitting = Sitting::make(t.path("shared"), some_terms());
  sitting.publish(staged("ada"));
  const std::string id = sitting.claim({"1_1", 0, "n1"}, 0).value().id;
  EXPECT_FALSE(sitting.claim({"1_2", 0, "n2"}, 0));
  const Claim dead = sitting.claims().at(id);
  EXPECT_EQ(dead.holder.task, "1_1");
  sitting.release(dead);
  ASSERT_TRUE(sitting.claim({"1_2", 1, "n2"}, 0));
  sitting.release(dead);
  EXPECT_FALSE(sitting.claim({"1_3", 0, "n3"}, 0));
  const Claim now = sitting.claims().at(id);
  EXPECT_EQ(now.number, 2);
  EXPECT_EQ(now.holder.task, "1_2");
  EXPECT_EQ(now.holder.life, 1);
  // Whoever was thought dead and is not: one result counts, and then there is nothing to do.
  EXPECT_TRUE(sitting.put_result(id, "first"));
  EXPECT_FALSE(sitting.put_result(id, "second"));
  EXPECT_EQ(sitting.result(id), "first");
  sitting.release(now);
  EXPECT_FALSE(sitting.claim({"1_3", 0, "n3"}, 0));
  sitting.withdraw(id);
  EXPECT_TRUE(sitting.items().empty());
  EXPECT_TRUE(sitting.claims().empty());
  EXPECT_TRUE(sitting.results().empty());
}

}  // namespace
}  // namespace lockstep::grader
