// SPDX-License-Identifier: Apache-2.0
// Random legal PTX: kernels k0, k1, ... (out, in, n) of registers of every type, loops, branches,
// calls, shared and local memory, operations of a warp. Every result is defined by the PTX ISA to
// the bit, so two executions that differ show a fault.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace lockstep::emulator {

// What may be left out when a kernel is made smaller: statements, by their number in the kernel.
using Dropped = std::set<int>;

struct RandomKernel {
  uint64_t seed = 0;
  Dropped dropped = {};
};

inline constexpr int kRandomWordsIn = 16;   // a thread
inline constexpr int kRandomWordsOut = 47;  // a thread

// target: "sm_90". Kernel i is named "k" + i.
std::string random_module(const std::vector<RandomKernel>& kernels, const std::string& target);
// The number of statements that the kernel of this seed has.
int random_statements(uint64_t seed);
// Words that arithmetic stumbles over, and ordinary ones.
std::vector<uint32_t> random_input(uint64_t seed, size_t words);

}  // namespace lockstep::emulator
