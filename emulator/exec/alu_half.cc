// SPDX-License-Identifier: Apache-2.0
// Arithmetic of f16 and bf16, single and in pairs.
#include "emulator/exec/alu.h"
#include "emulator/numerics/half.h"

namespace lockstep::emulator {
namespace {

using num::Bf16;
using num::F16;

// A scalar function on both halves of packed registers.
template <auto F>
struct Pair;
template <class A, uint16_t (*F)(A)>
struct Pair<F> {
  LOCKSTEP_INLINE static uint32_t run(uint32_t a) {
    const uint32_t high = F(static_cast<uint16_t>(a >> 16));
    return F(static_cast<uint16_t>(a)) | high << 16;
  }
};
template <class A, uint16_t (*F)(A, A)>
struct Pair<F> {
  LOCKSTEP_INLINE static uint32_t run(uint32_t a, uint32_t b) {
    const uint32_t high = F(static_cast<uint16_t>(a >> 16), static_cast<uint16_t>(b >> 16));
    return F(static_cast<uint16_t>(a), static_cast<uint16_t>(b)) | high << 16;
  }
};
template <class A, uint16_t (*F)(A, A, A)>
struct Pair<F> {
  LOCKSTEP_INLINE static uint32_t run(uint32_t a, uint32_t b, uint32_t c) {
    const uint32_t high = F(static_cast<uint16_t>(a >> 16), static_cast<uint16_t>(b >> 16),
                            static_cast<uint16_t>(c >> 16));
    return F(static_cast<uint16_t>(a), static_cast<uint16_t>(b), static_cast<uint16_t>(c)) |
           high << 16;
  }
};

template <auto F>
Alu one_or_two(bool two) {
  if (two) return alu<&Pair<F>::run>();
  return alu<F>();
}

template <class Format, bool Ftz, bool Sat>
Alu find_arithmetic(const Opcode& op, bool two) {
  if (op.root == "add") return one_or_two<&num::add_half<Format, Ftz, Sat>>(two);
  if (op.root == "sub") return one_or_two<&num::sub_half<Format, Ftz, Sat>>(two);
  if (op.root == "mul") return one_or_two<&num::mul_half<Format, Ftz, Sat>>(two);
  if (op.root != "fma") return {};
  return op.has("relu") ? one_or_two<&num::fma_half<Format, Ftz, Sat, true>>(two)
                        : one_or_two<&num::fma_half<Format, Ftz, Sat, false>>(two);
}

template <class Format, bool Max, bool Ftz>
Alu find_min_max(const Opcode& op, bool two) {
  const bool nan = op.has("NaN"), magnitudes = op.has("xorsign");
  if (nan)
    return magnitudes ? one_or_two<&num::minmax_half<Format, Max, Ftz, true, true>>(two)
                      : one_or_two<&num::minmax_half<Format, Max, Ftz, true, false>>(two);
  return magnitudes ? one_or_two<&num::minmax_half<Format, Max, Ftz, false, true>>(two)
                    : one_or_two<&num::minmax_half<Format, Max, Ftz, false, false>>(two);
}

template <class Format, bool Ftz>
Alu find_rest(const Opcode& op, bool two) {
  if (op.root == "min") return find_min_max<Format, false, Ftz>(op, two);
  if (op.root == "max") return find_min_max<Format, true, Ftz>(op, two);
  if (op.root == "neg") return one_or_two<&num::neg_half<Format, Ftz>>(two);
  if (op.root == "abs") return one_or_two<&num::abs_half<Format, Ftz>>(two);
  const bool sat = op.has("sat");
  return sat ? find_arithmetic<Format, Ftz, true>(op, two)
             : find_arithmetic<Format, Ftz, false>(op, two);
}

template <class Format>
Alu find_format(const Opcode& op, bool two) {
  return op.has("ftz") ? find_rest<Format, true>(op, two) : find_rest<Format, false>(op, two);
}

template <class Format, FusedForm F, bool Ftz, bool Sat>
LOCKSTEP_INLINE uint16_t fused_half(uint16_t a, uint16_t b, uint16_t c) {
  if constexpr (F == FusedForm::kMinus) c ^= 0x8000;
  if constexpr (F == FusedForm::kFrom) a ^= 0x8000;
  return num::fma_half<Format, Ftz, Sat, false>(a, b, c);
}
template <class Format, bool Ftz, bool Sat>
Alu by_form(FusedForm form, bool two) {
  switch (form) {
    case FusedForm::kPlus:
      return one_or_two<&fused_half<Format, FusedForm::kPlus, Ftz, Sat>>(two);
    case FusedForm::kMinus:
      return one_or_two<&fused_half<Format, FusedForm::kMinus, Ftz, Sat>>(two);
    case FusedForm::kFrom:
      return one_or_two<&fused_half<Format, FusedForm::kFrom, Ftz, Sat>>(two);
  }
  return {};
}
template <class Format>
Alu fused_of(const Opcode& op, FusedForm form, bool two) {
  if (op.has("ftz"))
    return op.has("sat") ? by_form<Format, true, true>(form, two)
                         : by_form<Format, true, false>(form, two);
  return op.has("sat") ? by_form<Format, false, true>(form, two)
                       : by_form<Format, false, false>(form, two);
}

}  // namespace

Alu find_fused_half(const Opcode& op, FusedForm form) {
  switch (op.type()) {
    case Type::kF16:
      return fused_of<F16>(op, form, false);
    case Type::kF16x2:
      return fused_of<F16>(op, form, true);
    case Type::kBf16:
      return fused_of<Bf16>(op, form, false);
    case Type::kBf16x2:
      return fused_of<Bf16>(op, form, true);
    default:
      return {};
  }
}

Alu find_half(const Opcode& op) {
  if (op.types.size() != 1) return {};
  switch (op.type()) {
    case Type::kF16:
      return find_format<F16>(op, false);
    case Type::kF16x2:
      return find_format<F16>(op, true);
    case Type::kBf16:
      return find_format<Bf16>(op, false);
    case Type::kBf16x2:
      return find_format<Bf16>(op, true);
    default:
      return {};
  }
}

}  // namespace lockstep::emulator
