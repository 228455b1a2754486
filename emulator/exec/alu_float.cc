// SPDX-License-Identifier: Apache-2.0
// Arithmetic of f32 and f64, with every rounding mode, .ftz and .sat.
#include "emulator/exec/alu.h"
#include "emulator/numerics/compare.h"
#include "emulator/numerics/float32.h"
#include "emulator/numerics/float64.h"
#include "emulator/numerics/modes.h"

namespace lockstep::emulator {
namespace {

using num::Round;

// F is one of num of a Round, and the flags .ftz and .sat.
#define LOCKSTEP_WITH_ROUND(F) \
  return num::with_round(op.rounding(), [](auto r) { return alu<&num::F<r>>(); })
#define LOCKSTEP_WITH_ROUND_AND_FTZ(F)                                         \
  return num::with_round(op.rounding(), [&](auto r) {                          \
    return num::with_flags([r](auto z) { return alu<&num::F<r, z>>(); }, ftz); \
  })
#define LOCKSTEP_WITH_ALL(F)                                                                   \
  return num::with_round(op.rounding(), [&](auto r) {                                          \
    return num::with_flags([r](auto z, auto s) { return alu<&num::F<r, z, s>>(); }, ftz, sat); \
  })

Alu find_fma_f32(const Opcode& op, bool ftz, bool sat) {
  return num::with_round(op.rounding(), [&](auto r) {
    return num::with_flags(
        [r](auto z, auto s) {
          return alu<&num::fma_f32<r, z, s, false>, &num::fma_f32<r, z, s, true>>();
        },
        ftz, sat);
  });
}

template <bool Max, bool Ftz>
Alu min_max(bool nan, bool magnitudes) {
  return nan ? (magnitudes ? alu<&num::minmax_f32<Max, Ftz, true, true>>()
                           : alu<&num::minmax_f32<Max, Ftz, true, false>>())
             : (magnitudes ? alu<&num::minmax_f32<Max, Ftz, false, true>>()
                           : alu<&num::minmax_f32<Max, Ftz, false, false>>());
}

Alu find_f32(const Opcode& op) {
  const bool ftz = op.has("ftz"), sat = op.has("sat");
  if (op.root == "add") LOCKSTEP_WITH_ALL(add_f32);
  if (op.root == "sub") LOCKSTEP_WITH_ALL(sub_f32);
  if (op.root == "mul") LOCKSTEP_WITH_ALL(mul_f32);
  if (op.root == "fma" || op.root == "mad") return find_fma_f32(op, ftz, sat);
  if (op.has("approx") || op.has("full")) return {};
  if (op.root == "div") LOCKSTEP_WITH_ROUND_AND_FTZ(div_f32);
  if (op.root == "rcp") LOCKSTEP_WITH_ROUND_AND_FTZ(rcp_f32);
  if (op.root == "sqrt") LOCKSTEP_WITH_ROUND_AND_FTZ(sqrt_f32);
  if (op.root == "abs") return ftz ? alu<&num::abs_f32<true>>() : alu<&num::abs_f32<false>>();
  if (op.root == "neg") return ftz ? alu<&num::neg_f32<true>>() : alu<&num::neg_f32<false>>();
  if (op.root == "copysign") return alu<&num::copysign<uint32_t>>();
  const bool nan = op.has("NaN"), magnitudes = op.has("xorsign");
  if (op.root == "min")
    return ftz ? min_max<false, true>(nan, magnitudes) : min_max<false, false>(nan, magnitudes);
  if (op.root == "max")
    return ftz ? min_max<true, true>(nan, magnitudes) : min_max<true, false>(nan, magnitudes);
  return {};
}

Alu find_f64(const Opcode& op) {
  if (op.root == "add") LOCKSTEP_WITH_ROUND(add_f64);
  if (op.root == "sub") LOCKSTEP_WITH_ROUND(sub_f64);
  if (op.root == "mul") LOCKSTEP_WITH_ROUND(mul_f64);
  if (op.root == "fma" || op.root == "mad") LOCKSTEP_WITH_ROUND(fma_f64);
  if (op.has("approx")) return {};
  if (op.root == "div") LOCKSTEP_WITH_ROUND(div_f64);
  if (op.root == "rcp") LOCKSTEP_WITH_ROUND(rcp_f64);
  if (op.root == "sqrt") LOCKSTEP_WITH_ROUND(sqrt_f64);
  if (op.root == "abs") return alu<&num::abs_f64>();
  if (op.root == "neg") return alu<&num::neg_f64>();
  if (op.root == "min") return alu<&num::min_f64>();
  if (op.root == "max") return alu<&num::max_f64>();
  if (op.root == "copysign") return alu<&num::copysign<uint64_t>>();
  return {};
}

}  // namespace

Alu find_float(const Opcode& op) {
  if (op.type() == Type::kF32 && op.types.size() == 1) return find_f32(op);
  if (op.type() == Type::kF64 && op.types.size() == 1) return find_f64(op);
  return {};
}

}  // namespace lockstep::emulator
