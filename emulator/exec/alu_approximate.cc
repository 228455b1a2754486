// SPDX-License-Identifier: Apache-2.0
// The approximate functions: within the documented error of the card's.
#include "emulator/exec/alu.h"
#include "emulator/numerics/approx.h"

namespace lockstep::emulator {
namespace {

#define LOCKSTEP_FTZ(F) return op.has("ftz") ? alu<&num::F<true>>() : alu<&num::F<false>>()

template <uint16_t (*F)(uint16_t)>
LOCKSTEP_INLINE uint32_t both_halves(uint32_t a) {
  const uint32_t high = F(static_cast<uint16_t>(a >> 16));
  return F(static_cast<uint16_t>(a)) | high << 16;
}

Alu find_half_function(const Opcode& op) {
  using num::Bf16;
  using num::F16;
  const Type t = op.type();
  if (op.root == "tanh") {
    if (t == Type::kF16) return alu<&num::tanh_half<F16>>();
    if (t == Type::kBf16) return alu<&num::tanh_half<Bf16>>();
    if (t == Type::kF16x2) return alu<&both_halves<&num::tanh_half<F16>>>();
    if (t == Type::kBf16x2) return alu<&both_halves<&num::tanh_half<Bf16>>>();
  }
  if (op.root == "ex2") {
    if (t == Type::kF16) return alu<&num::ex2_half<F16>>();
    if (t == Type::kBf16) return alu<&num::ex2_half<Bf16, true>>();
    if (t == Type::kF16x2) return alu<&both_halves<&num::ex2_half<F16>>>();
    if (t == Type::kBf16x2) return alu<&both_halves<&num::ex2_half<Bf16, true>>>();
  }
  return {};
}

}  // namespace

Alu find_approximate(const Opcode& op) {
  if (op.type() == Type::kF64 && op.has("approx")) {
    if (op.root == "rcp") return alu<&num::rcp_approx_f64>();
    if (op.root == "rsqrt") return alu<&num::rsqrt_approx_f64>();
    return {};
  }
  if (op.type() != Type::kF32) return find_half_function(op);
  if (op.root == "div" && op.has("full")) LOCKSTEP_FTZ(div_full);
  if (!op.has("approx")) return {};
  if (op.root == "div") LOCKSTEP_FTZ(div_approx);
  if (op.root == "rcp") LOCKSTEP_FTZ(rcp_approx);
  if (op.root == "sqrt") LOCKSTEP_FTZ(sqrt_approx);
  if (op.root == "rsqrt") LOCKSTEP_FTZ(rsqrt_approx);
  if (op.root == "ex2") LOCKSTEP_FTZ(ex2_approx);
  if (op.root == "lg2") LOCKSTEP_FTZ(lg2_approx);
  if (op.root == "sin") LOCKSTEP_FTZ(sin_approx);
  if (op.root == "cos") LOCKSTEP_FTZ(cos_approx);
  if (op.root == "tanh") return alu<&num::tanh_approx>();
  return {};
}

}  // namespace lockstep::emulator
