// SPDX-License-Identifier: Apache-2.0
// Counts of kernels that call functions: of the module, in sections of their own too, and of the
// system, whose instructions nobody knows.
#include <gtest/gtest.h>

#include "common/backend/backend.h"
#include "common/backend/metric_names.h"
#include "tests/emulator/test_modules.h"

namespace lockstep::emulator {
namespace {

constexpr char kFolder[] = "build/modules/tests/emulator/kernels/";
constexpr uint32_t kThreads = 256;

Counts count(const std::string& module, const std::string& kernel, int32_t n = 1) {
  BackendOptions options;
  options.threads = 1;
  const auto backend = make_emulator_backend(options);
  backend->load_module(find_module_files(kFolder + module + ".ptx"));
  const BufferId out = backend->allocate({"out", kThreads * 4});
  const BufferId in = backend->allocate({"in", (kThreads + 2) * 4});
  backend->fill(in, 0, (kThreads + 2) * 4, 0);
  const Launch launch{kernel,
                      {1},
                      {kThreads},
                      0,
                      {Argument::of_buffer(out), Argument::of_buffer(in), Argument::of(n)}};
  return backend->count(launch,
                        {metric::kWarpInstructions, metric::kGlobalLoadRequests,
                         metric::kGlobalStoreRequests, metric::kGlobalStoreSectors},
                        {});
}

double value(const Counts& counts, const char* metric) {
  const Count* found = counts.find(metric);
  return found != nullptr ? found->value : -1;
}

// A function with a section of its own is linked in when the module is loaded; that is not done.
void expect_to_be_linked(const Counts& counts) {
  ASSERT_TRUE(counts.unavailable.contains(metric::kWarpInstructions));
  EXPECT_EQ(counts.unavailable.at(metric::kWarpInstructions), "its machine code is to be linked");
}

class Calls : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (file_bytes(kFolder + std::string(GetParam()) + ".cubin").empty())
      GTEST_SKIP() << "no CUDA toolkit";
  }
  static bool is_debug() { return GetParam() == std::string("calls_debug"); }
};

TEST_P(Calls, APrintfThatIsNotReachedHidesNothing) {
  const Counts counts = count(GetParam(), "never_prints");
  if (is_debug()) return expect_to_be_linked(counts);
  EXPECT_EQ(value(counts, metric::kGlobalLoadRequests), 8);
  EXPECT_EQ(value(counts, metric::kGlobalStoreSectors), 32);
  EXPECT_GT(value(counts, metric::kWarpInstructions), 8 * 8);
}

TEST_P(Calls, WhatPrintfExecutesIsUnknownAndNotZero) {
  const Counts counts = count(GetParam(), "prints_once");
  if (is_debug()) return expect_to_be_linked(counts);
  EXPECT_EQ(counts.find(metric::kWarpInstructions), nullptr);
  EXPECT_NE(counts.unavailable.at(metric::kWarpInstructions).find("printf"), std::string::npos);
  EXPECT_TRUE(counts.values.empty());
}

// Nobody knows how deep a function calls itself, so a thread has what a card's driver gives it.
TEST_P(Calls, WhatCallsItselfHasTheStackOfACard) {
  const Counts counts = count(GetParam(), "descends", 4);
  if (is_debug()) return expect_to_be_linked(counts);
  EXPECT_GT(value(counts, metric::kWarpInstructions), 0);
  try {
    count(GetParam(), "descends", 200);
    ADD_FAILURE() << "no fault";
  } catch (const KernelFault& fault) {
    EXPECT_EQ(fault.kind(), "illegal_address");
    EXPECT_NE(std::string(fault.what()).find("more than the 1024 bytes of stack"),
              std::string::npos)
        << fault.what();
  }
}

TEST_P(Calls, WhatWasPrintedBeforeAFaultIsKept) {
  const auto backend = make_emulator_backend({});
  backend->load_module(find_module_files(kFolder + std::string(GetParam()) + ".ptx"));
  const BufferId out = backend->allocate({"out", 4}), in = backend->allocate({"in", 4});
  backend->fill(in, 0, 4, 0);
  const Launch launch{
      "prints_once",
      {1},
      {32},
      0,
      {Argument::of_buffer(out), Argument::of_buffer(in), Argument::of<int32_t>(7)}};
  EXPECT_THROW(backend->launch(launch), KernelFault);
  EXPECT_EQ(backend->take_output(), "n is 7\n");
}

TEST_P(Calls, WhatACalledFunctionLoadsIsCounted) {
  const Counts counts = count(GetParam(), "calls_a_function");
  if (is_debug()) return expect_to_be_linked(counts);
  EXPECT_EQ(value(counts, metric::kGlobalLoadRequests), 3 * 8);
  EXPECT_EQ(value(counts, metric::kGlobalStoreRequests), 8);
}

TEST_P(Calls, InstructionsOfTheFunctionAreIncluded) {
  const Counts counts = count(GetParam(), "calls_a_function");
  if (is_debug()) return expect_to_be_linked(counts);
  EXPECT_GT(value(counts, metric::kWarpInstructions), 8 * 15);
}

// Names like those of ptxas's own routines hide nothing.
TEST_P(Calls, AFunctionsNameChangesNoCount) {
  const Counts plain = count(GetParam(), "calls_named_otherwise");
  if (is_debug()) return expect_to_be_linked(plain);
  EXPECT_EQ(value(plain, metric::kGlobalStoreRequests), 4 * 8);
  EXPECT_GT(value(plain, metric::kWarpInstructions), 8 * 16);
  for (const char* kernel : {"calls_named_cuda_sm", "calls_named_internal"}) {
    const Counts named = count(GetParam(), kernel);
    for (const char* metric : {metric::kWarpInstructions, metric::kGlobalLoadRequests,
                               metric::kGlobalStoreRequests, metric::kGlobalStoreSectors})
      EXPECT_EQ(value(named, metric), value(plain, metric)) << kernel << " " << metric;
  }
}

TEST_P(Calls, LanesThatReturnTogetherStoreTogether) {
  const Counts together = count(GetParam(), "recurses", 0);
  if (is_debug()) return expect_to_be_linked(together);
  EXPECT_EQ(value(together, metric::kGlobalStoreRequests), 8);
}
INSTANTIATE_TEST_SUITE_P(Builds, Calls, testing::Values("calls", "calls_debug"));

}  // namespace
}  // namespace lockstep::emulator
