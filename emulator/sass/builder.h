// SPDX-License-Identifier: Apache-2.0
// Makes an Op of a decoded instruction: what every opcode's preparation uses to say where its
// operands are.
#pragma once

#include <memory>
#include <tuple>
#include <vector>

#include "emulator/numerics/bits.h"
#include "emulator/sass/code.h"

namespace lockstep::emulator::sass {

// What the signs of an operand (-, |x|, ~) mean to its bits.
enum class Kind : uint8_t { kInteger, kFloat, kDouble, kHalves };

// Rows of the code's own.
struct Rows {
  alignas(64) uint32_t word[4][32] = {};
};
struct BankRows {
  size_t rows = 0;  // number
  uint8_t bank = 0;
  uint32_t offset = 0;
  int count = 1;
  Change change;
};

// Of a kernel: rows that its instructions share, by number.
class Pool {
 public:
  Source immediate(uint64_t value, int count);
  Source bank(uint8_t bank, uint32_t offset, int count, const Change& change);
  const Changes* changes(const Changes& changes) { return &changes_.emplace_back(changes); }
  // What the sources' bytes are counted from.
  uintptr_t first() const { return reinterpret_cast<uintptr_t>(rows_.data()) - Source::kOfCode; }
  // Fills the rows of constant banks: word(bank, offset).
  template <class F>
  void fill(F word) {
    for (const BankRows& b : banks_) {
      uint32_t words[4] = {};
      for (int k = 0; k < b.count; ++k)
        words[k] = word(b.bank, b.offset + 4 * static_cast<uint32_t>(k));
      set(b, words);
    }
  }

 private:
  static Source source(size_t rows) {
    return {static_cast<uint32_t>(rows * sizeof(Rows)) | Source::kOfCode};
  }
  void set(const BankRows& b, const uint32_t (&words)[4]);
  std::vector<Rows> rows_;
  std::map<std::pair<uint64_t, int>, size_t> immediates_;
  std::map<std::tuple<uint8_t, uint32_t, int, uint32_t, uint32_t, bool>, size_t> bank_rows_;
  std::vector<BankRows> banks_;
  std::deque<Changes> changes_;
};

class Builder {
 public:
  // first: the instruction with which the section begins, to which targets are relative.
  Builder(const Instruction& instruction, int first, int64_t address, const Code& code, Op& op)
      : in(instruction),
        op(op),
        first(first),
        sm(code.sm),
        address(address),
        registers_(code.registers),
        rows_(code.rows),
        pool_(*code.pool) {}

  const Instruction& in;
  Op& op;
  Flow flow;
  const int first;
  const int sm;
  const int64_t address;  // in the section, bytes
  bool accesses = false;  // it reaches memory and has counts of its own

  const Operand& operand(int i) const { return in.operands[static_cast<size_t>(i)]; }
  // Whether a modifier, or a part of one ("STRONG" of STRONG.GPU), is there.
  bool has(std::string_view word) const;
  // Source `slot` is operand i, of so many registers in a row.
  void from(int slot, int i, Kind kind = Kind::kInteger, int rows = 1) {
    from(slot, operand(i), kind, rows);
  }
  void from(int slot, const Operand& operand, Kind kind = Kind::kInteger, int rows = 1);
  void to(int i, int rows = 1) { to(operand(i), rows); }
  void to(const Operand& operand, int rows = 1);
  void in_predicate(int slot, int i);
  void out_predicate(int slot, int i);
  static Predicate predicate(const Operand& operand);
  // The last thing: how it runs. false from a preparation: such an instruction is not known.
  bool run(Run with) {
    op.run = with;
    return true;
  }
  // The row of a register, or of a uniform one, as bytes from the warp's first.
  uint32_t place(const Operand& operand) const;
  static constexpr uint32_t kMostRegisters = 256;

 private:
  static Change change_of(const Operand& operand, Kind kind, int rows);
  void note(std::vector<uint16_t>* list, const Operand& operand, int rows) const;
  Changes changes_;
  uint32_t registers_, rows_;
  Pool& pool_;
  friend void finish(Builder& b);
};

// By the modifiers.
num::Round rounding(const Builder& b);

// Puts the changes of sources before the handler.
void finish(Builder& b);

// What an opcode does: prepares its Op. By name; nullptr: not known.
using Prepare = bool (*)(Builder& b);
Prepare find_semantics(std::string_view name);

// Makes the Ops of all instructions.
void build_ops(Code* code);

}  // namespace lockstep::emulator::sass
