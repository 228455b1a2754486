// SPDX-License-Identifier: Apache-2.0
// --plan: the launches of a grader.
#include <algorithm>
#include <cstring>
#include <set>
#include <sstream>

#include "common/backend/metric_names.h"
#include "common/harness/plan_file.h"
#include "common/harness/record.h"
#include "tests/common/homework_fixture.h"

namespace lockstep::harness_test {
namespace {

TEST_F(HomeworkTest, PlannedLaunchesHaveInputsOfTheirOwnEachTime) {
  const std::string file = folder_ + "/plan.json";
  PlannedLaunch launch;
  launch.kernel = "norm_base<8>";
  launch.vectors = 37;
  launch.blocks = 3;
  launch.warps = 2;
  launch.seed = 5;
  PlannedLaunch unknown_size = launch;
  unknown_size.vectors = 1;
  unknown_size.counters = false;
  std::ofstream(file) << plan_to_json({{launch, unknown_size}, {}});
  std::vector<float> first_elements;
  const Result r = run({"--plan", file, "--no-times"}, [&](FakeBackend& b) {
    b.add_kernel("norm_base<8>", [&](const FakeLaunch& l) {
      if (l.whole(2) == 37) first_elements.push_back(l.floats(1)[0]);
      normalize(l, 8);
    });
  });
  EXPECT_EQ(r.code, kExitGood) << r.err << r.out;
  EXPECT_EQ(std::count(r.out.begin(), r.out.end(), '\n'), 3) << "two records and the end";
  ASSERT_EQ(first_elements.size(), 4u) << "one to verify, three for counters";
  for (size_t i = 1; i < first_elements.size(); i++)
    EXPECT_NE(first_elements[i], first_elements[i - 1]);
  const Record record = record_from_json_line(r.out.substr(0, r.out.find('\n')));
  EXPECT_EQ(record.parameters.at("n_l"), 37);
  EXPECT_EQ(record.grid.x, 3u);
  EXPECT_EQ(record.seed, 5u);
}

// By the emulator. What is only checked has an order of blocks and warps; of what is counted half.
TEST_F(HomeworkTest, SomePlannedLaunchesAreCheckedAsWellBeforeOrAfterTheyAreCounted) {
  constexpr size_t kLaunches = 400;
  std::vector<PlannedLaunch> plan(kLaunches);
  for (size_t i = 0; i < kLaunches; ++i) {
    plan[i].kernel = "norm_base<8>";
    plan[i].vectors = static_cast<int64_t>(i) + 1;
    plan[i].blocks = plan[i].warps = 1;
    plan[i].seed = i;
  }
  const std::string file = folder_ + "/plan.json";
  std::ofstream(file) << plan_to_json({plan, {}});
  std::map<int64_t, std::vector<uint64_t>> orders;
  const Result r = run({"--plan", file, "--no-times"}, [&](FakeBackend& b) {
    b.fake_kind = "emulator";
    b.counter_passes = 1;
    b.add_kernel("norm_base<8>", [&](const FakeLaunch& l) {
      orders[l.whole(2)].push_back(b.orders.back());
      normalize(l, 8);
    });
  });
  EXPECT_EQ(r.code, kExitGood) << r.err << r.out;
  ASSERT_EQ(orders.size(), kLaunches);
  size_t counted_alone = 0, before = 0, after = 0;
  for (const auto& [vectors, seen] : orders) {
    ASSERT_LE(seen.size(), 2u) << vectors;
    counted_alone += seen.size() == 1 ? 1 : 0;
    before += seen.size() == 2 && seen[1] == 0 ? 1 : 0;
    after += seen.size() == 2 && seen[0] == 0 ? 1 : 0;
  }
  EXPECT_NEAR(static_cast<double>(counted_alone), 0.75 * kLaunches, 0.1 * kLaunches);
  EXPECT_GT(before, kLaunches / 32);
  EXPECT_GT(after, kLaunches / 32);
}

// On a card, where changing over to counting is dear. Rows come as the plan has them, also where
// one before is counted after it was executed; and the fault of one takes no other's counts.
TEST_F(HomeworkTest, PlannedLaunchesAreCountedInOneGo) {
  std::vector<PlannedLaunch> plan(4);
  for (PlannedLaunch& launch : plan) {
    launch.kernel = "norm_base<8>";
    launch.vectors = 10 + (&launch - plan.data());
    launch.blocks = 1;
    launch.warps = 2;
  }
  plan[1].counters = false;
  plan[2].kernel = "norm_group<8,8>";
  const std::string file = folder_ + "/plan.json";
  std::ofstream(file) << plan_to_json({plan, {}});
  for (const bool faulty : {false, true}) {
    std::string steps;
    int calls = 0;
    const Result r = run({"--plan", file, "--no-times"}, [&](FakeBackend& b) {
      b.on_load = [&b] { b.forget_buffers(); };
      b.counts = sample_counts();
      b.at_end = [&steps, &b] { steps = b.steps + std::to_string(b.live_buffers()); };
      b.add_kernel("norm_base<8>", [&](const FakeLaunch& l) { normalize(l, 8); });
      b.add_kernel("norm_group<8,8>", [&](const FakeLaunch& l) {
        if (faulty && ++calls > 2) throw KernelFault("illegal_address", {}, "illegal address");
        normalize(l, 8);
      });
    });
    EXPECT_EQ(r.code, faulty ? kExitWrong : kExitGood) << r.err;
    EXPECT_EQ(steps, faulty ? "cccc0" : "ccc0");
    std::istringstream lines(r.out);
    std::string line;
    for (const PlannedLaunch& launch : plan) {
      ASSERT_TRUE(std::getline(lines, line)) << r.out;
      const Record record = record_from_json_line(line);
      EXPECT_EQ(record.kernel, launch.kernel);
      EXPECT_EQ(record.parameters.at("n_l"), launch.vectors);
      const bool fault = faulty && launch.kernel == "norm_group<8,8>";
      EXPECT_EQ(record.check.status, fault ? "fault" : "correct");
      EXPECT_EQ(record.counts.values.empty(), fault || !launch.counters);
    }
  }
}

TEST_F(HomeworkTest, AResultKeptFromAnEarlierPlannedExecutionIsWrong) {
  const std::string file = folder_ + "/plan.json";
  PlannedLaunch launch;
  launch.kernel = "norm_base<8>";
  launch.vectors = 64;
  launch.blocks = 1;
  std::ofstream(file) << plan_to_json({{launch, launch}, {}});
  std::vector<float> kept;
  const Result r = run({"--plan", file}, [&](FakeBackend& b) {
    b.add_kernel("norm_base<8>", [&](const FakeLaunch& l) {
      if (kept.empty()) {
        normalize(l, 8);
        kept.assign(l.floats(0), l.floats(0) + 512);
      }
      std::memcpy(l.floats(0), kept.data(), 2048);
    });
  });
  EXPECT_EQ(r.code, kExitWrong);
  EXPECT_EQ(std::count(r.out.begin(), r.out.end(), '\n'), 3) << "each launch has its record";
  EXPECT_EQ(record_from_json_line(r.out.substr(0, r.out.find('\n'))).check.status, "wrong");
}

// A homework that has no n_l: matrices of eight elements, to be copied.
class Matrices : public TestHomework {
 public:
  std::vector<Case> cases(const ProblemSize& size) const override {
    return {{"copy", "", {{"n_m", size.vectors.value_or(1)}}}};
  }
  std::string problem_key(const Case& c) const override { return Assignment::problem_key(c); }
  std::string signature(const Case&, const std::string&) const override { return {}; }
  std::vector<ArraySpec> arrays(const Case& c) const override {
    const size_t n = static_cast<size_t>(8 * c.parameter("n_m"));
    return {{"m_out", n, Role::kOutput}, {"m_in", n}};
  }
  std::vector<HostArray> make_inputs(const Case& c, uint64_t) const override {
    return {HostArray::of(std::vector<float>(arrays(c)[0].elements, 1))};
  }
  std::vector<Expected> reference(const Case&,
                                  const std::vector<HostArray>& inputs) const override {
    const size_t n = inputs[0].size();
    return {{std::vector<double>(n, 1), std::vector<double>(n, 0)}};
  }
  std::vector<Argument> arguments(const Case&, const std::vector<BufferId>& b) const override {
    return {Argument::of_buffer(b[0]), Argument::of_buffer(b[1])};
  }
  UsefulWork work(const Case& c) const override { return {8 * c.parameter("n_m"), 1, 1, 0, 1}; }
  double utilization(const Case&, const Sequence&) const override { return 1; }
  std::vector<Confusion> confusions(const Case&) const override { return {}; }
  std::string describe_index(const Case&, const ArraySpec&, int64_t) const override { return {}; }
};

TEST_F(HomeworkTest, AWrongPlannedLaunchIsToldWhateverTheHomeworkCallsItsParameters) {
  homework_ = std::make_unique<Matrices>();
  PlannedLaunch launch;
  launch.kernel = "copy";
  launch.vectors = 23;
  const std::string file = folder_ + "/plan.json";
  std::ofstream(file) << plan_to_json({{launch}, {}});
  const Result r =
      run({"--plan", file}, [](FakeBackend& b) { b.add_kernel("copy", [](const FakeLaunch&) {}); });
  EXPECT_EQ(r.code, kExitWrong) << r.err;
  EXPECT_NE(r.out.find("--vectors 23"), std::string::npos) << r.out;
}

TEST_F(HomeworkTest, BadPlansAreRefused) {
  const std::string file = folder_ + "/plan.json";
  for (const char* text : {"", "[]", "{\"launches\": [{}]}",
                           "{\"launches\": [{\"kernel\": \"none\", \"vectors\": 1, \"blocks\": 1, "
                           "\"warps\": 1, \"seed\": 1, \"counters\": true}]}"}) {
    std::ofstream(file) << text;
    const Result r = run({"--plan", file}, [](FakeBackend& b) { good_kernels(b); });
    EXPECT_EQ(r.code, kExitUsage) << text << r.err;
  }
}

// Of two kernels that are counted: launches as large as a card's, of three kinds.
constexpr size_t kDrawn = 3;

class LargeLaunchesTest : public HomeworkTest {
 protected:
  // Those that these searches call for.
  std::vector<FoundElsewhere> drawn(const std::vector<PlannedSearch>& searches) {
    const std::string file = folder_ + "/searches.json";
    std::ofstream(file) << plan_to_json({{}, searches});
    const Result r =
        run({"--large-launches", file}, [](FakeBackend& b) { b.fake_kind = "emulator"; });
    EXPECT_EQ(r.code, kExitGood) << r.err;
    std::istringstream lines(r.out);
    std::vector<FoundElsewhere> found;
    for (std::string line; std::getline(lines, line);)
      found.push_back(found_elsewhere(line).value());
    return found;
  }
};

// They follow from the searches.
TEST_F(LargeLaunchesTest, FollowFromTheSearches) {
  const Range sizes{100, 5000}, blocks{2, 40}, warps{1, 4};
  std::vector<PlannedSearch> searches = {
      {"large", "norm_group<8,8>", sizes, blocks, warps, 7, true},
      {"large", "norm_base<8>", sizes, blocks, warps, 7, false}};
  const std::vector<FoundElsewhere> found = drawn(searches), again = drawn(searches);
  ASSERT_EQ(found.size(), kDrawn + 1) << "of what nothing counts, one";
  ASSERT_EQ(again.size(), found.size());
  size_t not_counted = 0;
  for (size_t i = 0; i < found.size(); i++) {
    not_counted += found[i].launch.kernel == "norm_base<8>" ? 1 : 0;
    EXPECT_EQ(again[i].launch, found[i].launch);
  }
  EXPECT_EQ(not_counted, 1u);
  for (PlannedSearch& search : searches) search.seed = 8;
  const std::vector<FoundElsewhere> others = drawn(searches);
  EXPECT_FALSE(std::equal(
      found.begin(), found.end(), others.begin(), others.end(),
      [](const auto& a, const auto& b) { return a.launch.vectors == b.launch.vectors; }));
}

// As large as a card's, and anywhere between.
TEST_F(LargeLaunchesTest, AreMadeAndHeldToTheReference) {
  const std::string file = folder_ + "/plan.json";
  const Range sizes{100, 5000}, blocks{2, 40}, warps{1, 4};
  const std::vector<FoundElsewhere> found =
      drawn({{"large", "norm_base<8>", sizes, blocks, warps, 7, true},
             {"large", "norm_group<8,8>", sizes, blocks, warps, 7, true}});
  ASSERT_EQ(found.size(), 2 * kDrawn);
  std::vector<PlannedLaunch> plan;
  for (const FoundElsewhere& one : found) plan.push_back(one.launch);
  std::ofstream(file) << plan_to_json({plan, {}});
  std::set<uint64_t> seeds;
  size_t whole = 0;
  const Result r = run({"--plan", file, "--no-times"}, [&](FakeBackend& b) {
    b.fake_kind = "emulator";
    b.counts.values[metric::kWarpInstructions].value = 1e6;
    b.add_kernel("norm_base<8>", [&](const FakeLaunch& l) {
      if (l.launch().drawn_blocks > 0) seeds.insert(l.launch().drawn_from);
      whole += l.launch().drawn_blocks == ~uint32_t{0};
      normalize(l, 8);
    });
    b.add_kernel("norm_group<8,8>", [](const FakeLaunch& l) {
      if (l.whole(2) < 100'000) normalize(l, 8);
    });
  });
  std::istringstream lines(r.out);
  std::vector<Record> records;
  for (std::string line; std::getline(lines, line) && line != kEndOfPlan;)
    records.push_back(record_from_json_line(line));
  ASSERT_EQ(records.size(), found.size()) << r.out;
  size_t shown = 0, wrong = 0, passed_over = 0;
  for (size_t i = 0; i < found.size(); i++) {
    const Record& record = records[i];
    ASSERT_TRUE(found[i].launch.drawn);
    EXPECT_EQ(found[i].launch.drawn->blocks, 16u);
    EXPECT_EQ(record.elements, 8 * found[i].launch.vectors);
    if (found[i].launch.as_shown) {
      EXPECT_GT(found[i].launch.vectors, 500'000);
    }
    shown += found[i].launch.as_shown;
    wrong += record.check.status == "wrong";
    passed_over += record.check.status == "not_run";
    if (record.kernel == "norm_group<8,8>") continue;
    EXPECT_EQ(record.check.status, "correct");
    EXPECT_EQ(record.counts.find("written_elements")->value, record.elements);
  }
  EXPECT_EQ(shown, 2u) << "a kernel once each";
  EXPECT_EQ(wrong, 1u) << "then it is not launched again";
  EXPECT_GT(passed_over, 0u);
  EXPECT_EQ(seeds.size(), kDrawn) << "others each time, which nobody knows";
  EXPECT_GE(whole, kDrawn) << "all blocks of what takes little";
  EXPECT_EQ(r.code, kExitWrong);
}

TEST_F(LargeLaunchesTest, SomeBlocksAreDrawnWhereAllTakeMuch) {
  const std::string file = folder_ + "/plan.json";
  std::vector<PlannedLaunch> plan;
  for (const FoundElsewhere& one :
       drawn({{"large", "norm_base<8>", {100, 5000}, {2, 40}, {1, 4}, 7, true}}))
    plan.push_back(one.launch);
  std::ofstream(file) << plan_to_json({plan, {}});
  std::vector<uint32_t> drawn;
  const Result r = run({"--plan", file, "--no-times"}, [&](FakeBackend& b) {
    b.fake_kind = "emulator";
    b.counts.values[metric::kWarpInstructions].value = 1e9;
    b.counts.values[metric::kLoadedSectors].value = 1e9;
    b.is_cut = [](const Launch& l) { return l.drawn_blocks == ~uint32_t{0}; };
    b.add_kernel("norm_base<8>", [&](const FakeLaunch& l) {
      if (l.launch().drawn_blocks > 0) drawn.push_back(l.launch().drawn_blocks);
      normalize(l, 8);
    });
  });
  EXPECT_EQ(r.code, kExitGood) << r.err;
  const auto times = [&](uint32_t blocks) {
    return std::count(drawn.begin(), drawn.end(), blocks);
  };
  EXPECT_GT(times(16), 0);
  EXPECT_EQ(times(16), times(~uint32_t{0})) << "where all take too much";
}

// A kernel that does not let itself be looked at is not right: no search ends without a word.
TEST_F(HomeworkTest, ASearchThatCannotBeMadeIsAFault) {
  const std::string file = folder_ + "/plan.json";
  PlannedLaunch launch{"norm_base<8>", 37, 3, 2, 5, true};
  const Range sizes{100, 5000}, blocks{2, 40}, warps{1, 4};
  std::ofstream(file) << plan_to_json(
      {{launch}, {{"large", "norm_base<8>", sizes, blocks, warps, 7, true}}});
  const Result r = run({"--plan", file, "--no-times"}, [&](FakeBackend& b) {
    b.fake_kind = "emulator";
    b.add_kernel("norm_base<8>", [](const FakeLaunch& l) { normalize(l, 8); });
    b.unreached_code = [](const std::string&) { return Backend::Unreached{20, {}, {}}; };
    b.reaches = [&](const Launch&) -> size_t {
      throw KernelFault("timeout", FaultPlace(), "the kernel used up its processor time");
    };
  });
  EXPECT_EQ(r.code, kExitWrong) << r.err << r.out;
  std::istringstream lines(r.out);
  std::vector<std::string> all;
  for (std::string line; std::getline(lines, line);) all.push_back(line);
  ASSERT_EQ(all.size(), 4u) << r.out;
  EXPECT_EQ(record_from_json_line(all[0]).check.status, "correct");
  ASSERT_TRUE(found_elsewhere(all[1]));
  EXPECT_EQ(found_elsewhere(all[1])->name, "large");
  EXPECT_EQ(record_from_json_line(all[2]).check.status, "fault");
  EXPECT_EQ(record_from_json_line(all[2]).check.fault_kind, "timeout");
  EXPECT_EQ(all[3], kEndOfPlan);
}

// With the other answer of what always had one: a kernel that is wrong then was not launched.
TEST_F(HomeworkTest, ComparisonsWithOneAnswerAreOpposed) {
  const std::string file = folder_ + "/plan.json";
  const PlannedLaunch small{"norm_base<8>", 37, 3, 2, 5, true},
      large{"norm_base<8>", 3000, 3, 2, 6, true}, checked{"norm_group<8,8>", 37, 3, 2, 5, false};
  const Range sizes{100, 5000}, blocks{2, 40}, warps{1, 4};
  std::ofstream(file) << plan_to_json(
      {{small, large, checked},
       {{"large", "norm_base<8>", sizes, blocks, warps, 7, true},
        {"large", "norm_group<8,8>", sizes, blocks, warps, 7, false}}});
  std::vector<uint32_t> opposed;
  const Result r = run({"--plan", file, "--no-times"}, [&](FakeBackend& b) {
    b.fake_kind = "emulator";
    b.add_kernel("norm_base<8>", [&](const FakeLaunch& l) {
      opposed = l.launch().opposed;
      b.counts.values["warp_instructions"].value = 10 * l.whole(2);
      if (opposed != std::vector<uint32_t>{70}) normalize(l, 8);
    });
    b.add_kernel("norm_group<8,8>", [](const FakeLaunch& l) { normalize(l, 8); });
    b.unreached_code = [](const std::string&) {
      return Backend::Unreached{0, {}, {{60, 14}, {70, 15}}};
    };
  });
  EXPECT_EQ(r.code, 0) << r.err << r.out;
  std::istringstream lines(r.out);
  std::vector<std::string> all;
  std::vector<FoundElsewhere> found;
  std::vector<Record> records;
  for (std::string line; std::getline(lines, line) && line != kEndOfPlan;) {
    if (const auto one = found_elsewhere(line))
      found.push_back(*one);
    else
      records.push_back(record_from_json_line(line));
  }
  ASSERT_EQ(records.size(), 3 + found.size()) << r.out;
  ASSERT_GE(found.size(), 2u);
  for (size_t i = 0; i < 2; i++) {
    const PlannedLaunch& launch = found[found.size() - 2 + i].launch;
    ASSERT_TRUE(launch.opposed);
    EXPECT_EQ(launch.opposed->instructions, std::vector<uint32_t>{i == 0 ? 60u : 70u});
    EXPECT_EQ(launch.opposed->line, i == 0 ? 14 : 15);
    EXPECT_EQ(launch.vectors, 3000) << "where there is more to see";
    EXPECT_EQ(records[records.size() - 2 + i].check.status, i == 0 ? "correct" : "not_run");
  }
}

// Sizes, blocks and warps of the range, numbers that stand in the code among them; what is found is
// launched as if it had been planned.
TEST_F(HomeworkTest, ASearchLaunchesWhatAKernelDoesElsewhere) {
  const std::string file = folder_ + "/plan.json";
  PlannedLaunch launch{"norm_base<8>", 37, 3, 2, 5, true};
  PlannedLaunch wrong = launch;
  wrong.kernel = "norm_group<8,8>";
  const Range sizes{100, 5000}, blocks{2, 40}, warps{1, 4};
  std::ofstream(file) << plan_to_json(
      {{launch, wrong},
       {{"large", "norm_base<8>", sizes, blocks, warps, 7, true},
        {"large", "norm_group<8,8>", sizes, blocks, warps, 7, true}}});
  std::set<int64_t> vectors;
  std::set<uint32_t> grids;
  size_t tries = 0;
  const Result r = run({"--plan", file, "--no-times"}, [&](FakeBackend& b) {
    b.fake_kind = "emulator";
    b.add_kernel("norm_base<8>", [](const FakeLaunch& l) { normalize(l, 8); });
    b.add_kernel("norm_group<8,8>", [](const FakeLaunch&) {});
    b.unreached_code = [](const std::string&) {
      return Backend::Unreached{20, {1234, 8 * 777}, {}};
    };
    b.reaches = [&](const Launch& l) -> size_t {
      EXPECT_EQ(l.kernel, "norm_base<8>") << "one that is wrong is passed over";
      int32_t n = 0;
      std::memcpy(&n, l.arguments.at(2).scalar.data(), 4);
      EXPECT_TRUE(n >= sizes.from && n <= sizes.to) << n;
      EXPECT_TRUE(l.grid.x >= 2 && l.grid.x <= 40) << l.grid.x;
      EXPECT_TRUE(l.block.x >= 32 && l.block.x <= 128 && l.block.x % 32 == 0) << l.block.x;
      vectors.insert(n);
      grids.insert(l.grid.x);
      return ++tries == 11 ? 5 : tries == 20 || tries == 30 ? 2 : 0;
    };
  });
  EXPECT_EQ(r.code, kExitWrong) << r.err << r.out;
  EXPECT_GT(tries, 30u);
  EXPECT_GT(vectors.size(), tries / 2);
  EXPECT_GT(grids.size(), 10u);
  EXPECT_TRUE(vectors.contains(1234) || vectors.contains(1233) || vectors.contains(1235));
  std::istringstream lines(r.out);
  std::vector<std::string> all;
  for (std::string line; std::getline(lines, line);) all.push_back(line);
  ASSERT_EQ(all.size(), 9u) << r.out;
  EXPECT_EQ(all.back(), kEndOfPlan);
  for (size_t i = 0; i < 3; i++) {
    const auto found = found_elsewhere(all[2 + i]);
    ASSERT_TRUE(found) << all[2 + i];
    EXPECT_EQ(found->name, "large");
    EXPECT_TRUE(found->launch.counters);
    const Record record = record_from_json_line(all[5 + i]);
    EXPECT_EQ(record.kernel, "norm_base<8>");
    EXPECT_EQ(record.check.status, "correct");
    EXPECT_EQ(record.parameters.at("n_l"), found->launch.vectors);
    EXPECT_EQ(record.seed, found->launch.seed);
  }
}

}  // namespace
}  // namespace lockstep::harness_test
