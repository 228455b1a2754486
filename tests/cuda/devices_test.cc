// SPDX-License-Identifier: Apache-2.0
// Which GPU is chosen, and what is said where none can be. No GPU needed.
#include "common/cuda/devices.h"

#include <gtest/gtest.h>

#include "common/backend/backend.h"
#include "common/base/error.h"

namespace lockstep::cuda {
namespace {

DeviceInfo device(int index, int major, int minor, bool display = false) {
  DeviceInfo info;
  info.name = "GPU " + std::to_string(index);
  info.index = index;
  info.cc_major = major;
  info.cc_minor = minor;
  info.has_display = display;
  return info;
}

TEST(ChooseDevice, PrefersTheHighestComputeCapability) {
  std::string why;
  EXPECT_EQ(choose_device({device(0, 8, 0), device(1, 9, 0), device(2, 8, 9)}, -1, &why), 1);
}

TEST(ChooseDevice, PrefersAGpuWithoutADisplay) {
  EXPECT_EQ(choose_device({device(0, 12, 0, true), device(1, 8, 6)}, -1, nullptr), 1);
  EXPECT_EQ(choose_device({device(0, 8, 9, true), device(1, 12, 0, true)}, -1, nullptr), 1);
}

TEST(ChooseDevice, TakesTheFirstOfEquals) {
  EXPECT_EQ(choose_device({device(0, 9, 0), device(1, 9, 0)}, -1, nullptr), 0);
}

TEST(ChooseDevice, TakesTheOneAskedFor) {
  EXPECT_EQ(choose_device({device(0, 9, 0), device(1, 8, 0, true)}, 1, nullptr), 1);
}

TEST(ChooseDevice, SaysThatAGpuIsTooOld) {
  std::string why;
  EXPECT_EQ(choose_device({device(0, 7, 5)}, -1, &why), -1);
  EXPECT_NE(why.find("7.5"), std::string::npos) << why;
  EXPECT_NE(why.find("8.0 or later"), std::string::npos) << why;
  // One that is new enough is taken, wherever it stands.
  EXPECT_EQ(choose_device({device(0, 7, 5), device(1, 8, 0)}, -1, &why), 1);
}

TEST(ChooseDevice, RefusesAnAskedDeviceThatIsTooOldOrNotThere) {
  try {
    choose_device({device(0, 9, 0), device(1, 7, 0)}, 1, nullptr);
    FAIL() << "took a GPU of compute capability 7.0";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), kExitCannotRun);
  }
  try {
    choose_device({device(0, 9, 0)}, 3, nullptr);
    FAIL() << "took a GPU that is not there";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), kExitUsage);
    EXPECT_NE(std::string(error.what()).find("no GPU 3"), std::string::npos) << error.what();
  }
}

TEST(ChooseDevice, NamesTheChipWhereTheComputeCapabilityTells) {
  EXPECT_EQ(chip_of(9, 0), "GH100");
  EXPECT_EQ(chip_of(8, 0), "GA100");
  EXPECT_EQ(chip_of(8, 6), "");  // GA102 to GA107
}

TEST(MakeCudaBackend, WithoutAGpuSaysWhyAndDoesNotThrow) {
  std::string why;
  std::vector<DeviceInfo> devices = list_devices(&why);
  if (!devices.empty()) GTEST_SKIP() << "there is a GPU";
  EXPECT_FALSE(why.empty());
  std::string reason;
  EXPECT_EQ(make_cuda_backend({}, &reason), nullptr);
  EXPECT_EQ(reason, why);
  EXPECT_EQ(make_cuda_backend({}, nullptr), nullptr);
}

}  // namespace
}  // namespace lockstep::cuda
