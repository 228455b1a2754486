// SPDX-License-Identifier: Apache-2.0
// Who is executed where: devices are shared alike, and one that falls away costs a submission one
// more try and nothing else.
#include "grader/executor.h"

#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <thread>

namespace lockstep::grader {
namespace {

// Executions by device; those on `lost` find it unwell.
class Cards {
 public:
  Executor::Steps steps() {
    return {[](const StagedSubmission&, int, std::string* folder) {
              *folder = "folder";
              BuildResult build;
              build.module = "module";
              return build;
            },
            [this](const StagedSubmission&, const BuildResult&, const std::string& folder, int,
                   int device) {
              EXPECT_EQ(folder, "folder");
              const int now = ++running_[device];
              EXPECT_LE(now, 3);
              std::this_thread::sleep_for(std::chrono::milliseconds(2));
              --running_[device];
              ++executed_[device];
              if (lost_.count(device) > 0) throw MachineUnwell("it is gone");
              return GradeResult();
            }};
  }
  void lose(int device) { lost_.insert(device); }
  int executed(int device) const { return executed_[device]; }

 private:
  std::atomic<int> running_[2]{}, executed_[2]{};
  std::set<int> lost_;
};

// Returns how many got a result.
int grade(Executor* executor, int submissions) {
  std::atomic<int> good = 0;
  std::vector<std::thread> workers;
  for (int i = 0; i < submissions; ++i)
    workers.emplace_back([&, i] {
      try {
        executor->grade({}, i);
        ++good;
      } catch (const MachineUnwell&) {
      }
    });
  for (std::thread& worker : workers) worker.join();
  return good;
}

TEST(Executor, SharesTwoCardsAlike) {
  Cards cards;
  Executor executor(cards.steps(), {0, 1}, 3, {});
  EXPECT_EQ(grade(&executor, 40), 40);
  EXPECT_EQ(cards.executed(0) + cards.executed(1), 40);
  EXPECT_GT(std::min(cards.executed(0), cards.executed(1)), 8);
}

TEST(Executor, WhatWasOnACardThatFellAwayIsExecutedOnTheOther) {
  Cards cards;
  cards.lose(1);
  std::atomic<int> notes = 0;
  Executor executor(cards.steps(), {0, 1}, 3, [&](const std::string& note) {
    EXPECT_NE(note.find("GPU 1"), std::string::npos) << note;
    ++notes;
  });
  EXPECT_EQ(grade(&executor, 30), 30);
  EXPECT_EQ(notes, 1);
  EXPECT_EQ(cards.executed(0), 30);
  EXPECT_LE(cards.executed(1), 3) << "what was there already";
}

TEST(Executor, EndsWhereNoCardIsLeft) {
  Cards cards;
  cards.lose(0), cards.lose(1);
  Executor executor(cards.steps(), {0, 1}, 3, {});
  EXPECT_EQ(grade(&executor, 30), 0);
  EXPECT_LE(cards.executed(0) + cards.executed(1), 6);
}

}  // namespace
}  // namespace lockstep::grader
