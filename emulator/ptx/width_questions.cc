// SPDX-License-Identifier: Apache-2.0
#include "emulator/ptx/width_questions.h"

#include <iterator>
#include <string_view>

namespace lockstep::emulator {
namespace {

bool is_register(const Operand& o) { return o.kind == Operand::Kind::kRegister; }

bool same(const Operand& a, const Operand& b) {
  return a.kind == b.kind && a.reg == b.reg && a.bits == b.bits;
}

// "div.s64" or another operation that divides so wide.
bool divides(const Instruction& in, std::string_view unsigned_type, std::string_view signed_type) {
  const std::string_view root = in.opcode.substr(0, 4), type = in.opcode.substr(4);
  return (root == "div." || root == "rem.") && (type == unsigned_type || type == signed_type);
}

// As the compiler writes it, one behind the other:
//     setp p, ...; @p bra NARROW; rem.s64 d, a, b; bra END;
//     NARROW: cvt.u32.u64 x, ...; cvt.u32.u64 y, ...; rem.u32 q, ...; cvt.u64.u32 d, q; END:
bool asks_width(const Function& f, size_t at) {
  constexpr size_t kOperands[] = {3, 1, 3, 1, 2, 2, 3, 2};
  if (at + std::size(kOperands) > f.code.size()) return false;
  const Instruction* const in = &f.code[at];
  for (size_t i = 0; i < std::size(kOperands); ++i)
    if (!in[i].understood || in[i].operands.size() != kOperands[i] ||
        (in[i].guard >= 0) != (i == 1))
      return false;
  const auto is = [&](size_t i, std::string_view opcode) {
    return in[i].opcode.starts_with(opcode);
  };
  if (!is(0, "setp.") || !is(1, "bra") || !is(3, "bra")) return false;
  if (!is_register(in[0].operands[0]) ||
      in[0].operands[0].reg != static_cast<uint32_t>(in[1].guard))
    return false;
  const Instruction &wide = in[2], &narrow = in[6], &result = in[7];
  if (!divides(wide, "u64", "s64") || !divides(narrow, "u32", "u32")) return false;
  if (wide.opcode.substr(0, 4) != narrow.opcode.substr(0, 4)) return false;
  if (!is(4, "cvt.u32.u64") || !is(5, "cvt.u32.u64") || !is(7, "cvt.u64.u32")) return false;
  // Each of the narrow operands is one of the wide ones.
  const auto narrowed = [&](const Operand& to, const Operand& from) {
    for (const size_t i : {4, 5})
      if (same(in[i].operands[0], to) && same(in[i].operands[1], from)) return true;
    return false;
  };
  return narrowed(narrow.operands[1], wide.operands[1]) &&
         narrowed(narrow.operands[2], wide.operands[2]) &&
         same(result.operands[1], narrow.operands[0]) && same(result.operands[0], wide.operands[0]);
}

// Where the jumps of asks_width() lead.
bool meets_behind(const Function& f, size_t at) {
  const auto leads_to = [&](size_t jump, size_t place) {
    for (const Label& label : f.labels)
      if (label.name == f.code[jump].operands[0].name && label.at == place) return true;
    return false;
  };
  return leads_to(at + 1, at + 4) && leads_to(at + 3, at + 8);
}

}  // namespace

std::unordered_set<uint32_t> width_questions(const Module& module) {
  std::unordered_set<uint32_t> lines;
  for (const Function& f : module.functions)
    for (size_t i = 0; i < f.code.size(); ++i)
      if (asks_width(f, i) && meets_behind(f, i))
        lines.insert(static_cast<uint32_t>(f.code[i].line));
  return lines;
}

}  // namespace lockstep::emulator
