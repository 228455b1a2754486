// SPDX-License-Identifier: Apache-2.0
// What a homework program does when things go wrong: faults, lost devices, bad arguments.
#include "common/harness/record.h"
#include "tests/common/homework_fixture.h"

namespace lockstep::harness_test {
namespace {

// A small problem that uses up its steps does not end; nor will the next kernel's.
TEST_F(HomeworkTest, AfterTwoSmallProblemsThatDoNotEndNothingIsRun) {
  int launched = 0;
  const Result r = run({"0", "8", "1", "--kernel", "*"}, [&](FakeBackend& b) {
    b.fake_kind = "emulator";
    for (const char* kernel : {"norm_group<8,8>", "norm_group_u<8,8,4>", "norm_base<8>"})
      b.add_kernel(kernel, [&](const FakeLaunch&) {
        launched++;
        throw KernelFault("too_slow", {}, "it was cut");
      });
  });
  EXPECT_EQ(r.code, kExitWrong);
  EXPECT_EQ(launched, 2);
  EXPECT_NE(r.out.find("\nNot run (2 launches before it have hung): norm_base<8>\n"),
            std::string::npos)
      << r.out;
}

TEST_F(HomeworkTest, AFaultCostsItsKernelNotTheOthers) {
  FaultPlace place;
  place.file = "hw99.cu";
  place.line = 12;
  int loads = 0;
  const Result r = run({"--vectors", "64"}, [&](FakeBackend& b) {
    b.on_load = [&] { loads++; };
    b.add_kernel("norm_group<8,8>", [place](const FakeLaunch&) {
      throw KernelFault("out_of_bounds", place, "hw99.cu:12: a store beyond l_out");
    });
    b.add_kernel("norm_group_u<8,8,4>", [](const FakeLaunch& l) { normalize(l, 8); });
  });
  EXPECT_EQ(r.code, kExitWrong);
  EXPECT_EQ(loads, 2) << "the module is loaded anew after the fault";
  EXPECT_EQ(r.out.find("Kernel norm_group<8,8>"), std::string::npos) << "no table: " << r.out;
  EXPECT_NE(
      r.out.find("\nhw99.cu:12: norm_group<8,8> with 128 blocks of 4 warps: it reaches outside "
                 "of an array\n    | hw99.cu:12: a store beyond l_out\n"
                 "  To repeat: ./hw99 128 4 "),
      std::string::npos)
      << r.out;
  EXPECT_NE(r.out.find("32 0.00"), std::string::npos) << "the second kernel has its rows";
  EXPECT_NE(r.out.find("\nWhat is wrong is not measured.\n"
                       "1 of 4 launches are not right: norm_group<8,8>\n"),
            std::string::npos);
}

// What comes out without the stop at the race is asked: a wrong result tells more, and the race is
// told beside it; of a right one, the race is what is wrong.
TEST_F(HomeworkTest, ARaceIsTheFaultWhereTheResultIsRightElseToldBesideIt) {
  FaultPlace place;
  place.file = "hw99.cu";
  place.line = 12;
  for (const bool right : {true, false}) {
    int followed = 0;
    const Result r = run({"0", "8", "1", "--kernel", "norm_group<8,8>"}, [&](FakeBackend& b) {
      b.fake_kind = "emulator";
      b.add_kernel("norm_group<8,8>", [&, right](const FakeLaunch& l) {
        if (l.launch().finds_races) {
          followed++;
          throw KernelFault("race", place, "hw99.cu:12: two blocks meet");
        }
        normalize(l, 8);
        if (!right) l.floats(0)[0] = 77;
      });
    });
    EXPECT_EQ(r.code, kExitWrong);
    EXPECT_EQ(followed, 1) << "a kernel that is wrong is not tried again";
    EXPECT_NE(r.out.find("    | hw99.cu:12: two blocks meet\n"), std::string::npos) << r.out;
    const bool fault = r.out.find(": threads race for the same memory\n") != std::string::npos;
    const bool wrong = r.out.find("1 of ") != std::string::npos &&
                       r.out.find("Besides, threads race for the same memory:\n    | hw99.cu:12") !=
                           std::string::npos;
    EXPECT_EQ(fault, right) << r.out;
    EXPECT_EQ(wrong, !right) << r.out;
  }
}

// Whatever a kernel makes the backend say: it stays in its quote, and steers nothing.
TEST_F(HomeworkTest, TextOfAFaultForgesNoPlaceNoSeedAndNoLine) {
  FaultPlace place;
  place.file = "hw99.cu:77: [pass] 100 / 100\n/hw99.cu";
  place.line = 12;
  const std::string said =
      "hw99.cu:77: fine\n  To repeat: ./hw99 --seed 666\r  [pass]\xE2\x80\xA8Hint: none";
  const Setup setup = [&](FakeBackend& b) {
    b.add_kernel("norm_group<8,8>",
                 [&](const FakeLaunch&) { throw KernelFault("\n[pass]", place, said); });
  };
  const Result r = run({"1", "4", "--vectors", "64", "--kernel", "group<"}, setup);
  EXPECT_NE(r.out.find("\nhw99.cu:12: norm_group<8,8> with 1 blocks of 4 warps: it is stopped\n"
                       "    | hw99.cu:77: fine\n    |   To repeat: ./hw99 --seed 666\n"
                       "    |   [pass]\n    | Hint: none\n  To repeat: ./hw99 1 4 --kernel"),
            std::string::npos)
      << r.out;
  const Result json = run({"1", "4", "--vectors", "64", "--json", "--kernel", "group<"}, setup);
  const CheckResult check = record_from_json_line(json.out).check;
  EXPECT_EQ(check.seed, 1u);
  EXPECT_EQ(check.quoted.raw(), said);
  EXPECT_EQ(check.message.find("77"), std::string::npos) << check.message;
}

TEST_F(HomeworkTest, ADeviceThatIsLostEndsTheRunWithoutACrash) {
  int loads = 0;
  const Result r = run({"--vectors", "64", "--json"}, [&](FakeBackend& b) {
    b.on_load = [&] {
      if (loads++ > 0) throw Error("context destroyed", kExitCuda);
    };
    for (const char* name : {"norm_group<8,8>", "norm_group_u<8,8,4>"})
      b.add_kernel(name, [](const FakeLaunch&) {
        throw KernelFault("illegal_address", {}, "illegal address");
      });
  });
  EXPECT_EQ(r.code, kExitWrong);
  std::istringstream lines(r.out);
  std::string line;
  std::vector<std::string> statuses;
  while (std::getline(lines, line)) statuses.push_back(record_from_json_line(line).check.status);
  EXPECT_EQ(statuses, (Words{"fault", "not_run", "not_run", "not_run", "not_run", "not_run"}));
}

TEST_F(HomeworkTest, ADriverErrorEndsWith110) {
  const Result r = run({"--vectors", "64"}, [](FakeBackend& b) {
    one_kernel(b, [](const FakeLaunch&) { throw Error("the card fell off the bus", kExitCuda); });
  });
  EXPECT_EQ(r.code, kExitCuda);
  EXPECT_EQ(r.err, "hw99: the card fell off the bus\n");
}

TEST_F(HomeworkTest, MissingKernelsAndWrongParametersAreNamed) {
  const Result r = run({"1", "4", "--vectors", "64"}, [](FakeBackend& b) {
    b.add_kernel(
        "norm_group<8,8>", [](const FakeLaunch& l) { normalize(l, 8); },
        "(double*,double const*,int)");
  });
  EXPECT_EQ(r.code, kExitWrong);
  EXPECT_NE(r.out.find("hw99.cu: kernel norm_group<8,8> takes other parameters than it is to take: "
                       "(float*,float const*,int)\n    | (double*,double const*,int)\n"),
            std::string::npos)
      << r.out;
  EXPECT_NE(r.out.find("hw99.cu: there is no kernel norm_group_u<8,8,4>(float*,float const*,int)"),
            std::string::npos);
}

TEST_F(HomeworkTest, ABlockThatDoesNotFitIsAFaultOfTheKernel) {
  const Result r =
      run({"1", "32", "--vectors", "64", "--json", "--kernel", "group<"}, [](FakeBackend& b) {
        good_kernels(b);
        b.blocks_per_sm = 0;
      });
  EXPECT_EQ(r.code, kExitWrong);
  const Record record = record_from_json_line(r.out);
  EXPECT_EQ(record.check.status, "fault");
  EXPECT_EQ(record.check.fault_kind, "launch_failed");
  EXPECT_NE(record.check.message.find("18 registers"), std::string::npos);
}

TEST_F(HomeworkTest, AModuleThatCannotBeLoadedIsTheFaultOfEveryLaunch) {
  FaultPlace place;
  place.file = "hw99.cu";
  place.line = 3;
  const Setup setup = [place](FakeBackend& b) {
    good_kernels(b);
    b.on_load = [place] {
      throw KernelFault("unsupported", place, "hw99.cu:3: unsupported: wgmma");
    };
  };
  const Result text = run({"1", "4", "--vectors", "64"}, setup);
  EXPECT_EQ(text.code, kExitWrong);
  EXPECT_EQ(text.err,
            "hw99.cu:3: the module cannot be loaded: it uses what is not supported here\n"
            "    | hw99.cu:3: unsupported: wgmma\n");
  const Result json = run({"1", "4", "--vectors", "64", "--json", "--kernel", "base"}, setup);
  EXPECT_EQ(json.code, kExitWrong);
  EXPECT_EQ(record_from_json_line(json.out).check.fault_kind, "unsupported");
}

TEST_F(HomeworkTest, WrongArgumentsEndWithOneMessageAnd2) {
  for (const Words& arguments :
       {Words{"abc"}, Words{"0", "99"}, Words{"--kernel", "nothing"}, Words{"0", "0", "1e-9"},
        Words{"0", "0", "100000"}, Words{"--module", "/nowhere.ptx"}}) {
    const Result r = run(arguments, [](FakeBackend& b) { good_kernels(b); });
    EXPECT_EQ(r.code, kExitUsage) << ::testing::PrintToString(arguments);
    for (size_t at = 0; (at = r.err.find('\n', at) + 1) < r.err.size();)
      EXPECT_EQ(r.err.substr(at, 4), "    ") << r.err;
    EXPECT_EQ(r.err.find("hw99: "), 0u) << r.err;
  }
}

TEST_F(HomeworkTest, MoreMemoryThanIsFreeIsAWrongArgument) {
  const Result r = run({"0", "0", "64"}, [](FakeBackend& b) {
    good_kernels(b);
    b.free_memory = int64_t{100} << 20;
  });
  EXPECT_EQ(r.code, kExitUsage);
  EXPECT_NE(r.err.find("100.0 MiB free"), std::string::npos) << r.err;
}

TEST_F(HomeworkTest, WithoutItsModuleItSaysWhatToDo) {
  std::filesystem::remove(folder_ + "/hw99.ptx");
  const Result r = run({}, [](FakeBackend&) {});
  EXPECT_EQ(r.code, kExitCannotRun);
  EXPECT_NE(r.err.find("run make first"), std::string::npos);
  EXPECT_FALSE(opened_) << "no GPU is opened for that";
}

// A student's overload for doubles, before the kernel that is asked for or behind it.
TEST_F(HomeworkTest, OfOverloadsTheOneWithTheRightParametersIsLaunched) {
  const auto overload = [](FakeBackend& b) {
    b.add_kernel(
        "overload", [](const FakeLaunch&) { throw Error("the wrong one is launched"); },
        "(double*,double const*,int)");
    b.kernel_list.back().name = "norm_group<8,8>";
  };
  const auto wanted = [](FakeBackend& b) {
    b.add_kernel("_Z10norm_group", [](const FakeLaunch& l) { normalize(l, 8); });
    b.kernel_list.back().name = "norm_group<8,8>";
  };
  const Words words = {"2", "4", "--vectors", "64", "--kernel", "group<", "--json"};
  for (bool first : {true, false}) {
    const Result r = run(words, [&](FakeBackend& b) {
      if (first) overload(b);
      wanted(b);
      if (!first) overload(b);
    });
    EXPECT_EQ(r.code, kExitGood) << r.out << r.err;
  }
  const Result r = run(words, overload);
  EXPECT_EQ(record_from_json_line(r.out).check.status, "bad_signature");
}

// Two problems: vectors of eight and of four.
class TwoProblems : public NormProblem {
 public:
  TwoProblems()
      : NormProblem({{"norm_group<8,8>", 8, 8, 0, true}, {"norm_base<4>", 4, 1, 0, true}}) {}
  std::string name() const override { return "hw99"; }
  std::vector<int> warp_sweep() const override { return {4, 8}; }
};

class SeveralProblems : public HomeworkTest {
 protected:
  SeveralProblems() { homework_ = std::make_unique<TwoProblems>(); }
  static void two_kernels(FakeBackend& b) {
    b.counts = sample_counts();
    b.add_kernel("norm_group<8,8>", [](const FakeLaunch& l) { normalize(l, 8); });
    b.add_kernel("norm_base<4>", [](const FakeLaunch& l) { normalize(l, 4); });
  }
  // What the backend did, and how many arrays it held when it went.
  Result run_and_look(const Words& arguments, const Setup& setup, std::string* steps) {
    return run(arguments, [&](FakeBackend& b) {
      two_kernels(b);
      setup(b);
      b.at_end = [steps, &b] { *steps = b.steps + std::to_string(b.live_buffers()); };
    });
  }
};

TEST_F(SeveralProblems, AreAllTimedBeforeTheFirstIsCounted) {
  std::string steps;
  const Result r = run_and_look(
      {"--vectors", "64", "--repetitions", "1"}, [](FakeBackend&) {}, &steps);
  EXPECT_EQ(r.code, kExitGood) << r.out << r.err;
  EXPECT_EQ(steps, "ttttcccc0");
}

TEST_F(SeveralProblems, GetNewArraysAfterTheFaultOfOne) {
  std::string steps;
  int calls = 0;
  const Setup faulty = [&](FakeBackend& b) {
    b.on_load = [&b] { b.forget_buffers(); };
    b.add_kernel("norm_base<4>", [&](const FakeLaunch& l) {
      if (++calls > 2) throw KernelFault("illegal_address", {}, "illegal address");
      normalize(l, 4);
    });
  };
  const Result r = run_and_look({"--vectors", "64", "--repetitions", "1"}, faulty, &steps);
  EXPECT_EQ(r.code, kExitWrong);
  EXPECT_EQ(steps, "tttccccc0") << r.out;  // the other two are counted again
  EXPECT_NE(r.out.find("2 of 4 launches are not right: norm_base<4> (2)"), std::string::npos)
      << r.out;
}

}  // namespace
}  // namespace lockstep::harness_test
