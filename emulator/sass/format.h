// SPDX-License-Identifier: Apache-2.0
// The small language in which opcodes.def says how an instruction is encoded and printed, and its
// parsed form: for an opcode and the kind of its sources (bits 9 to 11) a list of terms. A spec is
//     KINDS [u] [>=SM] [<=SM]; TERM TERM ...
// u: a row of the uniform datapath (A, B, C, W, D are UR, the guard is UP). A field is FIRST or
// FIRST.COUNT; parts are joined by '+', the low one first. An encoding is known if a term of the
// row reads each of its bits that is set. Terms, in the order in which they are printed:
//   .NAME  .NAME@72        modifier: always; where the bit is set
//   .(a/b//-)@72.2 .names@72  by value: '' is not printed, '-' and what is beyond the list is
//                          unknown; names: a LOCKSTEP_SASS_NAMES
//   .imad                  the disassembler's MOV, IADD and SHL of IMAD: words without a bit
//   A                      the register at 24
//   W                      the wide source at 32, by kind: 1 register, 2 and 4 immediate, 3 and 5
//                          constant, 6 and 7 uniform register
//   B  C                   W, and the register at 64; kinds 2, 3 and 7 exchange them
//   D                      W in the place of C: its reuse is bit 124
//   R16 UR16 P81 UP81      registers; P87!90, UR24~30: with the bit that inverts; ^P64: 7 - index
//   s72 b16.4              special register, convergence barrier
//   'PR '(a/b)@44          fixed word, word by value
//   x72.8 i32.33           immediate, signed immediate
//   t34.30*4               code, relative to the next instruction, in units of 4 bytes
//   j jR24 J JR24          the same in the field of jumps; a register is added; J: absolute
//   c c24 cu24             constant; a register, a uniform register is added
//   [s32] [g64/76] ...     address, see spec_reader.h
//   =5@78.3                required value, not printed
// TERM>=100, TERM<=90: only of these architectures.
// Before a source: - negated, | absolute, ~ inverted, by its bits (72 and 73 of A, 63 and 62 at 32,
// 75 and 74 at 64); -~ inverted instead where bit 74 (.X) is set. After it: h, half selector (which
// moves the signs at 64 to 84 and 83, as m does); :f :d :h :i, an immediate as f32, f64, f16 pair,
// signed hex; .(/B1/B2)@76, a part; and when it is printed:
//   ?      unless it has its default (RZ, PT, 0; of targets with a register: offset 0); ?=15: 15
//   ?<100  so before CC 10.0
//   ?@74   where bit 74 is set; ?!@74 clear; ?@80!@73 both. Else it has its default.
//   ??     never; it has its default
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "emulator/sass/instruction.h"

namespace lockstep::emulator::sass {

struct OpcodeRow {
  uint16_t code;          // bits 0 to 8
  std::string_view name;  // "IMAD"
  std::string_view spec;
};

struct Field {
  struct Part {
    uint8_t first = 0, count = 0;
  };
  std::array<Part, 3> parts;
  int width() const { return parts[0].count + parts[1].count + parts[2].count; }
  bool present() const { return parts[0].count != 0; }
  uint64_t read(const Encoding& encoding) const {
    uint64_t value = 0;
    int at = 0;
    for (const Part& part : parts) {
      if (part.count == 0) break;
      value |= encoding.bits(part.first, part.count) << at;
      at += part.count;
    }
    return value;
  }
};

enum class TermKind : uint8_t { kModifier, kImadWords, kOperand };

struct Term {
  TermKind what = TermKind::kOperand;
  OperandKind kind = OperandKind::kNone;
  ImmediateFormat format = ImmediateFormat::kHex;
  bool absolute_target = false;
  int unit = 1;                                // kTarget: bytes
  Field field;                                 // index, value
  Field uniform;                               // kAddress, kConstant: UR, where `uniform_if` is set
  int8_t uniform_if = -1, descriptor_if = -1;  // bits: there is UR, and it is a descriptor
  Field scale;                                 // kAddress: .X4, .X8, .X16
  int8_t wide_if = -1;                         // kAddress: .64
  Field offset;
  int8_t negate = -1, absolute = -1, invert = -1;  // bits; -1: none
  int8_t invert_instead = -1;                      // negation is inversion where this is set
  int8_t reuse = -1;
  bool hides_default = false, never_shown = false;
  uint64_t default_value = 0;
  struct Condition {
    int8_t bit = -1;
    bool clear = false;
  };
  std::array<Condition, 2> shown_if;    // all of them
  bool complemented = false;            // predicates: 0 stands for PT
  std::vector<std::string_view> names;  // modifiers; parts of an operand; [0]: kNamed
  Field part;
};

// One row for one kind of sources.
struct Format {
  const OpcodeRow* row = nullptr;
  bool uniform = false;
  Encoding known;               // bits that terms read, and those of scheduling
  Encoding fixed, fixed_value;  // bits that must have these values
  std::vector<Term> terms;
};

// Formats of an opcode (bits 0 to 11), to be tried in this order; parsed at the first call for sm
// (75 to 121; none for others).
const std::vector<Format>& formats_of(int opcode, int sm);
// What the above consists of: adds the row's formats of one kind, if it is of this architecture.
void parse_spec(const OpcodeRow& row, int kind, int sm, std::vector<Format>* formats);
std::string_view special_register(int index);  // "" where it has no name

}  // namespace lockstep::emulator::sass
