// SPDX-License-Identifier: Apache-2.0
// The approximate operations: approximate on a card, and the card's bits here.
#include "tests/numerics/op_builders.h"

namespace lockstep::emulator::num {
namespace {

constexpr Kind kF = Kind::kF32, kD = Kind::kF64;

template <class Word>
void add_unary(std::vector<Op>& ops, const std::string& opcode, Kind kind, Word (*f)(Word)) {
  add_op(ops, opcode, kind, {kind},
         [f](uint64_t a, uint64_t, uint64_t) { return f(static_cast<Word>(a)); });
}
void add_pair(std::vector<Op>& ops, const std::string& opcode, Kind kind, uint16_t (*f)(uint16_t)) {
  add_op(ops, opcode, kind, {kind},
         [f](uint64_t a, uint64_t, uint64_t) { return pair(f, static_cast<uint32_t>(a)); });
}

template <bool Ftz>
void add_f32(std::vector<Op>& ops, const std::string& f) {
  const std::string tail = ".approx" + f + ".f32";
  add_unary(ops, "rcp" + tail, kF, rcp_approx<Ftz>);
  add_unary(ops, "sqrt" + tail, kF, sqrt_approx<Ftz>);
  add_unary(ops, "rsqrt" + tail, kF, rsqrt_approx<Ftz>);
  add_unary(ops, "sin" + tail, kF, sin_approx<Ftz>);
  add_unary(ops, "cos" + tail, kF, cos_approx<Ftz>);
  add_unary(ops, "lg2" + tail, kF, lg2_approx<Ftz>);
  add_unary(ops, "ex2" + tail, kF, ex2_approx<Ftz>);
  add_op(ops, "div" + tail, kF, {kF, kF},
         [](uint64_t a, uint64_t b, uint64_t) { return div_approx<Ftz>(a, b); });
  add_op(ops, "div.full" + f + ".f32", kF, {kF, kF},
         [](uint64_t a, uint64_t b, uint64_t) { return div_full<Ftz>(a, b); });
}

}  // namespace

void add_approx_ops(std::vector<Op>& ops) {
  add_f32<false>(ops, "");
  add_f32<true>(ops, ".ftz");
  add_unary(ops, "tanh.approx.f32", kF, tanh_approx);
  add_pair(ops, "ex2.approx.f16x2", Kind::kF16x2, ex2_half<F16>);
  add_pair(ops, "ex2.approx.ftz.bf16x2", Kind::kBf16x2, ex2_half<Bf16, true>);
  add_pair(ops, "tanh.approx.f16x2", Kind::kF16x2, tanh_half<F16>);
  add_pair(ops, "tanh.approx.bf16x2", Kind::kBf16x2, tanh_half<Bf16>);
  add_unary(ops, "ex2.approx.f16", Kind::kF16, ex2_half<F16>);
  add_unary(ops, "ex2.approx.ftz.bf16", Kind::kBf16, ex2_half<Bf16, true>);
  add_unary(ops, "tanh.approx.f16", Kind::kF16, tanh_half<F16>);
  add_unary(ops, "tanh.approx.bf16", Kind::kBf16, tanh_half<Bf16>);
  add_unary(ops, "rcp.approx.ftz.f64", kD, rcp_approx_f64);
  add_unary(ops, "rsqrt.approx.ftz.f64", kD, rsqrt_approx_f64);
}

}  // namespace lockstep::emulator::num
