// SPDX-License-Identifier: Apache-2.0
// The GPUs of this machine, read from the driver's attributes, and which one to use.
// No CUDA type appears here.
#pragma once

#include <string>
#include <vector>

#include "common/backend/device_info.h"

namespace lockstep::cuda {

// Every GPU in CUDA's order; none, with the reason in *why, where there is no driver or no GPU.
std::vector<DeviceInfo> list_devices(std::string* why);

// The index (DeviceInfo::index) of the GPU to use: `asked`, or, where that is negative, one
// without a display before one with, then the highest compute capability, then the lowest index.
// -1, with the reason in *why, where no GPU has compute capability 8.0 or later. Throws Error
// where `asked` names a GPU that is not there or is too old.
int choose_device(const std::vector<DeviceInfo>& devices, int asked, std::string* why);

// CUPTI's name for the chip where the compute capability tells it ("GH100" for 9.0), else "".
std::string chip_of(int cc_major, int cc_minor);

// "580.159.04", or, where only that is known, "CUDA 13.0"; empty where there is no driver.
std::string driver_version();

}  // namespace lockstep::cuda
