// SPDX-License-Identifier: Apache-2.0
// f64 arithmetic in every mode: add, sub, mul, fma, div, rcp, sqrt, abs, neg, min, max.
#include "tests/numerics/op_builders.h"

namespace lockstep::emulator::num {

void add_float64_ops(std::vector<Op>& ops) {
  constexpr Kind kD = Kind::kF64;
  for_rounds([&](auto round, const std::string& r) {
    constexpr Round kR = decltype(round)::value;
    const std::string modes = r + ".f64";
    add_op(ops, "add" + modes, kD, {kD, kD},
           [](uint64_t a, uint64_t b, uint64_t) { return add_f64<kR>(a, b); });
    add_op(ops, "sub" + modes, kD, {kD, kD},
           [](uint64_t a, uint64_t b, uint64_t) { return sub_f64<kR>(a, b); });
    add_op(ops, "mul" + modes, kD, {kD, kD},
           [](uint64_t a, uint64_t b, uint64_t) { return mul_f64<kR>(a, b); });
    add_op(ops, "fma" + modes, kD, {kD, kD, kD},
           [](uint64_t a, uint64_t b, uint64_t c) { return fma_f64<kR>(a, b, c); });
    add_op(ops, "div" + modes, kD, {kD, kD},
           [](uint64_t a, uint64_t b, uint64_t) { return div_f64<kR>(a, b); });
    add_op(ops, "rcp" + modes, kD, {kD},
           [](uint64_t a, uint64_t, uint64_t) { return rcp_f64<kR>(a); });
    add_op(ops, "sqrt" + modes, kD, {kD},
           [](uint64_t a, uint64_t, uint64_t) { return sqrt_f64<kR>(a); });
  });
  add_op(ops, "abs.f64", kD, {kD}, [](uint64_t a, uint64_t, uint64_t) { return abs_f64(a); });
  add_op(ops, "neg.f64", kD, {kD}, [](uint64_t a, uint64_t, uint64_t) { return neg_f64(a); });
  add_op(ops, "min.f64", kD, {kD, kD},
         [](uint64_t a, uint64_t b, uint64_t) { return min_f64(a, b); });
  add_op(ops, "max.f64", kD, {kD, kD},
         [](uint64_t a, uint64_t b, uint64_t) { return max_f64(a, b); });
}

}  // namespace lockstep::emulator::num
