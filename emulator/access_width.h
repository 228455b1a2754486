// SPDX-License-Identifier: Apache-2.0
// ptxas makes one wide access of several narrow ones where it can (four scalar loads from shared
// memory become one of 128 bits): the other PTX lines then have no SASS instruction, and this one
// must be counted by the rule of its SASS width.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "emulator/cubin.h"

namespace lockstep::emulator {

// By PTX line: bytes a lane of the SASS load or store (shared, global, local) that it became; lines
// whose copies differ in width are left out. Empty where the cubin says nothing. The wide access
// is aligned to its width: it covers the narrow one's address rounded down.
std::unordered_map<int, int> access_widths(const Cubin& cubin, const std::string& kernel);

// Bytes a thread that ptxas spilled, stores plus loads; -1: not known.
int64_t spill_bytes(const Cubin& cubin, const std::string& kernel);

}  // namespace lockstep::emulator
