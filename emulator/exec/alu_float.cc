// SPDX-License-Identifier: Apache-2.0
// Arithmetic of f32 and f64, with every rounding mode, .ftz and .sat.
#include "emulator/exec/alu.h"
#include "emulator/numerics/compare.h"
#include "emulator/numerics/float32.h"
#include "emulator/numerics/float64.h"

namespace lockstep::emulator {
namespace {

using num::Round;

// F is a template <Round, bool Ftz, bool Sat> of num.
#define LOCKSTEP_MODES_OF_ROUND(R, F)                                                 \
  return ftz ? (sat ? alu<&num::F<R, true, true>>() : alu<&num::F<R, true, false>>()) \
             : (sat ? alu<&num::F<R, false, true>>() : alu<&num::F<R, false, false>>())
#define LOCKSTEP_ALL_MODES(F)                      \
  switch (op.rounding()) {                         \
    case Round::kNearest:                          \
      LOCKSTEP_MODES_OF_ROUND(Round::kNearest, F); \
    case Round::kZero:                             \
      LOCKSTEP_MODES_OF_ROUND(Round::kZero, F);    \
    case Round::kDown:                             \
      LOCKSTEP_MODES_OF_ROUND(Round::kDown, F);    \
    case Round::kUp:                               \
      LOCKSTEP_MODES_OF_ROUND(Round::kUp, F);      \
  }
// F is a template <Round, bool Ftz>.
#define LOCKSTEP_ROUND_AND_FTZ(F)                                                           \
  switch (op.rounding()) {                                                                  \
    case Round::kNearest:                                                                   \
      return ftz ? alu<&num::F<Round::kNearest, true>>() : alu<&num::F<Round::kNearest>>(); \
    case Round::kZero:                                                                      \
      return ftz ? alu<&num::F<Round::kZero, true>>() : alu<&num::F<Round::kZero>>();       \
    case Round::kDown:                                                                      \
      return ftz ? alu<&num::F<Round::kDown, true>>() : alu<&num::F<Round::kDown>>();       \
    case Round::kUp:                                                                        \
      return ftz ? alu<&num::F<Round::kUp, true>>() : alu<&num::F<Round::kUp>>();           \
  }
#define LOCKSTEP_ROUNDS(F)                    \
  switch (op.rounding()) {                    \
    case Round::kNearest:                     \
      return alu<&num::F<Round::kNearest>>(); \
    case Round::kZero:                        \
      return alu<&num::F<Round::kZero>>();    \
    case Round::kDown:                        \
      return alu<&num::F<Round::kDown>>();    \
    case Round::kUp:                          \
      return alu<&num::F<Round::kUp>>();      \
  }

template <Round R, bool Ftz, bool Sat>
Alu fused() {
  return alu<&num::fma_f32<R, Ftz, Sat, false>, &num::fma_f32<R, Ftz, Sat, true>>();
}
template <Round R>
Alu fused_of_round(bool ftz, bool sat) {
  return ftz ? (sat ? fused<R, true, true>() : fused<R, true, false>())
             : (sat ? fused<R, false, true>() : fused<R, false, false>());
}

Alu find_fma_f32(const Opcode& op, bool ftz, bool sat) {
  switch (op.rounding()) {
    case Round::kNearest:
      return fused_of_round<Round::kNearest>(ftz, sat);
    case Round::kZero:
      return fused_of_round<Round::kZero>(ftz, sat);
    case Round::kDown:
      return fused_of_round<Round::kDown>(ftz, sat);
    case Round::kUp:
      return fused_of_round<Round::kUp>(ftz, sat);
  }
  return {};
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
  if (op.root == "add") LOCKSTEP_ALL_MODES(add_f32)
  if (op.root == "sub") LOCKSTEP_ALL_MODES(sub_f32)
  if (op.root == "mul") LOCKSTEP_ALL_MODES(mul_f32)
  if (op.root == "fma" || op.root == "mad") return find_fma_f32(op, ftz, sat);
  if (op.has("approx") || op.has("full")) return {};
  if (op.root == "div") LOCKSTEP_ROUND_AND_FTZ(div_f32)
  if (op.root == "rcp") LOCKSTEP_ROUND_AND_FTZ(rcp_f32)
  if (op.root == "sqrt") LOCKSTEP_ROUND_AND_FTZ(sqrt_f32)
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
  if (op.root == "add") LOCKSTEP_ROUNDS(add_f64)
  if (op.root == "sub") LOCKSTEP_ROUNDS(sub_f64)
  if (op.root == "mul") LOCKSTEP_ROUNDS(mul_f64)
  if (op.root == "fma" || op.root == "mad") LOCKSTEP_ROUNDS(fma_f64)
  if (op.has("approx")) return {};
  if (op.root == "div") LOCKSTEP_ROUNDS(div_f64)
  if (op.root == "rcp") LOCKSTEP_ROUNDS(rcp_f64)
  if (op.root == "sqrt") LOCKSTEP_ROUNDS(sqrt_f64)
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
