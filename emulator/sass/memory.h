// SPDX-License-Identifier: Apache-2.0
// What memory operations of machine code share: where the lanes' addresses come from, and the
// windows of generic addresses.
#pragma once

#include "emulator/lanes/access.h"
#include "emulator/sass/builder.h"

namespace lockstep::emulator::sass {

// Op::flags of memory operations.
inline constexpr uint16_t kWideAddress = 1;   // of 64 bits
inline constexpr uint16_t kWideRegister = 2;  // the register is a pair
inline constexpr uint16_t kUniformAdded = 4;  // source[3]
inline constexpr uint16_t kPassesL1 = 8;
inline constexpr uint16_t kLeavesL1 = 16;
inline constexpr uint16_t kOrders = 32;  // volatile, relaxed and stronger
inline constexpr int kScaleShift = 8;    // from here on: the register is shifted by so many bits

// Upper halves of generic addresses of shared and local memory.
uint64_t shared_window();
uint64_t local_window();

// Bytes of an array that machine code may touch: an atomic operation on less than a word reads and
// writes the whole word.
inline uint64_t touchable(const Allocation& a) { return (a.bytes() + 3) & ~uint64_t{3}; }

// A read as spin locks do it.
void note_reading(Warp& w);

// Bytes of a lane, by the modifiers.
int width_of(const Builder& b);

// Source 0 (and 3) from operand i, a kAddress. wide: of global or generic memory.
bool address_of(Builder& b, int i, bool wide);

// What is added to the register of a wide address.
LOCKSTEP_INLINE uint64_t added(const Op& op, const Warp& w) {
  auto more = static_cast<uint64_t>(op.value);
  if ((op.flags & kUniformAdded) != 0) {
    const uint32_t* u = row(op.source[3], w);
    more += u[0] | uint64_t{u[32]} << 32;
  }
  return more;
}

// Whether the addresses of all 32 lanes follow each other at this distance, and the first: found
// without all of them. False of some that do.
LOCKSTEP_INLINE bool find_run(const Op& op, const Warp& w, uint32_t bytes, uint64_t* first) {
  if ((op.flags & kWideAddress) == 0) return false;
  const uint32_t* base = row(op.source[0], w);
  const bool wide = (op.flags & kWideRegister) != 0;
  const uint32_t *upper = base + 32, start = base[0], high = wide ? upper[0] : 0;
  if (start > ~0u - 32 * bytes) return false;  // the upper halves may differ
  uint32_t different = 0;
#pragma GCC ivdep
  for (uint32_t i = 0; i < 32; ++i) different |= base[i] ^ (start + i * bytes);
  if (wide) {
#pragma GCC ivdep
    for (int i = 0; i < 32; ++i) different |= upper[i] ^ high;
  }
  *first = (start | uint64_t{high} << 32) + added(op, w);
  return different == 0;
}

LOCKSTEP_INLINE void find_addresses(const Op& op, Warp& w, Lanes& l) {
  const uint32_t* base = row(op.source[0], w);
  if ((op.flags & kWideAddress) != 0) {
    const uint64_t more = added(op, w);
    if ((op.flags & kWideRegister) != 0) {
#pragma GCC ivdep
      for (int i = 0; i < 32; ++i) l.address[i] = (base[i] | uint64_t{base[i + 32]} << 32) + more;
    } else {
#pragma GCC ivdep
      for (int i = 0; i < 32; ++i) l.address[i] = base[i] + more;
    }
    return;
  }
  auto more = static_cast<uint32_t>(op.value);
  if ((op.flags & kUniformAdded) != 0) more += row(op.source[3], w)[0];
  if (const int scale = op.flags >> kScaleShift & 7; scale != 0) {
    for (int i = 0; i < 32; ++i) l.address[i] = static_cast<uint32_t>((base[i] << scale) + more);
    return;
  }
#pragma GCC ivdep
  for (int i = 0; i < 32; ++i) l.address[i] = static_cast<uint32_t>(base[i] + more);
}

}  // namespace lockstep::emulator::sass
