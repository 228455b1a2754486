// SPDX-License-Identifier: Apache-2.0
// Bodies of functions: scopes, registers, labels, line directives and instructions.
#include <bit>

#include "emulator/ptx/parser_state.h"

namespace lockstep::emulator {

void Parser::body(Function& f) {
  places_.clear();
  location_ = -1;
  expect('{');
  const size_t outside = scopes_.size();
  scopes_.emplace_back();  // id 0: the body
  while (scopes_.size() > outside) {
    if (token_.is('{')) {
      open_scope(f);
    } else if (token_.is('}')) {
      close_scope(f);
    } else if (token_.is('@')) {
      guarded_instruction(f);
    } else if (token_.kind == TokenKind::kWord) {
      if (token_.text[0] == '.')
        body_directive(f);
      else
        word_statement(f);
    } else if (!accept(';')) {
      if (token_.kind == TokenKind::kEnd)
        fail("function '" + shown(f.name) + "' is not closed: the text is cut short");
      fail("expected an instruction, found " + describe());
    }
  }
}

void Parser::open_scope(Function& f) {
  if (scopes_.size() > kMostNesting) fail("scopes are nested too deeply");
  if (f.scope_parents.size() >= kMostScopes * 16) fail("too many scopes");
  f.scope_parents.push_back(scopes_.back().id);
  Scope scope;
  scope.id = static_cast<uint32_t>(f.scope_parents.size() - 1);
  scopes_.push_back(std::move(scope));
  advance();
}

void Parser::close_scope(Function&) {
  scopes_.pop_back();
  advance();
}

void Parser::body_directive(Function& f) {
  if (accept(".reg")) return register_declaration(f);
  if (accept(".loc")) return location_directive(f);
  if (accept(".pragma")) {
    while (!token_.is(';') && token_.kind != TokenKind::kEnd) advance();
    return expect(';');
  }
  Space space = Space::kNone;
  if (accept(".param"))
    space = Space::kParam;
  else if (accept(".local"))
    space = Space::kLocal;
  else if (accept(".shared"))
    space = Space::kShared;
  else if (accept(".global"))
    space = Space::kGlobal;
  else if (accept(".const"))
    space = Space::kConst;
  else if (token_.is(".branchtargets") || token_.is(".calltargets") || token_.is(".callprototype"))
    fail("expected a label before " + describe());
  else
    fail("unknown directive " + describe());
  do {
    Variable v = variable(space);
    initializers(v);
    const auto index = static_cast<int32_t>(f.variables.size());
    if (!scopes_.back().variables.emplace(v.name, index).second)
      fail("'" + shown(v.name) + "' is declared twice");
    f.variables.push_back(std::move(v));
  } while (accept(','));
  expect(';');
}

// ".reg .b32 %r<29>;" or ".reg .pred p, q;"
void Parser::register_declaration(Function& f) {
  Type type = Type::kNone;
  while (token_.kind == TokenKind::kWord && token_.text[0] == '.') {
    if (token_.text == ".v2" || token_.text == ".v4") fail("unsupported: vector registers");
    type = type_from_name(token_.text.substr(1));
    advance();
  }
  if (type == Type::kNone) fail("a register's type is missing");
  do {
    const std::string_view name = expect_word("a register's name");
    Registers range;
    range.first = static_cast<uint32_t>(f.registers.size());
    uint64_t count = 1;
    if (accept('<')) {
      count = static_cast<uint64_t>(expect_integer("a number of registers"));
      expect('>');
      range.count = static_cast<uint32_t>(count);
    }
    if (count > kMostRegisters || (registers_ += count) > kMostRegisters)
      fail("more than " + std::to_string(kMostRegisters) + " registers");
    f.registers.resize(f.registers.size() + count, type);
    if (!scopes_.back().registers.emplace(name, range).second)
      fail("register '" + shown(name) + "' is declared twice");
  } while (accept(','));
  expect(';');
}

bool Parser::find_register(std::string_view name, uint32_t* reg) const {
  size_t prefix = name.size();
  uint64_t number = 0, scale = 1;
  while (prefix > 0 && name[prefix - 1] >= '0' && name[prefix - 1] <= '9' && scale < 100000000) {
    number += static_cast<uint64_t>(name[--prefix] - '0') * scale;
    scale *= 10;
  }
  const bool has_number = prefix < name.size();
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    if (const auto at = scope->registers.find(name); at != scope->registers.end()) {
      if (at->second.count == 0) return *reg = at->second.first, true;
    }
    if (!has_number) continue;
    const auto at = scope->registers.find(name.substr(0, prefix));
    if (at != scope->registers.end() && number < at->second.count)
      return *reg = at->second.first + static_cast<uint32_t>(number), true;
  }
  return false;
}

int32_t Parser::find_variable(std::string_view name) const {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
    if (const auto at = scope->variables.find(name); at != scope->variables.end())
      return at->second;
  return -1;
}

// ".loc 2 84 3, function_name $L__info_string0, inlined_at 1 15 30"
void Parser::location_directive(Function& f) {
  auto place = [&] {
    Location at;
    at.file = static_cast<int>(expect_integer("a file number") & 0x7fffffff);
    at.line = static_cast<int>(expect_integer("a line") & 0x7fffffff);
    at.column = static_cast<int>(expect_integer("a column") & 0x7fffffff);
    return at;
  };
  auto key = [](const Location& l) { return std::pair(std::pair(l.file, l.line), l.column); };
  Location at = place();
  while (accept(',')) {
    if (accept("function_name")) {
      expect_word("a label");
      if (accept('+')) expect_integer("an offset");
    } else if (accept("inlined_at")) {
      const Location outer = place();
      const auto known = places_.find(key(outer));
      if (known != places_.end()) {
        at.inlined_at = known->second;
      } else {
        f.locations.push_back(outer);
        at.inlined_at = places_[key(outer)] = static_cast<int>(f.locations.size()) - 1;
      }
    } else {
      fail("expected inlined_at, found " + describe());
    }
  }
  location_ = static_cast<int>(f.locations.size());
  f.locations.push_back(at);
  places_[key(at)] = location_;
}

// After "label:": ".branchtargets A, B;", ".calltargets f, g;" or ".callprototype ...;"
void Parser::table_directive(Function& f, std::string_view name) {
  Label label;
  label.name = name;
  label.scope = scopes_.back().id;
  label.is_table = true;
  const bool prototype = token_.is(".callprototype");
  advance();
  while (!token_.is(';')) {
    if (token_.kind == TokenKind::kEnd) fail("expected ';', found " + describe());
    if (!prototype && token_.kind == TokenKind::kWord) label.targets.push_back(token_.text);
    advance();
  }
  advance();
  f.labels.push_back(std::move(label));
}

// A label or an instruction.
void Parser::word_statement(Function& f) {
  const Token word = token_;
  advance();
  if (accept(':')) {
    if (token_.is(".branchtargets") || token_.is(".calltargets") || token_.is(".callprototype"))
      return table_directive(f, word.text);
    Label label;
    label.name = word.text;
    label.scope = scopes_.back().id;
    label.at = static_cast<uint32_t>(f.code.size());
    f.labels.push_back(std::move(label));
    return;
  }
  Instruction in;
  in.opcode = word.text;
  in.line = word.line;
  in.location = location_;
  f.code.push_back(std::move(in));
  instruction(f, -1, false);
}

void Parser::guarded_instruction(Function& f) {
  advance();
  const bool negated = accept('!');
  const std::string_view name = expect_word("a predicate");
  uint32_t reg = 0;
  if (!find_register(name, &reg)) fail("register '" + shown(name) + "' is not declared");
  if (f.registers[reg] != Type::kPred) fail("'" + shown(name) + "' is not a predicate");
  Instruction in;
  in.line = token_.line;
  in.location = location_;
  in.opcode = expect_word("an instruction");
  if (in.opcode[0] == '.')
    lexer_.fail(in.line, "expected an instruction, found '" + shown(in.opcode) + "'");
  f.code.push_back(std::move(in));
  instruction(f, static_cast<int>(reg), negated);
}

// The operands of the instruction that was just appended.
void Parser::instruction(Function& f, int guard, bool negated) {
  Instruction in = std::move(f.code.back());
  in.guard = guard;
  in.guard_negated = negated;
  if (!token_.is(';')) {
    in.operands.push_back(operand(f));
    if (accept('|')) in.pair = operand(f);
    while (accept(',')) in.operands.push_back(operand(f));
  }
  expect(';');
  f.code.back() = std::move(in);
}

// Lists do not nest deeper than an operand's own elements, so recursion ends at depth three.
Operand Parser::operand(Function& f) {
  if (accept('{')) return list(f, '}');
  if (accept('(')) return list(f, ')');
  if (token_.is('[')) return address(f);
  return simple_operand(f);
}

Operand Parser::list(Function& f, char close) {
  Operand out;
  out.kind = Operand::Kind::kVector;
  while (!accept(close)) {
    if (token_.is('{') || token_.is('(') || token_.is('[')) fail("unexpected " + describe());
    out.parts.push_back(simple_operand(f));
    if (!token_.is(close)) expect(',');
  }
  return out;
}

Operand Parser::simple_operand(Function& f) {
  Operand out;
  if (accept('!')) {
    if (token_.kind != TokenKind::kWord) fail("expected a predicate, found " + describe());
    out = named(f, token_.text);
    out.negated = true;
    advance();
    return out;
  }
  if (token_.kind != TokenKind::kWord) return signed_immediate();
  out = named(f, token_.text);
  advance();
  if (out.kind != Operand::Kind::kSymbol) return out;
  if (accept('+'))
    out.offset = expect_integer("an offset");
  else if (token_.is('-'))
    out.offset = expect_integer("an offset");
  return out;
}

Operand Parser::named(Function& f, std::string_view name) {
  Operand out;
  out.name = name;
  if (name == "_") {
    out.kind = Operand::Kind::kDiscard;
  } else if (find_register(name, &out.reg)) {
    out.kind = Operand::Kind::kRegister;
  } else {
    out.kind = Operand::Kind::kSymbol;
    out.variable = find_variable(name);
    out.scope = scopes_.back().id;
  }
  (void)f;
  return out;
}

Operand Parser::signed_immediate() {
  Operand out;
  bool negative = false, inverted = false;
  if (accept('-'))
    negative = true;
  else if (accept('~'))
    inverted = true;
  out.bits = token_.bits;
  switch (token_.kind) {
    case TokenKind::kInteger:
      out.kind = Operand::Kind::kInteger;
      break;
    case TokenKind::kFloat32:
      out.kind = Operand::Kind::kFloat32;
      break;
    case TokenKind::kFloat64:
      out.kind = Operand::Kind::kFloat64;
      break;
    default:
      fail("expected an operand, found " + describe());
  }
  if (inverted) out.bits = ~out.bits;
  if (negative && out.kind == Operand::Kind::kInteger) out.bits = 0 - out.bits;
  if (negative && out.kind == Operand::Kind::kFloat32) out.bits ^= 0x80000000u;
  if (negative && out.kind == Operand::Kind::kFloat64) out.bits ^= uint64_t{1} << 63;
  advance();
  return out;
}

// "[%rd1+4]", "[name]", "[name+4]", "[16]"; whatever follows a comma goes to parts.
Operand Parser::address(Function& f) {
  expect('[');
  Operand out;
  out.kind = Operand::Kind::kAddress;
  if (token_.kind == TokenKind::kWord) {
    const Operand base = named(f, token_.text);
    advance();
    out.name = base.name;
    out.variable = base.variable;
    out.has_register = base.kind == Operand::Kind::kRegister;
    out.reg = base.reg;
    if (accept('+'))
      out.offset = expect_integer("an offset");
    else if (token_.is('-'))
      out.offset = expect_integer("an offset");
  } else {
    out.offset = expect_integer("an address");
  }
  while (accept(',')) {
    if (accept('{'))
      out.parts.push_back(list(f, '}'));
    else
      out.parts.push_back(simple_operand(f));
  }
  expect(']');
  return out;
}

}  // namespace lockstep::emulator
