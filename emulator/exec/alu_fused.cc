// SPDX-License-Identifier: Apache-2.0
// Additions fused with a multiplication.
#include "emulator/exec/alu.h"
#include "emulator/numerics/float32.h"
#include "emulator/numerics/float64.h"

namespace lockstep::emulator {
namespace {

using num::Round;

template <FusedForm F, bool Ftz, bool Sat, bool Fma>
LOCKSTEP_INLINE uint32_t fused_f32(uint32_t a, uint32_t b, uint32_t c) {
  if constexpr (F == FusedForm::kMinus) c ^= 0x80000000u;
  if constexpr (F == FusedForm::kFrom) a ^= 0x80000000u;
  return num::fma_f32<Round::kNearest, Ftz, Sat, Fma>(a, b, c);
}
template <FusedForm F>
LOCKSTEP_INLINE uint64_t fused_f64(uint64_t a, uint64_t b, uint64_t c) {
  if constexpr (F == FusedForm::kMinus) c ^= uint64_t{1} << 63;
  if constexpr (F == FusedForm::kFrom) a ^= uint64_t{1} << 63;
  return num::fma_f64<Round::kNearest>(a, b, c);
}

template <FusedForm F, bool Ftz, bool Sat>
Alu f32() {
  return alu<&fused_f32<F, Ftz, Sat, false>, &fused_f32<F, Ftz, Sat, true>>();
}

template <FusedForm F>
Alu by_form(const Opcode& op) {
  if (op.type() == Type::kF64) return alu<&fused_f64<F>>();
  if (op.type() != Type::kF32) return find_fused_half(op, F);
  const bool ftz = op.has("ftz"), sat = op.has("sat");
  return ftz ? (sat ? f32<F, true, true>() : f32<F, true, false>())
             : (sat ? f32<F, false, true>() : f32<F, false, false>());
}

}  // namespace

Alu find_fused(const Opcode& op, FusedForm form) {
  switch (form) {
    case FusedForm::kPlus:
      return by_form<FusedForm::kPlus>(op);
    case FusedForm::kMinus:
      return by_form<FusedForm::kMinus>(op);
    case FusedForm::kFrom:
      return by_form<FusedForm::kFrom>(op);
  }
  return {};
}

}  // namespace lockstep::emulator
