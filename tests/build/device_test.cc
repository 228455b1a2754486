// SPDX-License-Identifier: Apache-2.0
// Modules: the architecture they are compiled for, what is refused, and what is shown of them.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/build/tree.h"

namespace lockstep::build_test {
namespace {

class Modules : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_nvcc()) GTEST_SKIP() << "no nvcc";
  }
  std::string target() { return run(tree_.path(), "grep '^.target' hw02/hw02.ptx").output; }

  SmallTree tree_;
};

TEST_F(Modules, ArchOfTheCommandLineWinsAndRebuilds) {
  const Outcome other = tree_.make("hw02/hw02.cubin ARCH=sm_89 GPU_CC=9.0");
  EXPECT_EQ(other.status, 0) << other.output;
  EXPECT_TRUE(target().find("sm_89") != std::string::npos) << target();
  EXPECT_TRUE(tree_.make("hw02/hw02.cubin ARCH=sm_89").has("up to date"));
  EXPECT_TRUE(tree_.make("hw02/hw02.cubin ARCH=sm_80").has("NVCC"));
  EXPECT_TRUE(target().find("sm_80") != std::string::npos) << target();
}

TEST_F(Modules, ArchIsThatOfTheFirstGpuThatCanRunThem) {
  EXPECT_EQ(tree_.make("hw02/hw02.ptx GPU_CC=8.6").status, 0);
  EXPECT_TRUE(target().find("sm_86") != std::string::npos) << target();
  EXPECT_EQ(tree_.make("hw02/hw02.ptx GPU_CC=7.5,8.9,9.0").status, 0);
  EXPECT_TRUE(target().find("sm_89") != std::string::npos) << target();
}

TEST_F(Modules, AnotherToolkitRebuilds) {
  EXPECT_EQ(tree_.make("hw02/hw02.cubin").status, 0);
  EXPECT_TRUE(tree_.make("-n hw02/hw02.cubin").has("up to date"));
  EXPECT_TRUE(tree_.make("-n hw02/hw02.cubin NVCC_VERSION=99.9").has("nvcc"));
}

TEST_F(Modules, OldGpusAreRefusedWithAWayOut) {
  const Outcome found = tree_.make("hw02/hw02.ptx GPU_CC=7.5");
  EXPECT_NE(found.status, 0);
  EXPECT_TRUE(
      found.has("error: sm_75 (the GPU found here) is too old: Lockstep needs compute "
                "capability 8.0 or later"))
      << found.output;
  EXPECT_TRUE(found.has("make ARCH=sm_90")) << found.output;
  const Outcome asked = tree_.make("hw02/hw02.ptx ARCH=sm_61");
  EXPECT_NE(asked.status, 0);
  EXPECT_TRUE(asked.has("error: sm_61 (as asked) is too old")) << asked.output;
  EXPECT_TRUE(tree_.make("hw02/hw02.ptx ARCH=fast").has("error: ARCH=fast is not an arch"));
}

TEST_F(Modules, WithoutAToolkitItSaysSoAndWhereToGetOne) {
  const Outcome outcome = tree_.make("hw02/hw02.ptx CUDA=/nowhere");
  EXPECT_NE(outcome.status, 0);
  EXPECT_EQ(outcome.lines_with("error: no CUDA toolkit: no bin/nvcc in /nowhere"), 1)
      << outcome.output;
  EXPECT_TRUE(outcome.has("https://developer.nvidia.com/cuda-downloads")) << outcome.output;
}

TEST_F(Modules, DebugModuleHasDeviceDebugInformationAndTheOtherOnlyLines) {
  EXPECT_EQ(tree_.make("hw02/hw02.cubin hw02/hw02-cuda-debug.cubin").status, 0);
  const Outcome plain = run(tree_.path(), "readelf -SW hw02/hw02.cubin");
  const Outcome debug = run(tree_.path(), "readelf -SW hw02/hw02-cuda-debug.cubin");
  EXPECT_TRUE(plain.has(".nv_debug_line_sass")) << plain.output;
  EXPECT_FALSE(plain.has(".debug_info")) << plain.output;
  EXPECT_TRUE(debug.has(".debug_info")) << debug.output;
}

TEST_F(Modules, ErrorsNameTheFileAsSeenFromWhereMakeWasTyped) {
  write_file(tree_.path("hw02/hw02.cu"),
             read_file(tree_.path("hw02/hw02.cu")) + "__device__ int f() { return oops; }\n");
  const Outcome there = tree_.make_in("hw02", "");
  EXPECT_NE(there.status, 0);
  EXPECT_EQ(there.lines_with("): error: identifier \"oops\" is undefined"), 1) << there.output;
  EXPECT_TRUE(there.has("\nhw02.cu(")) << there.output;
  const Outcome at_top = tree_.make("hw02");
  EXPECT_TRUE(at_top.has("\nhw02/hw02.cu(")) << at_top.output;
}

TEST_F(Modules, WhatDoesNotCompileLeavesNoModule) {
  ASSERT_EQ(tree_.make("hw02/hw02.cubin").status, 0);
  const std::string good = read_file(tree_.path("hw02/hw02.cu"));
  write_file(tree_.path("hw02/hw02.cu"), good + "oops\n");
  EXPECT_NE(tree_.make("hw02/hw02.cubin").status, 0);
  EXPECT_EQ(run(tree_.path(), "ls hw02/*.ptx hw02/*.cubin build/modules/hw02/*.dep")
                .lines_with("No such file"),
            3);
  write_file(tree_.path("hw02/hw02.cu"), good);
  EXPECT_EQ(tree_.make("hw02/hw02.cubin").status, 0);
}

TEST_F(Modules, TwoMakesAtOnceMakeWholeFiles) {
  ASSERT_EQ(tree_.make("hw02/hw02.cubin").status, 0);
  // nvcc puts its process into names that nobody sees.
  const std::string body = "sed '/^.b8/d' hw02/hw02.ptx | md5sum";
  const std::string whole = run(tree_.path(), body).output;
  const Outcome both = run(tree_.path(),
                           "touch hw02/hw02.cu; make hw02/hw02.cubin & first=$!; "
                           "make hw02/hw02.cubin && wait $first");
  EXPECT_EQ(both.status, 0) << both.output;
  EXPECT_EQ(run(tree_.path(), body).output, whole);
  EXPECT_EQ(tree_.make("hw02/hw02.cubin").lines_with("up to date"), 1);
}

TEST_F(Modules, SassComesFromTheProjectsOwnDisassembler) {
  const Outcome made = tree_.make("sass");
  EXPECT_EQ(made.status, 0) << made.output;
  for (const char* name : {"hw01/hw01", "hw02/hw02"}) {
    EXPECT_EQ(read_file(tree_.path(name + std::string(".sass"))),
              std::string("sass of ") + name + ".cubin\n");
  }
}

TEST_F(Modules, ResourcesAreShownPerKernelAndSpillsAlways) {
  write_file(tree_.path("log"),
             "ptxas info    : Compiling entry function '_Z1kILi1EEvPf' for 'sm_90'\n"
             "ptxas info    : Function properties for _Z1kILi1EEvPf\n"
             "    8 bytes stack frame, 12 bytes spill stores, 16 bytes spill loads\n"
             "ptxas info    : Used 40 registers, used 1 barriers, 128 bytes smem\n"
             "ptxas info    : Compiling entry function '_Z1kILi2EEvPf' for 'sm_90'\n"
             "ptxas info    : Function properties for _Z1kILi2EEvPf\n"
             "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
             "ptxas info    : Used 24 registers, used 0 barriers\n");
  const Outcome brief = run(tree_.path(), "make/resources.sh < log | sed 's/  */ /g'");
  EXPECT_EQ(brief.output,
            " k<1> 40 registers, 128 B shared, 28 B SPILLED, 8 B stack\n"
            " k<> (2 instances) 24..40 registers, 0..128 B shared\n");
  const Outcome all =
      run(tree_.path(), "RESOURCES_ALL=1 make/resources.sh < log | sed 's/  */ /g'");
  EXPECT_TRUE(all.has(" k<2> 24 registers, 0 B shared, no spills\n")) << all.output;
}

}  // namespace
}  // namespace lockstep::build_test
