// SPDX-License-Identifier: Apache-2.0
// Makes handlers from scalar functions: handler<&num::mul_hi<int32_t>>() applies it to 32 lanes.
// Every handler exists twice, for any x86-64 and for processors with AVX2 and FMA; the choice is
// made once. Handlers touch no lane outside their mask.
#pragma once

#include <type_traits>

#include "emulator/lanes/lanes.h"
#include "emulator/launch/warp.h"

namespace lockstep::emulator {

// Registers hold bits: an operand of a signed type reads an array of the unsigned one.
template <class T>
using Bits =
    std::conditional_t<sizeof(T) == 8, uint64_t,
                       std::conditional_t<sizeof(T) == 4, uint32_t,
                                          std::conditional_t<sizeof(T) == 2, uint16_t, uint8_t>>>;

// One source operand, lane by lane; bool reads a predicate.
template <class T>
struct Source {
  const Bits<T>* lanes;
  LOCKSTEP_INLINE Source(Warp& w, uint32_t offset) : lanes(at<Bits<T>>(w, offset)) {}
  LOCKSTEP_INLINE T operator[](int i) const { return static_cast<T>(lanes[i]); }
};
template <>
struct Source<bool> {
  uint32_t mask;
  LOCKSTEP_INLINE Source(Warp& w, uint32_t offset) : mask(predicate(w, offset)) {}
  LOCKSTEP_INLINE bool operator[](int i) const { return (mask >> i & 1) != 0; }
};

template <class D, class F>
LOCKSTEP_INLINE void store_lanes(const Instr& in, Warp& w, uint32_t mask, F f) {
  if constexpr (std::is_same_v<D, bool>) {
    set_predicate(w, in.o[0], lanes_where(f), mask);
  } else {
    each_lane(
        at<Bits<D>>(w, in.o[0]),
        mask, [&](int i) __attribute__((always_inline)) { return static_cast<Bits<D>>(f(i)); });
  }
}

// The body of a handler: o[0] = F(o[1], o[2], ...).
template <auto F>
struct Apply;
template <class D, class A, D (*F)(A)>
struct Apply<F> {
  static constexpr int8_t kWidths[] = {std::is_same_v<D, bool> ? 0 : sizeof(D),
                                       std::is_same_v<A, bool> ? 0 : sizeof(A)};
  LOCKSTEP_INLINE static void run(const Instr& in, Warp& w, uint32_t mask) {
    const Source<A> a(w, in.o[1]);
    store_lanes<D>(
        in, w, mask, [&](int i) __attribute__((always_inline)) { return F(a[i]); });
  }
};
template <class D, class A, class B, D (*F)(A, B)>
struct Apply<F> {
  static constexpr int8_t kWidths[] = {std::is_same_v<D, bool> ? 0 : sizeof(D),
                                       std::is_same_v<A, bool> ? 0 : sizeof(A),
                                       std::is_same_v<B, bool> ? 0 : sizeof(B)};
  LOCKSTEP_INLINE static void run(const Instr& in, Warp& w, uint32_t mask) {
    const Source<A> a(w, in.o[1]);
    const Source<B> b(w, in.o[2]);
    store_lanes<D>(
        in, w, mask, [&](int i) __attribute__((always_inline)) { return F(a[i], b[i]); });
  }
};
template <class D, class A, class B, class C, D (*F)(A, B, C)>
struct Apply<F> {
  static constexpr int8_t kWidths[] = {
      std::is_same_v<D, bool> ? 0 : sizeof(D), std::is_same_v<A, bool> ? 0 : sizeof(A),
      std::is_same_v<B, bool> ? 0 : sizeof(B), std::is_same_v<C, bool> ? 0 : sizeof(C)};
  LOCKSTEP_INLINE static void run(const Instr& in, Warp& w, uint32_t mask) {
    const Source<A> a(w, in.o[1]);
    const Source<B> b(w, in.o[2]);
    const Source<C> c(w, in.o[3]);
    store_lanes<D>(
        in, w, mask, [&](int i) __attribute__((always_inline)) { return F(a[i], b[i], c[i]); });
  }
};
template <class D, class A, class B, class C, class E, D (*F)(A, B, C, E)>
struct Apply<F> {
  static constexpr int8_t kWidths[] = {
      std::is_same_v<D, bool> ? 0 : sizeof(D), std::is_same_v<A, bool> ? 0 : sizeof(A),
      std::is_same_v<B, bool> ? 0 : sizeof(B), std::is_same_v<C, bool> ? 0 : sizeof(C),
      std::is_same_v<E, bool> ? 0 : sizeof(E)};
  LOCKSTEP_INLINE static void run(const Instr& in, Warp& w, uint32_t mask) {
    const Source<A> a(w, in.o[1]);
    const Source<B> b(w, in.o[2]);
    const Source<C> c(w, in.o[3]);
    const Source<E> e(w, in.o[4]);
    store_lanes<D>(
        in, w,
        mask, [&](int i) __attribute__((always_inline)) { return F(a[i], b[i], c[i], e[i]); });
  }
};

template <class Body>
Handler pick() {
  return version_of<Handler, Body>();
}

// A handler with the widths of its operands, destination first: bytes a lane, 0 for a predicate.
struct Alu {
  Handler run = nullptr;
  int operands = 0;
  int8_t widths[5] = {};
  explicit operator bool() const { return run != nullptr; }
};

// F3 is the version of F for processors with fused multiply-add.
template <auto F, auto F3 = F>
Alu alu() {
  using Body = Apply<F>;
  Alu out;
  out.run = version_of<Handler, Body, Apply<F3>>();
  out.operands = static_cast<int>(sizeof Body::kWidths);
  for (int i = 0; i < out.operands; ++i) out.widths[i] = Body::kWidths[i];
  return out;
}

}  // namespace lockstep::emulator
