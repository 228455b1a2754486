// SPDX-License-Identifier: Apache-2.0
// Launch::finds_races: races between threads through global memory are found in whatever order
// blocks and warps run, with both accesses, and nothing else is taken for one. The kernels are in
// kernels/global_races.cu.
#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <sstream>

#include "common/backend/backend.h"
#include "tests/emulator/test_modules.h"

namespace lockstep::emulator {
namespace {

constexpr char kSource[] = "tests/emulator/kernels/global_races.cu";
constexpr char kStem[] = "build/modules/tests/emulator/kernels/global_races";
constexpr uint32_t kBlocks = 6, kThreads = 64;

struct Kernel {
  std::string name;
  std::set<int> lines;  // of the race
};

std::vector<Kernel> kernels() {
  std::vector<Kernel> out;
  std::istringstream source(file_bytes(kSource));
  std::string text;
  for (int line = 1; std::getline(source, text); ++line) {
    if (text.starts_with("KERNEL ")) out.push_back({text.substr(7, text.find('(') - 7), {}});
    if (text.ends_with("// RACE")) out.back().lines.insert(line);
  }
  return out;
}

struct Found {
  std::string kind, message;  // "" where the kernel ended
  std::set<int> lines;        // that the message names
};

struct Shape {
  uint32_t blocks = kBlocks;
  size_t words = 512;  // of the output
};

Found run(const std::string& kernel, uint64_t order, bool finds = true, uint32_t lane_order = 0,
          const Shape& shape = {}) {
  BackendOptions options;
  options.threads = 2;
  options.step_budget = 30'000'000;
  const std::unique_ptr<Backend> backend = make_emulator_backend(options);
  backend->load_module({std::string(kStem) + ".ptx", ""});
  std::vector<float> input(256);
  for (size_t i = 0; i < input.size(); ++i) input[i] = static_cast<float>(i);
  const BufferId in = backend->allocate({"in", 256 * 4, 4096, true});
  const BufferId out = backend->allocate({"out", shape.words * 4});
  backend->write(in, 0, input.data(), 256 * 4);
  backend->fill(out, 0, shape.words * 4, 0);
  Launch launch;
  launch.kernel = kernel;
  launch.grid.x = shape.blocks;
  launch.block.x = kThreads;
  launch.order = order;
  launch.lane_order = lane_order;
  launch.finds_races = finds;
  launch.arguments = {Argument::of_buffer(out), Argument::of_buffer(in), Argument::of<int>(256)};
  Found found;
  try {
    backend->launch(launch);
  } catch (const KernelFault& fault) {
    found.kind = fault.kind();
    found.message = fault.what();
    const std::regex place("global_races\\.cu:([0-9]+)");
    for (std::sregex_iterator at(found.message.begin(), found.message.end(), place), end; at != end;
         ++at)
      found.lines.insert(std::stoi((*at)[1]));
  }
  return found;
}

class GlobalRaces : public ::testing::TestWithParam<Kernel> {
 protected:
  void SetUp() override {
    if (file_bytes(std::string(kStem) + ".ptx").empty()) GTEST_SKIP() << "no CUDA toolkit";
  }
};

TEST_P(GlobalRaces, AreFoundInEveryOrderAndNothingElseIs) {
  const Kernel& kernel = GetParam();
  for (uint64_t order = 0; order <= 12; ++order) {
    const Found found = run(kernel.name, order);
    if (kernel.name.ends_with("_ok")) {
      EXPECT_EQ(found.kind, "") << "order " << order << ": " << found.message;
      continue;
    }
    ASSERT_EQ(found.kind, "race") << "order " << order << found.message;
    EXPECT_EQ(found.lines, kernel.lines) << "order " << order << ": " << found.message;
  }
}

TEST_P(GlobalRaces, AreNotLookedForUnasked) {
  if (GetParam().name.find("lanes_add") == 0) return;
  EXPECT_EQ(run(GetParam().name, 0, false).kind, "");
}

TEST_P(GlobalRaces, NoOrderOfLanesStopsALegalKernel) {
  if (!GetParam().name.ends_with("_ok")) return;
  for (uint32_t order = 1; order <= 5; ++order) {
    const Found found = run(GetParam().name, order, true, order);
    EXPECT_EQ(found.kind, "") << found.message;
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, GlobalRaces, ::testing::ValuesIn(kernels()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace lockstep::emulator
