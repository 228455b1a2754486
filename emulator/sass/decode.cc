// SPDX-License-Identifier: Apache-2.0
// Decodes an instruction by the formats of its opcode: the first that knows all its bits.

#include "emulator/sass/format.h"

namespace lockstep::emulator::sass {
namespace {

int64_t sign_extended(uint64_t value, int width) {
  const uint64_t sign = uint64_t{1} << (width - 1);
  return static_cast<int64_t>((value ^ sign) - sign);
}

class Decoder {
 public:
  Decoder(const Encoding& encoding, uint64_t address, int sm, const Format& format)
      : e_(encoding), address_(address), sm_(sm), format_(format) {}

  // False: not an instruction of this format.
  bool decode(Instruction* out) const {
    const Encoding& fixed = format_.fixed;
    if ((e_.low & ~format_.known.low) != 0 || (e_.high & ~format_.known.high) != 0) return false;
    if ((e_.low & fixed.low) != format_.fixed_value.low) return false;
    if ((e_.high & fixed.high) != format_.fixed_value.high) return false;
    out->row = format_.row;
    out->name = format_.row->name;
    out->encoding = e_;
    out->guard.kind = format_.uniform ? OperandKind::kUniformPredicate : OperandKind::kPredicate;
    out->guard.index = static_cast<uint8_t>(e_.bits(12, 3));
    out->guard.inverted = e_.bit(15);
    for (const Term& term : format_.terms) {
      const bool good = term.what == TermKind::kModifier    ? modifier(term, out)
                        : term.what == TermKind::kImadWords ? true
                                                            : operand(term, out);
      if (!good) return false;
    }
    if (!format_.terms.empty() && format_.terms[0].what == TermKind::kImadWords) imad_words(out);
    return true;
  }

 private:
  static bool add_word(std::string_view word, Instruction* out) {
    if (out->modifier_count == out->modifiers.size()) return false;
    out->modifiers[out->modifier_count++] = word;
    return true;
  }

  bool modifier(const Term& term, Instruction* out) const {
    const uint64_t value = term.field.present() ? term.field.read(e_) : 0;
    if (value >= term.names.size() || term.names[value] == "-") return false;
    std::string_view words = term.names[value];
    while (!words.empty()) {
      const size_t end = words.find('.');
      if (!add_word(words.substr(0, end), out)) return false;
      if (end == std::string_view::npos) break;
      words.remove_prefix(end + 1);
    }
    return true;
  }

  uint8_t uniform_index(const Field& field) const {
    const uint64_t index = field.read(e_);
    return index == 63 && sm_ < 100 ? kZeroUniform : static_cast<uint8_t>(index);
  }

  bool operand(const Term& term, Instruction* out) const {
    if (out->operand_count == out->operands.size()) return false;
    Operand& to = out->operands[out->operand_count++];
    to.kind = term.kind;
    to.format = term.format;
    if (!read_value(term, &to)) return false;
    if (term.part.present()) {
      const uint64_t value = term.part.read(e_);
      if (value >= term.names.size() || term.names[value] == "-") return false;
      to.part = term.names[value];
    }
    to.absolute = term.absolute >= 0 && e_.bit(term.absolute);
    to.inverted = term.invert >= 0 && e_.bit(term.invert);
    if (term.negate >= 0 && e_.bit(term.negate)) {
      const bool inverts = term.invert_instead >= 0 && e_.bit(term.invert_instead);
      (inverts ? to.inverted : to.negated) = true;
    }
    to.reuse = term.reuse >= 0 && e_.bit(term.reuse);
    const uint64_t value =
        to.kind == OperandKind::kImmediate ? static_cast<uint64_t>(to.value) : to.index;
    const bool is_default = value == term.default_value && !to.negated && !to.absolute;
    if (term.hides_default && to.kind == OperandKind::kTarget) {
      to.bare = to.value == 0;
    } else if (term.hides_default) {
      to.hidden = is_default && !to.inverted;
    }
    if (term.never_shown) to.hidden = true;
    if (term.never_shown && !is_default) return false;
    for (const Term::Condition& condition : term.shown_if) {
      if (condition.bit < 0 || e_.bit(condition.bit) != condition.clear) continue;
      to.hidden = true;  // and what is not read must be as the compiler leaves it
      if (!is_default) return false;
    }
    return true;
  }

  bool read_value(const Term& term, Operand* to) const {
    switch (term.kind) {
      case OperandKind::kUniform:
        to->index = uniform_index(term.field);
        return true;
      case OperandKind::kImmediate:
        return immediate(term, to);
      case OperandKind::kConstant:
        to->bank = static_cast<uint8_t>(e_.bits(54, 5));
        to->value = sign_extended(term.offset.read(e_), term.offset.width());
        to->indexed = term.field.present() || term.uniform.present();
        if (term.field.present()) to->index = static_cast<uint8_t>(term.field.read(e_));
        to->has_uniform = term.uniform.present();
        if (to->has_uniform) to->uniform = uniform_index(term.uniform);
        return true;
      case OperandKind::kAddress:
        return address(term, to);
      case OperandKind::kSpecial:
        to->index = static_cast<uint8_t>(term.field.read(e_));
        to->part = special_register(to->index);
        return !to->part.empty();
      case OperandKind::kTarget:
        return target(term, to);
      case OperandKind::kNamed:
        to->part = term.names[0];
        return true;
      default:
        to->index = static_cast<uint8_t>(term.field.read(e_));
        if (term.complemented) to->index = kTruePredicate - to->index;
        return true;
    }
  }

  bool immediate(const Term& term, Operand* to) const {
    const uint64_t value = term.field.read(e_);
    to->value = static_cast<int64_t>(value);
    if (term.format == ImmediateFormat::kDouble) to->value = static_cast<int64_t>(value << 32);
    if (term.format == ImmediateFormat::kSignedHex) {
      to->value = sign_extended(value, term.field.width());
    }
    return true;
  }

  bool target(const Term& term, Operand* to) const {
    to->indexed = term.offset.present();
    const bool is_signed = to->indexed || !term.absolute_target;
    const uint64_t words = term.field.read(e_);
    const int64_t offset =
        (is_signed ? sign_extended(words, term.field.width()) : static_cast<int64_t>(words)) *
        term.unit;
    to->value = offset;
    if (to->indexed) to->index = static_cast<uint8_t>(term.offset.read(e_));
    if (!term.absolute_target) {
      to->value = static_cast<int64_t>(address_ + 16 + static_cast<uint64_t>(offset));
    }
    return true;
  }

  bool address(const Term& term, Operand* to) const {
    to->index = static_cast<uint8_t>(term.field.read(e_));
    to->value = sign_extended(term.offset.read(e_), term.offset.width());
    if (term.scale.present()) {
      constexpr std::string_view kScales[] = {"", "X4", "X8", "X16"};
      to->part = kScales[term.scale.read(e_)];
    }
    if (!term.uniform.present()) return true;
    const bool has_uniform = e_.bit(term.uniform_if);
    const uint8_t uniform = uniform_index(term.uniform);
    to->wide = term.wide_if >= 0 && e_.bit(term.wide_if);
    to->has_uniform = has_uniform;
    if (!has_uniform) return term.uniform.read(e_) == 0;
    if (term.descriptor_if >= 0 && e_.bit(term.descriptor_if)) {
      to->descriptor = uniform;
      to->bare = sm_ < 90;
      return to->wide;
    }
    to->uniform = uniform;
    if (term.wide_if >= 0 && !to->wide) to->part = "U32";
    return true;
  }

  // How the disassembler calls a multiplication that moves, adds or shifts.
  static void imad_words(Instruction* out) {
    if (out->has("X")) return;
    const Operand& b = out->operands[3];
    const Operand& c = out->operands[4];
    const auto is_zero = [](const Operand& o) {
      return (o.kind == OperandKind::kRegister && o.index == kZeroRegister) ||
             (o.kind == OperandKind::kImmediate && o.value == 0);
    };
    const bool immediate = b.kind == OperandKind::kImmediate;
    std::string_view word;
    if ((is_zero(out->operands[2]) || is_zero(b)) && b.kind != OperandKind::kUniform &&
        c.kind != OperandKind::kUniform) {
      word = "MOV";
    } else if (immediate && b.value == 1) {
      word = "IADD";
    } else if (immediate && is_zero(c) && b.value > 0 && b.value != 0x10000 &&
               (b.value & (b.value - 1)) == 0) {
      word = "SHL";
    } else {
      return;
    }
    for (int i = out->modifier_count++; i > 0; --i) out->modifiers[i] = out->modifiers[i - 1];
    out->modifiers[0] = word;
  }

  const Encoding& e_;
  const uint64_t address_;
  const int sm_;
  const Format& format_;
};

}  // namespace

bool Instruction::has(std::string_view modifier) const {
  for (int i = 0; i < modifier_count; ++i) {
    if (modifiers[i] == modifier) return true;
  }
  return false;
}

Instruction decode(Encoding encoding, uint64_t address, int sm) {
  for (const Format& format : formats_of(static_cast<int>(encoding.bits(0, 12)), sm)) {
    Instruction instruction;
    if (Decoder(encoding, address, sm, format).decode(&instruction)) return instruction;
  }
  return Instruction{};
}

}  // namespace lockstep::emulator::sass
