// SPDX-License-Identifier: Apache-2.0
// GPU information: the lines of an RTX 4090 are known; what is not known is not 0.
#include "common/harness/device_lines.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "common/backend/chip.h"
#include "tests/common/fake_backend.h"

namespace lockstep {
namespace {

TEST(DeviceLines, OfAnRtx4090) {
  EXPECT_EQ(device_lines(harness_test::rtx4090()),
            "GPU 0: NVIDIA GeForce RTX 4090 @ 2.52 GHz WITH 24088 MiB GLOBAL MEM\n"
            "GPU 0: L2: 73728 kiB   MEM<->L2: 1008.1 GB/s\n"
            "GPU 0: CC: 8.9   SM: 128   SP-FP32/SM: 128   DP-FP64/SM: 2   TH/BL: 1024\n"
            "GPU 0: SHARED: 102400 B/SM   CONST: 65536 B   NUM REGS: 65536\n"
            "GPU 0: SHARED: 49152 B/BL   SH RES: 1024 B/BL   SH OPT-IN: 101376 B/BL\n"
            "GPU 0: PEAK: 41288 SP GFLOPS   645 DP GFLOPS   COMP/COMM: 163.8 SP   5.1 DP\n");
}

TEST(DeviceLines, OfAChipThatIsNotKnown) {
  DeviceInfo d = harness_test::rtx4090();
  d.cc_major = 99;
  d.memory_clock_khz = 0;
  d.index = 3;
  const std::string lines = device_lines(d);
  EXPECT_NE(lines.find("GPU 3: CC: 99.9   SM: 128   SP-FP32/SM: unknown   DP-FP64/SM: unknown"),
            std::string::npos);
  EXPECT_NE(lines.find("MEM<->L2: unknown GB/s"), std::string::npos);
  EXPECT_NE(lines.find("PEAK: unknown SP GFLOPS   unknown DP GFLOPS   COMP/COMM: unknown SP   "
                       "unknown DP"),
            std::string::npos);
}

TEST(DeviceLines, OfNothingAtAll) {
  const std::string lines = device_lines(DeviceInfo());
  EXPECT_NE(lines.find("unknown @ unknown GHz WITH unknown MiB"), std::string::npos);
  EXPECT_NE(lines.find("CC: unknown   SM: unknown"), std::string::npos);
}

TEST(DeviceJson, HasTheSameFigures) {
  const nlohmann::json json = nlohmann::json::parse(device_json(harness_test::rtx4090()));
  EXPECT_EQ(json["name"], "NVIDIA GeForce RTX 4090");
  EXPECT_EQ(json["sm_count"], 128);
  EXPECT_NEAR(json["memory_gbps"].get<double>(), 1008.1, 0.05);
  EXPECT_NEAR(json["fp32_gflops"].get<double>(), 41287.68, 0.01);
  DeviceInfo unknown = harness_test::rtx4090();
  unknown.clock_khz.reset();
  EXPECT_TRUE(nlohmann::json::parse(device_json(unknown))["clock_ghz"].is_null());
  EXPECT_TRUE(nlohmann::json::parse(device_json(unknown))["fp32_gflops"].is_null());
}

TEST(DeviceJson, SurvivesANameThatIsNoText) {
  DeviceInfo d = harness_test::rtx4090();
  d.name = "\xff\xfe\"\\\x1b";
  EXPECT_NO_THROW(nlohmann::json::parse(device_json(d)));
}

TEST(Chip, UnitsByComputeCapability) {
  EXPECT_EQ(fp32_units_per_sm(8, 0), 64);
  EXPECT_EQ(fp64_units_per_sm(8, 0), 32);
  EXPECT_EQ(fp32_units_per_sm(8, 6), 128);
  EXPECT_EQ(fp64_units_per_sm(8, 9), 2);
  EXPECT_EQ(fp32_units_per_sm(9, 0), 128);
  EXPECT_EQ(fp64_units_per_sm(9, 0), 64);
  EXPECT_EQ(fp32_units_per_sm(42, 0), std::nullopt);
}

TEST(Chip, PeaksOfAnH200) {
  DeviceInfo d;
  d.cc_major = 9;
  d.sm_count = 132;
  d.clock_khz = 1980000;
  d.memory_clock_khz = 3201000;
  d.memory_bus_bits = 6144;
  EXPECT_NEAR(*peak_fp32_gflops(d), 33454, 1);
  EXPECT_NEAR(*peak_fp64_gflops(d), 16727, 1);
  EXPECT_NEAR(*peak_memory_gbps(d), 4917, 1);
}

}  // namespace
}  // namespace lockstep
