// SPDX-License-Identifier: Apache-2.0
// What a homework program prints: tables, remarks, records, GPU information.
#include <algorithm>
#include <sstream>

#include "common/harness/record.h"
#include "common/harness/text_report.h"
#include "tests/common/homework_fixture.h"

namespace lockstep::harness_test {
namespace {

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

TEST(TextReport, QuotesWhatKernelsPrint) {
  std::ostringstream out;
  TextReportOptions options;
  options.table.width = 80;
  TextReport report(out, options);
  report.kernel_output("i 1\n\r\x1b[1A  all right\n" + std::string(74, ' ') + "8 1.00");
  report.kernel_output("");
  EXPECT_EQ(out.str(), "    | i 1\n    | \n    | ?[1A  all right\n    | \n    |   8 1.00\n");
}

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
  EXPECT_NE(r.out.find("n_l 1000\nwp  Utl t/\xC2\xB5s FP \xCE\xB8 ==="), std::string::npos)
      << r.out;
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
  EXPECT_EQ(
      r.out,
      note_ + "\n" + kGpuLines +
          in_utf8(
              R"(Using GPU 0, emulated. Figures with ~ are predicted, others exact; - needs a GPU.
Launching with 128 blocks of up to 256 threads. Seed 1.

Kernel norm_group<8,8>. 18 registers. d_l 8, group size 8, n_l 1000
                          ----- L2-Cache ----- DRAM
wp  Utl t/us   I/el   BXW   N*R   N*W %pk GB/s GB/s FP T
 8 0.24    -  ~21.1  ~0.1  ~1.0  ~1.1   -    -    -    -
)"));
}

TEST_F(HomeworkTest, RecordsSayWhatWasRun) {
  const Result r =
      run({"-2", "8", "--vectors", "1000", "--json", "--seed", "99"}, [](FakeBackend& b) {
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

TEST_F(HomeworkTest, DefaultSizesAreToldInVectors) {
  std::filesystem::remove(folder_ + "/hw99.ptx");
  const Result r = run({"--default-sizes"}, [](FakeBackend&) {});
  EXPECT_EQ(r.code, kExitGood);
  // A quarter of the L2 cache; a vector has 8 elements.
  EXPECT_EQ(r.out,
            "{\"kernel\": \"norm_base<8>\", \"vectors\": 589824}\n"
            "{\"kernel\": \"norm_group<8,8>\", \"vectors\": 589824}\n"
            "{\"kernel\": \"norm_group_u<8,8,4>\", \"vectors\": 589824}\n");
}

TEST_F(HomeworkTest, ColumnsAreToldByTheirMetrics) {
  const Result r = run({"--columns"}, [](FakeBackend&) {});
  EXPECT_EQ(r.code, kExitGood);
  EXPECT_EQ(r.out.rfind("warps_per_block\nresident_warps\n", 0), 0u) << r.out;
  EXPECT_NE(r.out.find("\nl2_read_ratio\n"), std::string::npos) << r.out;
}

}  // namespace
}  // namespace lockstep::harness_test
