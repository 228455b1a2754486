// SPDX-License-Identifier: Apache-2.0
// What every load and store starts with: the lanes' addresses and whether they follow each other.
// Only for the sources of memory handlers.
#pragma once

#include <cstring>

#include "emulator/exec/handler.h"
#include "emulator/lanes/access.h"
#include "emulator/launch/launch.h"

namespace lockstep::emulator {

// Instr of a memory operation: o[0..count) destinations (loads) or sources (stores), 4 at most;
// o[4] address register; imm offset; aux memory slot.
inline constexpr int kAddressOperand = 4;
inline constexpr uint8_t kAddress32 = 1;  // Instr::sub: the address register has 32 bits
inline constexpr uint8_t kOrdering = 2;   // volatile, relaxed, acquire, release
// Instr::wide of these and of fences: bytes of a data register, and what other blocks may rely on.
inline constexpr uint16_t kRegisterBytes = 0xff;
inline constexpr uint16_t kReleases = 0x100;
inline constexpr uint16_t kAcquires = 0x200;
inline constexpr uint16_t kOfItsBlock = 0x400;  // its scope is the block
inline constexpr uint16_t kAroundL1 = 0x800;    // a load of .cg or .cv
inline constexpr uint16_t kOfConstants =
    0x1000;  // a load of .nc, of what the kernel does not write

LOCKSTEP_INLINE void find_addresses(const Instr& in, Warp& w, Lanes& l) {
  const auto offset = static_cast<uint64_t>(in.imm);
  if ((in.sub & kAddress32) != 0) {
    const uint32_t* base = at<uint32_t>(w, in.o[kAddressOperand]);
#pragma GCC ivdep
    for (int i = 0; i < 32; ++i)
      l.address[i] = static_cast<uint32_t>(base[i] + static_cast<uint32_t>(offset));
  } else {
    const uint64_t* base = at<uint64_t>(w, in.o[kAddressOperand]);
#pragma GCC ivdep
    for (int i = 0; i < 32; ++i) l.address[i] = base[i] + offset;
  }
}

// Which of the lanes of a store stays where several store to one place, is drawn with the order of
// blocks and warps.
inline bool stores_otherwise(const Warp& w) { return (w.worker->launch->order >> 9 & 1) != 0; }

}  // namespace lockstep::emulator
