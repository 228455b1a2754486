// SPDX-License-Identifier: Apache-2.0
// A GPU described for people (the lines that a homework program prints first) and for programs.
#pragma once

#include <string>

#include "common/backend/device_info.h"

namespace lockstep {

// Six lines, each beginning "GPU <index>: ". What is not known reads "unknown".
std::string device_lines(const DeviceInfo& device);

// One JSON object on one line; what is not known is null. Figures are those of the lines.
std::string device_json(const DeviceInfo& device);

}  // namespace lockstep
