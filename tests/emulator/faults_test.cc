// SPDX-License-Identifier: Apache-2.0
// Every checker: a kernel with one fault is stopped at its line with its kind; its legal twin is
// not. The kernels and what is expected of them are in kernels/faults.cu and kernels/copies.cu.
#include <gtest/gtest.h>

#include <sstream>

#include "common/backend/backend.h"
#include "tests/emulator/test_modules.h"

namespace lockstep::emulator {
namespace {

constexpr char kStem[] = "build/modules/tests/emulator/kernels/faults";

std::string source_of(const std::string& kernel) {
  return std::string("tests/emulator/kernels/") +
         (kernel.starts_with("copy_") ? "copies.cu" : "faults.cu");
}
std::string stem_of(const std::string& kernel) {
  const std::string source = source_of(kernel);
  return "build/modules/" + source.substr(0, source.size() - 3);
}

struct Kernel {
  std::string name;
  std::string kinds;  // of the fault expected, separated by blanks; empty: legal
  int line = 0;
  bool by_order = false;  // shown only by another order of lanes
};

// Kernels of the sources in order, with the marks in their bodies.
void add_kernels(const std::string& file, std::vector<Kernel>* kernels) {
  std::vector<Kernel>& out = *kernels;
  std::istringstream source(file_bytes(file));
  std::string text;
  for (int line = 1; std::getline(source, text); ++line) {
    if (text.starts_with("KERNEL ")) {
      Kernel k;
      k.name = text.substr(7, text.find('(') - 7);
      out.push_back(k);
    }
    const size_t mark = text.find("// FAULT");
    if (mark == std::string::npos || out.empty()) continue;
    const std::string rest = text.substr(mark + 8);
    out.back().by_order = rest.starts_with("_ORDER");
    out.back().kinds = rest.substr(rest.find(' ') + 1);
    out.back().line = line;
  }
}

std::vector<Kernel> kernels_of_source() {
  std::vector<Kernel> out;
  for (const char* kernel : {"bounds", "copy_early"}) add_kernels(source_of(kernel), &out);
  return out;
}

struct Result {
  std::string kind;  // "" where the kernel ended
  FaultPlace place;
  std::string message;
  std::vector<float> out;
};

Result run(const std::string& kernel, int threads, uint32_t lane_order, uint64_t order = 0) {
  BackendOptions options;
  options.threads = threads;
  options.lane_order = lane_order;
  // What ends may wait long on a busy machine; what hangs need not.
  if (!kernel.ends_with("_ok")) options.step_budget = 30'000'000;
  const std::unique_ptr<Backend> backend = make_emulator_backend(options);
  backend->load_module({stem_of(kernel) + ".ptx", stem_of(kernel) + ".cubin"});
  // Blocks of the last kernels talk to each other; for the rest one block is enough.
  const bool several = kernel.starts_with("block_");
  const uint32_t block = kernel.starts_with("missing_") || kernel.starts_with("lanes_") ? 32 : 256;
  std::vector<float> input(256);
  for (size_t i = 0; i < input.size(); ++i) input[i] = static_cast<float>(i);
  const BufferId in = backend->allocate({"in", 256 * 4, 4096, true});
  const BufferId out = backend->allocate({"out", 512 * 4});
  backend->write(in, 0, input.data(), 256 * 4);
  if (kernel == "bounds_store") backend->fill(out, 0, 512 * 4, 0);
  Launch launch;
  launch.kernel = kernel;
  launch.grid.x = several ? 300 : 1;
  launch.block.x = block;
  launch.order = order;
  launch.finds_races = order % 2 != 0;
  const int n = kernel == "barrier_exit_ok" ? 100 : 256;
  launch.arguments = {Argument::of_buffer(out), Argument::of_buffer(in), Argument::of<int>(n)};
  Result result;
  try {
    backend->launch(launch);
    result.out.resize(512);
    backend->read(out, 0, result.out.data(), 512 * 4);
  } catch (const KernelFault& fault) {
    result.kind = fault.kind();
    result.place = fault.place();
    result.message = fault.what();
  }
  return result;
}

class FaultsTest : public ::testing::TestWithParam<Kernel> {
 protected:
  void SetUp() override {
    if (file_bytes(std::string(kStem) + ".cubin").empty()) GTEST_SKIP() << "no CUDA toolkit";
  }
};

TEST_P(FaultsTest, StopsTheFaultyKernelAtItsLineAndNoOther) {
  const Kernel& kernel = GetParam();
  for (int threads : {1, 2}) {
    const Result result = run(kernel.name, threads, 0);
    if (kernel.kinds.empty() || kernel.by_order) {
      EXPECT_EQ(result.kind, "") << result.message;
      continue;
    }
    ASSERT_NE(result.kind, "") << "no fault";
    EXPECT_NE(kernel.kinds.find(result.kind), std::string::npos) << result.kind << result.message;
    EXPECT_EQ(result.place.line, kernel.line) << result.message;
    EXPECT_TRUE(result.place.file.ends_with(source_of(kernel.name))) << result.place.file;
    EXPECT_EQ(result.place.kernel, kernel.name);
    const std::string begin = result.place.file + ":" + std::to_string(kernel.line) + ": ";
    EXPECT_TRUE(result.message.starts_with(begin)) << result.message;
    EXPECT_NE(result.message.find("thread ("), std::string::npos) << result.message;
  }
}

TEST_P(FaultsTest, AnotherOrderOfLanesShowsWhatLockstepHides) {
  const Kernel& kernel = GetParam();
  if (!kernel.kinds.empty() && !kernel.by_order) return;  // faults in any order
  const Result result = run(kernel.name, 1, 12345);
  if (kernel.by_order) {
    EXPECT_NE(kernel.kinds.find(result.kind), std::string::npos) << result.message;
    EXPECT_EQ(result.place.line, kernel.line) << result.message;
    EXPECT_NE(result.kind, "");
  } else {
    EXPECT_EQ(result.kind, "") << result.message;
  }
}

TEST_P(FaultsTest, NoOrderOfBlocksAndWarpsStopsALegalKernel) {
  const Kernel& kernel = GetParam();
  if (!kernel.kinds.empty()) return;
  for (uint64_t order = 1; order <= 5; ++order) {
    const Result result = run(kernel.name, static_cast<int>(1 + order % 2), 0, order);
    EXPECT_EQ(result.kind, "") << "order " << order << ": " << result.message;
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, FaultsTest, ::testing::ValuesIn(kernels_of_source()),
                         [](const auto& info) { return info.param.name; });

TEST(FaultsSourceTest, HasKernels) { EXPECT_GT(kernels_of_source().size(), 40u); }

std::vector<float> output_of(const std::string& kernel) { return run(kernel, 2, 0).out; }

#define LOCKSTEP_NEEDS_FAULTS() \
  if (file_bytes(std::string(kStem) + ".cubin").empty()) GTEST_SKIP() << "no CUDA toolkit"

TEST(SynchronizationTest, LocksAddEverything) {
  LOCKSTEP_NEEDS_FAULTS();
  EXPECT_EQ(output_of("spin_lock_ok").at(0), 255 * 256 / 2);
  EXPECT_EQ(output_of("naive_lock_ok").at(0), 255 * 256 / 2);
  EXPECT_EQ(output_of("block_lock_ok").at(0), 300);
}

TEST(SynchronizationTest, BlocksMayWaitForLaterOnes) {
  LOCKSTEP_NEEDS_FAULTS();
  const std::vector<float> out = output_of("block_chain_ok");
  for (size_t b = 0; b < 300; ++b) EXPECT_EQ(out.at(b), static_cast<float>(b));
}

TEST(SynchronizationTest, ShufflesFromTwoBranchesMeet) {
  LOCKSTEP_NEEDS_FAULTS();
  const std::vector<float> out = output_of("mask_two_places_ok");
  for (size_t t = 0; t < 256; ++t)
    EXPECT_EQ(out.at(t), static_cast<float>(t ^ 1) + ((t & 1) != 0 ? 1.0f : 0.0f));
}

TEST(SynchronizationTest, LanesMeetByMaskInAnyOrder) {
  LOCKSTEP_NEEDS_FAULTS();
  for (const char* kernel : {"mask_loop_ok", "mask_apart_ok"}) {
    const std::vector<float> expected = output_of(kernel);
    for (uint32_t order = 1; order <= 40; ++order) {
      const Result result = run(kernel, 1, order);
      ASSERT_EQ(result.out, expected) << kernel << " --lane-order " << order << result.message;
    }
  }
  const std::vector<float> sums = output_of("mask_apart_ok");
  for (size_t t = 0; t < 256; ++t) EXPECT_EQ(sums.at(t), (t & 2) != 0 ? 264.0f : 232.0f) << t;
}

TEST(FaultsMessageTest, NamesTheCopyThatIsUnderWay) {
  LOCKSTEP_NEEDS_FAULTS();
  const std::string early = run("copy_early", 1, 0).message;
  EXPECT_NE(early.find("reads s[0] of shared memory while its own asynchronous copy (tests/"),
            std::string::npos)
      << early;
  const std::string late = run("copy_barrier_first", 1, 0).message;
  EXPECT_NE(late.find("while the asynchronous copy of thread (31,0,0) ("), std::string::npos)
      << late;
}

TEST(SynchronizationTest, AsynchronousCopiesArrive) {
  LOCKSTEP_NEEDS_FAULTS();
  const std::vector<float> own = output_of("copy_own_ok"), warp = output_of("copy_warp_ok"),
                           sums = output_of("copy_pipeline_ok"),
                           ragged = output_of("copy_ragged_ok");
  for (int t = 0; t < 256; ++t) {
    const auto i = static_cast<size_t>(t);
    EXPECT_EQ(own.at(i), static_cast<float>(t));
    EXPECT_EQ(warp.at(i), static_cast<float>(t ^ 1));
    int sum = 255 - t, four = 0;
    for (int k = 0; k < 7; ++k) sum += (255 - t + 32 * k) % 256;
    EXPECT_EQ(sums.at(i), static_cast<float>(sum));
    for (int k = 4 * (255 - t); k < 4 * (256 - t); ++k) four += k < 253 ? k : 0;
    EXPECT_EQ(ragged.at(i), static_cast<float>(four)) << t;
  }
}

TEST(FaultsMessageTest, NamesTheOtherMask) {
  LOCKSTEP_NEEDS_FAULTS();
  const std::string message = run("mask_other", 1, 0).message;
  EXPECT_NE(message.find("which calls it with mask 0xffffffff instead of 0x7fffffff at "),
            std::string::npos)
      << message;
}

TEST(FaultsMessageTest, NamesArrayDistanceAndThread) {
  LOCKSTEP_NEEDS_FAULTS();
  const Result result = run("bounds", 1, 0);
  EXPECT_NE(result.message.find("thread (255,0,0) of block (0,0,0) reads 4 bytes at in[256]"),
            std::string::npos)
      << result.message;
  EXPECT_NE(result.message.find("array in has 1024 bytes"), std::string::npos) << result.message;
}

// Threads of several warps read what one of them writes.
TEST(FaultsMessageTest, NamesTheBarrierThatIsMissing) {
  LOCKSTEP_NEEDS_FAULTS();
  for (const char* kernel : {"race_loop", "race_write"}) {
    const std::string message = run(kernel, 1, 0).message;
    EXPECT_NE(message.find("put __syncthreads() between"), std::string::npos) << message;
  }
  const std::string message = run("lanes_race", 1, 0).message;
  EXPECT_NE(message.find("put __syncwarp() between"), std::string::npos) << message;
}

}  // namespace
}  // namespace lockstep::emulator
