// SPDX-License-Identifier: Apache-2.0
// Operands to rows, and the changes that signs make of them.
#include "emulator/sass/builder.h"

#include <algorithm>

#include "emulator/lanes/lanes.h"

namespace lockstep::emulator::sass {
namespace {

// Row k of `rows`: the signs of f64 stand in the upper one.
uint32_t change_word(const Change& c, int k, int rows, uint32_t word) {
  if (rows == 2 && k == 0 && c.flip != ~0u) return word;
  return (word & c.keep) ^ c.flip;
}

// Integers of 32 bits, or of 64 in two rows.
LOCKSTEP_INLINE void negate(uint32_t (*rows)[32], int count) {
  uint32_t *low = rows[0], *high = rows[1];
  if (count == 2) {
#pragma GCC ivdep
    for (int i = 0; i < 32; ++i) high[i] = ~high[i] + (low[i] == 0);
  }
#pragma GCC ivdep
  for (int i = 0; i < 32; ++i) low[i] = 0 - low[i];
}

struct WithChanges {
  LOCKSTEP_INLINE static void run(const Op& op, Warp& w, uint32_t on) {
    alignas(64) uint32_t changed[4][2][32];
    Op copy = op;
    for (int s = 0; s < 4; ++s) {
      if ((op.changed >> s & 1) == 0) continue;
      const Change& c = op.change[s];
      const uint32_t* from = row(op.source[s], w);
      for (int k = 0; k < c.rows; ++k) {
        uint32_t* to = changed[s][k];
        const bool plain = c.rows == 2 && k == 0 && c.flip != ~0u;
        const uint32_t keep = plain ? ~0u : c.keep, flip = plain ? 0 : c.flip;
#pragma GCC ivdep
        for (int i = 0; i < 32; ++i) to[i] = (from[32 * k + i] & keep) ^ flip;
      }
      if (c.minus) negate(changed[s], c.rows);
      copy.source[s] = {reinterpret_cast<uintptr_t>(changed[s][0]), 0};
    }
    op.inner(copy, w, on);
  }
};
}  // namespace

Rows* Pool::immediate(uint64_t value, int count) {
  std::unique_ptr<Rows>& rows = immediates_[{value, count}];
  if (rows == nullptr) {
    rows = std::make_unique<Rows>();
    for (int k = 0; k < count && k < 2; ++k)
      std::fill_n(rows->word[k], 32, static_cast<uint32_t>(value >> (32 * k)));
  }
  return rows.get();
}

Rows* Pool::bank(uint8_t bank, uint32_t offset, int count, const Change& change) {
  std::unique_ptr<Rows>& rows =
      bank_rows_[{bank, offset, count, change.keep, change.flip, change.minus}];
  if (rows == nullptr) {
    rows = std::make_unique<Rows>();
    banks_.push_back({rows.get(), bank, offset, count, change});
  }
  return rows.get();
}

void Pool::set(const BankRows& b, const uint32_t (&words)[4]) {
  for (int k = 0; k < b.count; ++k)
    std::fill_n(b.rows->word[k], 32, change_word(b.change, k, b.count, words[k]));
  if (b.change.minus) negate(b.rows->word, b.count);
}

const Change* Pool::changes(const Change (&change)[4]) {
  changes_.push_back({change[0], change[1], change[2], change[3]});
  return changes_.back().data();
}

Change Builder::change_of(const Operand& o, Kind kind, int rows) {
  Change c;
  c.rows = static_cast<uint8_t>(std::min(rows, 2));
  const uint32_t sign = kind == Kind::kHalves ? 0x80008000u : 0x80000000u;
  if (kind == Kind::kInteger) {
    if (o.absolute) c.rows = 0;  // no handler asks for it: it takes |x| itself
    if (o.inverted) c.flip = ~0u;
    if (o.negated) c.minus = true;
    return c;
  }
  if (o.absolute) c.keep = ~sign;
  if (o.negated) c.flip = sign;
  return c;
}

bool Builder::has(std::string_view word) const {
  for (int k = 0; k < in.modifier_count; ++k) {
    std::string_view rest = in.modifiers[static_cast<size_t>(k)];
    while (!rest.empty()) {
      const size_t dot = rest.find('.');
      if (rest.substr(0, dot) == word) return true;
      rest = dot == std::string_view::npos ? std::string_view() : rest.substr(dot + 1);
    }
  }
  return false;
}

uint32_t Builder::place(const Operand& o) const {
  const uint32_t index = o.kind == OperandKind::kUniform ? registers_ + o.index : o.index;
  return index * 128;
}

void Builder::note(std::vector<uint16_t>* list, const Operand& o, int rows) const {
  const bool zero =
      o.kind == OperandKind::kRegister ? o.index == kZeroRegister : o.index == kZeroUniform;
  if ((o.kind != OperandKind::kRegister && o.kind != OperandKind::kUniform) || zero) return;
  for (int k = 0; k < rows; ++k)
    list->push_back(static_cast<uint16_t>(place(o) / 128 + static_cast<uint32_t>(k)));
}

void Builder::in_predicate(int slot, int i) {
  op.in[slot] = predicate(operand(i));
  flow.reads.push_back(static_cast<uint16_t>(Flow::kPredicates + op.in[slot].index));
}

void Builder::from(int slot, const Operand& o, Kind kind, int rows) {
  note(&flow.reads, o, rows);
  const Change change = change_of(o, kind, rows);
  const bool changes = change.keep != ~0u || change.flip != 0 || change.minus;
  Source& s = op.source[slot];
  switch (o.kind) {
    case OperandKind::kImmediate: {
      Rows* pool = pool_.immediate(static_cast<uint64_t>(o.value), rows);
      s = {reinterpret_cast<uintptr_t>(pool->word[0]), 0};
      break;
    }
    case OperandKind::kConstant: {
      Rows* pool = pool_.bank(o.bank, static_cast<uint32_t>(o.value), rows, change);
      s = {reinterpret_cast<uintptr_t>(pool->word[0]), 0};
      return;
    }
    case OperandKind::kRegister:
    case OperandKind::kUniform: {
      const bool zero =
          o.kind == OperandKind::kRegister ? o.index == kZeroRegister : o.index == kZeroUniform;
      if (zero)
        s = {reinterpret_cast<uintptr_t>(pool_.immediate(0, rows)->word[0]), 0};
      else
        s = {place(o), ~uintptr_t{0}};
      break;
    }
    default:
      s = {reinterpret_cast<uintptr_t>(pool_.immediate(0, rows)->word[0]), 0};
      return;
  }
  if (!changes) return;
  changes_[slot] = change;
  op.changed |= static_cast<uint8_t>(1 << slot);
}

void Builder::to(const Operand& o, int rows) {
  note(&flow.writes, o, rows);
  const bool uniform = o.kind == OperandKind::kUniform;
  const bool zero = uniform ? o.index == kZeroUniform : o.index == kZeroRegister;
  op.to = zero ? (registers_ - 4) * 128 : place(o);
  if (uniform) op.widen = ~0u;
}

Predicate Builder::predicate(const Operand& o) {
  Predicate p;
  const bool uniform = o.kind == OperandKind::kUniformPredicate;
  p.index = static_cast<uint8_t>((uniform ? kUniformPredicates : 0) + (o.index & 7));
  p.flip = o.inverted ? ~0u : 0;
  return p;
}

void Builder::out_predicate(int slot, int i) {
  const Operand& o = operand(i);
  const bool uniform = o.kind == OperandKind::kUniformPredicate;
  op.out[slot] = o.index == kTruePredicate
                     ? kNoPredicate
                     : static_cast<uint8_t>((uniform ? kUniformPredicates : 0) + (o.index & 7));
  if (uniform) op.widen = ~0u;
  if (op.out[slot] != kNoPredicate)
    flow.writes.push_back(static_cast<uint16_t>(Flow::kPredicates + op.out[slot]));
}

num::Round rounding(const Builder& b) {
  using num::Round;
  if (b.has("RM") || b.has("FLOOR")) return Round::kDown;
  if (b.has("RP") || b.has("CEIL")) return Round::kUp;
  return b.has("RZ") || b.has("TRUNC") ? Round::kZero : Round::kNearest;
}

void finish(Builder& b) {
  if (b.op.changed == 0) return;
  b.op.change = b.pool_.changes(b.changes_);
  b.op.inner = b.op.run;
  b.op.run = version_of<Run, WithChanges>();
}

}  // namespace lockstep::emulator::sass
