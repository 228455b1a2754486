// SPDX-License-Identifier: Apache-2.0
// The special function unit.
#include "emulator/numerics/approx.h"
#include "emulator/sass/alu.h"
#include "emulator/sass/semantics.h"

namespace lockstep::emulator::sass {
namespace {

// Of halves: result and operand lie in the lower half of a register.
template <auto Function>
uint32_t of_halves(uint32_t a) {
  return Function(static_cast<uint16_t>(a));
}

bool prepare_mufu(Builder& b) {
  b.to(0);
  Operand from = b.operand(1);
  if (from.format == ImmediateFormat::kDouble) from.value >>= 32;  // the upper word of an f64
  b.from(0, from, Kind::kFloat);
  const std::string_view what = b.in.modifiers[0];
  if (b.in.modifier_count == 2 && b.in.modifiers[1] == "F16") {
    if (what == "EX2") return b.run(alu<&of_halves<&num::ex2_half<num::F16>>>());
    if (what == "TANH") return b.run(alu<&of_halves<&num::tanh_half<num::F16>>>());
  }
  if (b.in.modifier_count != 1) return false;
  if (what == "RCP") return b.run(alu<&num::mufu_rcp>());
  if (what == "RSQ") return b.run(alu<&num::mufu_rsq>());
  if (what == "SQRT") return b.run(alu<&num::mufu_sqrt>());
  if (what == "EX2") return b.run(alu<&num::mufu_ex2>());
  if (what == "LG2") return b.run(alu<&num::mufu_lg2>());
  if (what == "SIN") return b.run(alu<&num::mufu_sin>());
  if (what == "COS") return b.run(alu<&num::mufu_cos>());
  if (what == "TANH") return b.run(alu<&num::mufu_tanh>());
  if (what == "RCP64H") return b.run(alu<&num::mufu_rcp64h>());
  if (what == "RSQ64H") return b.run(alu<&num::mufu_rsq64h>());
  return false;
}

}  // namespace

const std::vector<Semantics>& special_semantics() {
  static const std::vector<Semantics> all = {{"MUFU", &prepare_mufu}};
  return all;
}

}  // namespace lockstep::emulator::sass
