// SPDX-License-Identifier: Apache-2.0
// What reading a spec of opcodes.def rests on: its text, taken from the front, the bits that it
// names, which become the format's, and the operands of which the bits are at the same place for
// all kinds of sources.
#pragma once

#include <charconv>
#include <stdexcept>
#include <string>

#include "emulator/sass/format.h"

namespace lockstep::emulator::sass {

class SpecReader {
 protected:
  SpecReader(const OpcodeRow& row, int kind, int sm) : row_(row), kind_(kind), sm_(sm) {
    format_.row = &row;
  }

  [[noreturn]] void fail(const std::string& why) const {
    throw std::logic_error("opcodes.def: " + std::string(row_.name) + " '" + std::string(rest_) +
                           "': " + why);
  }
  bool take(std::string_view text) {
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }
  int number() {
    int value = 0;
    const auto end = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value).ptr;
    if (end == rest_.data()) fail("a number is missing");
    rest_.remove_prefix(static_cast<size_t>(end - rest_.data()));
    return value;
  }

  void claim(const Field& field) {
    for (const Field::Part& part : field.parts) {
      for (int i = 0; i < part.count; ++i) set(&format_.known, part.first + i);
    }
  }
  void require(const Field& field, uint64_t value) {
    claim(field);
    for (const Field::Part& part : field.parts) {
      for (int i = 0; i < part.count; ++i, value >>= 1) {
        set(&format_.fixed, part.first + i);
        if (value & 1) set(&format_.fixed_value, part.first + i);
      }
    }
  }

  // width: where the spec gives none.
  Field field(int width) {
    Field result;
    int parts = 0;
    do {
      Field::Part part;
      part.first = static_cast<uint8_t>(number());
      part.count = static_cast<uint8_t>(take(".") ? number() : width);
      if (parts == 3 || part.first + part.count > 128) fail("a field too many, or too long");
      result.parts[parts++] = part;
    } while (take("+"));
    claim(result);
    return result;
  }
  Field plain(int first, int width) {
    Field result;
    result.parts[0] = {static_cast<uint8_t>(first), static_cast<uint8_t>(width)};
    claim(result);
    return result;
  }
  int8_t bit(int at) {
    plain(at, 1);
    return static_cast<int8_t>(at);
  }

  void target(Term* term) {
    const char letter = rest_[0];
    rest_.remove_prefix(1);
    term->kind = OperandKind::kTarget;
    term->absolute_target = letter == 'J';
    if (letter == 'j' || letter == 'J') {
      const uint8_t width = letter == 'J' && rest_.empty() ? 47 : 48;
      term->unit = 4;
      term->field.parts[0] = {34, width};
      if (sm_ >= 90) term->field.parts = {{{16, 8}, {34, width}}};
      claim(term->field);
    } else {
      term->field = field(1);
      if (take("*")) term->unit = number();
    }
    if (take("R")) term->offset = plain(number(), 8);
  }
  void predicate(Term* term) {
    term->field = plain(number(), 3);
    term->default_value = kTruePredicate;
    if (take("!")) term->invert = bit(number());
  }
  void uniform_register(int first, Term* term) {
    term->field = plain(first, sm_ >= 100 ? 8 : 6);
    term->default_value = kZeroUniform;
  }

  void constant(Term* term) {
    term->kind = OperandKind::kConstant;
    term->offset = plain(38, 16);
    plain(54, 5);
  }

  // [s UR] shared: scale at 78; [g UR / DESCRIPTOR] global: the register is a pair where bit 90 is
  // set; [r UR] the same of reductions; [a ..] always a pair; [A ..] so with 23 bits of offset;
  // [l UR] any other. UR: where the uniform register stands (of kind 1 there is none), optional
  // with '?'. DESCRIPTOR: the bit that makes it one. The register is at 24 and the offset at 40, if
  // no @REGISTER+OFFSET says otherwise.
  void address(Term* term) {
    const char space = rest_.empty() ? ' ' : rest_[0];
    rest_.remove_prefix(1);
    term->kind = OperandKind::kAddress;
    term->default_value = kZeroRegister;
    if (!rest_.starts_with("]") && !rest_.starts_with("@")) address_uniform(space, term);
    if (take("@")) {
      term->field = plain(number(), 8);
      if (!take("+")) fail("'+' is missing");
      term->offset = field(1);
    } else {
      term->field = plain(24, 8);
      term->offset = plain(40, space == 'A' ? 23 : 24);
      if (space == 's') term->scale = plain(78, 2);
    }
    if (!take("]")) fail("']' is missing");
  }
  void address_uniform(char space, Term* term) {
    const int first = number();
    int descriptor = take("/") ? number() : -1;
    if (space == 'r') descriptor = sm_ >= 100 ? 81 : 71;
    const bool optional = take("?");
    if (kind_ == 1) return;
    Term uniform;
    uniform_register(first, &uniform);
    term->uniform = uniform.field;
    term->uniform_if = bit(91);
    if (!optional) require(plain(91, 1), 1);
    if (space == 'g' || space == 'r') term->wide_if = bit(90);
    if (space == 'a' || space == 'A') term->wide_if = term->uniform_if;
    if (descriptor >= 0) term->descriptor_if = bit(descriptor);
  }

  const OpcodeRow& row_;
  const int kind_, sm_;
  Format format_;
  std::string_view rest_;

 private:
  static void set(Encoding* encoding, int bit) {
    (bit < 64 ? encoding->low : encoding->high) |= uint64_t{1} << (bit & 63);
  }
};

}  // namespace lockstep::emulator::sass
