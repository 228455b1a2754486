// SPDX-License-Identifier: Apache-2.0
// Lanes that part and meet in .sync operations: instructions as an H200 counted them
// (smsp__inst_executed, one warp, driver 580.159.04, ptxas 13.0.88).
#include <gtest/gtest.h>

#include "common/backend/backend.h"
#include "common/backend/metric_names.h"
#include "tests/emulator/test_modules.h"

namespace lockstep::emulator {
namespace {

const std::string kStem = "build/modules/tests/emulator/kernels/parted";

Counts counts_of(const std::string& kernel) {
  BackendOptions options;
  options.threads = 1;
  const auto backend = make_emulator_backend(options);
  backend->load_module({kStem + ".ptx", kStem + ".cubin"});
  const BufferId out = backend->allocate({"out", 128}), in = backend->allocate({"in", 128});
  backend->fill(out, 0, 128, 0);
  backend->fill(in, 0, 128, 0);
  const Launch launch{
      kernel, {1}, {32}, 0, {Argument::of_buffer(out), Argument::of_buffer(in), Argument::of(20)}};
  return backend->count(launch, {metric::kWarpInstructions}, {});
}

TEST(Collectives, GroupsThatMeetInASyncOperationTakeAsManyInstructionsAsOnACard) {
  if (file_bytes(kStem + ".cubin").empty()) GTEST_SKIP() << "no CUDA toolkit";
  struct Case {
    const char* kernel;
    double measured;
  };
  for (const Case& c :
       {Case{"shuffle_two", 39}, Case{"shuffle_four", 66}, Case{"shuffle_often", 64},
        Case{"reduce_two", 36}, Case{"vote_two", 38}, Case{"match_two", 36}, Case{"sync_two", 45},
        Case{"mask_of_group", 29}, Case{"shuffle_loop", 305}}) {
    const Counts counts = counts_of(c.kernel);
    const Count* found = counts.find(metric::kWarpInstructions);
    ASSERT_NE(found, nullptr) << c.kernel;
    // Of the loop which lanes come first was not found out.
    EXPECT_NEAR(found->value, c.measured, c.kernel == std::string("shuffle_loop") ? 6 : 0)
        << c.kernel;
  }
}

}  // namespace
}  // namespace lockstep::emulator
