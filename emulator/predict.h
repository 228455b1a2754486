// SPDX-License-Identifier: Apache-2.0
// From what was executed (KernelProfile: PTX) and what ptxas made of it (Cubin: SASS and its line
// table) to the counts that a card would show. docs/counting.md has the rules and their errors.
#pragma once

#include "common/backend/counts.h"
#include "emulator/cubin.h"
#include "emulator/device_profile.h"
#include "emulator/profile.h"

namespace lockstep::emulator {

struct PredictOptions {
  bool lines = true;  // also counts by source line
};

// cubin may be nullptr, or lack the kernel or its line table: then what needs SASS is
// unavailable, with the reason. Never throws for a cubin that was read.
Counts predict_counts(const KernelProfile& profile, const Cubin* cubin, const DeviceProfile& device,
                      const PredictOptions& options = {});

}  // namespace lockstep::emulator
