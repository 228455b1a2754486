// SPDX-License-Identifier: Apache-2.0
// add, sub, mul, fma, div, rcp, sqrt of f64 in the four rounding modes; abs and neg. Nearest is
// the host's own arithmetic; the directed modes work on integers of 128 bits (soft64.h). There is
// no .ftz for f64; .sat exists for conversions only.
#pragma once

#include "emulator/numerics/soft64.h"

namespace lockstep::emulator::num {

// NaN results: the second operand made quiet if it is a NaN, else the first, else (an invalid
// operation) kNan64. In fma the order is b, c, a; in div a, b.
LOCKSTEP_NUM uint64_t nan64(uint64_t a, uint64_t b) {
  return is_nan64(b) ? quiet64(b) : is_nan64(a) ? quiet64(a) : kNan64;
}
LOCKSTEP_NUM uint64_t finish64(double result, uint64_t a, uint64_t b) {
  return result != result ? nan64(a, b) : bits_of(result);
}

template <Round R = Round::kNearest>
LOCKSTEP_NUM uint64_t add_f64(uint64_t a, uint64_t b) {
  const double sum = as_f64(a) + as_f64(b);
  if constexpr (R == Round::kNearest) return finish64(sum, a, b);
  if (!is_finite64(a) || !is_finite64(b)) return finish64(sum, a, b);
  return soft_add64<R>(soft_value(a), soft_value(b));
}

template <Round R = Round::kNearest>
LOCKSTEP_NUM uint64_t sub_f64(uint64_t a, uint64_t b) {
  return add_f64<R>(a, is_nan64(b) ? b : b ^ 0x8000000000000000ull);
}

template <Round R = Round::kNearest>
LOCKSTEP_NUM uint64_t mul_f64(uint64_t a, uint64_t b) {
  const double product = as_f64(a) * as_f64(b);
  if constexpr (R == Round::kNearest) return finish64(product, a, b);
  if (!is_finite64(a) || !is_finite64(b)) return finish64(product, a, b);
  return soft_round64<R>(soft_product(a, b));
}

template <Round R = Round::kNearest>
LOCKSTEP_NUM uint64_t fma_f64(uint64_t a, uint64_t b, uint64_t c) {
  const bool finite = is_finite64(a) && is_finite64(b) && is_finite64(c);
  if (R == Round::kNearest || !finite) {
    const double result = __builtin_fma(as_f64(a), as_f64(b), as_f64(c));
    return finish64(result, is_nan64(c) ? c : a, b);
  }
  return soft_add64<R>(soft_product(a, b), soft_value(c));
}

template <Round R = Round::kNearest>
LOCKSTEP_NUM uint64_t div_f64(uint64_t a, uint64_t b) {
  const double quotient = as_f64(a) / as_f64(b);
  const bool plain = is_finite64(a) && is_finite64(b) && b << 1 != 0;
  if (R == Round::kNearest || !plain) return finish64(quotient, b, a);
  return soft_div64<R>(a, b);
}

template <Round R = Round::kNearest>
LOCKSTEP_NUM uint64_t rcp_f64(uint64_t a) {
  return div_f64<R>(0x3ff0000000000000ull, a);
}

template <Round R = Round::kNearest>
LOCKSTEP_NUM uint64_t sqrt_f64(uint64_t a) {
  const double root = __builtin_sqrt(as_f64(a));
  const bool plain = is_finite64(a) && as_f64(a) > 0.0;
  if (R == Round::kNearest || !plain) return finish64(root, a, a);
  return soft_sqrt64<R>(a);
}

// A NaN keeps its sign in abs and neg, and becomes quiet.
LOCKSTEP_NUM uint64_t abs_f64(uint64_t a) {
  return is_nan64(a) ? quiet64(a) : a & 0x7fffffffffffffffull;
}
LOCKSTEP_NUM uint64_t neg_f64(uint64_t a) {
  return is_nan64(a) ? quiet64(a) : a ^ 0x8000000000000000ull;
}

}  // namespace lockstep::emulator::num
