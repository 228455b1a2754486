// SPDX-License-Identifier: Apache-2.0
// Faults, and counts by line, each in a process of its own through tools/run-kernel: a fault ends
// the card's context, and lines can be counted once a process. `make test-gpu` runs it.
#include <sys/wait.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "common/base/error.h"
#include "tests/cuda/gpu_fixture.h"

namespace lockstep {
namespace {

struct Ran {
  int status = -1;
  std::string output;  // standard output alone
};

Ran run_kernel(const std::string& arguments) {
  const std::string command = std::string("timeout 60 tools/run-kernel --backend gpu --module ") +
                              kProbeModule + " " + arguments + " 2>/dev/null";
  Ran ran;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return ran;
  char buffer[4096];
  while (size_t got = fread(buffer, 1, sizeof buffer, pipe)) ran.output.append(buffer, got);
  const int status = pclose(pipe);
  if (WIFEXITED(status)) ran.status = WEXITSTATUS(status);
  return ran;
}

class GpuRunKernel : public testing::Test {
 protected:
  void SetUp() override {
    std::string why;
    if (make_cuda_backend({}, &why) == nullptr) GTEST_SKIP() << why;
  }
  static std::string fault_kind(const std::string& kernel, const std::string& more = "") {
    Ran ran =
        run_kernel("--kernel " + kernel + " --grid 1 --block 32 --arg out:4096 --json " + more);
    EXPECT_EQ(ran.status, kExitCuda) << ran.output;
    auto json = nlohmann::json::parse(ran.output, nullptr, false);
    if (json.is_discarded()) return "no JSON: " + ran.output;
    return json["fault"]["kind"];
  }
};

TEST_F(GpuRunKernel, FaultsAreToldApart) {
  EXPECT_EQ(fault_kind("fault_far_address"), "illegal_address");
  EXPECT_EQ(fault_kind("fault_misaligned"), "misaligned");
  EXPECT_EQ(fault_kind("fault_assert"), "assert");
  const std::string trap = fault_kind("fault_trap");
  EXPECT_TRUE(trap == "trap" || trap == "launch_failed") << trap;
}

TEST_F(GpuRunKernel, AKernelThatNeverEndsIsGivenUpAndTheNextOneRuns) {
  EXPECT_EQ(fault_kind("fault_forever", "--time-limit 1"), "timeout");
  Ran next = run_kernel("--kernel write_to_input --grid 1 --block 32 --arg out:4096");
  EXPECT_EQ(next.status, kExitGood) << next.output;
}

TEST_F(GpuRunKernel, WritingOutsideOfAnOutputIsAViolation) {
  Ran ran =
      run_kernel("--kernel write_past_the_end --grid 1 --block 1 --arg out:256 i32:64 --json");
  EXPECT_EQ(ran.status, kExitWrong);
  EXPECT_EQ(nlohmann::json::parse(ran.output)["violations"].size(), 1u);
}

TEST_F(GpuRunKernel, CountsOfTheLinesAddUpToThoseOfTheKernel) {
  Ran ran = run_kernel(
      "--kernel 'wide_shared<float4>' --grid 4 --block 256 --arg out:65536 out:65536 i32:2 --json");
  ASSERT_EQ(ran.status, kExitGood) << ran.output;
  auto json = nlohmann::json::parse(ran.output);
  if (json["counts"].empty()) GTEST_SKIP() << "no counters: " << json["unavailable"];
  EXPECT_EQ(json["counts"][metric::kSharedWavefrontsIdeal]["value"], 4 * 8 * 2 * 4);
  ASSERT_FALSE(json["lines"].empty());
  for (const char* name :
       {metric::kWarpInstructions, metric::kThreadInstructions, metric::kSharedWavefronts,
        metric::kSharedWavefrontsIdeal, metric::kGlobalLoadSectors, metric::kGlobalStoreSectors}) {
    int64_t sum = 0;
    for (const auto& line : json["lines"]) {
      EXPECT_NE(line["file"].get<std::string>().find("probe.cu"), std::string::npos);
      EXPECT_GT(line["line"], 0);
      if (line["counts"].contains(name)) sum += line["counts"][name]["value"].get<int64_t>();
    }
    EXPECT_EQ(sum, json["counts"][name]["value"]) << name;
  }
}

TEST_F(GpuRunKernel, TheDumpHoldsTheOutputs) {
  const std::string file = testing::TempDir() + "gpu_run_kernel_dump";
  Ran ran = run_kernel("--kernel count_executions --grid 1 --block 32 --arg out:4 --dump " + file);
  ASSERT_EQ(ran.status, kExitGood) << ran.output;
  std::ifstream dump(file, std::ios::binary);
  int executions = 0;
  ASSERT_TRUE(dump.read(reinterpret_cast<char*>(&executions), 4));
  EXPECT_EQ(executions, 1) << "the outputs are those of the first execution";
  EXPECT_EQ(dump.peek(), EOF);
}

}  // namespace
}  // namespace lockstep
