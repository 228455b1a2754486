// SPDX-License-Identifier: Apache-2.0
// ptxas makes one wide access of several and, where that turns out misaligned, takes it apart
// again; the parts all keep the line of the first PTX access. Here each part gets an access of its
// own. It also takes apart what is wide in PTX and not all used (two floats of a float4).
#pragma once

#include <string>

#include "emulator/sass_map.h"

namespace lockstep::emulator {

// Bytes a lane of a PTX access: 8 of "ld.shared.v2.f32"; 0: not told.
int access_bytes(const std::string& opcode);

// Changes map->ptx and map->sass; sets map->parted where the parts are not as wide as the accesses,
// and map->continues.
void tell_parts_apart(const KernelProfile& profile, SassMap* map);

}  // namespace lockstep::emulator
