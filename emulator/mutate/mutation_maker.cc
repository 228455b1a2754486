// SPDX-License-Identifier: Apache-2.0
// Something else stands there, or less.
#include "emulator/mutate/mutation_maker.h"

#include <algorithm>
#include <bit>

#include "emulator/code/locations.h"

namespace lockstep::emulator {
namespace {

double value_of(const Operand& o) {
  return o.kind == Operand::Kind::kFloat64 ? std::bit_cast<double>(o.bits)
                                           : std::bit_cast<float>(static_cast<uint32_t>(o.bits));
}

bool same(const Operand& a, const Operand& b) {
  if (a.kind != b.kind) return false;
  if (is_register(a)) return a.reg == b.reg;
  return a.bits == b.bits && a.name == b.name;
}

// Whether the instruction only brings an element's number to bytes of an address.
bool scales(const Instruction& in) {
  const Opcode op(in.opcode);
  return op.root == "shl" && op.text.ends_with(".b64") && in.operands.size() == 3 &&
         in.operands[2].kind == Operand::Kind::kInteger;
}

constexpr std::string_view kComputing[] = {"add",  "sub", "mul", "mad",  "fma",  "div", "rem",
                                           "min",  "max", "and", "or",   "xor",  "shl", "shr",
                                           "setp", "mov", "cvt", "selp", "shfl", "neg"};

// The same for the same instruction.
std::string text_of(const Instruction& in) {
  std::string text(in.opcode);
  for (const Operand& o : in.operands) {
    text += ' ' + std::to_string(static_cast<int>(o.kind)) + ' ';
    text += is_register(o) || o.has_register ? std::to_string(o.reg) : std::to_string(o.bits);
    text += ' ' + std::to_string(o.offset);
    text += o.name;
  }
  return text;
}

}  // namespace

void MutationMaker::function(uint32_t number) {
  const Function& f = module_.functions[number];
  f_ = &f;
  number_ = number;
  words_ = &to_.code_.try_emplace(number, module_, to_.info_, number).first->second;
  collect_numbers();
  collect_members();
  labels_.clear();
  label_places_.clear();
  for (const Label& label : f.labels) {
    if (label.is_table) continue;
    labels_[label.name] = label.at;
    if (!label.name.starts_with("$L__tmp")) label_places_.insert(label.at);
  }
  for (uint32_t i = 0; i < f.code.size(); ++i) {
    at_ = i;
    if (line_at(i) == 0) continue;
    variables_ = words_->variables_at(i);
    tried_ = {text_of(f.code[i])};
    instruction(f.code[i]);
  }
  forms();
  flow();
  data();
  order();
}

void MutationMaker::collect_numbers() {
  numbers_.clear();
  is_flat_ = true;
  for (const Instruction& in : f_->code) {
    if (scales(in)) continue;
    for (const Operand& o : in.operands)
      if (o.kind == Operand::Kind::kSymbol && o.name.ends_with(".y")) is_flat_ = false;
    for (const Operand& o : in.operands)
      if (o.kind == Operand::Kind::kInteger && static_cast<int64_t>(o.bits) > 1 &&
          static_cast<int64_t>(o.bits) <= 1024 && numbers_.size() < 8)
        numbers_.insert(static_cast<int64_t>(o.bits));
  }
  numbers_.insert(32);
}

std::string_view MutationMaker::kept(std::string opcode) {
  return *to_.texts_.insert(std::move(opcode)).first;
}

void MutationMaker::add(std::vector<Instruction> instead, Instruction told, int rank,
                        std::vector<Type> registers, Mutation::Words words) {
  if (rank > most_rank_) return;
  if (instead.size() == 1 && words == Mutation::Words::kStatement &&
      !tried_.insert(text_of(instead[0])).second)
    return;
  Mutation m;
  m.function = number_;
  m.at = at_;
  m.instead = std::move(instead);
  m.first_register = static_cast<uint32_t>(f_->registers.size());
  m.registers = std::move(registers);
  m.told = std::move(told);
  m.words = words;
  m.rank = rank;
  to_.all_.push_back(std::move(m));
}

void MutationMaker::add_one(const Instruction& instead, int rank) { add({instead}, instead, rank); }

void MutationMaker::instruction(const Instruction& in) {
  const Opcode op(in.opcode);
  if (op.root == "bra") return branch(in);
  if (op.root == "ld" || op.root == "st") other_places(in, op);
  if (op.root == "st" && in.operands.size() >= 2) return store(in, op);
  if (std::find(std::begin(kComputing), std::end(kComputing), op.root) == std::end(kComputing))
    return;
  if (scales(in)) return missing_of_index(in);
  if (op.root == "setp") turns(in);
  other_numbers(in, op);
  block_sizes(in, op);
  other_variables(in, op);
  // Of an access: which array and which element is asked, not how the two are put together.
  if (words_->is_address(in.operands[0]) && words_->name_of(in.operands[0].reg) == nullptr) return;
  other_operation(in, op);
  other_order(in, op);
  one_operand(in, op);
  regrouped(in, op);
  missing(in, op);
}

void MutationMaker::other_numbers(const Instruction& in, const Opcode& op) {
  for (size_t k = 1; k < in.operands.size(); ++k) {
    const Operand& o = in.operands[k];
    if (!is_number(o) || (op.root == "shfl" && k == 3)) continue;
    if (op.root == "selp" && !is_float(op.type())) continue;
    std::vector<std::pair<Operand, int>> others;
    if (o.kind == Operand::Kind::kInteger && !is_float(op.type())) {
      const auto value = static_cast<int64_t>(o.bits);
      for (const int64_t near : {static_cast<int64_t>(o.bits + 1), static_cast<int64_t>(o.bits - 1),
                                 static_cast<int64_t>(o.bits * 2), value / 2})
        others.emplace_back(integer(near), kNearby);
      const auto times = [&](uint64_t factor) { return static_cast<int64_t>(o.bits * factor); };
      for (const int64_t far : {times(4), value / 4, times(8), value / 8})
        if (far != 0) others.emplace_back(integer(far), kLess);
      for (const int64_t other : numbers_) others.emplace_back(integer(other), kOther);
      for (const int64_t other : {int64_t{0}, int64_t{1}, int64_t{0xffffffff}})
        others.emplace_back(integer(other), kOther);
      for (const CodeWords::Variable& v : variables_)
        if (v.constant) others.emplace_back(integer(*v.constant), kOther);
      if (op.root == "mov" || op.root == "shl" || op.root == "shr") add_variables(in, k, op);
    } else if (o.kind != Operand::Kind::kInteger) {
      const double value = value_of(o);
      for (const double other : {value * 2, value / 2, -value, 0.0, 1.0})
        others.emplace_back(number(other, op.type()), kNearby);
      for (const int64_t other : numbers_) {
        others.emplace_back(number(double(other), op.type()), kOther);
        others.emplace_back(number(1 / double(other), op.type()), kOther);
      }
    }
    for (const auto& [other, rank] : others) replace(in, k, other, rank);
    if (op.root != "mov" && op.root != "shl" && op.root != "shr") add_variables(in, k, op);
  }
}

void MutationMaker::replace(const Instruction& in, size_t k, const Operand& other, int rank) {
  if (same(in.operands[k], other)) return;
  Instruction instead = in;
  instead.operands[k] = other;
  // n - n and n < n are numbers that nobody writes so.
  const std::string_view root = Opcode(in.opcode).root;
  const bool undone = root == "sub" || root == "div" || root == "rem" || root == "setp";
  if (undone && in.operands.size() == 3 && same(instead.operands[1], instead.operands[2])) return;
  add_one(instead, rank);
}

void MutationMaker::add_variables(const Instruction& in, size_t k, const Opcode& op) {
  const Operand& o = in.operands[k];
  const Type wanted = is_register(o) ? f_->registers[o.reg] : op.type();
  const bool pointer = is_register(o) && words_->is_pointer(o.reg);
  for (const CodeWords::Variable& v : variables_) {
    if (v.constant || v.is_pointer != pointer) continue;
    const Type type = f_->registers[v.reg];
    if (type_bytes(type) != type_bytes(wanted) || is_float(type) != is_float(wanted)) continue;
    if (is_register(in.operands[0]) && v.reg == in.operands[0].reg) continue;
    replace(in, k, reg_operand(v.reg), kOther);
  }
}

void MutationMaker::other_variables(const Instruction& in, const Opcode& op) {
  for (size_t k = 1; k < in.operands.size(); ++k) {
    const Operand& o = in.operands[k];
    if (o.kind == Operand::Kind::kSymbol && !name_of_special(o.name).empty()) {
      const std::string_view axis = o.name.substr(o.name.rfind('.') + 1);
      for (const std::string_view other : {"%tid.x", "%ctaid.x", "%ntid.x", "%nctaid.x", "%tid.y",
                                           "%ctaid.y", "%ntid.y", "%nctaid.y"})
        if (other.ends_with(axis) ||
            (!is_flat_ && other.substr(0, other.size() - 1) == o.name.substr(0, o.name.size() - 1)))
          replace(in, 1, special(other), kOther);
      continue;
    }
    if (!is_register(o) || f_->registers[o.reg] == Type::kPred) continue;
    add_variables(in, k, op);
    if (op.root == "mov" && words_->name_of(o.reg) != nullptr && !copies(in, op) &&
        !is_float(f_->registers[o.reg]) && !words_->is_pointer(o.reg))
      replace(in, k, integer(0), kOther);
    // A value that is computed in place: a variable or another number instead of all of it.
    if (words_->name_of(o.reg) != nullptr || is_float(f_->registers[o.reg])) continue;
    if (type_bytes(f_->registers[o.reg]) != 4 || op.root == "cvt" || op.root == "mov") continue;
    for (const int64_t other : numbers_) replace(in, k, integer(other), kOther);
  }
}

void MutationMaker::other_operation(const Instruction& in, const Opcode& op) {
  const auto put = [&](const std::string& opcode, int rank) {
    Instruction instead = in;
    instead.opcode = kept(opcode);
    add_one(instead, rank);
  };
  if (op.root == "setp") {
    for (const char* other : {"lt", "le", "gt", "ge", "eq", "ne"})
      for (const std::string_view has : op.modifiers)
        if (has != other && has.size() <= 3 && has != "and" && has != "or" && has != "xor") {
          std::string opcode(op.text);
          opcode.replace(opcode.find("." + std::string(has)) + 1, has.size(), other);
          put(opcode, kNearby);
        }
    return;
  }
  if (in.operands.size() != 3 || op.type() == Type::kPred) return;
  const bool whole = !is_float(op.type());
  const auto roots = [&]() -> std::vector<const char*> {
    if (op.root == "add" || op.root == "sub") return {"add", "sub", "mul"};
    if (op.root == "mul")
      return whole ? std::vector<const char*>{"div", "rem", "add"}
                   : std::vector<const char*>{"div", "add", "sub"};
    if (op.root == "div")
      return whole ? std::vector<const char*>{"mul", "rem", "sub"}
                   : std::vector<const char*>{"mul", "sub", "add"};
    if (op.root == "rem") return {"div"};
    if (op.root == "min") return {"max"};
    if (op.root == "max") return {"min"};
    return {};
  }();
  if (op.has("wide") || op.has("hi")) return;
  for (const char* root : roots)
    if (op.root != root) put(with_root(op.text, root), kOther);
}

void MutationMaker::other_order(const Instruction& in, const Opcode& op) {
  const bool has_order = op.root == "sub" || op.root == "div" || op.root == "rem";
  if (!has_order || in.operands.size() != 3) return;
  Instruction instead = in;
  std::swap(instead.operands[1], instead.operands[2]);
  add_one(instead, kOther);
}

void MutationMaker::one_operand(const Instruction& in, const Opcode& op) {
  if (in.operands.size() != 3 || op.root == "setp" || op.root == "shfl" || op.has("wide")) return;
  for (const size_t k : {1, 2}) {
    if (!is_register(in.operands[k]) && !is_number(in.operands[k])) continue;
    Instruction instead = in;
    instead.opcode = kept(std::string("mov.") + type_name(op.type()));
    instead.operands = {in.operands[0], in.operands[k]};
    add_one(instead, kLess);
  }
}

// (a * b) * c: a variable for two of the three, a * v.
void MutationMaker::regrouped(const Instruction& in, const Opcode& op) {
  if (in.operands.size() != 3 || op.has("wide") || op.has("hi") || is_float(op.type())) return;
  if (op.root != "mul" && op.root != "add") return;
  for (const size_t k : {1, 2}) {
    const Operand& o = in.operands[k];
    const Instruction* part = is_register(o) ? words_->definition(o.reg) : nullptr;
    if (part == nullptr || words_->name_of(o.reg) != nullptr || part->opcode != in.opcode) continue;
    for (const size_t j : {1, 2}) {
      Instruction shorter = in;
      shorter.operands[k] = part->operands[j];
      add_variables(shorter, 3 - k, op);
    }
  }
}

void MutationMaker::block_sizes(const Instruction& in, const Opcode& op) {
  const bool multiplies = op.root == "shl" || op.root == "mul" || op.root == "mad";
  if ((!multiplies && op.root != "setp") || is_float(op.type()) || op.has("wide") || op.has("hi"))
    return;
  if (type_bytes(op.type()) != 4 || in.operands[2].kind != Operand::Kind::kInteger) return;
  const auto reg = static_cast<uint32_t>(f_->registers.size());
  const Further size = of_special("%ntid.x", 4, reg);
  std::vector<int64_t> parts(numbers_.begin(), numbers_.end());
  parts.push_back(1);
  for (const int64_t part : parts) {
    std::vector<Instruction> instead = size.before;
    if (part > 1) instead.push_back(made("div.u32", {size.operand, size.operand, integer(part)}));
    Instruction changed = in, told = in;
    if (op.root == "shl") changed.opcode = told.opcode = kept("mul.lo.s32");
    changed.operands[2] = size.operand;
    instead.push_back(changed);
    const std::string words =
        part > 1 ? "(" + size.words + " / " + std::to_string(part) + ")" : size.words;
    told.operands[2] = worded(words, "", "");
    add(std::move(instead), told, kOther, size.registers);
  }
}

void MutationMaker::store(const Instruction& in, const Opcode& op) {
  for (const CodeWords::Variable& v : variables_) {
    if (v.constant || !is_register(in.operands[1])) continue;
    const Type type = f_->registers[v.reg], wanted = f_->registers[in.operands[1].reg];
    if (type_bytes(type) != type_bytes(wanted) || is_float(type) != is_float(wanted)) continue;
    if (v.is_pointer != words_->is_pointer(in.operands[1].reg)) continue;
    replace(in, 1, reg_operand(v.reg), kOther);
  }
  if (in.operands[1].kind == Operand::Kind::kVector) return;
  other_numbers(in, op);
  missing_of_operand(in, 1, op.type(), kMore);
  if (op.has("param")) return;
  add({}, in, kLess, {}, Mutation::Words::kWithout);
}

void MutationMaker::branch(const Instruction& in) {
  if (in.guard < 0) return;
  const Instruction* condition = words_->definition(static_cast<uint32_t>(in.guard));
  if (condition == nullptr) return;
  bool negated = in.guard_negated;
  if (condition->opcode.starts_with("not") && is_register(condition->operands[1])) {
    const Instruction* inner = words_->definition(condition->operands[1].reg);
    if (inner != nullptr) condition = inner, negated = !negated;
  }
  using Words = Mutation::Words;
  Instruction always = in;
  always.guard = -1;
  always.guard_negated = false;
  add({always}, *condition, negated ? kLess : kNearby, {}, negated ? Words::kFalse : Words::kTrue);
  add({}, *condition, negated ? kNearby : kLess, {}, negated ? Words::kTrue : Words::kFalse);
}

}  // namespace lockstep::emulator
