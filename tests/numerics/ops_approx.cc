// SPDX-License-Identifier: Apache-2.0
// The approximate operations, with the error that the PTX manual allows: in units of the last
// place of the result, or absolute. The card's own answers must lie within it as well as ours.
#include "tests/numerics/op_builders.h"

namespace lockstep::emulator::num {
namespace {

constexpr Kind kF = Kind::kF32;

void add_unary(std::vector<Op>& ops, const std::string& opcode, uint32_t (*f)(uint32_t),
               double max_ulp, double max_abs) {
  Op& op = add_op(ops, opcode, kF, {kF}, [f](uint64_t a, uint64_t, uint64_t) { return f(a); });
  op.max_ulp = max_ulp;
  op.max_abs = max_abs;
}

template <bool Ftz>
void add_f32(std::vector<Op>& ops, const std::string& f) {
  const std::string tail = ".approx" + f + ".f32";
  add_unary(ops, "rcp" + tail, rcp_approx<Ftz>, 1, 0);
  add_unary(ops, "sqrt" + tail, sqrt_approx<Ftz>, 2, 0);
  add_unary(ops, "rsqrt" + tail, rsqrt_approx<Ftz>, 3, 0);
  add_unary(ops, "sin" + tail, sin_approx<Ftz>, 2, 0x1p-20);
  add_unary(ops, "cos" + tail, cos_approx<Ftz>, 2, 0x1p-20);
  add_unary(ops, "lg2" + tail, lg2_approx<Ftz>, 4, 0x1p-22);
  add_unary(ops, "ex2" + tail, ex2_approx<Ftz>, 3, 0);
  Op& approx = add_op(ops, "div" + tail, kF, {kF, kF},
                      [](uint64_t a, uint64_t b, uint64_t) { return div_approx<Ftz>(a, b); });
  approx.max_ulp = 3;
  Op& full = add_op(ops, "div.full" + f + ".f32", kF, {kF, kF},
                    [](uint64_t a, uint64_t b, uint64_t) { return div_full<Ftz>(a, b); });
  full.max_ulp = 3;
}

}  // namespace

void add_approx_ops(std::vector<Op>& ops) {
  add_f32<false>(ops, "");
  add_f32<true>(ops, ".ftz");
  add_unary(ops, "tanh.approx.f32", tanh_approx, 0, 0x1p-10);
  const auto half = [&](const std::string& opcode, Kind kind, uint16_t (*f)(uint16_t),
                        double max_ulp, double max_abs) {
    Op& op = add_op(ops, opcode, kind, {kind},
                    [f](uint64_t a, uint64_t, uint64_t) { return f(static_cast<uint16_t>(a)); });
    op.max_ulp = max_ulp;
    op.max_abs = max_abs;
  };
  const auto packed = [&](const std::string& opcode, Kind kind, uint16_t (*f)(uint16_t),
                          double max_ulp, double max_abs) {
    Op& op = add_op(ops, opcode, kind, {kind}, [f](uint64_t a, uint64_t, uint64_t) {
      return pair(f, static_cast<uint32_t>(a));
    });
    op.max_ulp = max_ulp;
    op.max_abs = max_abs;
  };
  packed("ex2.approx.f16x2", Kind::kF16x2, ex2_half<F16>, 2, 0);
  packed("ex2.approx.ftz.bf16x2", Kind::kBf16x2, ex2_half<Bf16, true>, 2, 0);
  packed("tanh.approx.f16x2", Kind::kF16x2, tanh_half<F16>, 2, 0x1p-10);
  packed("tanh.approx.bf16x2", Kind::kBf16x2, tanh_half<Bf16>, 2, 0x1p-7);
  half("ex2.approx.f16", Kind::kF16, ex2_half<F16>, 2, 0);
  half("ex2.approx.ftz.bf16", Kind::kBf16, ex2_half<Bf16, true>, 2, 0);
  half("tanh.approx.f16", Kind::kF16, tanh_half<F16>, 2, 0x1p-10);
  half("tanh.approx.bf16", Kind::kBf16, tanh_half<Bf16>, 2, 0x1p-7);
  constexpr Kind kD = Kind::kF64;
  const auto wide = [&](const std::string& opcode, uint64_t (*f)(uint64_t)) {
    Op& op = add_op(ops, opcode, kD, {kD}, [f](uint64_t a, uint64_t, uint64_t) { return f(a); });
    op.max_ulp = 0x1p33;  // the lower 32 bits are zero; the upper may be one off
  };
  wide("rcp.approx.ftz.f64", rcp_approx_f64);
  wide("rsqrt.approx.ftz.f64", rsqrt_approx_f64);
}

}  // namespace lockstep::emulator::num
