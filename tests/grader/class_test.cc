// SPDX-License-Identifier: Apache-2.0
// A class: how its members are called hangs on who is in it, and what one of them costs costs no
// other a result. What is handed in here cannot be taken, so nothing is compiled.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <optional>
#include <set>

#include "tests/grader/corpus_run.h"
#include "tests/grader/temporary.h"

namespace lockstep::grader {
namespace {

class Class : public testing::Test {
 protected:
  void SetUp() override {
    if (!can_compile()) GTEST_SKIP() << "no CUDA toolkit";
    SessionOptions options;
    options.homework = "hw02";
    options.backend = "emulator";
    options.rubric = "tests/grader/data/two_kernels.toml";
    options.weak_sandbox = std::getenv("LOCKSTEP_WEAK_SANDBOX") != nullptr;
    session.emplace(options, t.path("work"));
    store.emplace(t.path("results"));
  }
  // Names as shown, by identity, graded now or before; each is shown once.
  std::map<std::string, std::string> run(const std::string& folder) {
    std::map<std::string, std::string> names;
    std::set<std::string> shown;
    const auto note = [&](const Graded& g) {
      names[g.identity] = g.submission;
      EXPECT_TRUE(shown.insert(g.submission).second) << g.submission;
    };
    ClassEvents events;
    events.graded = [&](const Graded& g, const Graded*, const ClassProgress&) { note(g); };
    events.unchanged = note;
    run_class({t.path(folder), t.path("results"), false, 1}, *session, *store, events);
    return names;
  }
  std::map<std::string, std::string> stored() {
    std::map<std::string, std::string> names;
    for (const Graded& g : store->all_latest("hw02", "emulator")) names[g.identity] = g.submission;
    return names;
  }
  Graded latest(const std::string& identity) {
    return store->latest("hw02", identity, "emulator").value();
  }

  TemporaryFolder t;
  std::optional<GradingSession> session;
  std::optional<Store> store;
};

using Names = std::map<std::string, std::string>;

// What a platform tells is kept with the results, and grading again changes none of it.
TEST_F(Class, OfAPlatformHasItsNamesAndTimes) {
  t.write("1/submission_7/hw02.cu", "");
  t.write("1/submission_8/hw02.cu", "");
  t.write("1/submission_metadata.yml",
          "submission_7:\n  :submitters:\n  - :email: ada@x.edu\n"
          "  :created_at: 2026-11-20 23:00:00 -01:00\n"
          "submission_8:\n  :submitters:\n  - :email: bob@x.edu\n");
  const StudentTable table = StudentTable::read("student,email\nada,ada@x.edu\n", "t.csv");
  std::vector<std::string> notes;
  ClassEvents events;
  events.note = [&](const std::string& text) { notes.push_back(text); };
  for (const bool regrade : {false, true}) {
    notes.clear();
    run_class({t.path("1"), t.path("results"), regrade, 1, "gradescope", "", &table}, *session,
              *store, events);
    EXPECT_EQ(stored(), (Names{{"student//ada", "ada"}, {"gradescope//bob@x.edu", "bob@x.edu"}}));
    EXPECT_EQ(latest("student//ada").submitted.at, "2026-11-21T00:00:00Z") << regrade;
    EXPECT_EQ(latest("student//ada").submitted.told_by, "gradescope");
    EXPECT_EQ(latest("gradescope//bob@x.edu").submitted.at, "");
    ASSERT_EQ(notes.size(), 1u);
    EXPECT_EQ(notes[0].rfind("gradescope//bob@x.edu is nobody's", 0), 0u) << notes[0];
  }
}

TEST_F(Class, NamesHangOnWhoIsThereNow) {
  for (const char* name : {"1/grace.cu", "1/bil1.cu", "1/eve.cu"}) t.write(name, "");
  EXPECT_EQ(run("1"), (Names{{"grace.cu", "grace"}, {"bil1.cu", "bil1"}, {"eve.cu", "eve"}}));
  for (const char* name : {"2/grace.cu", "2/bil1.cu", "2/grace/readme", "2/bill.cu", "2/eve/x"})
    t.write(name, "");
  const Names now = {{"grace.cu", "grace.cu"},
                     {"grace", "grace"},
                     {"bil1.cu", "bil\\x31"},
                     {"bill.cu", "bill"},
                     {"eve", "eve"}};
  EXPECT_EQ(run("2"), now);
  // Who is not there any more is called as nobody is who is there.
  Names all = now;
  all["eve.cu"] = "eve/absent";
  EXPECT_EQ(stored(), all);
  // And back: a class without them has its names as before.
  EXPECT_EQ(run("1"), (Names{{"grace.cu", "grace"}, {"bil1.cu", "bil1"}, {"eve.cu", "eve"}}));
  all = stored();
  EXPECT_EQ(all["grace.cu"], "grace");
  EXPECT_EQ(all["grace"], "grace/absent");
  EXPECT_EQ(all.size(), 6u);
}

// A file that the machine cannot read is no fault of who handed it in, and of nobody else.
TEST_F(Class, WhatCannotBeReadIsTriedAgain) {
  t.write("1/ada.cu", "");
  t.write("1/zoe.cu", "");
  ASSERT_EQ(run("1").size(), 2u);
  const std::string before = latest("zoe.cu").content_hash;
  const SubmissionEntry gone{"gone", t.path("1/gone.cu"), "gone.cu"};
  EXPECT_THROW(stage_submission(gone, "hw02.cu"), Error);
  const Graded g = session->not_graded(gone, "it cannot be read").graded;
  EXPECT_EQ(g.verdict.kind, VerdictKind::kInfraError);
  EXPECT_EQ(g.identity, "gone.cu");
  EXPECT_EQ(run("1").size(), 2u);
  EXPECT_EQ(latest("zoe.cu").content_hash, before);
}

#if !defined(__SANITIZE_ADDRESS__)
rlim_t address_space() {
  rlim_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<rlim_t>(getpagesize());
}

// A zip is read whole before it is believed; it is as large as one may be, and so larger than what
// malloc may have reserved for a thread.
TEST_F(Class, WhereOneNeedsMoreMemoryThanThereIsTheOthersAreGraded) {
  for (const char* name : {"1/ada.cu", "1/big.zip", "1/zoe.cu"}) t.write(name, "");
  std::filesystem::resize_file(t.path("1/big.zip"), 64 << 20);
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
  const rlimit tight{address_space() + (40 << 20), before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_AS, &tight), 0);
  Names names;
  std::string failure;
  try {
    names = run("1");
  } catch (const std::exception& e) {
    failure = e.what();
  }
  ASSERT_EQ(setrlimit(RLIMIT_AS, &before), 0);
  EXPECT_EQ(failure, "");
  EXPECT_EQ(names.size(), 3u);
  EXPECT_EQ(latest("big.zip").verdict.kind, VerdictKind::kInfraError)
      << latest("big.zip").verdict.message;
  EXPECT_NE(latest("big.zip").verdict.message.find("memory"), std::string::npos);
  for (const char* other : {"ada.cu", "zoe.cu"})
    EXPECT_EQ(latest(other).verdict.reason, "staging") << other;
  // With enough it is looked into, and the others stay as they are.
  EXPECT_EQ(run("1").size(), 3u);
  EXPECT_EQ(latest("big.zip").verdict.reason, "staging");
}
#endif

}  // namespace
}  // namespace lockstep::grader
