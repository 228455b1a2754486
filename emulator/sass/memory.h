// SPDX-License-Identifier: Apache-2.0
// What memory operations of machine code share: where the lanes' addresses come from, and the
// windows of generic addresses.
#pragma once

#include <bit>

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

// The pattern of an access to global memory, and the address of its first lane. nullptr: the upper
// halves of the lanes' addresses differ.
LOCKSTEP_INLINE Pattern* find_global_pattern(const Op& op, Warp& w, uint32_t on, uint64_t* first) {
  const uint32_t* base = row(op.source[0], w);
  const bool wide = (op.flags & kWideRegister) != 0;
  const int lane = std::countr_zero(on);
  const uint32_t low = base[lane], high = wide ? base[lane + 32] : 0;
  *first = (low | uint64_t{high} << 32) + added(op, w);
  Pattern& p = w.worker->patterns.find(base, on, *first & 127, op.access, op.bytes);
  if (wide && !all_are(base + 32, high, on)) [[unlikely]]
    return nullptr;
  // Distances within 32 bits are what they seem to be.
  const bool within = low + int64_t{p.low} >= 0 && low + int64_t{p.high} <= int64_t{~0u};
  return within ? &p : nullptr;
}
// To shared memory; first: the offset.
LOCKSTEP_INLINE Pattern& find_shared_pattern(const Op& op, Warp& w, uint32_t on, uint64_t* first) {
  const uint32_t* base = row(op.source[0], w);
  alignas(64) uint32_t scaled[32];
  if (const int scale = op.flags >> kScaleShift & 7; scale != 0) {
    for (int i = 0; i < 32; ++i) scaled[i] = base[i] << scale;
    base = scaled;
  }
  auto more = static_cast<uint32_t>(op.value);
  if ((op.flags & kUniformAdded) != 0) more += row(op.source[3], w)[0];
  *first = shared_offset(static_cast<uint32_t>(base[std::countr_zero(on)] + more));
  return w.worker->patterns.find(base, on, *first & 3, op.access, op.bytes);
}
// Of the lanes l.mask, by their addresses or offsets.
Pattern& find_pattern(const Op& op, Warp& w, const Lanes& l, uint32_t place_bits);
Pattern* find_global_pattern(const Op& op, Warp& w, const Lanes& l);

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
