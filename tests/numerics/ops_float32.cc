// SPDX-License-Identifier: Apache-2.0
// f32 arithmetic in every mode: add, sub, mul, fma, div, rcp, sqrt, abs, neg.
#include "tests/numerics/op_builders.h"

namespace lockstep::emulator::num {
namespace {

constexpr Kind kF = Kind::kF32;

template <Round R, bool Ftz, bool Sat>
void add_sums(std::vector<Op>& ops, const std::string& modes) {
  add_op(ops, "add" + modes, kF, {kF, kF},
         [](uint64_t a, uint64_t b, uint64_t) { return add_f32<R, Ftz, Sat>(a, b); });
  add_op(ops, "sub" + modes, kF, {kF, kF},
         [](uint64_t a, uint64_t b, uint64_t) { return sub_f32<R, Ftz, Sat>(a, b); });
  add_op(ops, "mul" + modes, kF, {kF, kF},
         [](uint64_t a, uint64_t b, uint64_t) { return mul_f32<R, Ftz, Sat>(a, b); });
  add_op(ops, "fma" + modes, kF, {kF, kF, kF},
         [](uint64_t a, uint64_t b, uint64_t c) { return fma_f32<R, Ftz, Sat>(a, b, c); });
}

template <Round R, bool Ftz>
void add_quotients(std::vector<Op>& ops, const std::string& modes) {
  add_op(ops, "div" + modes, kF, {kF, kF},
         [](uint64_t a, uint64_t b, uint64_t) { return div_f32<R, Ftz>(a, b); });
  add_op(ops, "rcp" + modes, kF, {kF},
         [](uint64_t a, uint64_t, uint64_t) { return rcp_f32<R, Ftz>(a); });
  add_op(ops, "sqrt" + modes, kF, {kF},
         [](uint64_t a, uint64_t, uint64_t) { return sqrt_f32<R, Ftz>(a); });
}

}  // namespace

void add_float32_ops(std::vector<Op>& ops) {
  for_rounds([&](auto round, const std::string& r) {
    with_flag(".ftz", [&](auto ftz, const std::string& f) {
      constexpr Round kR = decltype(round)::value;
      constexpr bool kFtz = decltype(ftz)::value;
      add_sums<kR, kFtz, false>(ops, r + f + ".f32");
      add_sums<kR, kFtz, true>(ops, r + f + ".sat.f32");
      add_quotients<kR, kFtz>(ops, r + f + ".f32");
    });
  });
  with_flag(".ftz", [&](auto ftz, const std::string& f) {
    constexpr bool kFtz = decltype(ftz)::value;
    add_op(ops, "abs" + f + ".f32", kF, {kF},
           [](uint64_t a, uint64_t, uint64_t) { return abs_f32<kFtz>(a); });
    add_op(ops, "neg" + f + ".f32", kF, {kF},
           [](uint64_t a, uint64_t, uint64_t) { return neg_f32<kFtz>(a); });
  });
}

}  // namespace lockstep::emulator::num
