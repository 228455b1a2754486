// SPDX-License-Identifier: Apache-2.0
// Whether a kernel can be launched in the shape that is asked for.
#pragma once

#include "common/backend/backend.h"
#include "emulator/device/device_profile.h"
#include "emulator/module/loaded_module.h"

namespace lockstep::emulator {

// Throws the kernel's refusal ("unsupported"), KernelFault "launch_failed" where its attributes or
// its needs do not allow the launch, and Error where no kernel could be launched like this.
void check_launch(const LoadedModule& module, size_t kernel, const Launch& launch,
                  const DeviceProfile& device);

}  // namespace lockstep::emulator
