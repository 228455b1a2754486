// SPDX-License-Identifier: Apache-2.0
// A statement stands elsewhere, or two of a line's values stand for each other.
#include <algorithm>

#include "emulator/mutate/mutation_maker.h"

namespace lockstep::emulator {

void MutationMaker::order() {
  exchanged_values();
  exchanged_dimensions();
  const std::vector<Loop> all = loops();
  std::set<int> lines;  // of several in one line, what is around the others
  for (const Stretch& s : statements(all))
    if (lines.insert(line_at(s.first)).second) moves_of(s, all);
}

// Nothing jumps into it but to its first instruction, or out of it but to what follows.
bool MutationMaker::is_closed(const Stretch& s) const {
  for (uint32_t k = 0; k < f_->code.size(); ++k) {
    const bool inside = k >= s.first && k < s.end;
    const Instruction& in = f_->code[k];
    const std::string_view root = Opcode(in.opcode).root;
    if (inside && (root == "ret" || root == "exit" || root == "trap" || root == "brx"))
      return false;
    const auto to = target_of(in);
    if (!to) continue;
    if (inside ? *to < s.first || *to > s.end : *to > s.first && *to < s.end) return false;
  }
  return true;
}

// Loops, ifs and what has neither, whole.
std::vector<MutationMaker::Stretch> MutationMaker::statements(const std::vector<Loop>& all) const {
  constexpr uint32_t kLongest = 400;
  std::vector<Stretch> found;
  const auto add = [&](uint32_t first, uint32_t end) {
    if (end < f_->code.size() && end - first <= kLongest && is_closed({first, end}))
      found.push_back({first, end});
  };
  for (uint32_t i = 0; i < f_->code.size();) {
    const auto [first, end] = stretch(i);
    i = std::max(i + 1, end);
    const int line = line_at(first);
    if (line == 0 || end >= f_->code.size() || Opcode(f_->code[first].opcode).root == "bra")
      continue;
    const Instruction& next = f_->code[end];
    const auto past = target_of(next);
    const auto loop = std::find_if(all.begin(), all.end(), [&](const Loop& one) {
      return one.line == line && (one.head == end || one.head == end + 1);
    });
    if (loop != all.end())
      add(first, loop->end + 1);
    else if (past && next.guard >= 0 && *past > end)
      add(first, *past);
    else
      add(first, end);
  }
  return found;
}

const MutationMaker::Loop* MutationMaker::around(const std::vector<Loop>& all, const Loop& loop) {
  const Loop* best = nullptr;
  for (const Loop& other : all)
    if (other.head < loop.head && loop.end < other.end &&
        (best == nullptr || other.head > best->head))
      best = &other;
  return best;
}

// Where a statement could begin, not the condition of a loop.
bool MutationMaker::is_place(uint32_t i, const std::vector<Loop>& all) const {
  if (line_at(i) == 0 || is_jump(f_->code[i])) return false;
  for (const Loop& loop : all)
    if (i >= loop.head && i < loop.body) return false;
  return i == 0 || label_places_.contains(i) || line_at(i - 1) != line_at(i);
}

// The statement with what it needs at that place, and what it leaves where this is looked for.
Mutation::Piece MutationMaker::statement_at(const Stretch& s, uint32_t place) {
  Mutation::Piece piece;
  piece.at = place;
  piece.before = carried(place, s.first);
  const auto start = static_cast<uint32_t>(piece.before.size());
  const auto label = [&](uint32_t at) {
    Label made;
    made.name = kept("$moved" + std::to_string(at));
    made.at = start + at - s.first;
    if (std::none_of(piece.labels.begin(), piece.labels.end(),
                     [&](const Label& l) { return l.name == made.name; }))
      piece.labels.push_back(made);
    return made.name;
  };
  for (uint32_t k = s.first; k < s.end; ++k) {
    Instruction in = f_->code[k];
    if (const auto to = target_of(in)) in.operands[0].name = label(*to);
    piece.before.push_back(std::move(in));
  }
  for (Instruction& in : carried(s.first, s.end))  // what it changes
    for (const CodeWords::Variable& v : words_->variables_at(place)) {
      const std::string* name = words_->name_of(in.operands[0].reg);
      if (name == nullptr || v.constant || v.name != *name || v.reg == in.operands[0].reg) continue;
      if (f_->registers[v.reg] != f_->registers[in.operands[0].reg]) continue;
      Instruction back = in;
      back.operands = {reg_operand(v.reg), in.operands[0]};
      piece.before.push_back(std::move(back));
    }
  return piece;
}

// Which variables' values a stretch takes and gives, and whether it works on memory.
MutationMaker::Needs MutationMaker::needs_of(uint32_t first, uint32_t end) const {
  Needs needs;
  const auto note = [&](const Operand& o, std::set<std::string>* to) {
    const std::string* name = is_register(o) || o.has_register ? words_->name_of(o.reg) : nullptr;
    if (name != nullptr) to->insert(*name);
  };
  for (uint32_t k = first; k < end; ++k) {
    const Instruction& in = f_->code[k];
    const Opcode op(in.opcode);
    if (op.root == "bra" || copies(in, op) || in.operands.empty()) continue;
    const bool stores = op.root == "st" || op.root == "red";
    const bool others = op.root == "call" || op.root == "bar" || op.root == "barrier" ||
                        op.root == "atom" || op.root == "membar" || op.root == "fence";
    if (!op.has("param")) {
      needs.loads |= op.root == "ld" || others;
      needs.stores |= stores || others;
    }
    for (size_t k2 = 0; k2 < in.operands.size(); ++k2)
      note(in.operands[k2], k2 == 0 && !stores ? &needs.writes : &needs.reads);
  }
  return needs;
}

// Whether it matters which of the two is first.
bool MutationMaker::depend(const Needs& a, const Needs& b) {
  const auto meet = [](const std::set<std::string>& x, const std::set<std::string>& y) {
    return std::any_of(x.begin(), x.end(), [&](const auto& name) { return y.contains(name); });
  };
  return meet(a.writes, b.reads) || meet(a.reads, b.writes) || meet(a.writes, b.writes) ||
         (a.stores && (b.loads || b.stores)) || (b.stores && a.loads);
}

// Whether all that it and what it passes read has a value before: what is declared stays before its
// uses.
bool MutationMaker::can_stand(const Stretch& s, const Needs& needs, uint32_t place,
                              const Needs& passed) const {
  const auto register_of = [&](const std::string& name, uint32_t i) -> std::optional<uint32_t> {
    for (const CodeWords::Variable& v : words_->variables_at(i))
      if (v.name == name && !v.constant) return v.reg;
    return std::nullopt;
  };
  // That one instruction sets, there or behind it.
  const auto is_new = [&](const std::string& name, uint32_t before, uint32_t after) {
    const auto reg = register_of(name, after);
    return reg && reg == register_of(name, before) && words_->definition(*reg) != nullptr;
  };
  if (place < s.first)
    return std::none_of(needs.reads.begin(), needs.reads.end(), [&](const std::string& name) {
      return passed.writes.contains(name) && is_new(name, place, s.first);
    });
  return std::none_of(needs.writes.begin(), needs.writes.end(), [&](const std::string& name) {
    return passed.reads.contains(name) && is_new(name, s.first, s.end);
  });
}

std::string MutationMaker::words_of_place(uint32_t place, const std::vector<Loop>& all) const {
  const int line = line_at(place);
  for (const Loop& loop : all)
    if (loop.line == line && place > loop.head && place <= loop.end)
      return std::string("at the ") + (place == loop.body ? "start" : "end") +
             " of each turn of the loop in line " + std::to_string(line);
  return "before line " + std::to_string(line);
}

void MutationMaker::moves_of(const Stretch& s, const std::vector<Loop>& all) {
  std::set<int> lines;
  for (uint32_t k = s.first; k < s.end; ++k)
    if (const int line = line_at(k)) lines.insert(line);
  const int first = line_at(s.first), last = *lines.rbegin();
  const Loop* const own = innermost(all, s.first);
  const Loop* const outer = own == nullptr ? nullptr : around(all, *own);
  std::set<std::string> tried;
  const Needs needs = needs_of(s.first, s.end);
  for (uint32_t p = 0; p < f_->code.size(); ++p) {
    if ((p >= s.first && p <= s.end) || !is_place(p, all) || lines.contains(line_at(p))) continue;
    // In the same loop, in the one around it or in one within it.
    const Loop* const there = innermost(all, p);
    if (there != own && there != outer && (there == nullptr || around(all, *there) != own))
      continue;
    const Needs passed = p < s.first ? needs_of(p, s.first) : needs_of(s.end, p);
    if (!depend(needs, passed) || !can_stand(s, needs, p, passed)) continue;
    Mutation m = phrased(s.first, kOther, "", first);
    m.phrase = last == first
                   ? "with line " + std::to_string(first)
                   : "with lines " + std::to_string(first) + " to " + std::to_string(last);
    m.phrase += " executed " + words_of_place(p, all);
    if (own != nullptr && there == outer)
      m.phrase += ", not in each turn of the loop in line " + std::to_string(own->line);
    if (!tried.insert(m.phrase).second) continue;
    m.pieces.push_back(statement_at(s, p));
    m.pieces.push_back({s.first, carried(s.first, s.end), {}});
    m.taken_out = {s.first, s.end};
    put(std::move(m));
  }
}

// a op b for b op a, wherever the two stand in the line.
void MutationMaker::exchanged_values() {
  std::map<int, std::vector<uint32_t>> lines;
  for (uint32_t i = 0; i < f_->code.size(); ++i)
    if (const int line = line_at(i); line > 0) lines[line].push_back(i);
  for (const auto& [line, instructions] : lines) {
    std::map<std::string, Operand> values;  // by name
    for (const uint32_t i : instructions)
      for (const Operand& o : read_by(f_->code[i]))
        if (std::string name = value_name(o); !name.empty()) values.emplace(name, o);
    std::vector<uint32_t> conditions;
    for (const uint32_t i : instructions)
      if (Opcode(f_->code[i].opcode).root == "setp") conditions.push_back(i);
    for (auto a = values.begin(); a != values.end(); ++a)
      for (auto b = std::next(a); b != values.end(); ++b) {
        exchange("line", line, instructions, *a, *b);
        if (conditions.size() > 1) exchange("the conditions of line", line, conditions, *a, *b);
      }
  }
}

// x and y of the block's index, or of the thread's, wherever the function reads them: what one line
// takes for the other dimension, the others must, too.
void MutationMaker::exchanged_dimensions() {
  for (const std::string stem : {"%ctaid", "%tid"}) {
    const Operand x = special(kept(stem + ".x")), y = special(kept(stem + ".y"));
    std::vector<uint32_t> reading;
    std::set<int> lines;
    for (uint32_t i = 0; i < f_->code.size(); ++i)
      for (const Operand& o : f_->code[i].operands)
        if (line_at(i) > 0 && o.kind == Operand::Kind::kSymbol &&
            (o.name == x.name || o.name == y.name)) {
          reading.push_back(i);
          lines.insert(line_at(i));
        }
    if (lines.size() != 2) continue;  // in one line it is tried as any two values are
    exchange("lines " + std::to_string(*lines.begin()) + " and", *lines.rbegin(), reading,
             {name_of_special(x.name), x}, {name_of_special(y.name), y});
  }
}

// The operands of which the instruction reads the value as it is.
std::vector<Operand> MutationMaker::read_by(const Instruction& in) {
  const std::string_view root = Opcode(in.opcode).root;
  if (root == "bra" || root == "call" || in.operands.empty()) return {};
  return {in.operands.begin() + (root == "st" ? 0 : 1), in.operands.end()};
}

// "" where it is no variable's and no special register's.
std::string MutationMaker::value_name(const Operand& o) const {
  if (o.kind == Operand::Kind::kSymbol) return name_of_special(o.name);
  const std::string* name = is_register(o) ? words_->name_of(o.reg) : nullptr;
  return name == nullptr ? "" : *name;
}

void MutationMaker::exchange(const std::string& place, int line,
                             const std::vector<uint32_t>& instructions,
                             const std::pair<const std::string, Operand>& a,
                             const std::pair<const std::string, Operand>& b) {
  if (is_register(a.second) != is_register(b.second)) return;
  if (is_register(a.second) &&
      (f_->registers[a.second.reg] != f_->registers[b.second.reg] ||
       words_->is_pointer(a.second.reg) != words_->is_pointer(b.second.reg)))
    return;
  Mutation m = phrased(instructions[0], kOther, "", line);
  m.phrase = "with `" + a.first + "` and `" + b.first + "` exchanged in " + place + " " +
             std::to_string(line);
  size_t times_a = 0, times_b = 0;
  for (const uint32_t i : instructions) {
    Instruction in = f_->code[i];
    if (copies(in, Opcode(in.opcode))) continue;
    const size_t reads = read_by(in).size(), first = in.operands.size() - reads;
    bool changes = false;
    for (size_t k = first; k < in.operands.size(); ++k) {
      const std::string name = value_name(in.operands[k]);
      if (name != a.first && name != b.first) continue;
      ++(name == a.first ? times_a : times_b);
      in.operands[k] = name == a.first ? b.second : a.second;
      changes = true;
    }
    if (changes) m.replaced.emplace_back(i, std::move(in));
  }
  if (times_a > 0 && times_b > 0) put(std::move(m));
}

}  // namespace lockstep::emulator
