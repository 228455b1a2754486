// SPDX-License-Identifier: Apache-2.0
// The CUDA backend on a card: modules, buffers, launches, times. `make test-gpu` runs it.
#include <cmath>

#include "common/base/error.h"
#include "tests/cuda/gpu_fixture.h"

namespace lockstep {
namespace {

using GpuBackend = GpuTest;

TEST_F(GpuBackend, DescribesTheDeviceAndItsKernels) {
  EXPECT_EQ(gpu_->kind(), "gpu");
  const DeviceInfo& info = gpu_->device();
  EXPECT_GE(info.cc_major, 8);
  EXPECT_GT(info.sm_count, 0);
  EXPECT_GT(info.clock_khz.value_or(0), 100000);
  EXPECT_GT(info.l2_bytes, 1 << 20);
  EXPECT_GT(gpu_->free_bytes().value_or(0), 0);
  EXPECT_FALSE(gpu_->devices().empty());
  EXPECT_FALSE(gpu_->driver_version().empty());
  bool found = false;
  for (const KernelInfo& kernel : gpu_->kernels()) {
    if (kernel.name != "wide_shared<double>") continue;
    found = true;
    EXPECT_EQ(kernel.shared_bytes, 2048);
    EXPECT_EQ(kernel.local_bytes, 0);
    EXPECT_EQ(kernel.spill_bytes, 0);
    EXPECT_GT(kernel.registers, 0);
    EXPECT_EQ(kernel.parameter_bytes, (std::vector<uint32_t>{8, 8, 4}));
    EXPECT_EQ(kernel.signature, "(double*,double const*,int)");
  }
  EXPECT_TRUE(found);
}

TEST_F(GpuBackend, RunsAKernelAndReadsItsResult) {
  const std::vector<float> in = ramp(1000);
  BufferId a = floats("in", in), b = floats("out", std::vector<float>(1000, -1));
  gpu_->launch(shape("copy_words", 4, 256, b, a, 1000));
  EXPECT_EQ(read(b, 1000), in);
}

TEST_F(GpuBackend, FillsCopiesAndKeepsGuards) {
  BufferId a = floats("a", ramp(100)), b = floats("b", ramp(100));
  gpu_->fill(a, 8, 42, 0x44332211);
  std::vector<uint8_t> bytes(400);
  gpu_->read(a, 0, bytes.data(), 400);
  EXPECT_EQ(bytes[8], 0x11);
  EXPECT_EQ(bytes[11], 0x44);
  EXPECT_EQ(bytes[49], 0x22);
  EXPECT_EQ(bytes[52], 0x00) << "wrote past what was asked";
  gpu_->copy(b, a, 400);
  EXPECT_EQ(read(b, 100), read(a, 100));
  for (uint8_t byte : gpu_->read_guards(a)) ASSERT_EQ(byte, Backend::kGuardByte);
  EXPECT_THROW(gpu_->write(a, 399, bytes.data(), 2), Error);
  EXPECT_THROW(gpu_->read(a, 401, bytes.data(), 0), Error);
  EXPECT_THROW(gpu_->release(77777), Error);
}

TEST_F(GpuBackend, WritePastTheEndShowsInTheGuard) {
  BufferId out = floats("out", ramp(64));
  gpu_->launch({"write_past_the_end", {}, {}, 0, {Argument::of_buffer(out), Argument::of(64)}});
  const std::vector<uint8_t> guards = gpu_->read_guards(out);
  EXPECT_NE(guards[guards.size() / 2 + 4 + 3], Backend::kGuardByte);
}

TEST_F(GpuBackend, DynamicSharedMemoryAboveTheDefaultIsOptedInto) {
  const int n = 20000;  // 80 000 bytes
  const std::vector<float> in = ramp(n);
  BufferId a = floats("in", in), b = floats("out", std::vector<float>(n));
  Launch launch = shape("reverse_dynamic", 1, 256, b, a, n);
  launch.dynamic_shared_bytes = n * 4;
  EXPECT_GE(gpu_->max_blocks_per_sm(launch), 1);
  gpu_->launch(launch);
  EXPECT_EQ(read(b, 1)[0], in[n - 1]);
  launch.dynamic_shared_bytes = 100 << 20;
  EXPECT_THROW(gpu_->launch(launch), Error);
}

TEST_F(GpuBackend, RefusesALaunchThatDoesNotFitTheKernel) {
  BufferId a = floats("a", ramp(64));
  EXPECT_THROW(gpu_->launch(shape("no_such_kernel", 1, 32, a, a, 1)), Error);
  EXPECT_THROW(gpu_->launch(shape("copy_words", 1, 2048, a, a, 1)), Error);
  EXPECT_THROW(gpu_->launch(shape("copy_words", 0, 32, a, a, 1)), Error);
  Launch launch = shape("copy_words", 1, 32, a, a, 1);
  launch.arguments.pop_back();
  EXPECT_THROW(gpu_->launch(launch), Error);
  launch.arguments.push_back(Argument::of(1.0));  // eight bytes for an int
  EXPECT_THROW(gpu_->launch(launch), Error);
  EXPECT_THROW(gpu_->allocate({"huge", size_t{1} << 50}), Error);
  // None of these is a fault: the card still works.
  gpu_->launch(shape("copy_words", 1, 32, a, a, 1));
}

TEST_F(GpuBackend, ALaunchThatTheKernelsAttributesForbidIsAFaultOfTheKernel) {
  BufferId a = floats("a", ramp(256));
  for (const Launch& launch :
       {shape("in_clusters", 3, 32, a, a, 96), shape("small_blocks", 1, 128, a, a, 128)}) {
    try {
      gpu_->launch(launch);
      ADD_FAILURE() << launch.kernel << " was launched";
    } catch (const KernelFault& fault) {
      EXPECT_EQ(fault.kind(), "launch_failed") << fault.what();
      EXPECT_EQ(fault.place().kernel, launch.kernel);
    }
  }
  gpu_->launch(shape("copy_words", 1, 32, a, a, 1));  // the card still works
}

TEST_F(GpuBackend, ReadsVariables) {
  auto shape_bytes = gpu_->read_global("launch_shape");
  ASSERT_TRUE(shape_bytes);
  EXPECT_EQ(*shape_bytes, (std::vector<uint8_t>{3, 0, 0, 0, 8, 0, 0, 0}));
  EXPECT_FALSE(gpu_->read_global("no_such_variable"));
}

TEST_F(GpuBackend, VariablesHaveTheirInitialValuesBeforeEveryExecution) {
  const std::vector<int> fresh = {1, 1, 21, 51, 61, 40};
  BufferId out = gpu_->allocate({"out", fresh.size() * 4});
  std::vector<int> found(fresh.size());
  int looked = 0;
  const auto look = [&] {
    gpu_->read(out, 0, found.data(), found.size() * 4);
    EXPECT_EQ(found, fresh);
    ++looked;
  };
  const PassHooks hooks{[&] { gpu_->fill(out, 0, found.size() * 4, 0); }, look};
  const Launch launch{"count_everywhere", {1}, {32}, 0, {Argument::of_buffer(out)}};
  ModuleFiles files = find_module_files(kProbeModule);
  for (const char* cubin : {files.cubin.c_str(), ""}) {  // "": the driver compiles the PTX
    gpu_->load_module({files.ptx, cubin});
    for (int i = 0; i < 3; ++i) {
      gpu_->launch(launch);
      look();
    }
    // Nothing of a launch is seen behind it.
    EXPECT_EQ(gpu_->read_global("state"), (std::vector<uint8_t>{0, 0, 0, 0}));
    gpu_->time_us(launch, hooks);
    gpu_->time_us(launch, hooks);
    const int before = looked;
    gpu_->count_sequences({{launch}, {launch}}, standard_metrics(), {hooks, hooks});
    EXPECT_GE(looked, before + 2);
    gpu_->launch(launch);
    look();
  }
}

TEST_F(GpuBackend, PtxAloneIsCompiledByTheDriver) {
  ModuleFiles files = find_module_files(kProbeModule);
  files.cubin.clear();
  gpu_->load_module(files);
  BufferId a = floats("in", ramp(32)), b = floats("out", ramp(0x20));
  gpu_->launch(shape("copy_words", 1, 32, b, a, 32));
  EXPECT_EQ(read(b, 32), ramp(32));
}

TEST_F(GpuBackend, TimesWithHooksAroundEveryExecution) {
  const size_t n = 1 << 22;
  BufferId a = floats("in", ramp(n)), b = floats("out", ramp(n));
  int before = 0, after = 0;
  PassHooks hooks{[&] { EXPECT_EQ(before++, after); }, [&] { EXPECT_EQ(before, ++after); }};
  auto first = gpu_->time_us(shape("copy_words", n / 256, 256, b, a, n), hooks);
  auto second = gpu_->time_us(shape("copy_words", n / 256, 256, b, a, n), hooks);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(before, after);
  EXPECT_EQ(after, 3);  // a warm-up, and two that were timed
  for (double us : {*first, *second}) {
    EXPECT_GT(us, 2);  // 32 MiB in 2 us would be 16 TB/s
    EXPECT_LT(us, 1000);
  }
}

}  // namespace
}  // namespace lockstep
