// SPDX-License-Identifier: Apache-2.0
// One more condition: of a branch, before a store, before what a variable is given.
#include <algorithm>

#include "emulator/mutate/mutation_maker.h"

namespace lockstep::emulator {

std::vector<MutationMaker::Test> MutationMaker::tests_at(uint32_t at) {
  constexpr size_t kMostVariables = 10;
  at_ = at;
  const auto predicate = static_cast<uint32_t>(f_->registers.size());
  std::vector<std::pair<Operand, std::string>> values;
  for (const CodeWords::Variable& v : words_->variables_at(at)) {
    if (values.size() == kMostVariables || v.is_pointer) continue;
    if (v.constant)
      values.emplace_back(integer(*v.constant), v.name);
    else if (!is_float(f_->registers[v.reg]) && f_->registers[v.reg] != Type::kPred &&
             type_bytes(f_->registers[v.reg]) == 4)
      values.emplace_back(reg_operand(v.reg), v.name);
  }
  std::vector<Test> all;
  const auto compare = [&](const Operand& a, const Operand& b, const char* how, const char* sign,
                           const std::string& words_a, const std::string& words_b) {
    all.push_back({words_a + " " + sign + " " + words_b,
                   {made(std::string("setp.") + how + ".s32", {reg_operand(predicate), a, b})}});
  };
  for (const auto& [a, name] : values) {
    if (is_number(a)) continue;
    for (const auto& [b, other] : values)
      if (name != other) compare(a, b, "lt", "<", name, other);
    compare(a, integer(0), "eq", "==", name, "0");
    for (const int64_t n : numbers_) compare(a, integer(n), "lt", "<", name, std::to_string(n));
  }
  const auto thread = predicate + 1;
  all.push_back({"threadIdx.x == 0",
                 {made("mov.u32", {reg_operand(thread), special("%tid.x")}),
                  made("setp.eq.s32", {reg_operand(predicate), reg_operand(thread), integer(0)})}});
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

// `c && v < w` and `c || v < w` for a condition c.
void MutationMaker::further_conditions() {
  for (uint32_t i = 0; i + 1 < f_->code.size(); ++i) {
    const Instruction& in = f_->code[i];
    if (in.guard < 0 || line_at(i) == 0 || !target_of(in) || !is_jump(f_->code[i + 1])) continue;
    const Instruction* condition = words_->definition(static_cast<uint32_t>(in.guard));
    bool negated = in.guard_negated;
    if (condition != nullptr && condition->opcode.starts_with("not") &&
        is_register(condition->operands[1])) {
      condition = words_->definition(condition->operands[1].reg);
      negated = !negated;
    }
    if (condition == nullptr) continue;
    const std::string is = words_->of(*condition);
    const Operand& if_true = negated ? f_->code[i + 1].operands[0] : in.operands[0];
    const Operand& if_false = negated ? in.operands[0] : f_->code[i + 1].operands[0];
    for (const Test& test : tests_at(i))
      for (const bool both : {true, false}) {
        Mutation m = phrased(i, kMore, "", line_at(i));
        m.phrase = "with `" + is + (both ? " && " : " || ") + test.words + "` in place of `" + is +
                   "` in line " + std::to_string(m.line);
        m.registers = {Type::kPred, Type::kB32};
        m.pieces.push_back({i, test.before});
        m.pieces.back().before.push_back(leave(both ? if_false : if_true, !both));
        put(std::move(m));
      }
  }
}

// if (v < w) before what stores something.
void MutationMaker::guarded_stores() {
  for (uint32_t i = 0; i < f_->code.size(); ++i) {
    const Opcode op(f_->code[i].opcode);
    const bool stores = op.root == "st" || op.root == "red" || op.root == "atom";
    if (!stores || op.has("param") || line_at(i) == 0) continue;
    const auto [first, end] = stretch(i);
    if (end >= f_->code.size()) continue;
    for (const Test& test : tests_at(first)) {
      Mutation m = phrased(first, kMore, "", line_at(i));
      m.phrase = "with `if (" + test.words + ")` before line " + std::to_string(m.line);
      m.registers = {Type::kPred, Type::kB32};
      m.pieces.push_back({first, test.before});
      m.pieces.back().before.push_back(leave(new_label(&m, end), false));
      put(std::move(m));
    }
    i = end - 1;
  }
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
      m.registers = {Type::kPred, Type::kB32};
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
