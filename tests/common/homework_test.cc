// SPDX-License-Identifier: Apache-2.0
// A whole homework program on a backend in memory: what it prints, what it checks, in which order
// it does things, and its exit codes.
#include "common/homework.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include "common/metrics.h"
#include "common/plan_file.h"
#include "common/record.h"
#include "tests/common/fake_backend.h"
#include "tests/common/test_homework.h"

namespace lockstep {
namespace {

using testing::FakeBackend;
using testing::FakeLaunch;
using Words = std::vector<std::string>;

struct Result {
  int code = -1;
  std::string out, err;
};

class HomeworkTest : public ::testing::Test {
 protected:
  HomeworkTest() {
    char name[] = "/tmp/lockstep-homework-XXXXXX";
    folder_ = mkdtemp(name);
    std::ofstream(folder_ + "/hw99.ptx") << "module";
  }
  ~HomeworkTest() override { std::filesystem::remove_all(folder_); }

  // The backend as each test sets it up before the program opens it.
  using Setup = std::function<void(FakeBackend&)>;

  static void good_kernels(FakeBackend& b) {
    for (const char* kernel : {"norm_group<8,8>", "norm_group_u<8,8,4>", "norm_base<8>"})
      b.add_kernel(kernel, [](const FakeLaunch& l) { testing::normalize(l, 8); });
  }
  static void one_kernel(FakeBackend& b, testing::FakeKernel kernel) {
    b.add_kernel("norm_group<8,8>", std::move(kernel));
  }

  Result run(const Words& arguments, const Setup& setup) {
    std::ostringstream out, err;
    HomeworkEnvironment environment;
    environment.program = "./hw99";
    environment.executable = folder_ + "/hw99";
    environment.out = &out;
    environment.err = &err;
    environment.width = 100;
    environment.open_backend = [&](const Options&, std::string* note) {
      auto backend = std::make_unique<FakeBackend>();
      backend->info = testing::rtx4090();
      setup(*backend);
      *note = note_;
      backend_ = backend.get();
      opened_ = true;
      return std::unique_ptr<Backend>(std::move(backend));
    };
    Result result;
    result.code = run_homework(arguments, testing::TestHomework(), environment);
    result.out = out.str();
    result.err = err.str();
    return result;
  }

  std::string folder_;
  std::string note_;
  FakeBackend* backend_ = nullptr;  // gone when run() has returned
  bool opened_ = false;
};

// 640 blocks of 8 warps on 1000 vectors: all figures below can be done by hand.
Counts sample_counts() {
  Counts counts;
  const auto set = [&](const char* name, double value) {
    counts.values[name] = {value, Tier::kMeasured};
  };
  set(metric::kWarpInstructions, 5275);
  set(metric::kGlobalLoadRequests, 500);
  set(metric::kGlobalStoreRequests, 250);
  set(metric::kGlobalBankConflicts, 75);
  set(metric::kL2ToL1Bytes, 32000);
  set(metric::kL1ToL2Bytes, 35200);
  set(metric::kDramBytes, 4000);
  return counts;
}

// The tables below are written in ASCII: u for the micro sign, T for theta.
std::string in_utf8(std::string text) {
  for (const auto& [ascii, utf8] : {std::pair{"t/us", "t/\xC2\xB5s"}, {"FP T", "FP \xCE\xB8"}})
    for (size_t at = text.find(ascii); at != std::string::npos; at = text.find(ascii))
      text.replace(at, 4, utf8);
  return text;
}

const char kGpuLines[] =
    "GPU 0: NVIDIA GeForce RTX 4090 @ 2.52 GHz WITH 24088 MiB GLOBAL MEM\n"
    "GPU 0: L2: 73728 kiB   MEM<->L2: 1008.1 GB/s\n"
    "GPU 0: CC: 8.9   SM: 128   SP-FP32/SM: 128   DP-FP64/SM: 2   TH/BL: 1024\n"
    "GPU 0: SHARED: 102400 B/SM   CONST: 65536 B   NUM REGS: 65536\n"
    "GPU 0: SHARED: 49152 B/BL   SH RES: 1024 B/BL   SH OPT-IN: 101376 B/BL\n"
    "GPU 0: PEAK: 41288 SP GFLOPS   645 DP GFLOPS   COMP/COMM: 163.8 SP   5.1 DP\n";

TEST_F(HomeworkTest, PrintsTheWholeTable) {
  const Result r = run({"--vectors", "1000"}, [](FakeBackend& b) {
    good_kernels(b);
    b.counts = sample_counts();
    b.time = 0.016;
  });
  EXPECT_EQ(r.code, kExitGood) << r.err;
  EXPECT_EQ(r.out, kGpuLines + in_utf8(
R"(Using GPU 0.
Launching with 128 blocks of up to 1024 threads. Seed 1.

Kernel norm_group<8,8>. 18 registers. d_l 8, group size 8, n_l 1000
                        ---- L2-Cache ---- DRAM
wp  Utl t/us  I/el  BXW  N*R  N*W %pk GB/s GB/s FP T === Util: FP++ Insn-- L2** ===================
 4 0.49  0.0  21.1  0.1  1.0  1.1  81 4200  250 1000 +-------*****************************
 8 0.24  0.0  21.1  0.1  1.0  1.1  81 4200  250 1000 +-------*****************************
32 0.06  0.0  21.1  0.1  1.0  1.1  81 4200  250 1000 +-------*****************************

Kernel norm_group_u<8,8,4>. 18 registers. d_l 8, group size 8, unroll degree 4, n_l 1000
                        ---- L2-Cache ---- DRAM
wp  Utl t/us  I/el  BXW  N*R  N*W %pk GB/s GB/s FP T === Util: FP++ Insn-- L2** ===================
 4 0.12  0.0  21.1  0.1  1.0  1.1  81 4200  250 1000 +-------*****************************
 8 0.06  0.0  21.1  0.1  1.0  1.1  81 4200  250 1000 +-------*****************************
32 0.02  0.0  21.1  0.1  1.0  1.1  81 4200  250 1000 +-------*****************************
)"));
  EXPECT_EQ(r.err, "");
}

TEST_F(HomeworkTest, WithoutTimesTheTextRepeatsAndHasNoTimes) {
  const Setup setup = [](FakeBackend& b) {
    good_kernels(b);
    b.counts = sample_counts();
  };
  const Result r = run({"-5", "8", "--no-times", "--vectors", "1000", "--kernel", "group<"}, setup);
  EXPECT_EQ(r.out, kGpuLines + in_utf8(
R"(Using GPU 0.
Launching with 640 blocks of up to 256 threads. Seed 1.

Kernel norm_group<8,8>. 18 registers. d_l 8, group size 8, n_l 1000
                       L2-Cache
wp ac  Utl  I/el  BXW  N*R  N*W
 8 16 0.05  21.1  0.1  1.0  1.1
)"));
  EXPECT_EQ(run({"-5", "8", "--no-times", "--vectors", "1000", "--kernel", "group<"}, setup).out,
            r.out);
}

TEST_F(HomeworkTest, WithoutCountersOnlyTimesAreLeft) {
  const Result r = run({"1", "4", "--no-counters", "--vectors", "1000", "--kernel", "group<"},
                       [](FakeBackend& b) { good_kernels(b); });
  EXPECT_NE(r.out.find("n_l 1000\nwp  Utl t/\xC2\xB5s FP \xCE\xB8 ==="), std::string::npos) << r.out;
  EXPECT_EQ(r.out.find("BXW"), std::string::npos);
}

TEST_F(HomeworkTest, RefusedCountersCostTheirColumnsAndOneLine) {
  const Result r = run({"--vectors", "1000"}, [](FakeBackend& b) {
    good_kernels(b);
    for (const std::string& name : standard_metrics())
      b.counts.unavailable[name] = "not permitted; ask the administrator";
  });
  EXPECT_EQ(r.code, kExitGood);
  EXPECT_EQ(r.out.find("BXW"), std::string::npos);
  const std::string line = "No counters: not permitted; ask the administrator\n";
  const size_t first = r.out.find(line);
  ASSERT_NE(first, std::string::npos) << r.out;
  EXPECT_EQ(r.out.find(line, first + 1), std::string::npos) << "told twice";
}

TEST_F(HomeworkTest, OneMissingCounterIsADash) {
  const Result r = run({"1", "8", "--vectors", "1000"}, [](FakeBackend& b) {
    good_kernels(b);
    b.counts = sample_counts();
    b.counts.values.erase(metric::kDramBytes);
    b.counts.unavailable[metric::kDramBytes] = "no such counter on this chip";
  });
  EXPECT_NE(r.out.find("No dram_bytes: no such counter on this chip\n"), std::string::npos);
  EXPECT_NE(r.out.find("   7    -    2\n"), std::string::npos) << r.out;
}

TEST_F(HomeworkTest, EmulatedFiguresCarryTheirTier) {
  note_ = "No GPU here (no driver): the emulator stands in for one.";
  const Result r = run({"0", "8", "--vectors", "1000", "--kernel", "group<"}, [](FakeBackend& b) {
    good_kernels(b);
    b.fake_kind = "emulator";
    b.counter_passes = 1;
    b.counts = sample_counts();
    for (auto& [name, count] : b.counts.values) count.tier = Tier::kPredicted;
    b.counts.values.erase(metric::kDramBytes);
    b.time.reset();
  });
  EXPECT_EQ(r.out, note_ + "\n" + kGpuLines + in_utf8(
R"(Using GPU 0, emulated. Figures with ~ are predicted, others exact; - needs a GPU.
Launching with 128 blocks of up to 256 threads. Seed 1.

Kernel norm_group<8,8>. 18 registers. d_l 8, group size 8, n_l 1000
                          ----- L2-Cache ----- DRAM
wp  Utl t/us   I/el   BXW   N*R   N*W %pk GB/s GB/s FP T
 8 0.24    -  ~21.1  ~0.1  ~1.0  ~1.1   -    -    -    -
)"));
}

TEST_F(HomeworkTest, TheEmulatorExecutesALaunchOnce) {
  int executions = 0;
  run({"0", "8", "--vectors", "64", "--kernel", "group<"}, [&](FakeBackend& b) {
    b.fake_kind = "emulator";
    b.counter_passes = 1;
    one_kernel(b, [&](const FakeLaunch& l) {
      executions++;
      testing::normalize(l, 8);
    });
  });
  EXPECT_EQ(executions, 1);
}

TEST_F(HomeworkTest, AllAreTimedBeforeTheFirstIsCounted) {
  FakeBackend* live = nullptr;
  int timed_before_count = -1;
  run({"--vectors", "64", "--repetitions", "3"}, [&](FakeBackend& b) {
    live = &b;
    for (const char* name : {"norm_group<8,8>", "norm_group_u<8,8,4>"})
      b.add_kernel(name, [&](const FakeLaunch& l) {
        if (live->counted == 1 && timed_before_count < 0) timed_before_count = live->timed;
        testing::normalize(l, 8);
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
      testing::normalize(l, 8);
      for (int i = 0; i < 7; i++) l.floats(0)[100 + i] = 1000;
      timed = live->timed + live->counted;
    });
  });
  EXPECT_EQ(r.code, kExitWrong);
  EXPECT_EQ(timed, 0);
  EXPECT_NE(r.out.find(" 8 WRONG: 7 of 655360 elements, see below\n"), std::string::npos) << r.out;
  EXPECT_NE(r.out.find("norm_group<8,8> with 5 blocks of 8 warps: 7 of 655360 elements of l_out "
                       "are wrong; the first:\n  l_out[100] (vector 12, element 4): expected "),
            std::string::npos)
      << r.out;
  EXPECT_NE(r.out.find("got 1000\n  To repeat: ./hw99 5 8 2.5 --kernel 'norm_group<8,8>' --seed 7\n"),
            std::string::npos)
      << r.out;
  EXPECT_NE(r.out.find("1 of 1 launches are not right: norm_group<8,8> (1)"), std::string::npos);
}

// What a kernel does wrong, and the status that its record must have.
struct Misdeed {
  const char* name;
  const char* status;
  testing::FakeKernel kernel;
};

const std::vector<Misdeed>& misdeeds() {
  static int call = 0;
  static std::vector<float> kept;
  static const std::vector<Misdeed> list = {
      {"nothing", "wrong", [](const FakeLaunch&) {}},
      {"zeros", "wrong",
       [](const FakeLaunch& l) { std::memset(l.floats(0), 0, 32 * l.whole(2)); }},
      {"copy", "wrong",
       [](const FakeLaunch& l) { std::memcpy(l.floats(0), l.floats(1), 32 * l.whole(2)); }},
      {"NaN", "wrong",
       [](const FakeLaunch& l) {
         testing::normalize(l, 8);
         l.floats(0)[0] = std::numeric_limits<float>::quiet_NaN();
       }},
      {"short", "wrong",
       [](const FakeLaunch& l) {
         testing::normalize(l, 8);
         uint32_t poison = 0x7fedbeef;
         std::memcpy(&l.floats(0)[8 * l.whole(2) - 1], &poison, 4);
       }},
      {"adds to what is there", "wrong",
       [](const FakeLaunch& l) {
         const std::vector<float> old(l.floats(0), l.floats(0) + 8 * l.whole(2));
         testing::normalize(l, 8);
         for (size_t i = 0; i < old.size(); i++) l.floats(0)[i] += old[i];
       }},
      {"one past the end", "guard",
       [](const FakeLaunch& l) {
         testing::normalize(l, 8);
         l.floats(0)[8 * l.whole(2)] = 0;
       }},
      {"one before the start", "guard",
       [](const FakeLaunch& l) {
         testing::normalize(l, 8);
         l.floats(0)[-1] = 0;
       }},
      {"past the input", "guard",
       [](const FakeLaunch& l) {
         testing::normalize(l, 8);
         l.floats(1)[8 * l.whole(2)] = 0;
       }},
      {"changes the input", "input_changed",
       [](const FakeLaunch& l) {
         testing::normalize(l, 8);
         l.floats(1)[3] += 1;
       }},
      {"right once only", "wrong",
       [](const FakeLaunch& l) {
         if (call++ == 0) testing::normalize(l, 8);
       }},
      {"fails while counted", "wrong",
       [](const FakeLaunch& l) {
         if (call++ < 3) testing::normalize(l, 8);
       }},
  };
  call = 0;
  return list;
}

TEST_F(HomeworkTest, EveryMisdeedIsSeen) {
  for (size_t i = 0; i < misdeeds().size(); i++) {
    const Misdeed& misdeed = misdeeds()[i];  // resets its state
    const Result r = run({"1", "4", "--vectors", "50", "--json", "--kernel", "group<",
                          "--repetitions", "2"},
                         [&](FakeBackend& b) { one_kernel(b, misdeed.kernel); });
    EXPECT_EQ(r.code, kExitWrong) << misdeed.name;
    const Record record = record_from_json_line(r.out);
    EXPECT_EQ(record.check.status, misdeed.status) << misdeed.name << ": " << r.out;
    EXPECT_FALSE(record.time_us.has_value()) << misdeed.name;
    EXPECT_TRUE(record.counts.values.empty()) << misdeed.name;
    EXPECT_NE(record.check.message.find("To repeat: ./hw99 1 4 --kernel"), std::string::npos);
  }
}

TEST_F(HomeworkTest, PoisonAlternates) {
  std::vector<uint32_t> seen;
  run({"1", "4", "--vectors", "16", "--kernel", "group<"}, [&](FakeBackend& b) {
    one_kernel(b, [&](const FakeLaunch& l) {
      uint32_t first;
      std::memcpy(&first, l.floats(0), 4);
      seen.push_back(first);
      testing::normalize(l, 8);
    });
  });
  ASSERT_GE(seen.size(), 4u);
  for (size_t i = 1; i < seen.size(); i++) EXPECT_NE(seen[i], seen[i - 1]);
}

TEST_F(HomeworkTest, RecordsSayWhatWasRun) {
  const Result r = run({"-2", "8", "--vectors", "1000", "--json", "--seed", "99"},
                       [](FakeBackend& b) {
                         good_kernels(b);
                         b.counts = sample_counts();
                       });
  EXPECT_EQ(r.code, kExitGood);
  std::istringstream lines(r.out);
  std::string line;
  ASSERT_TRUE(std::getline(lines, line));
  const Record record = record_from_json_line(line);
  EXPECT_EQ(record.homework, "hw99");
  EXPECT_EQ(record.kernel, "norm_group<8,8>");
  EXPECT_EQ(record.parameters.at("n_l"), 1000);
  EXPECT_EQ(record.grid.x, 256u);
  EXPECT_EQ(record.block.x, 256u);
  EXPECT_EQ(record.seed, 99u);
  EXPECT_EQ(record.input_bytes, 32000);
  EXPECT_EQ(record.check.status, "correct");
  EXPECT_EQ(record.check.checked, 8000);
  EXPECT_EQ(record.time_us, 10.0);
  EXPECT_EQ(record.derived.at(metric::kInstPerElement).value, 21.1);
  EXPECT_EQ(record.derived.at(metric::kResidentWarps).value, 16);
  EXPECT_EQ(record.module_hash.size(), 16u);
  ASSERT_TRUE(std::getline(lines, line));
  EXPECT_EQ(record_from_json_line(line).kernel, "norm_group_u<8,8,4>");
  EXPECT_FALSE(std::getline(lines, line));
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
    b.add_kernel("norm_group_u<8,8,4>", [](const FakeLaunch& l) { testing::normalize(l, 8); });
  });
  EXPECT_EQ(r.code, kExitWrong);
  EXPECT_EQ(loads, 2) << "the module is loaded anew after the fault";
  EXPECT_NE(r.out.find(" 4 FAULT: out_of_bounds, see below\n"), std::string::npos) << r.out;
  EXPECT_NE(r.out.find(" 8 not run: skipped after the fault above\n"), std::string::npos);
  EXPECT_NE(r.out.find("\nhw99.cu:12: a store beyond l_out\n  To repeat: ./hw99 128 4 "),
            std::string::npos);
  EXPECT_NE(r.out.find("32 0.00"), std::string::npos) << "the second kernel has its rows";
  EXPECT_NE(r.out.find("3 of 6 launches are not right: norm_group<8,8> (3)"), std::string::npos);
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
    b.add_kernel("norm_group<8,8>", [](const FakeLaunch& l) { testing::normalize(l, 8); },
                 "(double*,double const*,int)");
  });
  EXPECT_EQ(r.code, kExitWrong);
  EXPECT_NE(r.out.find("hw99.cu: kernel norm_group<8,8> takes (double*,double const*,int) but is "
                       "to take (float*,float const*,int)"),
            std::string::npos)
      << r.out;
  EXPECT_NE(r.out.find("hw99.cu: there is no kernel norm_group_u<8,8,4>(float*,float const*,int)"),
            std::string::npos);
}

TEST_F(HomeworkTest, ABlockThatDoesNotFitIsAFaultOfTheKernel) {
  const Result r = run({"1", "32", "--vectors", "64", "--json", "--kernel", "group<"},
                       [](FakeBackend& b) {
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
  EXPECT_EQ(text.err, "hw99.cu:3: unsupported: wgmma\n");
  const Result json = run({"1", "4", "--vectors", "64", "--json", "--kernel", "base"}, setup);
  EXPECT_EQ(json.code, kExitWrong);
  EXPECT_EQ(record_from_json_line(json.out).check.fault_kind, "unsupported");
}

TEST_F(HomeworkTest, WrongArgumentsEndWithOneLineAnd2) {
  for (const Words& arguments :
       {Words{"abc"}, Words{"0", "99"}, Words{"--kernel", "nothing"}, Words{"0", "0", "1e-9"},
        Words{"0", "0", "100000"}, Words{"--module", "/nowhere.ptx"}}) {
    const Result r = run(arguments, [](FakeBackend& b) { good_kernels(b); });
    EXPECT_EQ(r.code, kExitUsage) << ::testing::PrintToString(arguments);
    EXPECT_EQ(r.err.find('\n'), r.err.size() - 1) << r.err;
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

TEST_F(HomeworkTest, HelpNeedsNeitherModuleNorGpu) {
  std::filesystem::remove(folder_ + "/hw99.ptx");
  const Result r = run({"--help"}, [](FakeBackend&) {});
  EXPECT_EQ(r.code, kExitGood);
  EXPECT_NE(r.out.find("Usage: ./hw99"), std::string::npos);
  EXPECT_FALSE(opened_);
}

TEST_F(HomeworkTest, EveryGpuOfTheMachineIsDescribed) {
  const Setup setup = [](FakeBackend& b) {
    good_kernels(b);
    b.machine = {b.info, b.info};
    b.machine[1].index = 1;
    b.info.index = 1;
  };
  const Result text = run({"1", "4", "--vectors", "64"}, setup);
  EXPECT_NE(text.out.find("GPU 0: CC"), std::string::npos);
  EXPECT_NE(text.out.find("GPU 1: CC"), std::string::npos);
  EXPECT_NE(text.out.find("Using GPU 1."), std::string::npos);
  const Result json = run({"--device-info", "--json"}, setup);
  EXPECT_EQ(std::count(json.out.begin(), json.out.end(), '\n'), 2);
}

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
  std::ofstream(file) << plan_to_json({launch, unknown_size});
  std::vector<float> first_elements;
  const Result r = run({"--plan", file, "--no-times"}, [&](FakeBackend& b) {
    b.add_kernel("norm_base<8>", [&](const FakeLaunch& l) {
      if (l.whole(2) == 37) first_elements.push_back(l.floats(1)[0]);
      testing::normalize(l, 8);
    });
  });
  EXPECT_EQ(r.code, kExitGood) << r.err << r.out;
  EXPECT_EQ(std::count(r.out.begin(), r.out.end(), '\n'), 2);
  ASSERT_EQ(first_elements.size(), 4u) << "one to verify, three for counters";
  for (size_t i = 1; i < first_elements.size(); i++)
    EXPECT_NE(first_elements[i], first_elements[i - 1]);
  const Record record = record_from_json_line(r.out.substr(0, r.out.find('\n')));
  EXPECT_EQ(record.parameters.at("n_l"), 37);
  EXPECT_EQ(record.grid.x, 3u);
  EXPECT_EQ(record.seed, 5u);
}

TEST_F(HomeworkTest, AResultKeptFromAnEarlierPlannedExecutionIsWrong) {
  const std::string file = folder_ + "/plan.json";
  PlannedLaunch launch;
  launch.kernel = "norm_base<8>";
  launch.vectors = 64;
  launch.blocks = 1;
  std::ofstream(file) << plan_to_json({launch, launch});
  std::vector<float> kept;
  const Result r = run({"--plan", file}, [&](FakeBackend& b) {
    b.add_kernel("norm_base<8>", [&](const FakeLaunch& l) {
      if (kept.empty()) {
        testing::normalize(l, 8);
        kept.assign(l.floats(0), l.floats(0) + 512);
      }
      std::memcpy(l.floats(0), kept.data(), 2048);
    });
  });
  EXPECT_EQ(r.code, kExitWrong);
  EXPECT_EQ(std::count(r.out.begin(), r.out.end(), '\n'), 2) << "each launch has its record";
  EXPECT_EQ(record_from_json_line(r.out.substr(0, r.out.find('\n'))).check.status, "wrong");
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

}  // namespace
}  // namespace lockstep
