// SPDX-License-Identifier: Apache-2.0
// Turns what a check found into a KernelFault: source line, thread, block, and a sentence that
// says what happened and what to do.
#pragma once

#include <cstdint>
#include <string>

#include "emulator/launch/launch.h"

namespace lockstep::emulator {

// The student's file and line of an instruction; file is empty where it is not known.
struct SourceLine {
  std::string file;
  int line = 0;
  std::string text() const;  // "file:line", or "" where not known
};
SourceLine source_line(const Program& program, uint32_t instruction);

// "(5,0,0)" of a lane of a warp.
std::string thread_name(const Warp& w, uint32_t warp, uint32_t lane);
std::string thread_name(const Warp& w, uint32_t lane);

// sentence begins with a verb or noun after "thread (..) of block (..)": "reads 4 bytes past ...".
// lane: -1 where no single thread is at fault; then the sentence stands alone.
[[noreturn]] void fault(const Warp& w, const Instr& in, int lane, const char* kind,
                        const std::string& sentence);
// The same for a sentence about the launch, of which this lane was there.
[[noreturn]] void launch_fault(const Warp& w, const Instr& in, int lane, const char* kind,
                               const std::string& sentence);

}  // namespace lockstep::emulator
