// SPDX-License-Identifier: Apache-2.0
// Which instructions depend on the order in which warps run: values that order decides (what an
// atomic operation gives, what a volatile or ordered load reads, clocks and numbers of SMs) are
// followed through registers, predicates and memory to guards, branches and addresses.
#pragma once

#include <cstdint>
#include <vector>

#include "emulator/sass/code.h"

namespace lockstep::emulator::sass {

enum Depends : uint8_t {
  kNothing = 0,
  kWhether = 1,  // its guard, or where it leads
  kWhere = 2,    // the address that it reaches
};

// By instruction: bits of Depends. load: of what this load reads alone (for an array that the
// launch changes); -1: of all else that order decides.
std::vector<uint8_t> find_dependence(const Code& code, int load = -1);
// By instruction: whether some way through the code leads there, as far as the code alone tells;
// leaving out what it does a second time for lanes that have parted (BRA.DIV).
std::vector<bool> find_reachable(const Code& code);

}  // namespace lockstep::emulator::sass
