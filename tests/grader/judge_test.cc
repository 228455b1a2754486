// SPDX-License-Identifier: Apache-2.0
// Verdicts from records: full, partial, wrong, faulty, not measured; and that no trick with
// numbers that are no numbers, or with what was not measured, earns a point.
#include "grader/judge.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <sstream>

#include "common/base/error.h"
#include "common/harness/metrics.h"
#include "grader/report.h"
#include "grader/session.h"

namespace lockstep::grader {
namespace {

constexpr char kRubric[] = R"(homework = "hw02"
title = "t"
[[run]]
id = "count"
kernels = ["f<1>", "f<2>", "base"]
vectors = [64]
counters = true
[[check]]
id = "right"
title = "it is right"
kind = "correct"
runs = ["count"]
kernels = ["f<{1,2}>"]
points = 50
partial = true
[[check]]
id = "fast"
title = "it is fast"
kind = "metric"
metric = "inst_per_element"
runs = ["count"]
kernels = ["f<{1,2}>"]
at_most = 1.5
relative_to = "base"
zero_at = 2.5
points = 30
[[check]]
id = "solution"
title = "as good as the solution"
kind = "metric"
metric = "inst_per_element"
runs = ["count"]
kernels = ["f<1>"]
at_most = 1.1
at_least = 0.5
relative_to = "solution"
points = 15
[[check]]
id = "card"
title = "decided on a card"
kind = "metric"
metric = "dram_bytes"
runs = ["count"]
kernels = ["f<1>"]
at_most = 100
backends = ["gpu"]
points = 5
)";

class Judge : public testing::Test {
 protected:
  Judge() : rubric(parse_rubric(kRubric, "r.toml")), plan(plan_submission(rubric, 1)) {
    for (const GradedLaunch& graded : plan) {
      records.push_back(record(graded.launch.kernel, 10));
      reference.records.push_back(record(graded.launch.kernel, 10));
    }
    reference.plan = plan;
    reference.known = true;
  }
  static Record record(const std::string& kernel, double inst) {
    Record r;
    r.kernel = kernel;
    r.check.status = "correct";
    r.derived["inst_per_element"] = {inst, Tier::kPredicted};
    r.counts.values["warp_instructions"] = {inst * 2, Tier::kPredicted};
    r.counts.values["dram_bytes"] = {50, Tier::kMeasured};
    return r;
  }
  Verdict run(const std::string& backend = "gpu") {
    return judge({rubric, plan, records, reference, backend, "one\n  two\nthree\n"});
  }
  const CheckOutcome& check(const Verdict& v, const std::string& id) {
    for (const CheckOutcome& c : v.checks)
      if (c.id == id) return c;
    throw std::runtime_error(id);
  }
  void set(const std::string& kernel, double inst) {
    for (Record& r : records)
      if (r.kernel == kernel) r.derived["inst_per_element"].value = inst;
  }
  void fault(size_t i, const std::string& kind) {
    records[i].check.status = "fault";
    records[i].check.fault_kind = kind;
    records[i].check.message = "hw02.cu:3: it went wrong";
  }

  Rubric rubric;
  std::vector<GradedLaunch> plan;
  std::vector<Record> records;
  Reference reference;
};

TEST_F(Judge, AllRightIsAPassWithAllPoints) {
  Verdict v = run();
  EXPECT_EQ(v.kind, VerdictKind::kPass);
  EXPECT_EQ(v.points, 100);
  EXPECT_EQ(v.max_points, 100);
}

TEST_F(Judge, WhatIsNotDecidedHereIsNeitherPassNorFail) {
  Verdict v = run("emulator");
  EXPECT_EQ(v.kind, VerdictKind::kNotMeasured);
  EXPECT_EQ(v.points, 95);
  EXPECT_EQ(v.undecided_points, 5);
  EXPECT_EQ(check(v, "card").status, CheckStatus::kNotMeasured);
}

TEST_F(Judge, PointsFallLinearlyAndTheWorstKernelDecides) {
  set("f<2>", 20);  // the limit is 15, zero at 25
  Verdict v = run();
  EXPECT_NEAR(check(v, "fast").points, 15, 1e-9);
  EXPECT_EQ(check(v, "fast").status, CheckStatus::kPartial);
  EXPECT_EQ(check(v, "fast").kernel, "f<2>");
  EXPECT_EQ(v.kind, VerdictKind::kPartial);
  set("f<1>", 26);
  EXPECT_EQ(check(run(), "fast").points, 0);
  EXPECT_EQ(check(run(), "fast").kernel, "f<1>");
}

TEST_F(Judge, TheHintIsThatWhichTheFiguresCallFor) {
  CheckRule& fast = rubric.checks[1];
  fast.hint = "in general";
  fast.hints = {{"dram_bytes", 60, std::nullopt, "much traffic"},
                {"local_sectors", 0, std::nullopt, "not counted here"},
                {"warp_instructions", 30, 45, "some instructions"}};
  EXPECT_EQ(check(run(), "fast").hint, "") << "passed";
  set("f<2>", 20);
  EXPECT_EQ(check(run(), "fast").hint, "in general");
  for (Record& r : records)
    if (r.kernel == "f<2>") r.counts.values["warp_instructions"].value = 40;
  EXPECT_EQ(check(run(), "fast").hint, "some instructions");
  for (Record& r : records)
    if (r.kernel == "f<2>") r.counts.values["dram_bytes"].value = 61;
  EXPECT_EQ(check(run(), "fast").hint, "much traffic");
}

TEST_F(Judge, TheHintIsThatOfTheFault) {
  CheckRule& right = rubric.checks[0];
  right.hint = "in general";
  right.hints.push_back({"", std::nullopt, std::nullopt, "look at the index", {"out_of_bounds"}});
  records[1].check.status = "wrong";
  EXPECT_EQ(check(run(), "right").hint, "in general");
  records[1].check.status = "guard";
  EXPECT_EQ(check(run(), "right").hint, "look at the index");
  fault(1, "out_of_bounds");
  EXPECT_EQ(check(run(), "right").hint, "look at the index");
  fault(1, "race");
  EXPECT_EQ(check(run(), "right").hint, "in general");
}

// Wrong figures are often what comes of a fault.
TEST_F(Judge, AFaultIsToldRatherThanWrongFigures) {
  records[0].check.status = "wrong";
  records[0].check.message = "f<1>: 3 of 4 elements are wrong";
  fault(1, "out_of_bounds");
  EXPECT_EQ(check(run(), "right").kernel, "f<2>");
  EXPECT_NE(check(run(), "right").message.find("it went wrong"), std::string::npos);
  EXPECT_NE(check(run(), "right").message.find("2 of 2 kernels are wrong"), std::string::npos);
}

TEST_F(Judge, WhatWentWrongIsToldOnce) {
  rubric.checks[1].hint = "be faster";
  fault(1, "out_of_bounds");
  records[1].check.quoted = Quoted("words of the runner");
  const Verdict v = run();
  EXPECT_NE(check(v, "right").message.find("1 of 2 kernels are wrong: f<2>"), std::string::npos);
  EXPECT_EQ(check(v, "right").quoted.raw(), "words of the runner");
  const CheckOutcome& fast = check(v, "fast");
  EXPECT_EQ(fast.message, "f<2> went wrong, as told above: its counts are worth nothing");
  EXPECT_TRUE(fast.quoted.empty() && fast.reproduce.empty() && fast.hint.empty());
  Graded graded;
  graded.submission = "alice";
  graded.module_hash = "x";
  graded.verdict = v;
  const std::string text = report_text(graded, {});
  for (const char* one : {"it went wrong", "words of the runner", "Repeat:"})
    EXPECT_EQ(text.find(one), text.rfind(one)) << text;
  EXPECT_NE(text.find("  [ -- ] 30 points (fast) wait for this: it is right\n"), std::string::npos)
      << text;
}

TEST(Numbers, AreWholeWhereTheyAreLarge) {
  for (const auto& [value, text] :
       std::vector<std::pair<double, const char*>>{{12, "12"},
                                                   {0.65, "0.65"},
                                                   {13.25813, "13.26"},
                                                   {999.96, "1000"},
                                                   {1146755.25, "1146755"},
                                                   {755061, "755061"},
                                                   {-1234.5678, "-1235"},
                                                   {2e15, "2e+15"},
                                                   {0, "0"}})
    EXPECT_EQ(format_number(value), text);
}

TEST_F(Judge, AMetricIsToldWithItsColumn) {
  rubric.columns = {"wave_count", "conflicts_per_global_request", "inst_per_element"};
  EXPECT_NE(check(run(), "fast").message.find(": inst_per_element (I/el) is 10, "),
            std::string::npos);
  for (CheckRule& rule : rubric.checks) rule.metric = "warp_instructions";  // it is made of these
  EXPECT_NE(check(run(), "fast").message.find(": warp_instructions (I/el) is"), std::string::npos);
  for (Record& r : records) r.derived["conflicts_per_element"] = {0, Tier::kExact};
  for (CheckRule& rule : rubric.checks) rule.metric = "conflicts_per_element";  // its total
  EXPECT_NE(check(run(), "fast").message.find(": conflicts_per_element (BXW) is 0"),
            std::string::npos);
  rubric.columns.clear();
  EXPECT_NE(check(run(), "fast").message.find(": conflicts_per_element is 0"), std::string::npos);
}

TEST_F(Judge, BothLimitsHold) {
  for (double good : {5.0, 11.0}) {
    set("f<1>", good);
    EXPECT_EQ(check(run(), "solution").status, CheckStatus::kPass) << good;
  }
  for (double bad : {4.9, 11.1}) {
    set("f<1>", bad);
    EXPECT_EQ(check(run(), "solution").status, CheckStatus::kFail) << bad;
  }
}

TEST_F(Judge, CountsOfAWrongKernelAreWorthNothing) {
  records[1].check.status = "wrong";
  records[1].check.message = "f<2> with 8 blocks of 8 warps: 3 of 4 elements are wrong";
  records[1].check.repeat = "/somewhere/hw02 --seed 78 --module /tmp/secret";
  records[1].check.seed = 77;
  Verdict v = run();
  EXPECT_EQ(check(v, "right").points, 25);
  EXPECT_EQ(check(v, "fast").points, 0);
  EXPECT_EQ(check(v, "fast").status, CheckStatus::kFail);
  EXPECT_EQ(check(v, "solution").status, CheckStatus::kPass);
  EXPECT_NE(check(v, "right").reproduce.find("--seed 77 "), std::string::npos);
  EXPECT_EQ(check(v, "right").message.find("/tmp/secret"), std::string::npos);
}

TEST_F(Judge, WrongBaseOfARatioEarnsNothing) {
  records[2].check.status = "wrong";
  EXPECT_EQ(check(run(), "fast").status, CheckStatus::kFail);
}

// On a card; the emulator's model of it repeats.
TEST_F(Judge, StoresThatHappenToMergeAreNotAskedFor) {
  for (CheckRule& rule : rubric.checks)
    if (rule.id == "solution") rule.metric = "l2_write_ratio";
  for (Record& r : reference.records) {
    r.derived["l2_write_ratio"] = {1.6, Tier::kMeasured};
    r.counts.values["l1_to_l2_bytes"] = {1600, Tier::kMeasured};
    r.counts.values["global_store_sectors"] = {62.5, Tier::kMeasured};  // 2000 bytes
  }
  for (Record& r : records) r.derived["l2_write_ratio"] = {1.95, Tier::kMeasured};
  EXPECT_EQ(check(run(), "solution").status, CheckStatus::kPass);
  EXPECT_EQ(check(run("emulator"), "solution").status, CheckStatus::kFail);
  for (Record& r : records) r.derived["l2_write_ratio"] = {2.3, Tier::kMeasured};
  EXPECT_EQ(check(run(), "solution").status, CheckStatus::kFail);
}

// Bytes that no store of the kernel accounts for.
TEST_F(Judge, WhatACardCountsBesidesIsNotTheKernels) {
  for (CheckRule& rule : rubric.checks)
    if (rule.id == "solution") rule.metric = "l1_to_l2_bytes";
  for (Record& r : reference.records) r.counts.values["l1_to_l2_bytes"] = {400, Tier::kMeasured};
  for (Record& r : records) {
    r.counts.values["l1_to_l2_bytes"] = {55104, Tier::kMeasured};
    r.counts.values["global_store_sectors"] = {13, Tier::kMeasured};
    r.counts.values["local_sectors"] =
        r.counts.values["global_atomic_requests"] = {0, Tier::kExact};
  }
  EXPECT_EQ(check(run(), "solution").status, CheckStatus::kPass);
  EXPECT_EQ(check(run("emulator"), "solution").status, CheckStatus::kFail);
  for (const char* name : {"global_store_sectors", "local_sectors", "global_atomic_requests"}) {
    records[0].counts.values[name].value = 1700;
    EXPECT_EQ(check(run(), "solution").status, CheckStatus::kFail) << name;
    records[0].counts.values[name].value = 0;
  }
}

// What the device tells of the solution it must tell of the submission.
TEST_F(Judge, MissingNaNAndDroppedFailWhereTheSolutionHasThem) {
  records[0].derived.clear();
  EXPECT_EQ(check(run(), "fast").status, CheckStatus::kFail);
  records[0].derived["inst_per_element"] = {std::numeric_limits<double>::quiet_NaN(),
                                            Tier::kMeasured};
  EXPECT_EQ(check(run(), "fast").status, CheckStatus::kFail);
  EXPECT_EQ(check(run(), "solution").points, 0);
  records[0].derived.clear();
  records[0].counts.unavailable["warp_instructions"] = "lanes part in a recursion";
  EXPECT_NE(check(run(), "fast").quoted.raw().find("lanes part in a recursion"), std::string::npos);
  EXPECT_EQ(run().kind, VerdictKind::kPartial);
}

TEST_F(Judge, WhatTheRubricLeavesToAPersonIsForReviewAndHasNoPoints) {
  rubric.undecided = Undecided::kReview;
  records[0].derived.clear();
  Verdict v = run();
  EXPECT_EQ(v.kind, VerdictKind::kReview);
  EXPECT_EQ(check(v, "fast").status, CheckStatus::kReview);
  EXPECT_EQ(v.review_points, 45);
  EXPECT_EQ(v.points, 55);
}

// With the other answer of a comparison that had but one: right, and twice as costly as may be.
TEST_F(Judge, AWayThatWasNeverSeenAndCostsFarMoreIsForReview) {
  const auto f1 = std::find_if(plan.begin(), plan.end(),
                               [](const GradedLaunch& one) { return one.launch.kernel == "f<1>"; });
  GradedLaunch opposed = *f1;
  opposed.launch.opposed = {"f", {12}, 57};
  plan.push_back(opposed);
  records.push_back(record("f<1>", 40));  // limits: 15 and 11
  const Verdict v = run();
  EXPECT_EQ(v.kind, VerdictKind::kReview);
  EXPECT_EQ(check(v, "right").status, CheckStatus::kPass);
  EXPECT_EQ(check(v, "fast").status, CheckStatus::kReview);
  EXPECT_EQ(check(v, "solution").status, CheckStatus::kReview);
  EXPECT_EQ(v.review_points, 45);
  EXPECT_EQ(v.points, 55);
  EXPECT_EQ(check(v, "fast").message.rfind("hw02.cu:57: what is compared here", 0), 0u)
      << check(v, "fast").message;
  EXPECT_EQ(check(v, "fast").opposed, plan.size() - 1);
  EXPECT_NE(check(v, "solution").message.find("as above"), std::string::npos);
  records.back().derived["inst_per_element"].value = 13;  // within a quarter of what may be
  EXPECT_EQ(run().kind, VerdictKind::kPass);
}

TEST_F(Judge, WhatIsLostStaysLostWhereAPersonDecides) {
  GradedLaunch opposed = plan[0];
  for (const GradedLaunch& one : plan)
    if (one.launch.kernel == "f<1>") opposed = one;
  opposed.launch.opposed = {"f", {12}, 57};
  plan.push_back(opposed);
  set("f<2>", 20);  // half of the points of "fast"
  records.push_back(record("f<1>", 40));
  EXPECT_EQ(check(run(), "fast").status, CheckStatus::kReview);
  EXPECT_EQ(check(run(), "fast").at_stake, 0.5);
  EXPECT_EQ(run().review_points, 15 + 15);
  rubric.checks[3].requires_checks = {"solution", "fast"};
  EXPECT_EQ(check(run(), "card").status, CheckStatus::kReview);
  EXPECT_EQ(check(run(), "card").at_stake, 0.5) << "of two the lesser";
  // What has failed decides, wherever it stands.
  rubric.checks[1].at_most = 0.1;
  rubric.checks[1].zero_at = 0.2;
  rubric.checks[3].requires_checks = {"solution", "fast"};
  EXPECT_EQ(check(run(), "fast").status, CheckStatus::kFail);
  EXPECT_EQ(check(run(), "card").status, CheckStatus::kFail);
}

TEST_F(Judge, AWayThatWasNeverSeenAndIsWrongTellsNothing) {
  GradedLaunch opposed = plan[0];
  opposed.launch.opposed = {"f", {12}, 57};
  plan.push_back(opposed);
  for (const char* status : {"wrong", "not_run", "fault"}) {
    records.resize(plan.size() - 1);
    records.push_back(record(plan[0].launch.kernel, 400));
    records.back().check.status = status;
    EXPECT_EQ(run().points, 100) << status;
  }
  records.resize(plan.size() - 1);
  EXPECT_EQ(run().points, 100) << "it was not made";
}

TEST_F(Judge, WhatCannotBeLookedAtIsForReview) {
  const auto f1 = std::find_if(plan.begin(), plan.end(),
                               [](const GradedLaunch& one) { return one.launch.kernel == "f<1>"; });
  GradedLaunch not_made = *f1;
  not_made.launch.opposed = {"f<1>", {}, 0};
  plan.push_back(not_made);
  records.push_back(record("f<1>", 0));
  records.back().check.status = "fault";
  records.back().check.fault_kind = "unsupported";
  records.back().check.quoted = Quoted("too many comparisons");
  const Verdict v = run();
  EXPECT_EQ(v.kind, VerdictKind::kReview);
  EXPECT_EQ(check(v, "right").status, CheckStatus::kPass);
  EXPECT_EQ(check(v, "fast").status, CheckStatus::kReview);
  EXPECT_EQ(check(v, "fast").opposed, plan.size() - 1);
  EXPECT_EQ(v.points, 50) << "whatever its launches cost";
}

// As large as on a card, with drawn blocks: in no run of the rubric.
class JudgeOfLarge : public Judge {
 protected:
  JudgeOfLarge() {
    for (RunRule& run : rubric.runs) {
      run.drawn_sizes = 1;
      run.own_shape = true;
    }
    GradedLaunch large = *std::find_if(plan.begin(), plan.end(), [](const GradedLaunch& one) {
      return one.launch.kernel == "f<1>";
    });
    large.launch.vectors = 1 << 20;
    large.launch.warps = 0;
    large.launch.drawn = {16, 5};
    plan.push_back(large);
    reference.plan.push_back(large);
    records.push_back(record("f<1>", 10));
    reference.records.push_back(record("f<1>", 10));
  }
  static void set_written(Record* record, double elements) {
    record->counts.values["written_elements"] = {elements, Tier::kExact};
  }
};

TEST_F(JudgeOfLarge, IsHeldToTheSolutionByAQuarterMore) {
  EXPECT_EQ(run().points, 100);
  for (const double inst : {13.7, 13.8}) {  // 1.1 times the solution's 10, and a quarter of that
    records.back().derived["inst_per_element"].value = inst;
    EXPECT_EQ(check(run(), "solution").points, inst < 13.75 ? 15 : 0) << inst;
  }
  EXPECT_NE(check(run(), "solution").message.find("1.25 times what passes in smaller ones"),
            std::string::npos);
  EXPECT_NE(check(run(), "solution").reproduce.find("--vectors 1048576"), std::string::npos);
  EXPECT_EQ(check(run(), "fast").points, 30) << "that is of a kernel that was not launched so";
}

// What the limits of a check let pass where it is counted passes here, too.
TEST_F(JudgeOfLarge, MayTakeAsManyTimesTheSolutionsAsInSmallerOnes) {
  rubric.checks[2].plus = 100;
  rubric.checks[2].at_least.reset();
  set("f<1>", 40);
  records.back().derived["inst_per_element"].value = 400;
  records.back().elements = reference.records.back().elements = 1 << 20;
  reference.records.back().derived["inst_per_element"].value = 100;
  EXPECT_EQ(check(run(), "solution").points, 15);
  records.back().derived["inst_per_element"].value = 510;
  EXPECT_EQ(check(run(), "solution").points, 0);
}

TEST_F(JudgeOfLarge, IsForReviewWhereItsBlocksTellNothing) {
  records.back().check.status = "not_run";
  records.back().check.quoted = Quoted("it waits for others");
  Verdict v = run();
  EXPECT_EQ(v.kind, VerdictKind::kReview);
  EXPECT_EQ(check(v, "solution").status, CheckStatus::kReview);
  EXPECT_EQ(check(v, "right").points, 50);
  EXPECT_EQ(check(v, "fast").points, 30);
  reference.records.back().check.status = "not_run";
  EXPECT_EQ(run().points, 100) << "nor do the solution's";
}

TEST_F(JudgeOfLarge, IsForReviewWhereItsBlocksDoLess) {
  set_written(&reference.records.back(), 1000);
  for (const double elements : {1000., 951., 949.}) {
    set_written(&records.back(), elements);
    EXPECT_EQ(check(run(), "solution").status,
              elements > 950 ? CheckStatus::kPass : CheckStatus::kReview);
  }
}

TEST_F(JudgeOfLarge, ThatIsWrongIsWrong) {
  records.back().check.status = "wrong";
  const Verdict v = run();
  EXPECT_EQ(check(v, "solution").points, 0);
  EXPECT_EQ(check(v, "solution").status, CheckStatus::kFail);
  EXPECT_LT(check(v, "right").points, 50) << "as in any other launch";
}

TEST_F(Judge, WhatTheDeviceDoesNotTellOfTheSolutionEitherIsNotMeasured) {
  for (Record& r : records) r.derived.clear();
  for (Record& r : reference.records) r.derived.clear();
  Verdict v = run();
  EXPECT_EQ(check(v, "fast").status, CheckStatus::kNotMeasured);
  EXPECT_EQ(v.kind, VerdictKind::kNotMeasured);
}

TEST_F(Judge, ALaunchThatWasCutFailsWhatNeedsItAndSaysWhatWouldDo) {
  rubric.limits.step_budget = 1000;
  fault(1, "too_slow");
  Verdict v = run();
  EXPECT_EQ(v.kind, VerdictKind::kPartial);
  EXPECT_EQ(v.reason, "too_slow");
  EXPECT_EQ(check(v, "right").points, 25);
  EXPECT_EQ(check(v, "fast").points, 0);
  EXPECT_EQ(check(v, "solution").status, CheckStatus::kPass);
  EXPECT_NE(check(v, "right").message.find("the solution takes 20 warp instructions there"),
            std::string::npos)
      << check(v, "right").message;
}

// Else a kernel that is wrong there would end in a loop and keep the points for its counts.
TEST_F(Judge, ALaunchThatWasCutBeforeItWasShownToBeRightVoidsTheCounts) {
  plan.push_back(plan[0]);
  plan.back().run = "check";
  plan.back().launch.counters = false;
  records.push_back(records[0]);
  fault(records.size() - 1, "too_slow");
  Verdict v = run();
  EXPECT_EQ(check(v, "fast").points, 0);
  EXPECT_EQ(check(v, "solution").points, 0);
}

TEST_F(Judge, ABaseThatIsNoNumberEarnsNothing) {
  set("base", std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(check(run(), "fast").points, 0);
  set("base", std::numeric_limits<double>::infinity());
  EXPECT_EQ(check(run(), "fast").points, 0);
  set("base", 0);
  EXPECT_EQ(check(run(), "fast").points, 0);
}

TEST_F(Judge, WithoutTheSolutionNothingIsComparedWithIt) {
  reference.records.clear();
  reference.known = false;
  EXPECT_EQ(check(run(), "solution").status, CheckStatus::kNotMeasured);
}

TEST_F(Judge, TheSolutionOnAnotherProblemIsNoMeasure) {
  for (GradedLaunch& launch : reference.plan) launch.launch.vectors = 65;
  EXPECT_EQ(check(run(), "solution").status, CheckStatus::kNotMeasured);
}

TEST_F(Judge, AnotherKernelOfTheSolutionCanBeTheMeasure) {
  rubric.checks[1].relative_to = RelativeTo::kSolution;
  rubric.checks[1].base_kernel = "f<1>";
  set("base", 1);  // the submission's own decides nothing
  reference.records[0].derived["inst_per_element"].value = 4;  // f<1>: the limit is 6, zero at 10
  EXPECT_EQ(check(run(), "fast").points, 0);
  reference.records[0].derived["inst_per_element"].value = 10;
  EXPECT_EQ(check(run(), "fast").status, CheckStatus::kPass);
}

TEST_F(Judge, RecordsThatAreMissingAreFailures) {
  records.resize(1);
  Verdict v = run();
  EXPECT_EQ(check(v, "right").points, 25);
  EXPECT_EQ(check(v, "fast").status, CheckStatus::kFail);
}

TEST_F(Judge, FaultsNameTheirKind) {
  struct Case {
    const char* fault;
    VerdictKind kind;
    const char* reason;
  };
  for (const Case& c :
       {Case{"timeout", VerdictKind::kStudentError, "timeout"},
        Case{"deadlock", VerdictKind::kStudentError, "timeout"},
        Case{"out_of_memory", VerdictKind::kStudentError, "out_of_memory"},
        Case{"out_of_bounds", VerdictKind::kStudentError, "out_of_bounds"},
        Case{"illegal_address", VerdictKind::kStudentError, "crash"},
        Case{"trap", VerdictKind::kStudentError, "crash"}, Case{"race", VerdictKind::kPartial, ""},
        Case{"read_only", VerdictKind::kPartial, ""},
        Case{"protocol", VerdictKind::kInfraError, "protocol"}}) {
    fault(1, c.fault);
    Verdict v = run();
    EXPECT_EQ(v.kind, c.kind) << c.fault;
    EXPECT_EQ(v.reason, c.reason) << c.fault;
  }
}

TEST_F(Judge, WhatABackendDoesNotSupportFailsWhereTheSolutionIsSupported) {
  for (size_t i = 0; i < records.size(); ++i) fault(i, "unsupported");
  Verdict v = run();
  EXPECT_EQ(v.kind, VerdictKind::kFail);
  EXPECT_EQ(v.points, 0);
  EXPECT_EQ(v.undecided_points, 0);
  rubric.undecided = Undecided::kReview;
  EXPECT_EQ(run().kind, VerdictKind::kReview);
  EXPECT_EQ(run().review_points, 100);
  reference.known = false;
  EXPECT_EQ(run().kind, VerdictKind::kNotMeasured);
  EXPECT_EQ(run().undecided_points, 100);
}

TEST_F(Judge, WhatIsSkippedAfterwardsIsNotSupportedEither) {
  rubric.undecided = Undecided::kReview;
  fault(0, "unsupported");
  plan.push_back(plan[0]);
  records.push_back(records[0]);
  records.back().check = CheckResult();
  EXPECT_EQ(check(run(), "right").status, CheckStatus::kReview);
  EXPECT_EQ(check(run(), "fast").status, CheckStatus::kReview);
  EXPECT_NE(check(run(), "fast").message.find("it went wrong"), std::string::npos);
}

class JudgeCosts : public Judge {
 protected:
  JudgeCosts() {
    CheckRule costs;
    costs.id = "costs";
    costs.kind = CheckKind::kCosts;
    costs.metrics = {metric::kSharedWavefronts, metric::kBarriers, metric::kL1ToL2Bytes};
    costs.at_most = 1.5;
    costs.relative_to = RelativeTo::kSolution;
    costs.runs = {"count"};
    costs.kernels = {"f<1>"};
    rubric.checks.push_back(costs);
    for (auto* all : {&records, &reference.records})
      for (Record& r : *all) {
        r.elements = 3200;
        r.grid.x = 2;
        r.block.x = 64;
      }
    cost(&reference.records[0], metric::kL1ToL2Bytes, 10000);
    cost(&records[0], metric::kL1ToL2Bytes, 10000);
  }
  static void cost(Record* r, const char* metric, double value) {
    r->counts.values[metric] = {value, Tier::kExact};
  }
  CheckOutcome outcome() { return check(run(), "costs"); }
};

TEST_F(JudgeCosts, WhatTheSolutionUsesIsHeldToIt) {
  EXPECT_EQ(outcome().status, CheckStatus::kPass);
  cost(&records[0], metric::kL1ToL2Bytes, 15000 + 10000 / 4);
  EXPECT_EQ(outcome().status, CheckStatus::kPass);
  cost(&records[0], metric::kL1ToL2Bytes, 15001 + 10000 / 4);
  EXPECT_EQ(outcome().status, CheckStatus::kFail);
  EXPECT_NE(outcome().message.find("f<1>: l1_to_l2_bytes is"), std::string::npos);
}

TEST_F(JudgeCosts, WhatItDoesWithoutIsGrantedByElementsAndWarps) {
  cost(&reference.records[0], metric::kSharedWavefronts, 0);
  cost(&records[0], metric::kSharedWavefronts, 3200 / 8 + 4 * 4);
  EXPECT_EQ(outcome().status, CheckStatus::kPass);
  cost(&records[0], metric::kSharedWavefronts, 3200 / 8 + 4 * 4 + 1);
  EXPECT_EQ(outcome().status, CheckStatus::kFail);
  EXPECT_NE(outcome().message.find("0.125 an element + 4 a warp"), std::string::npos)
      << outcome().message;
}

// Four times a move of a warp at most, one at least: 640 and 160 bytes for each of 4 warps.
TEST_F(JudgeCosts, WhatTheSolutionMovesItselfIsGrantedInPart) {
  for (const auto& [solution, granted] : {std::pair(100, 640), {4000, 1000}, {100000, 2560}}) {
    cost(&reference.records[0], metric::kL1ToL2Bytes, solution);
    cost(&records[0], metric::kL1ToL2Bytes, 1.5 * solution + granted);
    EXPECT_EQ(outcome().status, CheckStatus::kPass) << solution;
    cost(&records[0], metric::kL1ToL2Bytes, 1.5 * solution + granted + 1);
    EXPECT_EQ(outcome().status, CheckStatus::kFail) << solution;
  }
}

TEST_F(JudgeCosts, WhatOneWarpDoesIsHeldToTheSolutionsBusiestWarp) {
  rubric.checks.back().metrics = {metric::kCriticalPath};
  for (const auto& [solution, granted] : {std::pair(10, 160), {1000, 1000}, {100000, 10240}}) {
    cost(&reference.records[0], metric::kCriticalPath, solution);
    cost(&records[0], metric::kCriticalPath, 1.5 * solution + granted);
    EXPECT_EQ(outcome().status, CheckStatus::kPass) << solution;
    cost(&records[0], metric::kCriticalPath, 1.5 * solution + granted + 1);
    EXPECT_EQ(outcome().status, CheckStatus::kFail) << solution;
  }
}

// Of what the solution needs, too, a quarter more for all elements together; where it needs none,
// 1/8 for each.
TEST_F(JudgeCosts, WhatTheSolutionHasItselfIsNotGrantedForEachElement) {
  rubric.checks.back().metrics = {metric::kSharedWavefronts};
  for (const auto& [solution, granted] : {std::pair(0, 400), {100, 25}, {100000, 400}}) {
    cost(&reference.records[0], metric::kSharedWavefronts, solution);
    cost(&records[0], metric::kSharedWavefronts, 1.5 * solution + granted + 16);
    EXPECT_EQ(outcome().status, CheckStatus::kPass) << solution;
    cost(&records[0], metric::kSharedWavefronts, 1.5 * solution + granted + 17);
    EXPECT_EQ(outcome().status, CheckStatus::kFail) << solution;
  }
}

TEST_F(JudgeCosts, NothingIsGrantedWhereTheRubricSaysSo) {
  rubric.checks.back().metrics = {metric::kBarriers};
  rubric.checks.back().granted = false;
  cost(&reference.records[0], metric::kBarriers, 100);
  cost(&records[0], metric::kBarriers, 150);
  EXPECT_EQ(outcome().status, CheckStatus::kPass);
  cost(&records[0], metric::kBarriers, 151);
  EXPECT_EQ(outcome().status, CheckStatus::kFail);
  EXPECT_NE(outcome().message.find("(1.5 of the solution)"), std::string::npos)
      << outcome().message;
}

TEST_F(JudgeCosts, WhatIsMissingFailsWhereTheSolutionHasItAndIsLeftOutWhereNothingTellsIt) {
  cost(&reference.records[0], metric::kBarriers, 0);
  EXPECT_EQ(outcome().status, CheckStatus::kFail);
  EXPECT_TRUE(outcome().undecided);
  reference.records[0].counts.values.erase(metric::kBarriers);
  EXPECT_EQ(outcome().status, CheckStatus::kPass);
  records[0].counts.values.clear();
  EXPECT_EQ(outcome().status, CheckStatus::kFail);
}

TEST_F(JudgeCosts, AGateOfWhatThisDeviceDoesNotTellHoldsNobodyOff) {
  CheckRule& costs = rubric.checks.back();
  costs.metrics = {metric::kBarriers};
  EXPECT_EQ(outcome().status, CheckStatus::kPass);
  costs.points = 5;
  EXPECT_EQ(outcome().status, CheckStatus::kNotMeasured);
  costs.points = 0;
  records[0].check.status = "wrong";
  EXPECT_EQ(outcome().status, CheckStatus::kFail);
}

TEST_F(Judge, TheLinesThatCostMostAreNamedWithTheBudget) {
  set("f<1>", 30);
  for (int line : {1, 2}) {
    LineCounts costs;
    costs.file = "/src/./hw02/hw02.cu";
    costs.line = line;
    costs.counts["warp_instructions"] = {line * 5.0, Tier::kPredicted};
    records[0].counts.lines.push_back(costs);
  }
  Verdict v = run();
  const CheckOutcome& c = check(v, "fast");
  ASSERT_EQ(c.costs.size(), 3u);
  EXPECT_EQ(c.costs[0].words, "hw02.cu:2: 10 of 20 warp instructions (50 %)");
  EXPECT_EQ(c.costs[0].source.raw(), "two");
  EXPECT_EQ(c.costs[2].words, "the budget of the whole kernel is 10 warp instructions");
  EXPECT_NE(c.reproduce.find("--lines"), std::string::npos);
}

TEST_F(Judge, RequiredChecksComeFirst) {
  rubric.checks[1].requires_checks = {"right"};
  for (size_t i : {0u, 1u}) records[i].check.status = "wrong";
  EXPECT_EQ(check(run(), "fast").status, CheckStatus::kFail);
  EXPECT_NE(check(run(), "fast").message.find("it is right"), std::string::npos);
}

// A gate has no points of its own, so the report says how many hang on it; what waits for it is one
// line.
TEST_F(Judge, GatesAndWhatWaitsForThemAreShownAsSuch) {
  rubric.checks[1].points = 0;
  rubric.checks[1].hint = "turn less";
  rubric.checks[2].requires_checks = {"fast"};
  rubric.checks[3].requires_checks = {"solution"};
  Graded graded;
  graded.homework = "hw02";
  graded.submission = "alice";
  graded.backend = "gpu";
  graded.module_hash = "x";
  graded.verdict = run();
  EXPECT_EQ(check(graded.verdict, "fast").blocks, 20);
  EXPECT_EQ(check(graded.verdict, "right").blocks, 0);
  EXPECT_NE(report_text(graded, {}).find("  [pass] gates     fast\n"), std::string::npos);
  EXPECT_EQ(report_text(graded, {}).find("Do this first"), std::string::npos);
  set("f<2>", 26);
  graded.verdict = run();
  EXPECT_EQ(check(graded.verdict, "solution").waits_for, "fast");
  EXPECT_EQ(check(graded.verdict, "card").waits_for, "fast") << "what it waits for waits";
  EXPECT_EQ(report_json(graded)["checks"][3]["waits_for"], "fast");
  const std::string text = report_text(graded, {});
  EXPECT_NE(text.find("  [FAIL] gate      it is fast (blocks 20 points)\n"
                      "         f<2>: inst_per_element is 26, expected at most 15 (1.5 of base)\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("  [ -- ] 20 points (solution, card) wait for this: it is fast\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("counts only where"), std::string::npos) << text;
  EXPECT_EQ(text.find("Hint:"), std::string::npos) << text;
  EXPECT_TRUE(text.ends_with("  Do this first: it is fast. turn less\n")) << text;
}

// A student has enough to do with the first.
TEST_F(Judge, OfFurtherChecksAStudentIsToldTheFigures) {
  rubric.checks[1].hint = "turn less";
  rubric.checks[2].hint = "turn even less";
  set("f<1>", 20);
  Graded graded;
  graded.module_hash = "x";
  graded.verdict = run();
  EXPECT_NE(report_text(graded, {}).find("Hint: turn even less"), std::string::npos);
  const std::string text = report_text(graded, {.most_told = 1});
  EXPECT_EQ(text.find("even less"), std::string::npos) << text;
  EXPECT_NE(text.find("is 20, expected at most 11"), std::string::npos) << text;
  EXPECT_EQ(text.find("Repeat:"), text.rfind("Repeat:")) << text;
}

// But for what is quoted, which ends with the terminal.
TEST_F(Judge, LinesAreBrokenAtEightyColumns) {
  set("f<2>", 20);
  rubric.checks[1].title =
      "no size, group or launch shape takes many more instructions than it should";
  rubric.checks[1].hint =
      "a hint that is so long that it cannot stand on a line, and goes on and on";
  Graded graded;
  graded.homework = "hw02";
  graded.submission = "alice";
  graded.module_hash = "x";
  graded.verdict = run();
  const std::string text = report_text(graded, {.width = 200});
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
  // A command can be copied as it stands.
  EXPECT_NE(text.find(" \\\n             --"), std::string::npos) << text;
}

TEST_F(Judge, PointsThatHangOnACheckWithoutAnyFallWithIt) {
  set("f<2>", 20);  // half of the way from the limit to none
  rubric.checks[1].points = 0;
  rubric.checks[2].requires_checks = {"fast"};
  const Verdict v = run();
  EXPECT_EQ(check(v, "fast").status, CheckStatus::kPartial);
  EXPECT_NEAR(check(v, "solution").points, 15 / 2.0, 1e-9);
  set("f<2>", 26);
  EXPECT_EQ(check(run(), "solution").points, 0);
}

TEST_F(Judge, HiddenChecksAreNotShownToStudents) {
  rubric.checks[0].visibility = Visibility::kHidden;
  Graded graded;
  graded.submission = "alice";
  graded.module_hash = "x";
  graded.verdict = run();
  EXPECT_NE(report_text(graded, {}).find("it is right"), std::string::npos);
  EXPECT_EQ(report_json(graded)["checks"][0]["status"], "pass");
  rubric = without_hidden(rubric);
  graded.verdict = run();
  const std::string text = report_text(graded, {});
  EXPECT_NE(text.find("  [ -  ] a hidden check\n"), std::string::npos) << text;
  for (const char* word : {"it is right", "100 / 100", "50 / 50"})
    EXPECT_EQ(text.find(word), std::string::npos) << text;
  const nlohmann::json said = report_json(graded);
  ASSERT_EQ(said["checks"].size(), 4u);
  EXPECT_EQ(said["checks"].back(), (nlohmann::json{{"id", "right"}, {"hidden", true}}));
  EXPECT_TRUE(said["points"].is_null() && said["max_points"].is_null()) << said;
  EXPECT_EQ(graded.verdict.kind, VerdictKind::kPass);
  for (const Verdict& v : {student_error(rubric, "compile", "x"), infra_error(rubric, "x")})
    EXPECT_EQ(v.checks.back().status, CheckStatus::kHidden);
}

// Nothing that is launched for hidden checks alone, and all else as it is by the whole rubric.
TEST_F(Judge, WhatAStudentIsGradedByHangsOnNoHiddenCheck) {
  const std::string more = R"(
[[run]]
id = "extra"
kernels = ["f<1>", "f<2>"]
random_kernels = 1
random_vectors = { count = 2, from = 7, to = 700 }
[[check]]
id = "more"
title = "right elsewhere"
kind = "correct"
runs = ["extra"]
points = 1
visibility = "hidden"
)";
  const Rubric whole = parse_rubric(kRubric + more, "r.toml"), seen = without_hidden(whole);
  std::vector<GradedLaunch> expected;
  for (const GradedLaunch& launch : plan_submission(whole, 9))
    if (launch.run == "count") expected.push_back(launch);
  const std::vector<GradedLaunch> launches = plan_submission(seen, 9);
  ASSERT_EQ(launches.size(), expected.size());
  for (size_t i = 0; i < launches.size(); ++i)
    EXPECT_TRUE(same_problem(launches[i], expected[i], launches[i].launch.kernel)) << i;
  EXPECT_EQ(seen.points, 100);
  EXPECT_EQ(launched_kernels(seen), launched_kernels(whole)) << "it is the same module";
  const std::string tells = R"(
[[check]]
id = "tells"
title = "tells of the other"
kind = "correct"
runs = ["extra"]
requires = ["more"]
points = 1
)";
  EXPECT_THROW(parse_rubric(kRubric + more + tells, "r.toml"), Error);
}

// Those who handed in earlier, and not now, are in no figure.
TEST(Report, TheSummaryIsOfTheClass) {
  std::vector<Graded> all;
  for (const double points : {40.0, 100.0, 0.0}) {
    Graded g;
    g.identity = std::to_string(all.size());
    g.verdict.kind = points > 99 ? VerdictKind::kPass : VerdictKind::kPartial;
    g.verdict.points = points;
    g.verdict.max_points = 100;
    all.push_back(g);
  }
  EXPECT_EQ(summary_text(all, {"0", "1"}),
            "2 submissions: 1 pass, 1 partial; points of 100: mean 70, median 70\n"
            "Not counted: 1 with results of an earlier run who are not in this class "
            "(NAME/absent).\n");
  EXPECT_EQ(summary_text(all, {"0", "1", "2"}),
            "3 submissions: 1 pass, 2 partial; points of 100: mean 46.7, median 40\n");
}

TEST_F(Judge, WhatARunnerSaysIsQuotedAndSteersNothing) {
  fault(1, "assert");
  records[1].check.seed = 5;
  records[1].check.quoted =
      Quoted("/src/./hw02/hw02.cu:3: fails\n  [pass] 100 / 100\x0b  To repeat: x --seed 666");
  Graded graded;
  graded.submission = "alice";
  graded.module_hash = "x";
  graded.verdict = run();
  const std::string text = report_text(graded, {});
  EXPECT_NE(text.find("\n    | hw02.cu:3: fails\n    |   [pass] 100 / 100\n"
                      "    |   To repeat: x --seed 666\n"),
            std::string::npos)
      << text;
  EXPECT_NE(check(graded.verdict, "right").reproduce.find("--seed 5 "), std::string::npos);
  const nlohmann::json json = report_json(graded);
  EXPECT_EQ(json["quoted"].size(), 3u);
  EXPECT_EQ(json["quoted"][1], "  [pass] 100 / 100");
  EXPECT_EQ(json["message"], "hw02.cu:3: it went wrong");
}

TEST_F(Judge, StudentErrorsEarnNothingAndInfrastructureErrorsTakeNothing) {
  Verdict mine = student_error(rubric, "compile", "x\x1b[2J.cu(3): error");
  EXPECT_EQ(mine.points, 0);
  EXPECT_EQ(mine.max_points, 100);
  EXPECT_EQ(mine.message.find('\x1b'), std::string::npos);
  Verdict ours = infra_error(rubric, "the disk is full");
  EXPECT_EQ(ours.undecided_points, 100);
  Graded graded;
  graded.verdict = ours;
  EXPECT_TRUE(report_json(graded)["points"].is_null());
}

// A card now and then counts bytes to L2 that nobody stored: who is refused by these alone is
// graded once more.
TEST(Doubtful, WhatACardCountsTooMuch) {
  CheckOutcome check;
  check.status = CheckStatus::kFail;
  check.metric = "l1_to_l2_bytes";
  Verdict verdict;
  verdict.kind = VerdictKind::kPartial;
  verdict.checks = {check};
  EXPECT_TRUE(is_doubtful(verdict, {}, "gpu"));
  EXPECT_FALSE(is_doubtful(verdict, {}, "emulator"));
  verdict.checks[0].waits_for = "correct";
  EXPECT_FALSE(is_doubtful(verdict, {}, "gpu"));
  verdict.checks = {check};
  verdict.checks[0].status = CheckStatus::kPass;
  EXPECT_FALSE(is_doubtful(verdict, {}, "gpu"));
  verdict.checks = {check};
  verdict.checks[0].metric = "warp_instructions";
  EXPECT_FALSE(is_doubtful(verdict, {}, "gpu"));
}

}  // namespace
}  // namespace lockstep::grader
