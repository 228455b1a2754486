// SPDX-License-Identifier: Apache-2.0
// An operand is missing: a value has one more, of what there is at that place.
#include "emulator/mutate/mutation_maker.h"

namespace lockstep::emulator {

bool MutationMaker::is_whole_value(const Instruction& in, const Opcode& op) const {
  if (!is_register(in.operands[0])) return false;
  return words_->name_of(in.operands[0].reg) != nullptr && op.root != "setp" && !copies(in, op);
}

bool MutationMaker::copies(const Instruction& in, const Opcode& op) const {
  if (op.root != "mov" || in.operands.size() != 2 || !is_register(in.operands[1])) return false;
  const std::string* from = words_->name_of(in.operands[1].reg);
  const std::string* to = words_->name_of(in.operands[0].reg);
  return from != nullptr && to != nullptr && *from == *to;
}

void MutationMaker::missing(const Instruction& in, const Opcode& op) {
  if (op.root == "setp") return missing_of_operand(in, 2, op.type(), kMore);
  if (is_whole_value(in, op)) missing_of_result(in, op.type());
  if (op.root == "shfl") return missing_of_operand(in, 2, Type::kS32, kMoreWithin);
  if (in.operands.size() != 3 || op.has("wide")) return;
  turned_round(in, op);
  for (const size_t k : {1, 2}) missing_of_operand(in, k, op.type(), kMoreWithin);
}

std::vector<MutationMaker::Further> MutationMaker::further(Type type, uint32_t first_register,
                                                           bool products) {
  std::vector<Further> all;
  const int bytes = type_bytes(type);
  const auto put = [&](Further f) { all.push_back(std::move(f)); };
  if (is_float(type)) {
    for (const CodeWords::Variable& v : variables_)
      if (!v.constant && is_float(f_->registers[v.reg]) &&
          type_bytes(f_->registers[v.reg]) == bytes)
        put({reg_operand(v.reg), v.name, {}, {}});
    put({number(2, type), "2", {}, {}});
    for (const int64_t n : numbers_) put({number(double(n), type), std::to_string(n), {}, {}});
    return all;
  }
  if (bytes != 4 && bytes != 8) return all;
  for (const CodeWords::Variable& v : variables_) {
    if (v.is_pointer) continue;
    if (v.constant) {
      put({integer(*v.constant), v.name, {}, {}});
      continue;
    }
    const Type of = f_->registers[v.reg];
    if (is_float(of) || of == Type::kPred) continue;
    if (type_bytes(of) == bytes) put({reg_operand(v.reg), v.name, {}, {}});
    if (type_bytes(of) == 4 && bytes == 8) put(widened(reg_operand(v.reg), v.name, first_register));
  }
  for (const char* name : {"%tid.x", "%ctaid.x", "%ntid.x", "%nctaid.x"})
    put(of_special(name, bytes, first_register));
  put({integer(1), "1", {}, {}});
  for (const int64_t n : numbers_) put({integer(n), std::to_string(n), {}, {}});
  if (products) add_products(bytes, first_register, &all);
  return all;
}

void MutationMaker::add_products(int bytes, uint32_t reg, std::vector<Further>* all) {
  const Type wide = bytes == 8 ? Type::kB64 : Type::kB32;
  std::vector<std::pair<Operand, std::string>> plain;
  for (const CodeWords::Variable& v : variables_)
    if (!v.constant && !v.is_pointer && !is_float(f_->registers[v.reg]) &&
        type_bytes(f_->registers[v.reg]) == 4)
      plain.emplace_back(reg_operand(v.reg), v.name);
  const auto put = [&](const Operand& a, const Operand& b, const std::string& words) {
    Further f{
        reg_operand(reg), words, {made("mul.lo.s32", {reg_operand(reg), a, b})}, {Type::kB32}};
    if (bytes == 8) {
      f.before.push_back(made("cvt.s64.s32", {reg_operand(reg + 1), reg_operand(reg)}));
      f.registers.push_back(wide);
      f.operand = reg_operand(reg + 1);
    }
    all->push_back(std::move(f));
  };
  for (size_t i = 0; i < plain.size(); ++i) {
    for (const int64_t n : numbers_)
      put(plain[i].first, integer(n), plain[i].second + " * " + std::to_string(n));
    for (size_t k = i + 1; k < plain.size(); ++k)
      put(plain[i].first, plain[k].first, plain[i].second + " * " + plain[k].second);
  }
}

Instruction MutationMaker::made(std::string opcode, std::vector<Operand> operands) {
  Instruction in;
  in.opcode = kept(std::move(opcode));
  in.line = f_->code[at_].line;
  in.location = f_->code[at_].location;
  in.operands = std::move(operands);
  return in;
}

MutationMaker::Further MutationMaker::widened(const Operand& from, const std::string& name,
                                              uint32_t reg) {
  return {reg_operand(reg), name, {made("cvt.s64.s32", {reg_operand(reg), from})}, {Type::kB64}};
}

MutationMaker::Further MutationMaker::of_special(std::string_view name, int bytes, uint32_t reg) {
  Further f{reg_operand(reg), name_of_special(name), {}, {Type::kB32}};
  f.before.push_back(made("mov.u32", {reg_operand(reg), special(name)}));
  if (bytes == 4) return f;
  f.registers.push_back(Type::kB64);
  f.before.push_back(made("cvt.u64.u32", {reg_operand(reg + 1), reg_operand(reg)}));
  f.operand = reg_operand(reg + 1);
  return f;
}

std::string MutationMaker::type_of(Type type) {
  if (type == Type::kF32) return "f32";
  if (type == Type::kF64) return "f64";
  return type_bytes(type) == 8 ? "s64" : "s32";
}

void MutationMaker::missing_of_result(const Instruction& in, Type type) {
  const Operand& to = in.operands[0];
  const Type own = f_->registers[to.reg];
  if (kMore > most_rank_) return;
  if (own == Type::kPred || (type_bytes(own) != 4 && type_bytes(own) != 8)) return;
  if (words_->is_pointer(to.reg)) return;
  const Type t =
      is_float(own) || is_float(type) ? (type_bytes(own) == 8 ? Type::kF64 : Type::kF32) : own;
  const std::string& name = *words_->name_of(to.reg);
  for (const Further& more : further(t, static_cast<uint32_t>(f_->registers.size()), true)) {
    if (more.words == name) continue;
    for (const auto& [root, sign] : operations(t, more)) {
      std::vector<Instruction> instead{in};
      instead.insert(instead.end(), more.before.begin(), more.before.end());
      instead.push_back(made(with_root("x." + type_of(t), root), {to, to, more.operand}));
      Instruction told = in;
      told.opcode = "mov";
      told.operands = {to, worded(words_->value(in), sign, more.words)};
      add(std::move(instead), told, more.words.find(" * ") == more.words.npos ? kMore : kProduct,
          more.registers);
    }
  }
}

std::vector<std::pair<const char*, const char*>> MutationMaker::operations(Type type,
                                                                           bool of_number) {
  if (is_float(type) && of_number) return {{"mul", "*"}, {"div", "/"}};
  if (is_float(type)) return {{"add", "+"}, {"sub", "-"}, {"mul", "*"}, {"div", "/"}};
  if (of_number) return {{"mul", "*"}, {"div", "/"}, {"rem", "%"}, {"add", "+"}};
  return {{"add", "+"}, {"mul", "*"}, {"sub", "-"}};
}

std::vector<std::pair<const char*, const char*>> MutationMaker::operations(Type type,
                                                                           const Further& more) {
  const Operand& o = more.operand;
  if (more.words.find(" * ") != more.words.npos) return {{"add", "+"}, {"sub", "-"}};
  const bool one = o.kind == Operand::Kind::kInteger && o.bits == 1;
  if (one) return {{"add", "+"}, {"sub", "-"}};
  return operations(type, is_number(o));
}

void MutationMaker::missing_of_operand(const Instruction& in, size_t k, Type type, int rank) {
  const Operand& o = in.operands[k];
  if (rank > most_rank_) return;
  if (k >= in.operands.size() || (!is_register(o) && !is_number(o))) return;
  const Type own = is_register(o) ? f_->registers[o.reg] : type;
  if (own == Type::kPred || (type_bytes(own) != 4 && type_bytes(own) != 8)) return;
  if (is_register(o) && words_->is_pointer(o.reg)) return;
  const Type t =
      is_float(own) || is_float(type) ? (type_bytes(own) == 8 ? Type::kF64 : Type::kF32) : own;
  const auto fresh = static_cast<uint32_t>(f_->registers.size());
  const Type kind = is_float(t) ? t : type_bytes(t) == 8 ? Type::kB64 : Type::kB32;
  for (const Further& more : further(t, fresh + 1, rank == kMore)) {
    for (const auto& [root, sign] : operations(t, more)) {
      std::vector<Instruction> instead = more.before;
      instead.push_back(
          made(with_root("x." + type_of(t), root), {reg_operand(fresh), o, more.operand}));
      Instruction changed = in;
      changed.operands[k] = reg_operand(fresh);
      instead.push_back(changed);
      std::vector<Type> registers{kind};
      registers.insert(registers.end(), more.registers.begin(), more.registers.end());
      // In words: what is made of the operand with the further one in it.
      Instruction told = in;
      const std::string words = words_->of(o);
      const bool twice = *sign == '+' && more.words == words;
      told.operands[k] = twice ? worded(words, "*", "2") : worded(words, sign, more.words);
      add(std::move(instead), told, more.words.find(" * ") == more.words.npos ? rank : kProduct,
          registers);
    }
  }
}

// By what a loop's variable grows that stands in its condition; nullptr: nothing is added to it.
const Operand* MutationMaker::step_of(const Instruction& condition) const {
  const Operand& variable = condition.operands[1];
  if (!is_register(variable)) return nullptr;
  // By the copies that the compiler makes of what comes from the turn before.
  const auto is_set_to = [&](uint32_t value) {
    std::set<uint32_t> same{value};
    for (size_t before = 0; before < same.size();) {
      before = same.size();
      for (const Instruction& in : f_->code)
        if (Opcode(in.opcode).root == "mov" && is_register(in.operands[1]) &&
            same.contains(in.operands[1].reg))
          same.insert(in.operands[0].reg);
    }
    return same.contains(variable.reg);
  };
  for (const Loop& loop : loops())
    for (uint32_t i = at_; loop.head <= at_ && i < loop.end; ++i) {
      const Instruction& in = f_->code[i];
      if (Opcode(in.opcode).root == "add" && in.operands.size() == 3 &&
          is_register(in.operands[1]) && in.operands[1].reg == variable.reg &&
          is_set_to(in.operands[0].reg))
        return &in.operands[2];
    }
  return nullptr;
}

// A turn of the loop more, or less.
void MutationMaker::turns(const Instruction& in) {
  const Operand* const step = step_of(in);
  const Operand& bound = in.operands[2];
  if (step == nullptr || !(is_register(bound) || is_number(bound))) return;
  const Type type = f_->registers[in.operands[1].reg];
  if (is_float(type) || (type_bytes(type) != 4 && type_bytes(type) != 8)) return;
  const auto fresh = static_cast<uint32_t>(f_->registers.size());
  for (const auto& [root, sign] : {std::pair("add", "+"), std::pair("sub", "-")}) {
    Instruction changed = in, told = in;
    changed.operands[2] = reg_operand(fresh);
    told.operands[2] = worded(words_->of(bound), sign, words_->of(*step));
    add({made(with_root("x." + type_of(type), root), {reg_operand(fresh), bound, *step}), changed},
        told, kNearby, {type});
  }
}

// -a and n - a for a whole number a; a / b made up to the next whole number.
void MutationMaker::turned_round(const Instruction& in, const Opcode& op) {
  const Type type = op.type();
  if (is_float(type) || (type_bytes(type) != 4 && type_bytes(type) != 8)) return;
  const Type own = type_bytes(type) == 8 ? Type::kB64 : Type::kB32;
  const std::string signed_type = type_of(type);
  const auto fresh = static_cast<uint32_t>(f_->registers.size());
  const auto put = [&](size_t k, std::vector<Instruction> before, const std::string& words) {
    Instruction changed = in, told = in;
    changed.operands[k] = reg_operand(fresh);
    before.push_back(changed);
    told.operands[k] = worded(words, "", "");
    add(std::move(before), told, kOther, {own});
  };
  for (const size_t k : {1, 2}) {
    const Operand& o = in.operands[k];
    if (!is_register(o) || f_->registers[o.reg] != own || words_->is_address(o)) continue;
    const std::string words = words_->of(o);
    const std::string bracketed = is_sum(words) ? "(" + words + ")" : words;
    if (op.root != "add" && op.root != "sub")
      put(k, {made("neg." + signed_type, {reg_operand(fresh), o})}, "-" + bracketed);
    for (const int64_t n : numbers_)
      put(k, {made("sub." + signed_type, {reg_operand(fresh), integer(n), o})},
          "(" + std::to_string(n) + " - " + bracketed + ")");
  }
  const Operand& by = in.operands[2];
  if (op.root != "div" || (!is_register(by) && !is_number(by))) return;
  put(1,
      {made("add." + signed_type, {reg_operand(fresh), in.operands[1], by}),
       made("sub." + signed_type, {reg_operand(fresh), reg_operand(fresh), integer(1)})},
      "(" + words_->of(in.operands[1]) + " + " + words_->of(by) + " - 1)");
}

bool MutationMaker::is_sum(const std::string& words) {
  int depth = 0;
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] == '(' || words[i] == '[') ++depth;
    if (words[i] == ')' || words[i] == ']') --depth;
    if (words[i] == ' ' && depth == 0) return true;
  }
  return false;
}

Operand MutationMaker::worded(std::string words, const char* sign, const std::string& more) {
  const bool adds = *sign == '+' || *sign == '-';
  if (*sign != 0 && !adds && is_sum(words)) words = "(" + words + ")";
  Operand told;
  told.kind = Operand::Kind::kSymbol;
  told.variable = kWords;
  told.name = kept(*sign == 0 ? words : words + " " + sign + " " + more);
  return told;
}

void MutationMaker::missing_of_index(const Instruction& in) {
  const Operand& o = in.operands[1];
  if (!is_register(o)) return;
  missing_of_operand(in, 1, Type::kS64, kMore);
  const Instruction* made_of = words_->definition(o.reg);
  if (made_of == nullptr || made_of->opcode.starts_with("cvt")) return;  // changed there
  for (const CodeWords::Variable& v : variables_) {
    if (v.constant || v.is_pointer || is_float(f_->registers[v.reg])) continue;
    if (type_bytes(f_->registers[v.reg]) != 4) continue;
    const Further other =
        widened(reg_operand(v.reg), v.name, static_cast<uint32_t>(f_->registers.size()));
    std::vector<Instruction> instead = other.before;
    Instruction changed = in;
    changed.operands[1] = other.operand;
    instead.push_back(changed);
    Instruction told = in;
    told.operands[1] = reg_operand(v.reg);
    add(std::move(instead), told, kOther, other.registers);
  }
}

}  // namespace lockstep::emulator
