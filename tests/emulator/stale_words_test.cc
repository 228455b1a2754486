// SPDX-License-Identifier: Apache-2.0
// What a block has loaded plainly it may find again as it was, until it has a fence (on an H200 a
// last block that had looked early added up zeros).
#include <gtest/gtest.h>

#include "common/backend/backend.h"
#include "tests/emulator/test_modules.h"

namespace lockstep::emulator {
namespace {

constexpr char kStem[] = "build/modules/tests/emulator/kernels/stale_words";
constexpr uint32_t kBlocks = 6;

uint32_t sum_of(const std::string& kernel, uint64_t order) {
  BackendOptions options;
  options.step_budget = 30'000'000;
  const std::unique_ptr<Backend> backend = make_emulator_backend(options);
  backend->load_module({std::string(kStem) + ".ptx", ""});
  Launch launch;
  for (const char* name : {"words", "done", "sum"}) {
    const BufferId buffer = backend->allocate({name, 32 * 4});
    backend->fill(buffer, 0, 32 * 4, 0);
    launch.arguments.push_back(Argument::of_buffer(buffer));
  }
  launch.kernel = kernel;
  launch.grid.x = kBlocks;
  launch.block.x = 32;
  launch.order = order;
  launch.finds_races = true;
  backend->launch(launch);
  uint32_t sum = 0;
  backend->read(launch.arguments[2].buffer, 0, &sum, sizeof sum);
  return sum;
}

class StaleWords : public ::testing::Test {
 protected:
  void SetUp() override {
    if (file_bytes(std::string(kStem) + ".ptx").empty()) GTEST_SKIP() << "no CUDA toolkit";
  }
};

TEST_F(StaleWords, AreFoundWithoutAFence) {
  for (const uint64_t order : {1, 2, 3, 77}) {
    for (const char* kernel :
         {"without", "with_fence_of_the_block", "with_bytes", "without_atomics"})
      EXPECT_EQ(sum_of(kernel, order), 0u) << kernel << " " << order;
    EXPECT_EQ(sum_of("adds_itself", order), 7u) << order;
  }
}

TEST_F(StaleWords, AreNotFoundBehindAFenceNorAroundL1) {
  for (const uint64_t order : {1, 2, 3, 77})
    for (const char* kernel : {"with_fence", "by_volatile", "around_l1"})
      EXPECT_EQ(sum_of(kernel, order), kBlocks - 1) << kernel << " " << order;
}

TEST_F(StaleWords, AreNotThereWhereNoOrderIsDrawn) { EXPECT_EQ(sum_of("without", 0), kBlocks - 1); }

}  // namespace
}  // namespace lockstep::emulator
