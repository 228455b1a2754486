// SPDX-License-Identifier: Apache-2.0
// Calls of device functions: frames, parameters, local memory of the callee.
#pragma once

#include "emulator/launch/launch.h"

namespace lockstep::emulator {

// Moves the running group into the function that it calls, for the lanes in mask (the others of
// the group wait for them after the call).
void call_function(const Instr& in, Warp& w, uint32_t mask);
// The running group goes back to its caller.
void return_from_function(Warp& w);

// A frame of the program with constants and special registers in place.
Frame make_frame(const Warp& w);
// Sets what differs between blocks: %ctaid.
void set_block_specials(const Program& program, std::byte* frame, const uint32_t index[3]);
// Registers that may be read before they are written hold this word.
void clear_registers(const FunctionInfo& f, std::byte* frame, uint32_t mask, uint32_t unwritten);

}  // namespace lockstep::emulator
