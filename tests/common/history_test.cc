// SPDX-License-Identifier: Apache-2.0
// A run is told beside the last one, or beside one that was kept.
#include "common/harness/history.h"

#include "common/harness/columns.h"
#include "tests/common/homework_fixture.h"

namespace lockstep::harness_test {
namespace {

Record record_of(double instructions, double time_us, int vectors = 64) {
  Record r;
  r.homework = "hw99";
  r.kernel = "norm_group<8,8>";
  r.parameters["n_l"] = vectors;
  r.check.status = "correct";
  r.derived[metric::kInstPerElement] = {instructions, Tier::kExact};
  r.derived[metric::kTimeUs] = {time_us, Tier::kMeasured};
  return r;
}

std::string words(const Record& before, const Record& now) {
  return changes_between(before, now, standard_columns()).words;
}

TEST(Changes, AreToldWhereTheyShow) {
  EXPECT_EQ(words(record_of(22.5, 58.3), record_of(17.5, 43)),
            "I/el 22.5 -> 17.5, t/\xC2\xB5s 58.3 -> 43.0");
  EXPECT_EQ(words(record_of(22.5, 58.3), record_of(22.5, 58.3)), "");
  EXPECT_EQ(words(record_of(22.5, 58.3), record_of(22.7, 60)), "") << "less than 2 and 5 percent";
  EXPECT_EQ(words(record_of(0.01, 1), record_of(0.02, 1)), "") << "0.0 both";
}

TEST(History, KeepsWhatIsRightByLaunch) {
  History history;
  history.keep(record_of(22.5, 58));
  history.keep(record_of(20.5, 58));
  Record wrong = record_of(1, 1);
  wrong.check.status = "wrong";
  history.keep(wrong);
  const Record* found = history.same_launch(record_of(0, 0));
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->derived.at(metric::kInstPerElement).value, 20.5);
  EXPECT_EQ(history.same_launch(record_of(0, 0, 65)), nullptr) << "another problem";
}

class ComparedRuns : public HomeworkTest {
 protected:
  Result run_with(double instructions, const Words& more = {}) {
    Words arguments{"1", "8", "--vectors", "1000", "--kernel", "group<"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments, [&](FakeBackend& b) {
      good_kernels(b);
      b.counts = sample_counts();
      b.counts.values[metric::kWarpInstructions] = {instructions, Tier::kMeasured};
    });
  }
};

TEST_F(ComparedRuns, OnATerminalWhatHasChangedSinceTheLastStandsBelowTheTable) {
  run_with(5275);
  EXPECT_EQ(run_with(2000).out.find("Since"), std::string::npos) << "no terminal: repeats";
  terminal_ = true;
  EXPECT_NE(run_with(5275).out.find("\nSince the last run: I/el 8.0 -> 21.1"), std::string::npos);
  EXPECT_EQ(run_with(5275).out.find("Since"), std::string::npos) << "nothing has changed";
  std::ofstream(folder_ + "/.hw99-last.json") << "{}\n";
  EXPECT_EQ(run_with(2000).code, kExitGood) << "a file that is none is none";
}

TEST_F(ComparedRuns, AnyRunThatWasKeptIsHeldAgainst) {
  const std::string file = folder_ + "/before.json";
  std::ofstream(file) << run_with(5275, {"--json"}).out;
  const Result r = run_with(2000, {"--compare", file});
  EXPECT_NE(r.out.find("before.json: I/el 21.1 -> 8.0"), std::string::npos) << r.out;
  EXPECT_EQ(run_with(2000, {"--compare", "/nowhere"}).code, kExitUsage);
  EXPECT_EQ(run_with(2000, {"--compare", file, "--json"}).code, kExitUsage);
}

}  // namespace
}  // namespace lockstep::harness_test
