// SPDX-License-Identifier: Apache-2.0
// What is drawn for a launch.
#pragma once

#include <cstdint>
#include <vector>

#include "common/backend/backend.h"

namespace lockstep::emulator {
namespace sass {
enum class Order : uint8_t;
}

// Those of its blocks that are executed; none: all.
std::vector<uint64_t> drawn_of(const Launch& launch);

// In which its machine code goes on; from: Launch::order.
sass::Order order_of_code(uint64_t from);

}  // namespace lockstep::emulator
