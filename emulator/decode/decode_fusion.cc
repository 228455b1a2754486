// SPDX-License-Identifier: Apache-2.0
// Additions that ptxas fused with the multiplication that feeds them.
#include <algorithm>
#include <iterator>

#include "emulator/decode/decoder_state.h"

namespace lockstep::emulator {
namespace {

// mul, add or sub without a rounding mode: the only ones that may be fused.
bool may_fuse(const Opcode& op, std::string_view root) {
  if (op.root != root || op.types.size() != 1) return false;
  constexpr Type kFloats[] = {Type::kF32,   Type::kF64,  Type::kF16,
                              Type::kF16x2, Type::kBf16, Type::kBf16x2};
  if (std::find(std::begin(kFloats), std::end(kFloats), op.type()) == std::end(kFloats))
    return false;
  for (std::string_view m : op.modifiers)
    if (m != "ftz" && m != "sat") return false;
  return true;
}

}  // namespace

// The only instruction that writes a register; -1 where there are none or several.
void Decoder::find_definitions() {
  definition_.assign(f_->registers.size(), -1);
  for (size_t i = 0; i < f_->code.size(); ++i) {
    const Instruction& in = f_->code[i];
    each_written_register(in, [&](uint32_t r) {
      definition_[r] = definition_[r] == -1 && in.guard < 0 ? static_cast<int>(i) : -2;
    });
  }
}

// The multiplication whose product, or its negation, is operand o of the addition being decoded, if
// the two can be fused.
Decoder::Product Decoder::product_of(const Operand& o, const Opcode& sum) {
  const auto written_by = [&](const Operand& from, std::string_view root, size_t operands) {
    const int at = from.kind == Operand::Kind::kRegister ? definition_[from.reg] : -1;
    if (at < 0) return static_cast<const Instruction*>(nullptr);
    const Instruction& in = f_->code[static_cast<size_t>(at)];
    const Opcode op(in.opcode);
    const bool fits = may_fuse(op, root) && !op.has("sat") && op.type() == sum.type() &&
                      op.has("ftz") == sum.has("ftz") && in.operands.size() == operands;
    return fits ? &in : nullptr;
  };
  if (const Instruction* neg = written_by(o, "neg", 2))
    return {written_by(neg->operands[1], "mul", 3), true};
  return {written_by(o, "mul", 3), false};
}

// Whether instruction `from` has been executed whenever `to` is.
bool Decoder::dominates(size_t from, size_t to) const {
  const uint32_t wanted = cfg_.block_of[from];
  uint32_t block = cfg_.block_of[to];
  if (block == wanted) return from < to;
  if (!cfg_.blocks[block].reachable) return false;
  while (block != wanted && block != cfg_.blocks[block].dominator)
    block = cfg_.blocks[block].dominator;
  return block == wanted;
}

// Whether the factors still hold in the addition what they held in the multiplication. Elsewhere
// than in its block, those do that are written once: a way from there to here that does not pass
// the multiplication would be one from the start, too.
bool Decoder::factors_unchanged(const Instruction& mul) const {
  const auto from = static_cast<size_t>(&mul - f_->code.data());
  const auto to = static_cast<size_t>(in_ - f_->code.data());
  if (!dominates(from, to)) return false;
  const bool same_block = cfg_.block_of[from] == cfg_.block_of[to];
  for (size_t k = 1; k <= 2; ++k) {
    const Operand& o = mul.operands[k];
    if (o.kind != Operand::Kind::kRegister) continue;
    if (!same_block) {
      const int definition = definition_[o.reg];
      if (definition < 0 || !dominates(static_cast<size_t>(definition), from)) return false;
      continue;
    }
    bool written = false;
    for (size_t i = from; i < to; ++i)
      each_written_register(f_->code[i], [&](uint32_t r) { written |= r == o.reg; });
    if (written) return false;
  }
  return true;
}

bool Decoder::fused_addition(const Opcode& op) {
  const bool is_sub = op.root == "sub";
  if (!may_fuse(op, is_sub ? "sub" : "add") || in_->operands.size() != 3) return false;
  const int bytes = type_bytes(op.type());
  const bool is_half = op.type() != Type::kF32 && op.type() != Type::kF64;
  const int width = is_half ? 2 : bytes;  // of pairs, too
  const Product products[2] = {product_of(operand(1), op), product_of(operand(2), op)};
  if (products[0].mul == nullptr && products[1].mul == nullptr) return false;
  int which = products[0].mul != nullptr ? 0 : 1;
  if (sass_.known()) {
    const LineArithmetic here = sass_.line(in_->line, width);
    if (!here.fused || here.added) return false;
    if (products[0].mul != nullptr && products[1].mul != nullptr &&
        sass_.line(products[0].mul->line, width).multiplied &&
        !sass_.line(products[1].mul->line, width).multiplied)
      which = 1;
  } else if (reads_[operand(static_cast<size_t>(which) + 1).reg] != 1) {
    return false;
  }
  const Instruction& mul = *products[which].mul;
  const bool negated = products[which].negated;
  if (!factors_unchanged(mul) || (is_sub && which == 0 && negated)) return false;
  // a * b + c, a * b - c, or c - a * b
  const FusedForm form = is_sub && which == 0                ? FusedForm::kMinus
                         : (is_sub && which == 1) != negated ? FusedForm::kFrom
                                                             : FusedForm::kPlus;
  const Alu alu = find_fused(op, form);
  if (!alu) return false;
  const uint32_t a = source(mul.operands[1], bytes, true);
  const uint32_t b = source(mul.operands[2], bytes, true);
  const uint32_t c = source(operand(which == 0 ? 2 : 1), bytes, true);
  const uint32_t target = destination(operand(0), bytes);
  Instr& out = emit(alu.run);
  out.o[0] = target;
  out.o[1] = a;
  out.o[2] = b;
  out.o[3] = c;
  return true;
}

}  // namespace lockstep::emulator
