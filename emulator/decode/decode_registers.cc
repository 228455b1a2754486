// SPDX-License-Identifier: Apache-2.0
// Instructions from registers to registers.
#include "emulator/decode/decoder_state.h"
#include "emulator/exec/moves.h"
#include "emulator/memory/address_space.h"
#include "emulator/ptx/lexer.h"

namespace lockstep::emulator {

void Decoder::emit_alu(const Alu& alu, const Opcode& op) {
  expect_operands(static_cast<size_t>(alu.operands), static_cast<size_t>(alu.operands));
  Instr out;
  const bool floats = is_float(op.type());
  for (int i = 1; i < alu.operands; ++i) {
    const Operand& o = operand(static_cast<size_t>(i));
    out.o[i] = source(o, alu.widths[i], floats);
    if (!o.negated) continue;
    const uint32_t inverted = allocate(0);
    Instr& flip = emit(find_alu(Opcode("not.pred")).run);
    flip.o[0] = inverted;
    flip.o[1] = out.o[i];
    out.o[i] = inverted;
  }
  out.o[0] = destination(operand(0), alu.widths[0]);
  Instr& placed = emit(alu.run);
  if (op.root == "selp") placed.role = Role::kSelect;
  if (op.root == "setp") placed.role = Role::kTest;
  for (int i = 0; i < alu.operands; ++i) placed.o[i] = out.o[i];
}

void Decoder::arithmetic(const Opcode& op) {
  if ((op.root == "add" || op.root == "sub") && fused_addition(op)) return;
  int operands = 0, width = 0;
  if (const Handler run = find_carry(op, &operands, &width)) return carry(op, run, operands, width);
  const Alu alu = find_alu(op);
  if (!alu) unsupported("'" + shown(in_->opcode) + "'");
  emit_alu(alu, op);
}

void Decoder::carry(const Opcode& op, Handler run, int operands, int width) {
  expect_operands(static_cast<size_t>(operands) + 1, static_cast<size_t>(operands) + 1);
  if (carry_ == kNoOperand) carry_ = allocate(0);
  uint32_t sources[3] = {kNoOperand, kNoOperand, kNoOperand};
  for (int i = 0; i < operands; ++i)
    sources[i] = source(operand(static_cast<size_t>(i) + 1), width);
  const uint32_t target = destination(operand(0), width);
  Instr& out = emit(run);
  out.o[0] = target;
  for (int i = 0; i < 3; ++i) out.o[i + 1] = sources[i];
  out.o[5] = carry_;
  const bool reads = op.root.ends_with("c");
  out.sub =
      static_cast<uint8_t>((reads ? 1 : 0) | (op.has("cc") ? 2 : 0) | (op.root == "sub" ? 4 : 0));
}

void Decoder::lop3(const Opcode& op) {
  if (op.has("or") || op.has("and")) unsupported("'" + shown(in_->opcode) + "'");
  emit_alu(find_alu(op), op);
}

bool Decoder::clock(const Operand& from) {
  if (from.kind != Operand::Kind::kSymbol || from.variable >= 0) return false;
  static constexpr std::string_view kNames[] = {"%clock",         "%clock64", "%clock_hi",
                                                "%globaltimer",   "%smid",    "%globaltimer_hi",
                                                "%globaltimer_lo"};
  for (size_t i = 0; i < std::size(kNames); ++i) {
    if (from.name != kNames[i]) continue;
    const int width = operand_width(operand(0));
    if (width != 4 && width != 8) fail("expected a register of 32 or 64 bits");
    const uint32_t target = destination(operand(0), width);
    Instr& out = emit(find_clock(width));
    out.o[0] = target;
    out.sub = static_cast<uint8_t>(i == 6 ? 3 : i);  // a narrow register takes the low half
    return true;
  }
  return false;
}

// mov.v4.f32 d, s: all elements are read before any is written.
void Decoder::move_vector(const Opcode& op, size_t count) {
  const int width = type_bytes(op.type());
  const Alu alu = find_alu(Opcode(width == 8 ? "mov.b64" : width == 4 ? "mov.b32" : "mov.b16"));
  const Operand &to = operand(0), &from = operand(1);
  const bool is_special = from.kind == Operand::Kind::kSymbol && from.variable < 0;
  if (width < 2 || width > 8 || to.parts.size() != count ||
      (is_special ? count != 4 : from.parts.size() != count))
    unsupported("'" + shown(in_->opcode) + "' of this shape");
  uint32_t sources[4], targets[4];
  for (size_t i = 0; i < count; ++i) {
    const std::string name = std::string(from.name) + "." + "xyzw"[i];
    const uint32_t value =
        is_special ? special(name, width) : source(from.parts[i], width, is_float(op.type()));
    sources[i] = allocate(width);
    Instr& out = emit(alu.run);
    out.o[0] = sources[i];
    out.o[1] = value;
  }
  for (size_t i = 0; i < count; ++i) {
    targets[i] = optional_destination(to.parts[i], width);
    if (targets[i] == kNoOperand) continue;
    Instr& out = emit(alu.run);
    out.o[0] = targets[i];
    out.o[1] = sources[i];
  }
}

// mov.u16 d, %tid.x: the low half.
void Decoder::move_special_half() {
  const uint32_t from = special(operand(1).name, 4), target = destination(operand(0), 2);
  Instr& out = emit(find_convert(Opcode("cvt.u16.u32")).run);
  out.o[0] = target;
  out.o[1] = from;
}

void Decoder::move(const Opcode& op) {
  expect_operands(2, 2);
  if (op.has("v2") || op.has("v4")) return move_vector(op, op.has("v2") ? 2 : 4);
  if (operand(0).kind == Operand::Kind::kVector) return unpack(op);
  if (operand(1).kind == Operand::Kind::kVector) return pack(op);
  if (clock(operand(1))) return;
  const int width = op.type() == Type::kPred ? 0 : type_bytes(op.type());
  const Operand& from = operand(1);
  if (width == 2 && from.kind == Operand::Kind::kSymbol && from.variable < 0 && from.name[0] == '%')
    return move_special_half();
  if (from.kind == Operand::Kind::kSymbol && from.variable >= 0 &&
      f_->variables[static_cast<size_t>(from.variable)].space == Space::kLocal) {
    const uint32_t target = destination(operand(0), width);
    Instr& out = emit(find_local_address(width));
    out.o[0] = target;
    out.imm = variables_[static_cast<size_t>(from.variable)] + from.offset;
    return;
  }
  const Alu alu = find_alu(op);
  if (!alu) unsupported("'" + shown(in_->opcode) + "'");
  emit_alu(alu, op);
}

void Decoder::pack(const Opcode& op) {
  const std::vector<Operand>& parts = operand(1).parts;
  const int bytes = type_bytes(op.type());
  const Handler run = find_pack(bytes, static_cast<int>(parts.size()));
  if (run == nullptr) unsupported("'" + shown(in_->opcode) + "' of this shape");
  uint32_t offsets[4];
  for (size_t i = 0; i < parts.size(); ++i)
    offsets[i] = source(parts[i], bytes / static_cast<int>(parts.size()));
  const uint32_t target = destination(operand(0), bytes);
  Instr& out = emit(run);
  out.o[0] = target;
  for (size_t i = 0; i < parts.size(); ++i) out.o[i + 1] = offsets[i];
}

void Decoder::unpack(const Opcode& op) {
  const std::vector<Operand>& parts = operand(0).parts;
  const int bytes = type_bytes(op.type());
  const Handler run = find_unpack(bytes, static_cast<int>(parts.size()));
  if (run == nullptr) unsupported("'" + shown(in_->opcode) + "' of this shape");
  const uint32_t from = source(operand(1), bytes);
  uint32_t targets[4];
  for (size_t i = 0; i < parts.size(); ++i)
    targets[i] = optional_destination(parts[i], bytes / static_cast<int>(parts.size()));
  Instr& out = emit(run);
  out.role = Role::kUnpack;
  out.o[1] = from;
  constexpr int kPlace[] = {0, 2, 3, 4};
  for (size_t i = 0; i < parts.size(); ++i) out.o[kPlace[i]] = targets[i];
}

void Decoder::convert(const Opcode& op) {
  if (op.has("pack")) {
    const Alu pack = find_convert(op);
    if (!pack) unsupported("'" + shown(in_->opcode) + "'");
    return emit_alu(pack, op);
  }
  const int to = operand_width(operand(0)), from = operand_width(operand(1));
  if (to <= 0) fail("the first operand must be a register");
  const Alu alu = find_convert(op);
  if (alu && alu.operands == 3) return emit_alu(alu, op);
  if (alu && to == alu.widths[0] && (from == alu.widths[1] || from < 0)) return emit_alu(alu, op);
  const int bytes = type_bytes(op.type(1)) == 1 ? 2 : type_bytes(op.type(1));
  const int source_bytes = from > 0 ? from : bytes;
  if (to < type_bytes(op.type(0)) || source_bytes < type_bytes(op.type(1)))
    fail("cvt: a register is narrower than its type");
  int64_t function = 0;
  const Handler run = convert_handler(op, to, source_bytes, &function);
  if (run == nullptr) unsupported("'" + shown(in_->opcode) + "'");
  const uint32_t value = source(operand(1), source_bytes, is_float(op.type(1)));
  const uint32_t target = destination(operand(0), to);
  Instr& out = emit(run);
  out.o[0] = target;
  out.o[1] = value;
  out.imm = function;
}

// setp.cmp{.bool} p|q, a, b{, {!}c}
void Decoder::compare(const Opcode& op) {
  const bool two = op.type() == Type::kF16x2 || op.type() == Type::kBf16x2;
  if (two) unsupported("'" + shown(in_->opcode) + "'");
  const Alu alu = find_alu(op);
  if (!alu) unsupported("'" + shown(in_->opcode) + "'");
  const int combination = op.has("and") ? 0 : op.has("or") ? 1 : op.has("xor") ? 2 : 3;
  const bool plain = combination == 3 && in_->pair.kind == Operand::Kind::kNone;
  if (plain) return emit_alu(alu, op);
  expect_operands(combination == 3 ? 3 : 4, combination == 3 ? 3 : 4);
  const uint32_t p = optional_destination(operand(0), 0);
  const uint32_t q = optional_destination(in_->pair, 0);
  emit_comparison(alu, op.type(), combination, p, q);
}

// p = a cmp b, and c with it where `combination` says how; q: not a cmp b, and c.
void Decoder::emit_comparison(const Alu& alu, Type type, int combination, uint32_t p, uint32_t q) {
  const uint32_t a = source(operand(1), alu.widths[1], is_float(type));
  const uint32_t b = source(operand(2), alu.widths[2], is_float(type));
  const uint32_t c = combination == 3 ? kNoOperand : source(operand(3), 0);
  const uint32_t truth = allocate(0);
  Instr& first = emit(alu.run);
  first.role = Role::kTest;
  first.o[0] = truth;
  first.o[1] = a;
  first.o[2] = b;
  Instr& second = emit(find_combine());
  second.role = Role::kCompare;
  second.o[0] = p;
  second.o[1] = truth;
  second.o[2] = c;
  second.o[3] = q;
  second.sub = static_cast<uint8_t>(combination);
  second.imm = operand(3).negated ? 0xffffffff : 0;
}

// set.cmp{.bool}.dtype.stype d, a, b{, {!}c}: a comparison, then a selection.
void Decoder::set_instruction(const Opcode& op) {
  const Type to = op.type(0);
  const int combination = op.has("and") ? 0 : op.has("or") ? 1 : op.has("xor") ? 2 : 3;
  const bool to_pair = to == Type::kF16x2 || to == Type::kBf16x2;
  if (op.types.size() == 2 && (op.type(1) == Type::kF16x2 || op.type(1) == Type::kBf16x2) &&
      combination == 3 && (to == op.type(1) || to == Type::kU32 || to == Type::kS32))
    return arithmetic(op);
  if (op.types.size() != 2 || (type_bytes(to) != 4 && type_bytes(to) != 2) || to_pair)
    unsupported("'" + shown(in_->opcode) + "'");
  Opcode comparison = op;
  comparison.root = "setp";
  comparison.types = {op.type(1)};
  const Alu alu = find_alu(comparison);
  if (!alu) unsupported("'" + shown(in_->opcode) + "'");
  expect_operands(combination == 3 ? 3 : 4, combination == 3 ? 3 : 4);
  const int width = type_bytes(to);
  const uint32_t target = destination(operand(0), width);
  const uint64_t one = to == Type::kF32    ? 0x3f800000u
                       : to == Type::kF16  ? 0x3c00u
                       : to == Type::kBf16 ? 0x3f80u
                                           : ~uint64_t{0};
  const uint32_t yes = constant(one, width), no = constant(0, width), truth = allocate(0);
  emit_comparison(alu, op.type(1), combination, truth, kNoOperand);
  Instr& out = emit(find_alu(Opcode(width == 2 ? "selp.b16" : "selp.b32")).run);
  out.role = Role::kSelect;
  out.o[0] = target;
  out.o[1] = yes;
  out.o[2] = no;
  out.o[3] = truth;
}

// cvta{.to}.space.u64 d, a
void Decoder::address_conversion(const Opcode& op) {
  expect_operands(2, 2);
  if (op.type() != Type::kU64) unsupported("32-bit addresses");
  const uint32_t from = source(operand(1), 8), target = destination(operand(0), 8);
  Window window = Window::kNone;
  if (op.has("shared") || op.has("shared::cta"))
    window = Window::kShared;
  else if (op.has("local"))
    window = Window::kLocal;
  else if (op.has("param"))
    window = Window::kParam;
  else if (!op.has("global") && !op.has("const"))
    unsupported("'" + shown(in_->opcode) + "'");
  const bool to = op.has("to");
  Instr& out = emit(to ? find_and_address() : find_or_address());
  out.o[0] = target;
  out.o[1] = from;
  const bool has = window != Window::kNone;
  out.imm = static_cast<int64_t>(to    ? (has ? kWindowMask : ~uint64_t{0})
                                 : has ? window_begin(window)
                                       : 0);
}

void Decoder::is_space(const Opcode& op) {
  expect_operands(2, 2);
  const uint32_t from = source(operand(1), 8), target = destination(operand(0), 0);
  Instr& out = emit(find_is_space());
  out.o[0] = target;
  out.o[1] = from;
  Window window = Window::kNone;
  if (op.has("shared") || op.has("shared::cta"))
    window = Window::kShared;
  else if (op.has("local"))
    window = Window::kLocal;
  else if (op.has("param"))
    window = Window::kParam;
  out.imm = static_cast<int64_t>(window);
}

}  // namespace lockstep::emulator
