// SPDX-License-Identifier: Apache-2.0
// The doctor's small kernel, on the emulator and, in the tests named so, on the GPU. Skipped where
// the machine allows no namespaces or has no toolkit.
#include "grader/trial.h"

#include <gtest/gtest.h>

#include <optional>

#include "common/base/error.h"
#include "tests/grader/temporary.h"

namespace lockstep::grader {
namespace {

class Trial : public testing::Test {
 protected:
  void SetUp() override {
    try {
      tools = find_toolchain(find_top());
      sandbox.emplace(SandboxPaths{tools.bwrap, tools.runner, tools.cuda}, Strength::kFull);
    } catch (const Error& e) {
      GTEST_SKIP() << e.what();
    }
  }
  std::string count_on(const std::string& backend) {
    const Machine machine = probe_machine(backend, "", {}, *sandbox);
    tools.arch = machine.arch();
    return try_counting(machine, tools, *sandbox, folder.path());
  }

  TemporaryFolder folder;
  Toolchain tools;
  std::optional<Sandbox> sandbox;
};

TEST_F(Trial, CountsInTheCage) {
  const std::string counts = count_on("emulator");
  EXPECT_NE(counts.find(", 8 store requests"), std::string::npos) << counts;
}

TEST_F(Trial, CountsOnTheGpu) {
  try {
    const std::string counts = count_on("gpu");
    EXPECT_NE(counts.find(", 8 store requests"), std::string::npos) << counts;
  } catch (const Error& e) {
    if (std::string(e.what()).find("no GPU") == std::string::npos) throw;
    GTEST_SKIP() << e.what();
  }
}

TEST_F(Trial, SaysWhatDoesNotWork) {
  const Machine machine = probe_machine("emulator", "", {}, *sandbox);
  tools.arch = "sm_1";  // no such GPU
  try {
    try_counting(machine, tools, *sandbox, folder.path());
    FAIL() << "compiled for sm_1";
  } catch (const Error& e) {
    EXPECT_EQ(std::string(e.what()).find("a small kernel does not compile in the sandbox\n"), 0u);
  }
}

}  // namespace
}  // namespace lockstep::grader
