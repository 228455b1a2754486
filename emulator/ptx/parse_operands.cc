// SPDX-License-Identifier: Apache-2.0
// Operands: registers, vectors and their elements, symbols, addresses, immediate values.
#include "emulator/ptx/parser_state.h"

namespace lockstep::emulator {
namespace {

// ".x" or ".r" of a vector: 0, and so on; -1 for other letters.
int element_of(char letter) {
  constexpr std::string_view kNames[] = {"xr", "yg", "zb", "wa"};
  for (int i = 0; i < 4; ++i)
    if (kNames[i].find(letter) != std::string_view::npos) return i;
  return -1;
}

}  // namespace

bool Parser::find_register(std::string_view name, uint32_t* reg, uint32_t* width) const {
  size_t prefix = name.size();
  uint64_t number = 0, scale = 1;
  while (prefix > 0 && name[prefix - 1] >= '0' && name[prefix - 1] <= '9' && scale < 100000000) {
    number += static_cast<uint64_t>(name[--prefix] - '0') * scale;
    scale *= 10;
  }
  const bool has_number = prefix < name.size();
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    if (const auto at = scope->registers.find(name); at != scope->registers.end()) {
      *reg = at->second.first;
      *width = at->second.width;
      if (at->second.count == 0) return true;
    }
    if (!has_number) continue;
    const auto at = scope->registers.find(name.substr(0, prefix));
    if (at == scope->registers.end() || number >= at->second.count) continue;
    *reg = at->second.first + static_cast<uint32_t>(number) * at->second.width;
    *width = at->second.width;
    return true;
  }
  return false;
}

int32_t Parser::find_variable(std::string_view name) const {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
    if (const auto at = scope->variables.find(name); at != scope->variables.end())
      return at->second;
  return -1;
}

// A register, a vector of them ("v" or, of its elements, "v.x"), or a symbol.
Operand Parser::named(std::string_view name) {
  Operand out;
  out.name = name;
  uint32_t width = 1;
  if (name == "_") {
    out.kind = Operand::Kind::kDiscard;
    return out;
  }
  if (find_register(name, &out.reg, &width)) {
    out.kind = Operand::Kind::kRegister;
    if (width == 1) return out;
    Operand vector;
    vector.kind = Operand::Kind::kVector;
    vector.name = name;
    for (uint32_t i = 0; i < width; ++i, ++out.reg) vector.parts.push_back(out);
    return vector;
  }
  if (name.size() > 2 && name[name.size() - 2] == '.') {
    const int element = element_of(name.back());
    if (element >= 0 && find_register(name.substr(0, name.size() - 2), &out.reg, &width) &&
        static_cast<uint32_t>(element) < width && width > 1) {
      out.kind = Operand::Kind::kRegister;
      out.reg += static_cast<uint32_t>(element);
      return out;
    }
  }
  out.kind = Operand::Kind::kSymbol;
  out.variable = find_variable(name);
  out.scope = scopes_.back().id;
  return out;
}

// Lists do not nest deeper than an operand's own elements, so recursion ends at depth three.
// Parentheses are a list of a call only, else they belong to an expression.
Operand Parser::operand(bool of_call) {
  if (accept('{')) return list('}');
  if (of_call && accept('(')) return list(')');
  if (token_.is('[')) return address();
  return simple_operand();
}

Operand Parser::list(char close) {
  Operand out;
  out.kind = Operand::Kind::kVector;
  while (!accept(close)) {
    if (token_.is('{') || token_.is('[')) fail("unexpected " + describe());
    out.parts.push_back(simple_operand());
    if (!token_.is(close)) expect(',');
  }
  return out;
}

Operand Parser::simple_operand() {
  if (token_.is('!')) {
    const Mark start = mark();
    advance();
    if (token_.kind == TokenKind::kWord && !token_.is("WARP_SZ")) {
      Operand out = named(token_.text);
      out.negated = true;
      advance();
      return out;
    }
    rewind(start);
  }
  if (token_.kind != TokenKind::kWord || token_.is("WARP_SZ")) return immediate();
  if (is_directive()) fail("expected an operand, found " + describe());
  Operand out = named(token_.text);
  advance();
  return out.kind == Operand::Kind::kSymbol ? symbol_operand(std::move(out)) : out;
}

// "x + 4" is so many bytes further, "x[2]" so many elements: then it is an address, too.
Operand Parser::symbol_operand(Operand symbol) {
  if (accept('+') || token_.is('-')) {
    symbol.offset = offset();
  } else if (accept('[')) {
    const Variable* v = nullptr;
    if (symbol.variable >= 0) {
      v = &function_->variables[static_cast<size_t>(symbol.variable)];
    } else if (const auto at = module_.variable_index.find(symbol.name);
               at != module_.variable_index.end()) {
      v = &module_.variables[at->second];
    }
    if (v == nullptr) fail("'" + shown(symbol.name) + "' is no variable");
    symbol.offset = static_cast<int64_t>(static_cast<uint64_t>(offset()) * v->element_bytes);
    expect(']');
  }
  return symbol;
}

Operand Parser::immediate() {
  const Token value = expression();
  Operand out;
  out.bits = value.bits;
  out.kind = value.kind == TokenKind::kInteger   ? Operand::Kind::kInteger
             : value.kind == TokenKind::kFloat32 ? Operand::Kind::kFloat32
                                                 : Operand::Kind::kFloat64;
  return out;
}

// "[%rd1+4]", "[name]", "[name+4]", "[16]"; whatever follows a comma goes to parts.
Operand Parser::address() {
  expect('[');
  Operand out;
  out.kind = Operand::Kind::kAddress;
  if (token_.kind == TokenKind::kWord && !is_directive() && !token_.is("WARP_SZ")) {
    const Operand base = named(token_.text);
    if (base.kind == Operand::Kind::kVector) fail("a vector as an address");
    advance();
    out.name = base.name;
    out.variable = base.variable;
    out.has_register = base.kind == Operand::Kind::kRegister;
    out.reg = base.reg;
    if (accept('+') || token_.is('-')) out.offset = offset();
  } else {
    out.offset = offset();
  }
  while (accept(',')) {
    if (accept('{'))
      out.parts.push_back(list('}'));
    else
      out.parts.push_back(simple_operand());
  }
  expect(']');
  return out;
}

}  // namespace lockstep::emulator
