// SPDX-License-Identifier: Apache-2.0
// Arguments and results in registers: a function whose parameters are .reg, and a call with
// registers or numbers, are written out with parameters in memory, as the ABI passes them. The
// instructions for that stand before and after the call, at the begin of the function, and before
// its returns.
#include <array>

#include "emulator/ptx/parser_state.h"

namespace lockstep::emulator {
namespace {

constexpr int kTypes = static_cast<int>(Type::kS16x2) + 1;

// "st.param.u32", "ld.param.u32"
std::string_view opcode_of(bool store, Type type) {
  static const auto kOpcodes = [] {
    std::array<std::string, 2 * kTypes> all;
    for (int t = 0; t < kTypes; ++t) {
      all[2 * t] = std::string("ld.param.") + type_name(static_cast<Type>(t));
      all[2 * t + 1] = std::string("st.param.") + type_name(static_cast<Type>(t));
    }
    return all;
  }();
  return kOpcodes[2 * static_cast<size_t>(type) + store];
}

bool is_scalar(const Variable& v) { return v.bytes == static_cast<uint64_t>(type_bytes(v.type)); }

Operand register_operand(uint32_t reg, std::string_view name) {
  Operand out;
  out.kind = Operand::Kind::kRegister;
  out.reg = reg;
  out.name = name;
  return out;
}

}  // namespace

// The move between a parameter and its register, on behalf of the instruction `at`.
Instruction Parser::moved(const Function& f, const Instruction& at, bool store, uint32_t variable,
                          const Operand& value) {
  Instruction out;
  const Variable& v = f.variables[variable];
  out.opcode = opcode_of(store, v.type);
  out.line = at.line;
  out.location = at.location;
  out.guard = at.guard;
  out.guard_negated = at.guard_negated;
  Operand place;
  place.kind = Operand::Kind::kAddress;
  place.variable = static_cast<int32_t>(variable);
  place.name = v.name;
  if (store)
    out.operands = {place, value};
  else
    out.operands = {value, place};
  return out;
}

void Parser::load_parameters(Function& f) {
  Instruction head;
  head.line = f.line;
  for (const InRegister& p : in_registers_)
    if (!p.is_result)
      f.code.push_back(
          moved(f, head, false, p.variable, register_operand(p.reg, f.variables[p.variable].name)));
}

void Parser::store_results(Function& f, const Instruction& at) {
  for (const InRegister& p : in_registers_)
    if (p.is_result)
      f.code.push_back(
          moved(f, at, true, p.variable, register_operand(p.reg, f.variables[p.variable].name)));
}

// The function that a call names; nullptr where it is called through a register.
const Function* Parser::callee(const Instruction& call) const {
  for (const Operand& o : call.operands) {
    if (o.kind != Operand::Kind::kSymbol) continue;
    const auto at = module_.function_index.find(o.name);
    return at == module_.function_index.end() ? nullptr : &module_.functions[at->second];
  }
  return nullptr;
}

uint32_t Parser::hidden_parameter(Function& f, Type type) {
  Variable v;
  v.space = Space::kParam;
  v.type = type;
  v.name = "argument";
  v.element_bytes = static_cast<uint32_t>(type_bytes(type));
  v.bytes = v.alignment = v.element_bytes;
  v.line = token_.line;
  f.variables.push_back(v);
  return static_cast<uint32_t>(f.variables.size() - 1);
}

// Appends the call, with the stores and loads of what it passes in registers around it.
void Parser::pass_registers(Function& f, Instruction call) {
  const Function* const function = callee(call);
  std::vector<Instruction> after;
  bool before_function = true;
  for (Operand& list : call.operands) {
    if (list.kind != Operand::Kind::kVector) {
      before_function = false;
      continue;
    }
    for (size_t i = 0; i < list.parts.size(); ++i) {
      Operand& value = list.parts[i];
      if (value.kind == Operand::Kind::kSymbol) continue;  // a .param variable, or wrong
      Type type = value.kind == Operand::Kind::kRegister ? f.registers[value.reg] : Type::kNone;
      if (function != nullptr) {
        const std::vector<uint32_t>& formal =
            before_function ? function->results : function->parameters;
        if (i >= formal.size() || !is_scalar(function->variables[formal[i]]))
          fail("an argument that does not fit '" + shown(function->name) + "'");
        type = function->variables[formal[i]].type;
      }
      if (type == Type::kNone) fail("an argument whose type is not known");
      const uint32_t hidden = hidden_parameter(f, type);
      if (!before_function)
        f.code.push_back(moved(f, call, true, hidden, value));
      else if (value.kind != Operand::Kind::kDiscard)
        after.push_back(moved(f, call, false, hidden, value));
      value = Operand{};
      value.kind = Operand::Kind::kSymbol;
      value.variable = static_cast<int32_t>(hidden);
      value.name = "argument";
    }
  }
  f.code.push_back(std::move(call));
  for (Instruction& in : after) f.code.push_back(std::move(in));
}

}  // namespace lockstep::emulator
