// SPDX-License-Identifier: Apache-2.0
// What an atomic operation makes of the word that it finds and of its one or two operands, and the
// exchange of a word with it: for PTX and machine code alike.
#pragma once

#include <cstddef>
#include <type_traits>

#include "emulator/numerics/float32.h"
#include "emulator/numerics/float64.h"
#include "emulator/numerics/half.h"

namespace lockstep::emulator::num {

template <class T>
using Update = T (*)(T old, T b, T c);

template <class T>
LOCKSTEP_NUM T add_to(T old, T b, T) {
  return static_cast<T>(old + b);
}
template <class T>
LOCKSTEP_NUM T exchange(T, T b, T) {
  return b;
}
template <class T>
LOCKSTEP_NUM T swap_if(T old, T b, T c) {
  return old == b ? c : old;
}
template <class T>
LOCKSTEP_NUM T both(T old, T b, T) {
  return old & b;
}
template <class T>
LOCKSTEP_NUM T either(T old, T b, T) {
  return old | b;
}
template <class T>
LOCKSTEP_NUM T differ(T old, T b, T) {
  return old ^ b;
}
// S: as what they are compared, T or the signed type of its size.
template <class T, class S>
LOCKSTEP_NUM T least(T old, T b, T) {
  return static_cast<S>(b) < static_cast<S>(old) ? b : old;
}
template <class T, class S>
LOCKSTEP_NUM T most(T old, T b, T) {
  return static_cast<S>(b) > static_cast<S>(old) ? b : old;
}
template <class T>
LOCKSTEP_NUM T increment(T old, T b, T) {
  return old >= b ? 0 : old + 1;
}
template <class T>
LOCKSTEP_NUM T decrement(T old, T b, T) {
  return old == 0 || old > b ? b : old - 1;
}
// On the card, f32 additions flush subnormals in global memory but not in shared memory.
template <bool Ftz>
LOCKSTEP_NUM uint32_t add_to_f32(uint32_t old, uint32_t b, uint32_t) {
  return add_f32<Round::kNearest, Ftz>(old, b);
}
LOCKSTEP_NUM uint64_t add_to_f64(uint64_t old, uint64_t b, uint64_t) { return add_f64<>(old, b); }
template <class Format>
LOCKSTEP_NUM uint16_t add_to_half(uint16_t old, uint16_t b, uint16_t) {
  return add_half<Format>(old, b);
}
template <class Format>
LOCKSTEP_NUM uint32_t add_to_halves(uint32_t old, uint32_t b, uint32_t) {
  const uint32_t high =
      add_half<Format>(static_cast<uint16_t>(old >> 16), static_cast<uint16_t>(b >> 16));
  return add_half<Format>(static_cast<uint16_t>(old), static_cast<uint16_t>(b)) | high << 16;
}

// What the place held; several_threads: others of the host may change it, too.
template <class T>
T update(std::byte* place, T b, T c, Update<T> with, bool several_threads) {
  T* cell = reinterpret_cast<T*>(place);
  T old = __atomic_load_n(cell, __ATOMIC_RELAXED);
  if (!several_threads) {
    __atomic_store_n(cell, with(old, b, c), __ATOMIC_RELAXED);
    return old;
  }
  while (!__atomic_compare_exchange_n(cell, &old, with(old, b, c), true, __ATOMIC_ACQ_REL,
                                      __ATOMIC_ACQUIRE)) {
  }
  return old;
}

}  // namespace lockstep::emulator::num
