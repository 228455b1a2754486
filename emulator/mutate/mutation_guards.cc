// SPDX-License-Identifier: Apache-2.0
// One more condition: of a branch, before a store, before what a variable is given.
#include <algorithm>

#include "emulator/mutate/mutation_maker.h"

namespace lockstep::emulator {
namespace {

// The registers that a MutationMaker::Test sets: its answer, and what is compared.
const std::vector<Type> kOfATest = {Type::kPred, Type::kB32, Type::kB32};

}  // namespace

// What loads each member of the function's own structures, whose addresses are known everywhere.
void MutationMaker::collect_members() {
  members_.clear();
  for (const Instruction& in : f_->code) {
    const Opcode op(in.opcode);
    if (op.root != "ld" || op.has("param") || is_float(op.type()) || type_bytes(op.type()) != 4)
      continue;
    if (in.operands.size() != 2 || words_->local_at(in.operands[1]) == nullptr) continue;
    const std::string words = words_->value(in);
    if (words.find('.') != words.npos) members_.emplace(words, in);
  }
}

std::vector<MutationMaker::Test> MutationMaker::tests_at(uint32_t at) {
  constexpr size_t kMostVariables = 10;
  at_ = at;
  const auto predicate = static_cast<uint32_t>(f_->registers.size());
  struct Value {
    Operand operand;
    std::string words;
    std::vector<Instruction> load = {};
  };
  std::vector<Value> values;
  for (const CodeWords::Variable& v : words_->variables_at(at)) {
    if (values.size() == kMostVariables || v.is_pointer) continue;
    if (v.constant)
      values.push_back({integer(*v.constant), v.name});
    else if (!is_float(f_->registers[v.reg]) && f_->registers[v.reg] != Type::kPred &&
             type_bytes(f_->registers[v.reg]) == 4)
      values.push_back({reg_operand(v.reg), v.name});
  }
  for (const auto& [words, in] : members_)
    if (values.size() < kMostVariables) values.push_back({in.operands[0], words, {in}});
  std::vector<Test> all;
  const auto compare = [&](const Value& a, const char* how, const char* sign, const Value& b) {
    Test test{a.words + " " + sign + " " + b.words, {}};
    std::vector<Operand> compared = {reg_operand(predicate)};
    for (const Value* value : {&a, &b}) {
      compared.push_back(value->operand);
      if (value->load.empty()) continue;
      compared.back() = reg_operand(predicate + static_cast<uint32_t>(compared.size()) - 1);
      test.before.push_back(value->load[0]);
      test.before.back().operands[0] = compared.back();
    }
    test.before.push_back(made(std::string("setp.") + how + ".s32", std::move(compared)));
    all.push_back(std::move(test));
  };
  const auto number = [](int64_t n) { return Value{integer(n), std::to_string(n)}; };
  for (const Value& a : values) {
    if (is_number(a.operand)) continue;
    for (const Value& b : values)
      if (a.words != b.words) compare(a, "lt", "<", b);
    compare(a, "eq", "==", number(0));
    for (const int64_t n : numbers_) compare(a, "lt", "<", number(n));
  }
  const Operand own = reg_operand(predicate + 1);
  for (const auto& [name, words] :
       {std::pair("%tid.x", "threadIdx.x"), std::pair("%ctaid.x", "blockIdx.x")})
    compare({own, words, {made("mov.u32", {own, special(name)})}}, "eq", "==", number(0));
  return all;
}

// A jump behind a Test, where that is so or is not.
Instruction MutationMaker::leave(const Operand& to, bool where_true) {
  Instruction leave = jump(to);
  leave.opcode = kept("bra");
  leave.guard = static_cast<int>(f_->registers.size());
  leave.guard_negated = !where_true;
  return leave;
}

// Where a condition of the student's decides, which its words say, and where each answer leads.
std::optional<MutationMaker::Decision> MutationMaker::decision_at(uint32_t i) const {
  if (i + 1 >= f_->code.size()) return std::nullopt;
  const Instruction& in = f_->code[i];
  if (in.guard < 0 || line_at(i) == 0 || !target_of(in) || !is_jump(f_->code[i + 1]))
    return std::nullopt;
  const Instruction* condition = words_->definition(static_cast<uint32_t>(in.guard));
  bool negated = in.guard_negated;
  if (condition != nullptr && condition->opcode.starts_with("not") &&
      is_register(condition->operands[1])) {
    condition = words_->definition(condition->operands[1].reg);
    negated = !negated;
  }
  if (condition == nullptr) return std::nullopt;
  const Operand &jumps = in.operands[0], &falls = f_->code[i + 1].operands[0];
  return Decision{words_->of(*condition), negated ? falls : jumps, negated ? jumps : falls};
}

// `c && v < w` or `c || v < w` for the condition c at that place.
Mutation MutationMaker::further_condition(uint32_t i, const Decision& is, const Test& test,
                                          bool both) {
  Mutation m = phrased(i, kMore, "", line_at(i));
  m.phrase = "with `" + is.words + (both ? " && " : " || ") + test.words + "` in place of `" +
             is.words + "` in line " + std::to_string(m.line);
  m.registers = kOfATest;
  m.pieces.push_back({i, test.before});
  m.pieces.back().before.push_back(leave(both ? is.if_false : is.if_true, !both));
  return m;
}

void MutationMaker::further_conditions() {
  for (uint32_t i = 0; i + 1 < f_->code.size(); ++i)
    if (const auto is = decision_at(i))
      for (const Test& test : tests_at(i))
        for (const bool both : {true, false}) put(further_condition(i, *is, test, both));
}

// The stretches that store something.
std::vector<MutationMaker::Stretch> MutationMaker::storing() const {
  std::vector<Stretch> all;
  for (uint32_t i = 0; i < f_->code.size(); ++i) {
    const Opcode op(f_->code[i].opcode);
    const bool stores = op.root == "st" || op.root == "red" || op.root == "atom";
    if (!stores || op.has("param") || line_at(i) == 0) continue;
    const auto [first, end] = stretch(i);
    if (end >= f_->code.size()) continue;
    all.push_back({first, end});
    i = end - 1;
  }
  return all;
}

// if (v < w) before it.
Mutation MutationMaker::guarded_store(const Stretch& s, const Test& test) {
  Mutation m = phrased(s.first, kMore, "", line_at(s.first));
  m.phrase = "with `if (" + test.words + ")` before line " + std::to_string(m.line);
  m.registers = kOfATest;
  m.pieces.push_back({s.first, test.before});
  m.pieces.back().before.push_back(leave(new_label(&m, s.end), false));
  return m;
}

void MutationMaker::guarded_stores() {
  for (const Stretch& s : storing())
    for (const Test& test : tests_at(s.first)) put(guarded_store(s, test));
}

// Comparisons of the sums that a stretch makes of what is there before it, "k + 1 < turns".
std::vector<MutationMaker::Test> MutationMaker::tests_of_sums(uint32_t first, uint32_t end) {
  const auto predicate = static_cast<uint32_t>(f_->registers.size());
  const auto sum = reg_operand(predicate + 1);
  std::set<uint32_t> set_here;
  std::vector<Test> all;
  at_ = first;
  for (uint32_t k = first; k < end; ++k) {
    const Instruction& in = f_->code[k];
    const Opcode op(in.opcode);
    const bool of_before =
        std::none_of(in.operands.begin(), in.operands.end(),
                     [&](const Operand& o) { return is_register(o) && set_here.contains(o.reg); });
    if (!in.operands.empty() && is_register(in.operands[0])) set_here.insert(in.operands[0].reg);
    if (op.root != "add" || is_float(op.type()) || type_bytes(op.type()) != 4 || !of_before)
      continue;
    Instruction again = in;
    again.operands[0] = sum;
    for (const CodeWords::Variable& v : words_->variables_at(first)) {
      if (v.is_pointer || (!v.constant && f_->registers[v.reg] != Type::kB32)) continue;
      const Operand bound = v.constant ? integer(*v.constant) : reg_operand(v.reg);
      all.push_back({words_->value(in) + " < " + v.name,
                     {again, made("setp.lt.s32", {reg_operand(predicate), sum, bound})}});
    }
  }
  return all;
}

// if (v < w) before a line that loads what changes a variable: without it, that stays as it was.
void MutationMaker::guarded_loads() {
  std::set<uint32_t> seen;
  for (uint32_t i = 0; i < f_->code.size(); ++i) {
    const Opcode op(f_->code[i].opcode);
    if (op.root != "ld" || op.has("param") || line_at(i) == 0) continue;
    const auto [first, end] = stretch(i);
    if (end >= f_->code.size() || !seen.insert(first).second) continue;
    const std::vector<Instruction> kept_ones = carried(first, end);
    if (kept_ones.empty()) continue;
    std::vector<Test> tests = tests_of_sums(first, end);
    for (Test& test : tests_at(first)) tests.push_back(std::move(test));
    for (Test& test : tests) {
      Mutation m = phrased(first, kMore, "", line_at(i));
      m.phrase = "with `if (" + test.words + ")` before line " + std::to_string(m.line);
      m.registers = kOfATest;
      Mutation::Piece behind;
      behind.at = end;
      Label skipped, joined;
      skipped.name = kept("$skipped" + std::to_string(first));
      joined.name = kept("$joined" + std::to_string(first));
      behind.before = {jump(special(joined.name))};
      skipped.at = 1;
      behind.before.insert(behind.before.end(), kept_ones.begin(), kept_ones.end());
      joined.at = static_cast<uint32_t>(behind.before.size());
      behind.labels = {skipped, joined};
      test.before.push_back(leave(special(skipped.name), false));
      m.pieces.push_back({first, std::move(test.before)});
      m.pieces.push_back(std::move(behind));
      put(std::move(m));
    }
  }
}

}  // namespace lockstep::emulator
