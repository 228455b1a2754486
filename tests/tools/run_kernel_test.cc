// SPDX-License-Identifier: Apache-2.0
// tools/run-kernel from outside: command lines, exit codes, JSON, dumps. It runs the emulator, so
// no GPU is needed; what needs one is in tests/cuda/gpu_run_kernel_test.cc.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/base/error.h"

namespace lockstep {
namespace {

constexpr char kModule[] = "build/modules/tests/cuda/kernels/probe.ptx";

struct Ran {
  int status = -1;
  std::string out;
  std::string err;
};

std::string text_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

Ran run_kernel(const std::string& arguments) {
  const std::string err = testing::TempDir() + "run_kernel_stderr";
  Ran ran;
  FILE* pipe = popen(("timeout 120 tools/run-kernel " + arguments + " 2>" + err).c_str(), "r");
  if (pipe == nullptr) return ran;
  char buffer[4096];
  while (size_t got = fread(buffer, 1, sizeof buffer, pipe)) ran.out.append(buffer, got);
  const int status = pclose(pipe);
  if (WIFEXITED(status)) ran.status = WEXITSTATUS(status);
  ran.err = text_of(err);
  return ran;
}

std::string write_floats(const std::string& name, const std::vector<float>& values) {
  const std::string file = testing::TempDir() + name;
  std::ofstream out(file, std::ios::binary);
  out.write(reinterpret_cast<const char*>(values.data()),
            static_cast<std::streamsize>(values.size() * sizeof(float)));
  return file;
}

std::string launch(const std::string& kernel, const std::string& arguments) {
  return std::string("--backend emulator --module ") + kModule + " --kernel " + kernel +
         " --grid 2 --block 64 --arg " + arguments;
}

TEST(RunKernel, HelpGoesToStandardOutput) {
  Ran ran = run_kernel("--help");
  EXPECT_EQ(ran.status, kExitGood);
  EXPECT_NE(ran.out.find("--module"), std::string::npos);
  EXPECT_NE(ran.out.find("inout:TYPE:@FILE"), std::string::npos);
}

TEST(RunKernel, BadCommandLinesAreOneClearLineAndExitCodeTwo) {
  const std::string module = std::string("--module ") + kModule + " ";
  const std::string full = module + "--kernel copy_words --grid 1 --block 32 ";
  const std::pair<std::string, std::string> cases[] = {
      {"", "--module"},
      {"--module no_such.ptx", "no_such.ptx"},
      {module, "--kernel"},
      {module + "--kernel copy_words", "--grid"},
      {module + "--kernel copy_words --grid 0 --block 1", "--grid 0"},
      {module + "--kernel copy_words --grid 1,2,3,4 --block 1", "X,Y,Z"},
      {module + "--kernel copy_words --grid 1, --block 1", "X,Y,Z"},
      {module + "--kernel copy_words --grid -1 --block 1", "--grid -1"},
      {module + "--kernel copy_words --grid 99999999999 --block 1", "99999999999"},
      {full + "--shared x", "--shared x"},
      {full + "--backend cpu", "--backend cpu"},
      {full + "--no-such-option", "no-such-option"},
      {full + "--cubin no_such.cubin", "no_such.cubin"},
      {full + "--arg i32:4294967296", "i32:4294967296"},
      {full + "--arg u8:-1", "u8:-1"},
      {full + "--arg i32:", "i32:"},
      {full + "--arg f32:1.5x", "1.5x"},
      {full + "--arg f31:1", "f31"},
      {full + "--arg in:f32:@/no/such/file", "/no/such/file"},
      {full + "--arg in:f32:x", "@FILE"},
      {full + "--arg in:f64", "in:f32:@"},
      {full + "--arg out:many", "out:many"},
      {full + "--arg out:4:quux", "quux"},
      {full + "--arg i32:1 in:u64:@" + write_floats("three", {1, 2, 3}), "argument 2"},
  };
  for (const auto& [arguments, expected] : cases) {
    Ran ran = run_kernel(arguments);
    EXPECT_EQ(ran.status, kExitUsage) << arguments;
    EXPECT_NE(ran.err.find(expected), std::string::npos) << arguments << "\n" << ran.err;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
    EXPECT_TRUE(ran.out.empty()) << ran.out;
  }
}

class RunKernelEmulated : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::ifstream(kModule)) GTEST_SKIP() << kModule << " is not there: no toolkit to make it";
  }
};

TEST_F(RunKernelEmulated, PrintsOneJsonObjectWithCountsTheirTiersAndLines) {
  const std::string in = write_floats("copy_in", std::vector<float>(128, 2.5f));
  Ran ran = run_kernel(launch("copy_words", "out:512 in:f32:@" + in + " i32:128 --json"));
  ASSERT_EQ(ran.status, kExitGood) << ran.err;
  auto json = nlohmann::json::parse(ran.out);
  EXPECT_EQ(json["kernel"], "copy_words");
  EXPECT_EQ(json["backend"], "emulator");
  EXPECT_FALSE(json["device"].get<std::string>().empty());
  EXPECT_EQ(json["counts"]["global_load_requests"]["value"], 4);
  EXPECT_EQ(json["counts"]["global_load_requests"]["tier"], "exact");
  EXPECT_EQ(json["counts"]["global_store_sectors"]["value"], 16);
  EXPECT_EQ(json["counts"]["shared_wavefronts"]["value"], 0);
  for (const auto& [name, reason] : json["unavailable"].items()) {
    EXPECT_FALSE(json["counts"].contains(name)) << name;
    EXPECT_FALSE(reason.get<std::string>().empty()) << name;
  }
  EXPECT_TRUE(json["unavailable"].contains("dram_bytes"));
  ASSERT_FALSE(json["lines"].empty());
  int64_t loads = 0;
  for (const auto& line : json["lines"]) {
    EXPECT_NE(line["file"].get<std::string>().find("probe.cu"), std::string::npos);
    if (line["counts"].contains("global_load_requests")) {
      loads += line["counts"]["global_load_requests"]["value"].get<int64_t>();
    }
  }
  EXPECT_EQ(loads, 4);
}

TEST_F(RunKernelEmulated, DumpsTheOutputsOneAfterAnother) {
  std::vector<float> values(128);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  const std::string in = write_floats("dump_in", values);
  const std::string dump = testing::TempDir() + "run_kernel_dump";
  // The first buffer is written by the kernel in its first 400 bytes, and zero after that.
  Ran ran =
      run_kernel(launch("copy_words", "out:512 inout:f32:@" + in + " i32:100 --dump " + dump));
  ASSERT_EQ(ran.status, kExitGood) << ran.err;
  const std::string bytes = text_of(dump), input = text_of(in);
  ASSERT_EQ(bytes.size(), 1024u);
  EXPECT_EQ(bytes.substr(0, 400), input.substr(0, 400));
  EXPECT_EQ(bytes.substr(400, 112), std::string(112, '\0'));
  EXPECT_EQ(bytes.substr(512), input);
  EXPECT_NE(ran.out.find("counts by source line"), std::string::npos) << ran.out;
}

TEST_F(RunKernelEmulated, AFaultIsExitCode110WithItsPlace) {
  Ran ran = run_kernel(launch("fault_far_address", "out:512 --json"));
  EXPECT_EQ(ran.status, kExitCuda) << ran.out;
  auto json = nlohmann::json::parse(ran.out);
  EXPECT_EQ(json["fault"]["kind"], "out_of_bounds");
  EXPECT_NE(json["fault"]["file"].get<std::string>().find("probe.cu"), std::string::npos);
  EXPECT_GT(json["fault"]["line"], 0);
  EXPECT_NE(ran.err.find("probe.cu:"), std::string::npos) << ran.err;
}

TEST_F(RunKernelEmulated, UnknownKernelNamesThoseThatAreThere) {
  Ran ran = run_kernel(launch("copy_word", "out:512"));
  EXPECT_EQ(ran.status, kExitUsage);
  EXPECT_NE(ran.err.find("copy_words"), std::string::npos) << ran.err;
}

TEST_F(RunKernelEmulated, AModuleThatIsNoneIsAnError) {
  const std::string file = testing::TempDir() + "nonsense.ptx";
  std::ofstream(file) << "this is no PTX\n";
  Ran ran = run_kernel("--backend emulator --module " + file + " --kernel k --grid 1 --block 1");
  EXPECT_EQ(ran.status, kExitUsage) << ran.err;
  EXPECT_NE(ran.err.find("nonsense.ptx"), std::string::npos) << ran.err;
}

}  // namespace
}  // namespace lockstep
