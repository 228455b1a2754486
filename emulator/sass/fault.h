// SPDX-License-Identifier: Apache-2.0
// Faults of machine code in words, with the source line of its line table.
#pragma once

#include <cstdint>
#include <string>

#include "emulator/sass/code.h"

namespace lockstep::emulator::sass {

// sentence begins with a verb: "reads 4 bytes past ...". lane: -1 where no single thread is at
// fault.
[[noreturn]] void fault(const Warp& w, int lane, const char* kind, const std::string& sentence);
// About the launch, of which this lane was there.
[[noreturn]] void launch_fault(const Warp& w, int lane, const char* kind,
                               const std::string& sentence);
std::string thread_name(const Warp& w, int lane);
std::string block_name(const Block& b);

// Of an access to global memory that is in no array, outside of one, askew, or to what is read
// only.
[[noreturn]] void global_fault(const Warp& w, int lane, uint64_t address, uint32_t bytes,
                               bool store);
[[noreturn]] void shared_fault(const Warp& w, int lane, uint64_t offset, uint32_t bytes,
                               bool store);
[[noreturn]] void local_fault(const Warp& w, int lane, uint64_t offset, uint32_t bytes, bool store);

// Of an access below what the thread's stack has.
[[noreturn]] void stack_fault(const Warp& w, int lane);

// What the machine code reached that cannot be executed: its counts are not to be had.
struct NotExecuted {
  std::string why;
};

}  // namespace lockstep::emulator::sass
