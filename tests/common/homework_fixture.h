// SPDX-License-Identifier: Apache-2.0
// A whole homework program on a backend in memory, for tests of what it prints and does.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "common/base/error.h"
#include "common/harness/homework.h"
#include "common/harness/metrics.h"
#include "tests/common/fake_backend.h"
#include "tests/common/test_homework.h"

namespace lockstep::harness_test {

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
      b.add_kernel(kernel, [](const FakeLaunch& l) { normalize(l, 8); });
  }
  static void one_kernel(FakeBackend& b, FakeKernel kernel) {
    b.add_kernel("norm_group<8,8>", std::move(kernel));
  }

  Result run(const Words& arguments, const Setup& setup) {
    HomeworkEnvironment environment;
    environment.width = 100;
    environment.terminal = terminal_;
    environment.open_backend = [&](const Options&, std::string* note) {
      auto backend = std::make_unique<FakeBackend>();
      backend->info = rtx4090();
      setup(*backend);
      *note = note_;
      opened_ = true;
      return std::unique_ptr<Backend>(std::move(backend));
    };
    return run_in(environment, arguments);
  }

  // The homework in an environment that gets its names and streams here.
  Result run_in(HomeworkEnvironment& environment, const Words& arguments) {
    std::ostringstream out, err;
    environment.program = "./hw99";
    environment.executable = folder_ + "/hw99";
    environment.out = &out;
    environment.err = &err;
    Result result;
    result.code = run_homework(arguments, *homework_, environment);
    result.out = out.str();
    result.err = err.str();
    return result;
  }

  std::unique_ptr<Assignment> homework_ = std::make_unique<TestHomework>();
  std::string folder_;
  std::string note_;
  bool opened_ = false;
  bool terminal_ = false;
};

// 640 blocks of 8 warps on 1000 vectors: all figures below can be done by hand.
inline Counts sample_counts() {
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

}  // namespace lockstep::harness_test
