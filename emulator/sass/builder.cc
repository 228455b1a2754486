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
    const Changes& all = *reinterpret_cast<const Changes*>(op.value);
    for (int s = 0; s < all.count; ++s) {
      const Change& c = all.of[s].change;
      const uint32_t* from = row(op.source[all.of[s].source], w);
      uint32_t* to = changed_row(all, all.of[s].source, w);
      for (int k = 0; k < c.rows; ++k) {
        const bool plain = c.rows == 2 && k == 0 && c.flip != ~0u;
        const uint32_t keep = plain ? ~0u : c.keep, flip = plain ? 0 : c.flip;
#pragma GCC ivdep
        for (int i = 0; i < 32; ++i) to[32 * k + i] = (from[32 * k + i] & keep) ^ flip;
      }
      if (c.minus) negate(reinterpret_cast<uint32_t(*)[32]>(to), c.rows);
    }
    all.op.run(all.op, w, on);
  }
  LOCKSTEP_INLINE static uint32_t* changed_row(const Changes& all, uint8_t source, Warp& w) {
    return w.registers + all.op.source[source].where / 4;
  }
};
}  // namespace

Source Pool::immediate(uint64_t value, int count) {
  const auto [rows, fresh] = immediates_.try_emplace({value, count}, rows_.size());
  if (fresh) {
    Rows& all = rows_.emplace_back();
    for (int k = 0; k < count && k < 2; ++k)
      std::fill_n(all.word[k], 32, static_cast<uint32_t>(value >> (32 * k)));
  }
  return source(rows->second);
}

Source Pool::bank(uint8_t bank, uint32_t offset, int count, const Change& change) {
  const auto [rows, fresh] = bank_rows_.try_emplace(
      {bank, offset, count, change.keep, change.flip, change.minus}, rows_.size());
  if (fresh) {
    rows_.emplace_back();
    banks_.push_back({rows->second, bank, offset, count, change});
  }
  return source(rows->second);
}

void Pool::set(const BankRows& b, const uint32_t (&words)[4]) {
  for (int k = 0; k < b.count; ++k)
    std::fill_n(rows_[b.rows].word[k], 32, change_word(b.change, k, b.count, words[k]));
  if (b.change.minus) negate(rows_[b.rows].word, b.count);
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
    case OperandKind::kImmediate:
      s = pool_.immediate(static_cast<uint64_t>(o.value), rows);
      break;
    case OperandKind::kConstant:
      s = pool_.bank(o.bank, static_cast<uint32_t>(o.value), rows, change);
      return;
    case OperandKind::kRegister:
    case OperandKind::kUniform: {
      const bool zero =
          o.kind == OperandKind::kRegister ? o.index == kZeroRegister : o.index == kZeroUniform;
      if (zero)
        s = pool_.immediate(0, rows);
      else
        s = {place(o)};
      break;
    }
    default:
      s = pool_.immediate(0, rows);
      return;
  }
  if (!changes) return;
  changes_.of[changes_.count].source = static_cast<uint8_t>(slot);
  changes_.of[changes_.count++].change = change;
}

void Builder::to(const Operand& o, int rows) {
  note(&flow.writes, o, rows);
  const bool uniform = o.kind == OperandKind::kUniform;
  const bool zero = uniform ? o.index == kZeroUniform : o.index == kZeroRegister;
  op.to = zero ? (registers_ - 4) * 128 : place(o);
  if (uniform) op.widen = true;
}

Predicate Builder::predicate(const Operand& o) {
  Predicate p;
  const bool uniform = o.kind == OperandKind::kUniformPredicate;
  p.index = static_cast<uint8_t>((uniform ? kUniformPredicates : 0) + (o.index & 7));
  p.flip = o.inverted ? 255 : 0;
  return p;
}

void Builder::out_predicate(int slot, int i) {
  const Operand& o = operand(i);
  const bool uniform = o.kind == OperandKind::kUniformPredicate;
  op.out[slot] = o.index == kTruePredicate
                     ? kNoPredicate
                     : static_cast<uint8_t>((uniform ? kUniformPredicates : 0) + (o.index & 7));
  if (uniform) op.widen = true;
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
  Changes& all = b.changes_;
  if (all.count == 0) return;
  all.op = b.op;
  for (int s = 0; s < all.count; ++s) {
    const uint32_t row = b.rows_ + kChangedRows / 4 * all.of[s].source;
    all.op.source[all.of[s].source] = {row * 128};
  }
  b.op.value = static_cast<int64_t>(reinterpret_cast<intptr_t>(b.pool_.changes(all)));
  b.op.run = version_of<Run, WithChanges>();
}

}  // namespace lockstep::emulator::sass
