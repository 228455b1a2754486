// SPDX-License-Identifier: Apache-2.0
#include "emulator/mutate/code_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>

#include "common/base/quoted.h"
#include "emulator/code/locations.h"
#include "emulator/code/opcode.h"
#include "emulator/mutate/operands.h"
#include "emulator/mutate/word_parts.h"

namespace lockstep::emulator {

using namespace words;

namespace {

struct Sign {
  const char* root;
  const char* sign;
  int binding;
};
constexpr Sign kSigns[] = {{"add", "+", kAdds},       {"sub", "-", kAdds},
                           {"mul", "*", kMultiplies}, {"div", "/", kMultiplies},
                           {"rem", "%", kMultiplies}, {"and", "&", kBits},
                           {"or", "|", kBits},        {"xor", "^", kBits},
                           {"shl", "<<", kShifts},    {"shr", ">>", kShifts}};

const char* comparison(const Opcode& op) {
  constexpr std::pair<const char*, const char*> kAll[] = {
      {"lt", "<"},   {"le", "<="}, {"gt", ">"},   {"ge", ">="}, {"eq", "=="},  {"ne", "!="},
      {"lo", "<"},   {"ls", "<="}, {"hi", ">"},   {"hs", ">="}, {"neu", "!="}, {"ltu", "<"},
      {"leu", "<="}, {"gtu", ">"}, {"geu", ">="}, {"equ", "=="}};
  for (const auto& [name, sign] : kAll)
    if (op.has(name)) return sign;
  return "?";
}

// "float ns::sum<8>(float)" -> "sum"
std::string short_name(const std::string& name) {
  const size_t end = std::min(name.find_first_of("(<"), name.size());
  const size_t before = name.find_last_of(" :", end == 0 ? 0 : end - 1);
  const size_t from = before == std::string::npos ? 0 : before + 1;
  return shown_word(name.substr(from, end - from), kLongName);
}

std::string bracketed(std::string text, int own, int binding) {
  return own < binding || (own == binding && own < kUnary) ? "(" + text + ")" : text;
}

}  // namespace

std::string name_of_special(std::string_view name) {
  constexpr std::pair<std::string_view, const char*> kAll[] = {{"%tid.", "threadIdx."},
                                                               {"%ntid.", "blockDim."},
                                                               {"%ctaid.", "blockIdx."},
                                                               {"%nctaid.", "gridDim."}};
  for (const auto& [ptx, source] : kAll)
    if (name.starts_with(ptx)) return source + std::string(name.substr(ptx.size()));
  return {};
}

CodeWords::CodeWords(const Module& module, const DebugInfo& info, uint32_t function)
    : module_(module), info_(info), number_(function), f_(module.functions[function]) {
  set_by_.resize(f_.registers.size());
  for (uint32_t i = 0; i < f_.code.size(); ++i) {
    const Instruction& in = f_.code[i];
    const Opcode op(in.opcode);
    for (const Operand& o : in.operands)
      if (is_register(o) || (o.kind == Operand::Kind::kAddress && o.has_register))
        used_by_[o.reg].push_back(i);
    if (in.operands.empty() || op.root == "st" || op.root == "call" || op.root == "red") continue;
    const Operand& to = in.operands[0];
    if (is_register(to)) set_by_[to.reg].push_back(i);
    for (const Operand& part : to.parts)
      if (to.kind == Operand::Kind::kVector && is_register(part)) set_by_[part.reg].push_back(i);
  }
  name_parameters();
  name_registers();
  measure_locals();
}

void CodeWords::name_parameters() {
  for (const Instruction& in : f_.code)
    if (in.opcode.starts_with("ld.param") && in.operands.size() == 2 &&
        is_register(in.operands[0]) && in.operands[1].offset == 0)
      parameters_.emplace(in.operands[1].name, in.operands[0].reg);
}

void CodeWords::name_registers() {
  for (uint32_t i = 0; i < f_.code.size(); ++i)
    for (const uint32_t e : info_.variables_at(number_, i)) {
      if (!info_.is_of_function(e)) continue;
      const Home home = info_.home_of(e, number_, i);
      const std::string& name = info_.dwarf().name_of(e);
      std::optional<uint32_t> reg;
      if (home.kind == Home::Kind::kRegister) reg = home.reg;
      if (home.kind == Home::Kind::kSymbol) {
        const auto at = parameters_.find(home.symbol);
        if (at != parameters_.end())
          reg = at->second;
        else if (home.symbol.starts_with(kLocals))
          locals_.emplace(home.offset, Local{shown_word(name, kLongName), e, home.offset, 0});
      }
      if (home.kind == Home::Kind::kPointer)
        locals_.emplace(home.offset, Local{shown_word(name, kLongName), e, home.offset, 0});
      if (!reg || name.empty()) continue;
      names_.emplace(*reg, shown_word(name, kLongName));
      const uint32_t type = info_.dwarf().type_of(e);
      if (type != kNoEntry && info_.dwarf().entries[type].tag == dwarf::kPointer)
        pointers_[*reg] = true;
    }
}

std::vector<CodeWords::Variable> CodeWords::variables_at(uint32_t instruction) const {
  std::vector<Variable> all;
  const int location = f_.code[instruction].location;
  const int line = location < 0 ? 0 : f_.locations[static_cast<size_t>(location)].line;
  for (const uint32_t e : info_.variables_at(number_, instruction)) {
    if (!info_.is_of_function(e)) continue;
    if (line > 0 && info_.dwarf().entries[e].line > line) continue;  // declared below
    Variable v;
    if (info_.dwarf().name_of(e).empty()) continue;
    v.name = shown_word(info_.dwarf().name_of(e), kLongName);
    const Home home = info_.home_of(e, number_, instruction);
    if (home.kind == Home::Kind::kRegister) {
      v.reg = home.reg;
    } else if (home.kind == Home::Kind::kConstant) {
      v.constant = home.constant;
    } else if (const auto at = parameters_.find(home.symbol);
               home.kind == Home::Kind::kSymbol && at != parameters_.end()) {
      v.reg = at->second;
    } else {
      continue;
    }
    v.is_pointer = !v.constant && is_pointer(v.reg);
    // An inner one hides an outer one of its name.
    std::erase_if(all, [&](const Variable& other) { return other.name == v.name; });
    all.push_back(v);
  }
  return all;
}

const std::string* CodeWords::name_of(uint32_t reg) const {
  const auto at = names_.find(reg);
  return at == names_.end() ? nullptr : &at->second;
}

bool CodeWords::is_address(const Operand& o) const {
  if (!is_register(o) || type_bytes(f_.registers[o.reg]) != 8) return false;
  if (const std::string* name = name_of(o.reg)) return is_pointer(o.reg) || *name == "%SP";
  const Instruction* in = definition(o.reg);
  if (in == nullptr || in->operands.size() < 2) return false;
  const Opcode op(in->opcode);
  const Operand& from = in->operands[1];
  if (op.root == "cvta") return true;
  if (op.root == "mov") return from.kind == Operand::Kind::kSymbol || is_address(from);
  return op.root == "add" && (is_address(from) || from.name == "%SP");
}

const Instruction* CodeWords::definition(uint32_t reg) const {
  if (reg >= set_by_.size() || set_by_[reg].size() != 1) return nullptr;
  if (instead_ != nullptr && set_by_[reg][0] == instead_at_) return instead_;
  return &f_.code[set_by_[reg][0]];
}

std::string CodeWords::as_term(const Operand& value) const { return operand(value, kAdds, 0); }
std::string CodeWords::as_factor(const Operand& value) const {
  return operand(value, kMultiplies, 0);
}

std::vector<std::string_view> CodeWords::roots_of_users(uint32_t reg) const {
  std::vector<std::string_view> roots;
  if (const auto at = used_by_.find(reg); at != used_by_.end())
    for (const uint32_t user : at->second)
      if (&f_.code[user] != definition(reg)) roots.push_back(Opcode(f_.code[user].opcode).root);
  return roots;
}

std::string CodeWords::of_register(uint32_t reg, int binding, int depth) const {
  if (const std::string* name = name_of(reg)) return *name;
  const Instruction* in = depth < kDeepest ? definition(reg) : nullptr;
  return in == nullptr ? kUnknown : computed(*in, binding, depth + 1);
}

std::string CodeWords::operand(const Operand& o, int binding, int depth) const {
  switch (o.kind) {
    case Operand::Kind::kRegister:
      return (o.negated ? "!" : "") + of_register(o.reg, o.negated ? kUnary : binding, depth);
    case Operand::Kind::kInteger:
      return fmt::format("{}", static_cast<int64_t>(o.bits));
    case Operand::Kind::kFloat32:
      return fmt::format("{:g}", std::bit_cast<float>(static_cast<uint32_t>(o.bits)));
    case Operand::Kind::kFloat64:
      return fmt::format("{:g}", std::bit_cast<double>(o.bits));
    case Operand::Kind::kSymbol: {
      const std::string special = name_of_special(o.name);
      if (!special.empty()) return special;
      // A mutation's own words, or a name of the module's.
      return o.variable == kWords ? std::string(o.name)
                                  : shown_word(demangled_variable(o.name), kLongName);
    }
    default:
      return kUnknown;
  }
}

std::string CodeWords::binary(const Instruction& in, const char* sign, int own, int binding,
                              int depth) const {
  const std::string left = operand(in.operands[1], own - (own > kCompares ? 1 : 0), depth);
  const std::string right = operand(in.operands[2], own, depth);
  return bracketed(left + " " + sign + " " + right, own, binding);
}

// Which of the function's instructions it is, or stands in place of; as many as it has: none.
size_t CodeWords::number_of(const Instruction& in) const {
  if (&in == instead_) return instead_at_;
  const std::less<const Instruction*> before;
  const Instruction* const first = f_.code.data();
  const bool own = !before(&in, first) && before(&in, first + f_.code.size());
  return own ? static_cast<size_t>(&in - first) : f_.code.size();
}

std::string CodeWords::callee(size_t call) const {
  for (const Operand& o : f_.code[call].operands)
    if (o.kind == Operand::Kind::kSymbol && module_.function_index.contains(o.name))
      return short_name(demangled(std::string(o.name)));
  return {};
}

// "f(a, 32)": the call with its arguments, which are put down right before it; where these have no
// words, "f(...)".
std::string CodeWords::of_call(size_t call, int depth) const {
  const std::string name = callee(call);
  if (name.empty()) return kUnknown;
  std::string arguments;
  for (size_t i = call; i > 0 && f_.code[i - 1].opcode.starts_with("st.param"); --i) {
    const bool changed = instead_ != nullptr && instead_at_ == i - 1;
    const Instruction& put = changed ? *instead_ : f_.code[i - 1];
    if (put.operands.size() < 2) return kUnknown;
    const std::string value = operand(put.operands[1], 0, depth + 1);
    arguments = arguments.empty() ? value : value + ", " + arguments;
  }
  const bool known = !arguments.empty() && !is_unknown(arguments);
  return name + "(" + (known ? arguments : "...") + ")";
}

// The result of the call before it.
std::string CodeWords::called(const Instruction& in, int depth) const {
  const size_t number = number_of(in);
  if (number == f_.code.size()) return kUnknown;
  for (size_t i = number; i > 0; --i)
    if (f_.code[i - 1].opcode.starts_with("call")) return of_call(i - 1, depth);
  return kUnknown;
}

// What is put down for the call behind it.
std::string CodeWords::argument(const Instruction& in) const {
  size_t i = number_of(in);
  while (i < f_.code.size() && f_.code[i].opcode.starts_with("st.param")) ++i;
  const bool known = i < f_.code.size() && f_.code[i].opcode.starts_with("call");
  return known ? of_call(i, 0) : operand(in.operands[1], 0, 0);
}

std::string CodeWords::computed(const Instruction& in, int binding, int depth) const {
  const Opcode op(in.opcode);
  const size_t n = in.operands.size();
  if (op.root == "shl" && op.text.ends_with(".b64") && n >= 3)
    return operand(in.operands[1], binding, depth);  // from an index to bytes
  for (const Sign& s : kSigns)
    if (op.root == s.root && n >= 3) return binary(in, s.sign, s.binding, binding, depth);
  if (op.root == "setp" && n >= 3) return binary(in, comparison(op), kCompares, binding, depth);
  if ((op.root == "mad" || op.root == "fma") && n >= 4)
    return bracketed(operand(in.operands[1], kMultiplies - 1, depth) + " * " +
                         operand(in.operands[2], kMultiplies, depth) + " + " +
                         operand(in.operands[3], kAdds, depth),
                     kAdds, binding);
  if ((op.root == "min" || op.root == "max") && n >= 3)
    return fmt::format("{}({}, {})", op.root, operand(in.operands[1], 0, depth),
                       operand(in.operands[2], 0, depth));
  if (op.root == "shfl" && n >= 3)
    return fmt::format("__shfl_sync({}, {})", operand(in.operands[1], 0, depth),
                       operand(in.operands[2], 0, depth));
  if ((op.root == "neg" || op.root == "not") && n >= 2)
    return (op.root == "neg" ? "-" : "!") + operand(in.operands[1], kUnary, depth);
  if (op.root == "ld" && n >= 2)
    return op.has("param") ? called(in, depth) : element(in.operands[1], accessed(in), depth);
  if (op.root == "selp" && n >= 4)
    return bracketed(operand(in.operands[3], kUnary, depth) + " ? " +
                         operand(in.operands[1], kUnary, depth) + " : " +
                         operand(in.operands[2], kUnary, depth),
                     0, binding);
  if ((op.root == "mov" || op.root == "cvt" || op.root == "cvta") && n >= 2)
    return operand(in.operands[1], binding, depth);
  if (op.root == "sqrt" && n >= 2) return "sqrt(" + operand(in.operands[1], 0, depth) + ")";
  return kUnknown;
}

// Up to where the value gets a name, is stored or decides something; where that is long, what is
// made of it first.
std::string CodeWords::statement(uint32_t at, const Instruction& instead) const {
  constexpr size_t kLong = 60;
  const Instruction* top = &instead;
  instead_ = &instead;
  instead_at_ = at;
  std::string words = of(instead);
  for (int depth = 0; depth < kDeepest; ++depth) {
    if (top->operands.empty() || !is_register(top->operands[0])) break;
    const uint32_t reg = top->operands[0].reg;
    if (name_of(reg) != nullptr || Opcode(top->opcode).root == "st") break;
    const auto users = used_by_.find(reg);
    if (users == used_by_.end() || users->second.empty()) break;
    top = &f_.code[users->second.back()];
    if (top->opcode.starts_with("not") || top->opcode.starts_with("bra")) break;
    // What only leads to an address has its words in the access.
    if (!top->operands.empty() && name_of(top->operands[0].reg) == nullptr &&
        is_address(top->operands[0]))
      continue;
    const std::string more = of(*top);
    if (more.empty() || is_unknown(more) || more.size() > kLong) continue;
    words = more;
  }
  instead_ = nullptr;
  return words;
}

std::string CodeWords::in_brackets(const Instruction& in) const {
  return computed(in, kMultiplies, 0);
}

std::string CodeWords::of(const Instruction& in) const {
  const Opcode op(in.opcode);
  if (op.root == "st" && in.operands.size() >= 2) {
    if (op.has("param")) return argument(in);
    return element(in.operands[0], accessed(in), 0) + " = " + operand(in.operands[1], 0, 0);
  }
  if (in.operands.empty()) return {};
  const std::string value = computed(in, 0, 0);
  const Operand& to = in.operands[0];
  const std::string* name = is_register(to) ? name_of(to.reg) : nullptr;
  return name == nullptr ? value : *name + " = " + value;
}

}  // namespace lockstep::emulator
