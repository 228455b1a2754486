// SPDX-License-Identifier: Apache-2.0
// Counts of instructions, put to the source lines of a cubin: CUPTI reads the line table, so this
// needs libcupti and the test's own module, but no GPU.
#include <gtest/gtest.h>

#include <fstream>

#include "common/backend/metric_names.h"
#include "common/backend/module_files.h"
#include "common/cuda/sass_counter.h"

#if LOCKSTEP_HAS_CUDA

namespace lockstep::cuda {
namespace {

constexpr char kSource[] = "tests/cuda/kernels/probe.cu";
constexpr char kCubin[] = "build/modules/tests/cuda/kernels/probe.cubin";
constexpr char kWarps[] = "smsp__sass_inst_executed";

class SassReportTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string why;
    cupti_ = open_cupti(&why);
    if (cupti_ == nullptr) GTEST_SKIP() << why;
    if (!std::ifstream(kCubin)) GTEST_SKIP() << kCubin << " is not there: no toolkit to make it";
    cubin_ = read_file(kCubin);
  }
  // The number of the first source line that holds the text.
  static int line_with(const std::string& text) {
    std::ifstream source(kSource);
    std::string line;
    for (int number = 1; std::getline(source, line); ++number) {
      if (line.find(text) != std::string::npos) return number;
    }
    return 0;
  }

  const Cupti* cupti_ = nullptr;
  std::string cubin_;
};

TEST_F(SassReportTest, PutsEveryInstructionOfAKernelToALineOfIt) {
  std::vector<SassCount> counts;
  for (uint32_t pc = 0; pc < 16 * 8; pc += 16) counts.push_back({"copy_words", pc, kWarps, 2});
  SassReport report = report_sass(*cupti_, counts, cubin_);
  EXPECT_EQ(report.totals.at(metric::kWarpInstructions).value, 16);
  const int first = line_with("void copy_words"), last = first + 3;
  double placed = 0;
  ASSERT_FALSE(report.lines.empty());
  for (const LineCounts& line : report.lines) {
    EXPECT_NE(line.file.find("probe.cu"), std::string::npos) << line.file;
    EXPECT_GE(line.line, first);
    EXPECT_LE(line.line, last);
    placed += line.counts.at(metric::kWarpInstructions).value;
  }
  EXPECT_EQ(placed, 16);
}

TEST_F(SassReportTest, SectorsGoToTheLoadOrTheStoreThatTheInstructionIs) {
  SassReport report = report_sass(*cupti_,
                                  {{"copy_words", 16, "smsp__sass_inst_executed_op_global_ld", 3},
                                   {"copy_words", 16, "smsp__sass_sectors_mem_global", 12},
                                   {"copy_words", 32, "smsp__sass_inst_executed_op_global_st", 3},
                                   {"copy_words", 32, "smsp__sass_sectors_mem_global", 96}},
                                  cubin_);
  EXPECT_EQ(report.totals.at(metric::kGlobalLoadRequests).value, 3);
  EXPECT_EQ(report.totals.at(metric::kGlobalLoadSectors).value, 12);
  EXPECT_EQ(report.totals.at(metric::kGlobalStoreRequests).value, 3);
  EXPECT_EQ(report.totals.at(metric::kGlobalStoreSectors).value, 96);
}

TEST_F(SassReportTest, WithoutALineTableThereAreSumsAndNoLines) {
  std::vector<SassCount> counts = {{"copy_words", 0, kWarps, 5}};
  for (const std::string& cubin : {std::string(), std::string("not a cubin at all")}) {
    SassReport report = report_sass(*cupti_, counts, cubin);
    EXPECT_EQ(report.totals.at(metric::kWarpInstructions).value, 5);
    EXPECT_TRUE(report.lines.empty());
  }
  SassReport unknown = report_sass(*cupti_, {{"no_such_kernel", 0, kWarps, 5}}, cubin_);
  EXPECT_TRUE(unknown.lines.empty());
}

}  // namespace
}  // namespace lockstep::cuda

#endif  // LOCKSTEP_HAS_CUDA
