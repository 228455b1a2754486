// SPDX-License-Identifier: Apache-2.0
// Executes one launch: blocks over SMs, SMs over host threads.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "emulator/exec/launch.h"
#include "emulator/l1_model.h"
#include "emulator/profile.h"

namespace lockstep::emulator {

struct LaunchOptions {
  int threads = 1;
  bool model_l1 = true;
  L1Config l1;
};

// Throws KernelFault when a check fails, the step budget is used up, ...
KernelProfile run_launch(LaunchState& state, const LaunchOptions& options);

}  // namespace lockstep::emulator
