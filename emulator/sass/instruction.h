// SPDX-License-Identifier: Apache-2.0
// One machine instruction (SASS, 128 bits, CC 7.5 to 12.x), decoded by the table in opcodes.def:
// its name, modifiers and operands as the toolkit's disassembler names them. Printing and execution
// see only this.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace lockstep::emulator::sass {

// The bits of an instruction; bit 0 is the lowest.
struct Encoding {
  uint64_t low = 0, high = 0;
  uint64_t bits(int first, int count) const {
    const uint64_t word = first >= 64  ? high >> (first - 64)
                          : first == 0 ? low
                                       : low >> first | high << (64 - first);
    return count == 64 ? word : word & ((uint64_t{1} << count) - 1);
  }
  bool bit(int at) const { return bits(at, 1) != 0; }
};

inline constexpr uint8_t kZeroRegister = 255;  // RZ
inline constexpr uint8_t kZeroUniform = 255;   // URZ: 63 in the encoding before CC 10.0, 255 here
inline constexpr uint8_t kTruePredicate = 7;   // PT and UPT

enum class OperandKind : uint8_t {
  kNone,
  kRegister,          // index
  kUniform,           // index
  kPredicate,         // index; inverted: !P
  kUniformPredicate,  // index; inverted: !UP
  kImmediate,  // value: 32 bits of integers (sign-extended in kSignedHex), f32 and two f16 as
               // encoded; all 64 of f64, of which the upper half is encoded
  kConstant,   // c[bank][value], + register `index` (RZ: none) or uniform register `uniform`
               // (URZ: none)
  kAddress,    // [R index + UR uniform + value]; of memory operations, see Operand::descriptor
  kBarrier,    // index: convergence barrier B0 to B15
  kSpecial,    // index: special register; part: its name
  kTarget,     // value: byte offset of code in its section; of an absolute one, or one to
               // which a register is added (BRX), the offset as encoded
  kNamed,      // part: a name in the place of an operand ("PR", "SB0")
};

enum class ImmediateFormat : uint8_t { kHex, kSignedHex, kFloat, kDouble, kHalfPair };

struct Operand {
  OperandKind kind = OperandKind::kNone;
  uint8_t index = kZeroRegister;
  uint8_t uniform = kZeroUniform;
  uint8_t descriptor = kZeroUniform;  // kAddress, kConstant: UR of desc[UR] or of cx[UR]; URZ: none
  uint8_t bank = 0;                   // kConstant
  bool negated = false, absolute = false;
  bool inverted = false;     // ~ of integers, ! of predicates
  bool wide = false;         // kAddress: the register is a pair (.64)
  bool indexed = false;      // kConstant (LDC), kTarget: register `index` is added, be it RZ
  bool bare = false;         // kTarget: no offset is printed; kAddress: no descriptor is (CC 8.x)
  bool has_uniform = false;  // kAddress: a uniform register (or descriptor) is encoded
  bool hidden = false;       // the disassembler leaves it out, because it has its default value
  bool reuse = false;
  ImmediateFormat format = ImmediateFormat::kHex;
  std::string_view part;  // "H0_H0", "H1_H1", "B2", "F32" ...: what stands behind the operand's dot
  int64_t value = 0;      // immediate, offset, target
};

struct OpcodeRow;  // of opcodes.def

struct Instruction {
  const OpcodeRow* row = nullptr;  // nullptr: not known, and nothing below holds
  std::string_view name;           // "IMAD"
  Operand guard;                   // kPredicate or kUniformPredicate; PT where there is none
  // In the order in which they are printed, also those that the disassembler leaves out where they
  // have their default or are not read (hidden; carries are not read without .X): instructions of
  // one name and architecture have the same operand at the same place.
  std::array<Operand, 10> operands;
  uint8_t operand_count = 0;
  // Those that are printed, without dots, in their order: "WIDE", "U32". MOV, IADD and SHL of IMAD
  // are words of the disassembler: the operands say as much.
  std::array<std::string_view, 10> modifiers;
  uint8_t modifier_count = 0;
  Encoding encoding;

  bool has(std::string_view modifier) const;
};

// address: byte offset in its section (targets are relative to it). sm: 90 for sm_90. An encoding
// of which any bit is not understood gives an unknown instruction, never a guess.
Instruction decode(Encoding encoding, uint64_t address, int sm);

// As nvdisasm prints it, without the closing semicolon and scheduling bits.
std::string print(const Instruction& instruction);

}  // namespace lockstep::emulator::sass
