// SPDX-License-Identifier: Apache-2.0
// A statement is executed under a condition, again, not at all, or by all at the same time.
#include <fmt/format.h>

#include <algorithm>

#include "emulator/code/locations.h"
#include "emulator/mutate/mutation_maker.h"

namespace lockstep::emulator {

int MutationMaker::line_at(uint32_t i) const {
  return line_in(file_, module_, *f_, f_->code[i].location);
}

bool MutationMaker::is_jump(const Instruction& in) {
  return in.guard < 0 && Opcode(in.opcode).root == "bra";
}

std::optional<uint32_t> MutationMaker::target_of(const Instruction& in) const {
  if (Opcode(in.opcode).root != "bra" || in.operands.empty()) return std::nullopt;
  const auto at = labels_.find(in.operands[0].name);
  if (at == labels_.end()) return std::nullopt;
  return at->second;
}

std::vector<MutationMaker::Loop> MutationMaker::loops() const {
  std::map<uint32_t, Loop> by_head;
  for (uint32_t i = 0; i < f_->code.size(); ++i)
    if (const auto to = target_of(f_->code[i]); to && *to <= i) {
      Loop& loop = by_head[*to];
      loop.head = *to;
      loop.end = std::max(loop.end, i);
    }
  std::vector<Loop> all;
  for (auto& [head, loop] : by_head) {
    loop.body = head;
    for (uint32_t i = head; i < loop.end && loop.body == head; ++i) {
      if (loop.line == 0) loop.line = line_at(i);
      const auto to = target_of(f_->code[i]);
      if (to && is_jump(f_->code[i])) loop.body = *to;
    }
    if (loop.line > 0 && loop.body >= head && loop.body <= loop.end) all.push_back(loop);
  }
  return all;
}

std::pair<uint32_t, uint32_t> MutationMaker::stretch(uint32_t i) const {
  const int line = line_at(i);
  const auto belongs = [&](uint32_t k) {
    return line_at(k) == line && Opcode(f_->code[k].opcode).root != "bra";
  };
  uint32_t first = i, end = i + 1;
  while (first > 0 && !label_places_.contains(first) && belongs(first - 1)) --first;
  while (end < f_->code.size() && !label_places_.contains(end) && belongs(end)) ++end;
  return {first, end};
}

Mutation MutationMaker::phrased(uint32_t at, int rank, std::string phrase, int line) {
  at_ = at;
  Mutation m;
  m.function = number_;
  m.at = at;
  m.first_register = static_cast<uint32_t>(f_->registers.size());
  m.words = Mutation::Words::kPhrase;
  m.rank = rank;
  m.phrase = std::move(phrase);
  m.line = line;
  return m;
}

void MutationMaker::put(Mutation m) {
  if (m.rank <= most_rank_ || m.orders) to_.all_.push_back(std::move(m));
}

Instruction MutationMaker::jump(const Operand& to) { return made("bra.uni", {to}); }

Operand MutationMaker::new_label(Mutation* m, uint32_t at) {
  Label label;
  label.name = kept("$mutation");
  label.at = at;
  m->labels.push_back(label);
  Operand o = special(label.name);
  return o;
}

std::vector<Instruction> MutationMaker::carried(uint32_t from, uint32_t to) {
  std::vector<Instruction> all;
  const std::vector<CodeWords::Variable> here = words_->variables_at(from);
  for (const CodeWords::Variable& there : words_->variables_at(to)) {
    if (there.constant) continue;
    const auto at = std::find_if(here.begin(), here.end(), [&](const auto& v) {
      return v.name == there.name && !v.constant && v.reg != there.reg &&
             f_->registers[v.reg] == f_->registers[there.reg];
    });
    if (at == here.end()) continue;
    const Type type = f_->registers[there.reg];
    if (type == Type::kPred) continue;
    all.push_back(made(std::string("mov.") + type_name(type),
                       {reg_operand(there.reg), reg_operand(at->reg)}));
  }
  return all;
}

void MutationMaker::flow() {
  barriers();
  further_conditions();
  guarded_stores();
  guarded_loads();
  earlier_ends();
  repeated();
}

// Those in fewer loops first: they are executed less often.
void MutationMaker::barriers() {
  constexpr size_t kMost = 200;
  const std::vector<Loop> all = loops();
  const auto depth = [&](uint32_t i) {
    return std::count_if(all.begin(), all.end(),
                         [&](const Loop& loop) { return loop.head <= i && i <= loop.end; });
  };
  std::vector<std::pair<ptrdiff_t, uint32_t>> places;  // depth, instruction
  for (uint32_t i = 0; i < f_->code.size(); ++i) {
    const int line = line_at(i);
    if (line == 0 || (i > 0 && line_at(i - 1) == line && !label_places_.contains(i))) continue;
    if (!is_jump(f_->code[i])) places.emplace_back(depth(i), i);
  }
  std::sort(places.begin(), places.end());
  if (places.size() > kMost) places.resize(kMost);
  for (const auto& [depth, i] : places) {
    const int line = line_at(i);
    const auto put_barrier = [&](const char* words, int rank, const Instruction& barrier) {
      Mutation m = phrased(i, rank, fmt::format("with `{}` before line {}", words, line), line);
      m.pieces.push_back({i, {barrier}});
      m.orders = true;
      put(std::move(m));
    };
    put_barrier("__syncthreads()", kMoreWithin, made("bar.sync", {integer(0)}));
    put_barrier("__syncwarp()", kMore, made("bar.warp.sync", {integer(0xffffffff)}));
  }
}

// What is executed first there, but for moves.
uint32_t MutationMaker::behind_moves(uint32_t at) const {
  while (at + 1 < f_->code.size() && Opcode(f_->code[at].opcode).root == "mov") ++at;
  return at;
}

// "`break` behind line 80", where a jump that led to `now` leads to `at`.
std::string MutationMaker::words_of_end(uint32_t now, uint32_t at, int line) const {
  const auto returns = [&](uint32_t to) {
    constexpr int kMostJumps = 4;
    for (int n = 0; n < kMostJumps && is_jump(f_->code[to = behind_moves(to)]); ++n)
      if (const auto next = target_of(f_->code[to])) to = *next;
    return f_->code[to].opcode.starts_with("ret");
  };
  const std::string behind = " behind line " + std::to_string(line);
  if (f_->code[at].opcode.starts_with("ret")) return "with `return`" + behind;
  if (line_at(at) == 0 || !returns(now)) return "with `break`" + behind;
  return "where threads go on in line " + std::to_string(line_at(at)) + " in place of `return`" +
         behind;
}

// A jump to where other jumps lead, as break, continue and return make it.
void MutationMaker::earlier_ends() {
  constexpr size_t kMostTargets = 8;
  std::set<uint32_t> targets;
  for (const Instruction& in : f_->code)
    if (const auto to = target_of(in); to && is_jump(in)) targets.insert(*to);
  for (uint32_t i = 0; i < f_->code.size(); ++i) {
    const Instruction& in = f_->code[i];
    const auto now = target_of(in);
    uint32_t behind = i;  // what is computed last before it
    while (behind > 0 && !label_places_.contains(behind) &&
           (behind == i || Opcode(f_->code[behind].opcode).root == "mov"))
      --behind;
    const int line = line_at(behind);
    if (!now || !is_jump(in) || line == 0 || *now <= i) continue;
    size_t tried = 0;
    for (auto to = targets.upper_bound(*now); to != targets.end() && tried < kMostTargets; ++to) {
      const uint32_t at = behind_moves(*to);
      Mutation m = phrased(i, kOther, words_of_end(*now, at, line), line);
      m.instead = carried(i, at);
      m.instead.push_back(jump(new_label(&m, at)));
      put(std::move(m));
      ++tried;
    }
  }
}

// Where the ways with and without it meet, a value is brought into one register by both: what the
// way with it has brought there is what the condition and the way without it see in the next turn.
std::vector<Instruction> MutationMaker::brought_back(uint32_t first, uint32_t branch,
                                                     uint32_t last) {
  std::vector<Instruction> all;
  const auto is_move = [&](uint32_t i) {
    const Instruction& in = f_->code[i];
    return Opcode(in.opcode).root == "mov" && in.operands.size() == 2 &&
           is_register(in.operands[0]) && is_register(in.operands[1]);
  };
  for (uint32_t with = last; with > branch && is_move(with - 1); --with)
    for (uint32_t without = first; without < branch; ++without) {
      if (!is_move(without)) continue;
      const Instruction& a = f_->code[with - 1];
      const Instruction& b = f_->code[without];
      if (a.operands[0].reg != b.operands[0].reg || b.operands[1].reg == a.operands[1].reg)
        continue;
      all.push_back(made(std::string(b.opcode), {b.operands[1], a.operands[1]}));
    }
  return all;
}

// Numbers of 32 bits that there are: variables, and those that the code has.
std::vector<std::pair<Operand, std::string>> MutationMaker::steps_at(uint32_t at) const {
  std::vector<std::pair<Operand, std::string>> steps;
  for (const CodeWords::Variable& v : words_->variables_at(at)) {
    if (v.is_pointer || (!v.constant && f_->registers[v.reg] != Type::kB32)) continue;
    steps.emplace_back(v.constant ? integer(*v.constant) : reg_operand(v.reg), v.name);
  }
  for (const int64_t n : numbers_) steps.emplace_back(integer(n), std::to_string(n));
  return steps;
}

// A loop in place of an if: what follows the condition is done again as long as it holds, with a
// variable of it increased.
void MutationMaker::repeated() {
  for (uint32_t i = 0; i + 1 < f_->code.size(); ++i) {
    const Instruction& in = f_->code[i];
    const auto past = target_of(in);
    if (in.guard < 0 || !past || *past <= i + 1 || line_at(i) == 0) continue;
    uint32_t last = 0;
    for (uint32_t k = i + 2; k < *past; ++k) {
      const auto to = target_of(f_->code[k]);
      if (to && *to <= i) last = 0, k = *past;  // it is a loop
      if (to && *to == *past && is_jump(f_->code[k])) last = k;
    }
    if (last == 0) continue;
    const uint32_t first = stretch(i > 0 ? i - 1 : i).first;
    for (uint32_t k = first; k < i; ++k) {
      if (Opcode(f_->code[k].opcode).root != "setp" || f_->code[k].operands.size() < 3) continue;
      for (const size_t o : {1, 2}) {
        const Operand& turned = f_->code[k].operands[o];
        const std::string* name = is_register(turned) ? words_->name_of(turned.reg) : nullptr;
        if (name == nullptr || f_->registers[turned.reg] != Type::kB32) continue;
        at_ = last;
        const std::vector<Instruction> back = brought_back(first, i, last);
        for (const auto& [step, words] : steps_at(k)) {
          if (words == *name) continue;
          Mutation m = phrased(last, kOther, "", line_at(i));
          m.phrase = "with a loop in place of `if` in line " + std::to_string(m.line) + ", with `" +
                     *name + " += " + words + "` in each turn";
          m.instead = back;
          m.instead.push_back(made("add.s32", {turned, turned, step}));
          m.instead.push_back(jump(new_label(&m, first)));
          put(std::move(m));
        }
      }
    }
  }
}

}  // namespace lockstep::emulator
