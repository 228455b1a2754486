// SPDX-License-Identifier: Apache-2.0
// What the tests that need a GPU share: one backend with the module of kernels/probe.cu, and
// buffers of floats. Without a GPU such a test is skipped.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "common/backend/backend.h"
#include "common/backend/metric_names.h"

namespace lockstep {

inline constexpr char kProbeModule[] = "build/modules/tests/cuda/kernels/probe.cubin";

class GpuTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string why;
    BackendOptions options;
    options.lines = false;
    gpu_ = make_cuda_backend(options, &why);
    if (gpu_ == nullptr) GTEST_SKIP() << why;
    ASSERT_TRUE(std::ifstream(kProbeModule)) << kProbeModule << " is not there: run make";
    gpu_->load_module(find_module_files(kProbeModule));
  }

  BufferId floats(const std::string& name, const std::vector<float>& values) {
    BufferId id = gpu_->allocate({name, values.size() * 4});
    gpu_->write(id, 0, values.data(), values.size() * 4);
    return id;
  }
  std::vector<float> read(BufferId id, size_t count) {
    std::vector<float> values(count);
    gpu_->read(id, 0, values.data(), count * 4);
    return values;
  }
  static std::vector<float> ramp(size_t count) {
    std::vector<float> values(count);
    for (size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i) * 0.5f;
    return values;
  }
  // A launch of a kernel (float* out, const float* in, int n).
  static Launch shape(const std::string& kernel, uint32_t blocks, uint32_t threads, BufferId out,
                      BufferId in, int n) {
    return {kernel,
            {blocks, 1, 1},
            {threads, 1, 1},
            0,
            {Argument::of_buffer(out), Argument::of_buffer(in), Argument::of(n)}};
  }
  static double value(const Counts& counts, const char* metric) {
    const Count* count = counts.find(metric);
    if (count != nullptr) return count->value;
    auto why = counts.unavailable.find(metric);
    ADD_FAILURE() << metric << ": "
                  << (why != counts.unavailable.end() ? why->second : "not there at all");
    return -1;
  }

  std::unique_ptr<Backend> gpu_;
};

}  // namespace lockstep
