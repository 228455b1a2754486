// SPDX-License-Identifier: Apache-2.0
// The special function unit.
#include "emulator/numerics/approx.h"
#include "emulator/sass/alu.h"
#include "emulator/sass/semantics.h"

namespace lockstep::emulator::sass {
namespace {

// MUFU flushes subnormals; sine and cosine take turns.
template <bool Cosine>
uint32_t of_turns(uint32_t a) {
  const double turns = num::as_f32(a);
  const double bounded = __builtin_fabs(turns) < 0x1p50 ? turns : 0.0;
  constexpr double kMagic = 0x1.8p52;
  const double fraction = bounded - ((bounded + kMagic) - kMagic);
  const double size = __builtin_fabs(fraction), folded = size > 0.25 ? 0.5 - size : size;
  const double value = num::sine_of_turns(Cosine ? 0.25 - size : folded);
  const auto result = static_cast<float>(Cosine ? value : __builtin_copysign(value, fraction));
  return (a & 0x7f800000u) == 0x7f800000u ? num::kNan32 : num::finish32<true, false>(result);
}
uint32_t reciprocal(uint32_t a) { return num::rcp_approx<true>(a); }
uint32_t inverse_root(uint32_t a) { return num::rsqrt_approx<true>(a); }
uint32_t root(uint32_t a) { return num::sqrt_approx<true>(a); }
uint32_t power(uint32_t a) { return num::ex2_approx<true>(a); }
uint32_t logarithm(uint32_t a) { return num::lg2_approx<true>(a); }
uint32_t tangent(uint32_t a) { return num::tanh_approx(a); }
uint32_t upper_reciprocal(uint32_t a) {
  return static_cast<uint32_t>(num::rcp_approx_f64(uint64_t{a} << 32) >> 32);
}
uint32_t upper_inverse_root(uint32_t a) {
  return static_cast<uint32_t>(num::rsqrt_approx_f64(uint64_t{a} << 32) >> 32);
}

bool prepare_mufu(Builder& b) {
  b.to(0);
  Operand from = b.operand(1);
  if (from.format == ImmediateFormat::kDouble) from.value >>= 32;  // the upper word of an f64
  b.from(0, from, Kind::kFloat);
  if (b.in.modifier_count != 1) return false;
  const std::string_view what = b.in.modifiers[0];
  if (what == "RCP") return b.run(alu<&reciprocal>());
  if (what == "RSQ") return b.run(alu<&inverse_root>());
  if (what == "SQRT") return b.run(alu<&root>());
  if (what == "EX2") return b.run(alu<&power>());
  if (what == "LG2") return b.run(alu<&logarithm>());
  if (what == "SIN") return b.run(alu<&of_turns<false>>());
  if (what == "COS") return b.run(alu<&of_turns<true>>());
  if (what == "TANH") return b.run(alu<&tangent>());
  if (what == "RCP64H") return b.run(alu<&upper_reciprocal>());
  if (what == "RSQ64H") return b.run(alu<&upper_inverse_root>());
  return false;
}

}  // namespace

const std::vector<Semantics>& special_semantics() {
  static const std::vector<Semantics> all = {{"MUFU", &prepare_mufu}};
  return all;
}

}  // namespace lockstep::emulator::sass
