// SPDX-License-Identifier: Apache-2.0
// Makes handlers of scalar functions: b.run(alu<&num::add_f32<>>()) applies it to the lanes that
// are on. Arguments of 32 bits are a row, of 64 bits two.
#pragma once

#include <type_traits>

#include "emulator/lanes/lanes.h"
#include "emulator/sass/builder.h"

namespace lockstep::emulator::sass {

template <class T>
struct In {
  const uint32_t* lanes;
  LOCKSTEP_INLINE In(const Source& s, const Warp& w) : lanes(row(s, w)) {}
  LOCKSTEP_INLINE T operator[](int i) const {
    if constexpr (sizeof(T) == 8)
      return static_cast<T>(lanes[i] | uint64_t{lanes[i + 32]} << 32);
    else
      return static_cast<T>(lanes[i]);
  }
};

// Lane i of the destination is f(i).
template <class D, class F>
LOCKSTEP_INLINE void put(const Op& op, Warp& w, uint32_t on, F f) {
  uint32_t* d = to_row(op, w);
  if constexpr (sizeof(D) == 8) {
    if (on == ~0u) {
#pragma GCC ivdep
      for (int i = 0; i < 32; ++i) {
        const auto value = static_cast<uint64_t>(f(i));
        d[i] = static_cast<uint32_t>(value);
        d[i + 32] = static_cast<uint32_t>(value >> 32);
      }
      return;
    }
#pragma GCC ivdep
    for (int i = 0; i < 32; ++i) {
      const auto value = static_cast<uint64_t>(f(i));
      const bool here = (on >> i & 1) != 0;
      d[i] = here ? static_cast<uint32_t>(value) : d[i];
      d[i + 32] = here ? static_cast<uint32_t>(value >> 32) : d[i + 32];
    }
  } else {
    each_lane(
        d, on, [&](int i) __attribute__((always_inline)) { return static_cast<uint32_t>(f(i)); });
  }
}

// The same word in every lane that is on.
LOCKSTEP_INLINE void put_all(const Op& op, Warp& w, uint32_t on, uint32_t value, int more = 0) {
  each_lane(to_row(op, w, more), on, [&](int) { return value; });
}

template <auto F>
struct Each;
template <class D, class A, D (*F)(A)>
struct Each<F> {
  LOCKSTEP_INLINE static void run(const Op& op, Warp& w, uint32_t on) {
    const In<A> a(op.source[0], w);
    put<D>(
        op, w, on, [&](int i) __attribute__((always_inline)) { return F(a[i]); });
  }
};
template <class D, class A, class B, D (*F)(A, B)>
struct Each<F> {
  LOCKSTEP_INLINE static void run(const Op& op, Warp& w, uint32_t on) {
    const In<A> a(op.source[0], w);
    const In<B> b(op.source[1], w);
    put<D>(
        op, w, on, [&](int i) __attribute__((always_inline)) { return F(a[i], b[i]); });
  }
};
template <class D, class A, class B, class C, D (*F)(A, B, C)>
struct Each<F> {
  LOCKSTEP_INLINE static void run(const Op& op, Warp& w, uint32_t on) {
    const In<A> a(op.source[0], w);
    const In<B> b(op.source[1], w);
    const In<C> c(op.source[2], w);
    put<D>(
        op, w, on, [&](int i) __attribute__((always_inline)) { return F(a[i], b[i], c[i]); });
  }
};

// Comparisons: out[0] = F(a, b) with in[0], out[1] = not F(a, b) with in[0]; Op::sub says how (0
// and, 1 or, 2 xor).
template <auto F>
struct Compare;
LOCKSTEP_INLINE uint32_t combined(uint8_t how, uint32_t a, uint32_t b) {
  return how == 0 ? a & b : how == 1 ? a | b : a ^ b;
}
LOCKSTEP_INLINE void put_comparison(const Op& op, Warp& w, uint32_t on, uint32_t holds) {
  const uint32_t with = read(op.in[0], w);
  write_predicate(w, op.out[0], combined(op.sub, holds, with), on);
  write_predicate(w, op.out[1], combined(op.sub, ~holds, with), on);
}
template <class A, class B, bool (*F)(A, B)>
struct Compare<F> {
  LOCKSTEP_INLINE static void run(const Op& op, Warp& w, uint32_t on) {
    const In<A> a(op.source[0], w);
    const In<B> b(op.source[1], w);
    put_comparison(op, w, on, lanes_where([&](int i) __attribute__((always_inline)) {
                     return F(a[i], b[i]);
                   }));
  }
};

template <class Body>
Run pick() {
  return version_of<Run, Body>();
}
// F3 is the version of F for processors with fused multiply-add.
template <auto F, auto F3 = F>
Run alu() {
  return version_of<Run, Each<F>, Each<F3>>();
}
template <auto F>
Run comparison() {
  return pick<Compare<F>>();
}

// AND, OR, XOR among the modifiers, as Op::sub; false: none of them.
bool find_combination(Builder& b);

}  // namespace lockstep::emulator::sass
