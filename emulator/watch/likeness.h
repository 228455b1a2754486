// SPDX-License-Identifier: Apache-2.0
// How the numbers of a warp's threads differ in what an instruction takes, as ValueNode::same has
// it.
#pragma once

#include <cstdint>
#include <string>

#include "emulator/launch/launch.h"

namespace lockstep::emulator {

// Whether all lanes have the same number; the lanes from whose number the next one's is far away.
struct Likeness {
  bool same = false;
  uint32_t far = 0;
};

// Of the operand with that number of a computation, at that offset in its frame: neither, where its
// width is not known. Numbers that are one apart are not far away. mask: of lanes, not 0.
Likeness likeness(const std::string& opcode, int number, Warp& w, uint32_t offset, uint32_t mask);

// Of the addresses of an access of so many bytes: further away than these.
Likeness likeness_of_addresses(const Instr& in, Warp& w, uint32_t mask, uint32_t bytes);

// A lane's bits of ValueNode::same: at `same` and at `far`.
uint8_t bits_of(const Likeness& all, int lane, unsigned same, unsigned far);
uint8_t bits_of_address(const Likeness& all, int lane);

}  // namespace lockstep::emulator
