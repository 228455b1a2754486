// SPDX-License-Identifier: Apache-2.0
// Checks before a measurement, on emulators beside the backend that measures: several at a time,
// told in one order.
#include "common/harness/small_checks.h"

#include <atomic>
#include <chrono>
#include <thread>

#include "tests/common/homework_fixture.h"

namespace lockstep::harness_test {
namespace {

class SmallChecks : public HomeworkTest {
 protected:
  // A card where all kernels are right, and emulators where they are as `checked` has them.
  Result run_beside(const Setup& checked) {
    HomeworkEnvironment environment;
    environment.width = 100;
    environment.open_backend = [&](const Options&, std::string*) {
      auto card = std::make_unique<FakeBackend>();
      card->info = rtx4090();
      good_kernels(*card);
      card->at_end = [this, &card = *card] { measured_ = card.launches; };
      return std::unique_ptr<Backend>(std::move(card));
    };
    environment.open_checker = [&](const Options& options) {
      auto emulator = std::make_unique<FakeBackend>();
      emulator->info = rtx4090();
      emulator->fake_kind = "emulator";
      EXPECT_EQ(options.threads, 1);
      opened_checkers_++;
      checked(*emulator);
      return std::unique_ptr<Backend>(std::move(emulator));
    };
    return run_in(environment, {"0", "8", "1", "--no-times", "--kernel", "norm"});
  }
  static void wrong(const FakeLaunch& l) {
    normalize(l, 8);
    l.floats(0)[0] = 77;
  }

  std::atomic<int> opened_checkers_ = 0;
  int measured_ = 0;
};

constexpr const char* kKernels[] = {"norm_group<8,8>", "norm_group_u<8,8,4>", "norm_base<8>"};

TEST_F(SmallChecks, WhatIsWrongOnTheEmulatorIsNotMeasuredOnTheCard) {
  const Result good = run_beside(good_kernels);
  EXPECT_EQ(good.code, kExitGood) << good.out;
  const int of_all = measured_;
  EXPECT_LE(opened_checkers_, 3) << "one for each kernel at most";
  const Result bad = run_beside([](FakeBackend& b) {
    good_kernels(b);
    b.functions["norm_group<8,8>"] = wrong;
  });
  EXPECT_EQ(bad.code, kExitWrong);
  EXPECT_GT(measured_, 0);
  EXPECT_LT(measured_, of_all);
  EXPECT_NE(bad.out.find("norm_group<8,8> with "), std::string::npos) << bad.out;
  EXPECT_EQ(bad.out.find("Kernel norm_group<8,8>"), std::string::npos) << "no table: " << bad.out;
}

TEST_F(SmallChecks, AreToldInTheOrderOfTheKernelsWhoeverIsReadyFirst) {
  const Result r = run_beside([](FakeBackend& b) {
    for (const char* kernel : kKernels)
      b.add_kernel(kernel, [slow = std::string(kernel) == kKernels[0]](const FakeLaunch& l) {
        if (slow) std::this_thread::sleep_for(std::chrono::milliseconds(60));
        wrong(l);
        if (!slow) l.floats(0)[1] = 78;  // another message, so that each is told
      });
  });
  EXPECT_EQ(r.code, kExitWrong);
  EXPECT_EQ(measured_, 0);
  const size_t first = r.out.find("norm_group<8,8> with");
  const size_t second = r.out.find("norm_group_u<8,8,4> with");
  ASSERT_NE(first, std::string::npos) << r.out;
  ASSERT_NE(second, std::string::npos) << r.out;
  EXPECT_LT(first, second);
}

TEST_F(SmallChecks, AfterTwoThatHangNothingIsRun) {
  std::atomic<int> hung = 0;
  const Result r = run_beside([&](FakeBackend& b) {
    good_kernels(b);
    for (const char* kernel : {kKernels[0], kKernels[1]})
      b.functions[kernel] = [&](const FakeLaunch&) {
        hung++;
        throw KernelFault("timeout", {}, "it did not end");
      };
  });
  EXPECT_EQ(r.code, kExitWrong);
  EXPECT_EQ(hung, 2) << "each hangs once";
  EXPECT_EQ(measured_, 0);
  EXPECT_NE(r.out.find("2 launches before it have hung"), std::string::npos) << r.out;
}

TEST_F(SmallChecks, AFaultOfTheEmulatorItselfEndsTheProgram) {
  const Result r = run_beside([](FakeBackend& b) {
    good_kernels(b);
    b.functions[kKernels[1]] = [](const FakeLaunch&) {
      throw Error("no memory for it", kExitCannotRun);
    };
  });
  EXPECT_EQ(r.code, kExitCannotRun);
  EXPECT_NE(r.err.find("no memory for it"), std::string::npos) << r.err;
}

}  // namespace
}  // namespace lockstep::harness_test
