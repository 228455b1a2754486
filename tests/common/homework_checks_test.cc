// SPDX-License-Identifier: Apache-2.0
// What a homework program checks, and in which order it does things.
#include <algorithm>
#include <cstring>
#include <limits>

#include "common/harness/record.h"
#include "tests/common/homework_fixture.h"

namespace lockstep::harness_test {
namespace {

// Once to be checked, by its PTX, and once to be counted, by its machine code.
TEST_F(HomeworkTest, TheEmulatorExecutesALaunchTwiceWhereItIsCounted) {
  int executions = 0;
  run({"0", "8", "--vectors", "64", "--kernel", "group<"}, [&](FakeBackend& b) {
    b.fake_kind = "emulator";
    b.counter_passes = 1;
    one_kernel(b, [&](const FakeLaunch& l) {
      executions++;
      normalize(l, 8);
    });
  });
  EXPECT_EQ(executions, 2);
}

// Sizes that divide by nothing, in blocks of five warps and of one, and the table's shape on little
// work; then the table's launch, by its machine code alone.
TEST_F(HomeworkTest, TheEmulatorTriesSmallProblemsFirstAndWhatWasRightThereIsCountedOnce) {
  std::vector<int> sizes;
  const Words arguments = {"0", "8", "1", "--kernel", "group<"};
  const auto kernel = [&](const FakeLaunch& l) {
    sizes.push_back(l.whole(2));
    normalize(l, 8);
  };
  const auto on = [&](const char* kind) {
    sizes.clear();
    return run(arguments, [&](FakeBackend& b) {
      b.fake_kind = kind;
      b.counter_passes = 1;
      one_kernel(b, kernel);
    });
  };
  EXPECT_EQ(on("emulator").code, kExitGood);
  ASSERT_EQ(sizes.size(), 8u);
  EXPECT_EQ(std::vector(sizes.begin(), sizes.begin() + 6),
            (std::vector{1, 37, 1000, 1001, 37, 1001}));
  EXPECT_LT(sizes[6], sizes[7] / 4);
  const int measured = sizes[7];
  on("gpu");
  EXPECT_EQ(std::count(sizes.begin(), sizes.end(), measured), static_cast<long>(sizes.size()));
}

TEST_F(HomeworkTest, SizesThatTheHomeworkRefusesAreNotTried) {
  class Large : public TestHomework {
   public:
    std::vector<Case> cases(const ProblemSize& size) const override {
      if (size.vectors && *size.vectors < 100) throw Error("too small");
      return TestHomework::cases(size);
    }
  };
  homework_ = std::make_unique<Large>();
  std::vector<int> sizes;
  const Result r = run({"0", "8", "1", "--kernel", "group<"}, [&](FakeBackend& b) {
    b.fake_kind = "emulator";
    b.counter_passes = 1;
    one_kernel(b, [&](const FakeLaunch& l) {
      sizes.push_back(l.whole(2));
      normalize(l, 8);
    });
  });
  EXPECT_EQ(r.code, kExitGood) << r.err;
  ASSERT_FALSE(sizes.empty());
  EXPECT_EQ(sizes[0], 1000);
}

TEST_F(HomeworkTest, AKernelThatIsWrongOnASmallProblemIsWrong) {
  int measured = 0;
  const Result r = run({"0", "8", "1", "--kernel", "group<"}, [&](FakeBackend& b) {
    b.fake_kind = "emulator";
    b.counter_passes = 1;
    one_kernel(b, [&](const FakeLaunch& l) {
      normalize(l, 8);
      if (l.whole(2) == 37 || l.whole(2) == 1000) l.floats(0)[5] += 1;
      measured += l.whole(2) > 10000;
    });
  });
  EXPECT_EQ(r.code, kExitWrong);
  EXPECT_NE(r.out.find(" 3 5 --kernel 'norm_group<8,8>' --seed 1 --vectors 37 --no-counters"),
            std::string::npos)
      << r.out;
  EXPECT_EQ(r.out.find("--vectors 1000"), std::string::npos) << "once is enough: " << r.out;
  EXPECT_EQ(measured, 0) << "first it has to be right";
  EXPECT_NE(
      r.out.find("\nWhat is wrong is not measured.\n1 of 1 launch is not right: norm_group<8,8>\n"),
      std::string::npos)
      << r.out;
}

// The orders of blocks and warps; the kernel's result is wrong, so that a command is printed.
TEST_F(HomeworkTest, WhatIsOnlyCheckedRunsInAnOrderThatTheSeedDrawsAndTheCommandRepeats) {
  std::string printed;
  const auto orders = [&](Words arguments) {
    std::vector<uint64_t> seen;
    FakeBackend* live = nullptr;
    arguments.insert(arguments.end(), {"--vectors", "64", "--kernel", "group"});
    const Result r = run(arguments, [&](FakeBackend& b) {
      live = &b;
      b.fake_kind = "emulator";
      b.counter_passes = 1;
      for (const char* name : {"norm_group<8,8>", "norm_group_u<8,8,4>"})
        b.add_kernel(name, [&](const FakeLaunch&) { seen = live->orders; });
    });
    printed = r.out;
    return seen;
  };
  const std::vector<uint64_t> checked = orders({"1", "4", "--seed", "7", "--no-counters"});
  EXPECT_NE(printed.find(" --seed 7 --no-counters --vectors 64"), std::string::npos) << printed;
  ASSERT_EQ(checked.size(), 2u);
  EXPECT_NE(checked[0], 0u);
  EXPECT_NE(checked[0], checked[1]) << "each kernel has one of its own";
  EXPECT_EQ(orders({"1", "4", "--seed", "7", "--no-counters"}), checked);
  EXPECT_NE(orders({"1", "4", "--seed", "8", "--no-counters"}), checked);
  const std::vector<uint64_t> counted = orders({"1", "4", "--seed", "7"});
  EXPECT_EQ(printed.find("--no-counters"), std::string::npos) << printed;
  EXPECT_NE(std::find(counted.begin(), counted.end(), checked[0]), counted.end())
      << "what is counted and wrong is checked as well";
}

TEST_F(HomeworkTest, ALaunchOfMillisecondsIsTimedOnceAndAShortOneAsOftenAsIsAsked) {
  std::string printed;
  const auto executions = [&](double microseconds, std::optional<double> verified = {}) {
    int launched = 0;
    Words arguments = {"1", "4", "--vectors", "64", "--repetitions", "3", "--no-counters"};
    printed = run(arguments, [&](FakeBackend& b) {
                b.time = microseconds;
                b.launched = verified;
                one_kernel(b, [&](const FakeLaunch& l) {
                  launched++;
                  normalize(l, 8);
                });
              }).out;
    return launched;
  };
  EXPECT_EQ(executions(6000), 1 + 1) << "verified, and timed";
  EXPECT_EQ(executions(60), 1 + 3);
  EXPECT_EQ(executions(60, 61), 1 + 3) << "a first launch of a short kernel is no measure";
  EXPECT_EQ(executions(6000, 6001), 1) << "it was timed as it was verified";
  EXPECT_NE(printed.find("6001"), std::string::npos) << printed;
}

TEST_F(HomeworkTest, CountersArePreparedBeforeAnythingIsExecutedIfTheyAreWanted) {
  const auto prepared = [&](Words arguments) {
    int before_the_first = -1;
    FakeBackend* live = nullptr;
    arguments.insert(arguments.end(), {"--vectors", "64"});
    run(arguments, [&](FakeBackend& b) {
      live = &b;
      one_kernel(b, [&](const FakeLaunch& l) {
        if (before_the_first < 0) before_the_first = live->prepared;
        normalize(l, 8);
      });
    });
    return before_the_first;
  };
  EXPECT_EQ(prepared({}), 1);
  EXPECT_EQ(prepared({"--no-counters"}), 0);
}

TEST_F(HomeworkTest, AllAreTimedBeforeTheFirstIsCounted) {
  FakeBackend* live = nullptr;
  int timed_before_count = -1;
  run({"--vectors", "64", "--repetitions", "3"}, [&](FakeBackend& b) {
    live = &b;
    for (const char* name : {"norm_group<8,8>", "norm_group_u<8,8,4>"})
      b.add_kernel(name, [&](const FakeLaunch& l) {
        if (live->counted == 1 && timed_before_count < 0) timed_before_count = live->timed;
        normalize(l, 8);
      });
  });
  EXPECT_EQ(timed_before_count, 2 * 3 * 3) << "kernels, block sizes, repetitions";
}

TEST_F(HomeworkTest, WrongResultsAreShownNotMeasured) {
  FakeBackend* live = nullptr;
  int timed = -1;
  const Result r = run({"5", "8", "2.5", "--seed", "7", "--kernel", "group<"}, [&](FakeBackend& b) {
    live = &b;
    one_kernel(b, [&](const FakeLaunch& l) {
      normalize(l, 8);
      for (int i = 0; i < 7; i++) l.floats(0)[100 + i] = 1000;
      timed = live->timed + live->counted;
    });
  });
  EXPECT_EQ(r.code, kExitWrong);
  EXPECT_EQ(timed, 0);
  EXPECT_NE(r.out.find(" 8 WRONG: 7 of 655360 elements, see above\n"), std::string::npos) << r.out;
  EXPECT_NE(r.out.find("norm_group<8,8> with 5 blocks of 8 warps: 7 of 655360 elements of l_out "
                       "are wrong; the first:\n  l_out[100] (vector 12, element 4): expected "),
            std::string::npos)
      << r.out;
  EXPECT_NE(
      r.out.find("got 1000\n  To repeat: ./hw99 5 8 2.5 --kernel 'norm_group<8,8>' --seed 7\n"),
      std::string::npos)
      << r.out;
  EXPECT_NE(r.out.find("\n1 of 1 launch is not right: norm_group<8,8>\n"), std::string::npos);
}

// What a kernel does wrong, and the status that its record must have.
struct Misdeed {
  const char* name;
  const char* status;
  FakeKernel kernel;
};

const std::vector<Misdeed>& misdeeds() {
  static int call = 0;
  static std::vector<float> kept;
  static const std::vector<Misdeed> list = {
      {"nothing", "wrong", [](const FakeLaunch&) {}},
      {"zeros", "wrong", [](const FakeLaunch& l) { std::memset(l.floats(0), 0, 32 * l.whole(2)); }},
      {"copy", "wrong",
       [](const FakeLaunch& l) { std::memcpy(l.floats(0), l.floats(1), 32 * l.whole(2)); }},
      {"NaN", "wrong",
       [](const FakeLaunch& l) {
         normalize(l, 8);
         l.floats(0)[0] = std::numeric_limits<float>::quiet_NaN();
       }},
      {"short", "wrong",
       [](const FakeLaunch& l) {
         normalize(l, 8);
         uint32_t poison = 0x7fedbeef;
         std::memcpy(&l.floats(0)[8 * l.whole(2) - 1], &poison, 4);
       }},
      {"adds to what is there", "wrong",
       [](const FakeLaunch& l) {
         const std::vector<float> old(l.floats(0), l.floats(0) + 8 * l.whole(2));
         normalize(l, 8);
         for (size_t i = 0; i < old.size(); i++) l.floats(0)[i] += old[i];
       }},
      {"one past the end", "guard",
       [](const FakeLaunch& l) {
         normalize(l, 8);
         l.floats(0)[8 * l.whole(2)] = 0;
       }},
      {"one before the start", "guard",
       [](const FakeLaunch& l) {
         normalize(l, 8);
         l.floats(0)[-1] = 0;
       }},
      {"past the input", "guard",
       [](const FakeLaunch& l) {
         normalize(l, 8);
         l.floats(1)[8 * l.whole(2)] = 0;
       }},
      {"changes the input", "input_changed",
       [](const FakeLaunch& l) {
         normalize(l, 8);
         l.floats(1)[3] += 1;
       }},
      {"right once only", "wrong",
       [](const FakeLaunch& l) {
         if (call++ == 0) normalize(l, 8);
       }},
      {"fails while counted", "wrong",
       [](const FakeLaunch& l) {
         if (call++ < 3) normalize(l, 8);
       }},
  };
  call = 0;
  return list;
}

TEST_F(HomeworkTest, EveryMisdeedIsSeen) {
  for (size_t i = 0; i < misdeeds().size(); i++) {
    const Misdeed& misdeed = misdeeds()[i];  // resets its state
    const Result r =
        run({"1", "4", "--vectors", "50", "--json", "--kernel", "group<", "--repetitions", "2"},
            [&](FakeBackend& b) { one_kernel(b, misdeed.kernel); });
    EXPECT_EQ(r.code, kExitWrong) << misdeed.name;
    const Record record = record_from_json_line(r.out);
    EXPECT_EQ(record.check.status, misdeed.status) << misdeed.name << ": " << r.out;
    EXPECT_FALSE(record.time_us.has_value()) << misdeed.name;
    EXPECT_TRUE(record.counts.values.empty()) << misdeed.name;
    EXPECT_NE(record.check.repeat.find("./hw99 1 4 --kernel"), std::string::npos);
  }
}

TEST_F(HomeworkTest, PoisonAlternates) {
  std::vector<uint32_t> seen;
  run({"1", "4", "--vectors", "16", "--kernel", "group<"}, [&](FakeBackend& b) {
    one_kernel(b, [&](const FakeLaunch& l) {
      uint32_t first;
      std::memcpy(&first, l.floats(0), 4);
      seen.push_back(first);
      normalize(l, 8);
    });
  });
  ASSERT_GE(seen.size(), 4u);
  for (size_t i = 1; i < seen.size(); i++) EXPECT_NE(seen[i], seen[i - 1]);
}

}  // namespace
}  // namespace lockstep::harness_test
