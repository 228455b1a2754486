// SPDX-License-Identifier: Apache-2.0
// Bodies of functions: scopes, registers, labels, line directives and instructions.
#include "emulator/ptx/parser_state.h"

namespace lockstep::emulator {

void Parser::begin_function() {
  scopes_.clear();
  scopes_.emplace_back();
  in_registers_.clear();
  places_.clear();
  location_ = -1;
}

void Parser::body(Function& f) {
  function_ = &f;
  expect('{');
  const size_t outside = scopes_.size();
  scopes_.emplace_back();  // id 0: the body
  load_parameters(f);
  while (scopes_.size() > outside) {
    if (token_.is('{')) {
      open_scope(f);
    } else if (token_.is('}')) {
      if (scopes_.size() == outside + 1) store_results(f, {});
      scopes_.pop_back();
      advance();
    } else if (token_.kind == TokenKind::kEnd) {
      refuse("function '" + shown(f.name) + "' is not closed: the text is cut short");
    } else {
      const Mark start = mark();
      try {
        statement(f);
      } catch (const SyntaxError& e) {
        rewind(start);
        skip_statement(f, e.what());
      }
    }
  }
  function_ = nullptr;
}

void Parser::open_scope(Function& f) {
  if (scopes_.size() > kMostNesting) refuse("scopes are nested too deeply");
  if (f.scope_parents.size() >= kMostScopes) refuse("too many scopes");
  f.scope_parents.push_back(scopes_.back().id);
  Scope scope;
  scope.id = static_cast<uint32_t>(f.scope_parents.size() - 1);
  scopes_.push_back(std::move(scope));
  advance();
}

void Parser::statement(Function& f) {
  if (token_.is('@')) return guarded_instruction(f);
  if (is_directive()) return body_directive(f);
  if (token_.kind == TokenKind::kWord) return word_statement(f);
  if (!accept(';')) fail("expected an instruction, found " + describe());
}

void Parser::body_directive(Function& f) {
  if (accept(".reg")) return register_declaration(f);
  if (accept(".loc")) return location_directive(f);
  if (accept(".pragma")) {
    while (!token_.is(';') && token_.kind != TokenKind::kEnd) advance();
    return expect(';');
  }
  if (accept(".param")) return body_variables(f, Space::kParam);
  if (accept(".local")) return body_variables(f, Space::kLocal);
  if (accept(".shared")) return body_variables(f, Space::kShared);
  if (accept(".global")) return body_variables(f, Space::kGlobal);
  if (accept(".const")) return body_variables(f, Space::kConst);
  if (token_.is(".branchtargets") || token_.is(".calltargets") || token_.is(".callprototype"))
    fail("expected a label before " + describe());
  fail("unknown directive " + describe());
}

void Parser::body_variables(Function& f, Space space) {
  declare(space, [&](Variable v) {
    const auto index = static_cast<int32_t>(f.variables.size());
    if (!scopes_.back().variables.emplace(v.name, index).second)
      fail("'" + shown(v.name) + "' is declared twice");
    if (space == Space::kGlobal || space == Space::kConst) {
      v.of_function = true;
      v.global = static_cast<int32_t>(module_.variables.size());
      module_.variables.push_back(v);
      v.initial.clear();
    }
    f.variables.push_back(std::move(v));
  });
}

// ".reg .b32 %r<29>;", ".reg .pred p, q;" or ".reg .v2 .f32 v;"
void Parser::register_declaration(Function& f) {
  Type type = Type::kNone;
  uint32_t width = 1;
  while (is_directive()) {
    const std::string_view word = token_.text;
    advance();
    if (word == ".v2" || word == ".v4") {
      width = static_cast<uint32_t>(word[2] - '0');
    } else if (word == ".align") {
      expect_integer("an alignment");
    } else {
      type = type_from_name(word.substr(1));
      if (type == Type::kNone) fail("registers of type '" + shown(word) + "'");
    }
  }
  if (type == Type::kNone) fail("a register's type is missing");
  do {
    const std::string_view name = expect_word("a register's name");
    uint64_t count = 1;
    const bool numbered = accept('<');
    if (numbered) {
      count = static_cast<uint64_t>(expect_integer("a number of registers"));
      expect('>');
    }
    add_registers(f, name, type, width, count, numbered);
  } while (accept(','));
  expect(';');
}

void Parser::add_registers(Function& f, std::string_view name, Type type, uint32_t width,
                           uint64_t count, bool numbered) {
  if (count > kMostRegisters || (registers_ += count * width) > kMostRegisters)
    fail("more than " + std::to_string(kMostRegisters) + " registers");
  Registers range;
  range.first = static_cast<uint32_t>(f.registers.size());
  range.count = numbered ? static_cast<uint32_t>(count) : 0;
  range.width = width;
  f.registers.resize(f.registers.size() + count * width, type);
  if (!scopes_.back().registers.emplace(name, range).second)
    fail("register '" + shown(name) + "' is declared twice");
  if (scopes_.size() == 2 && width == 1) f.register_names.push_back({name, range.first, range.count});
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
    if (token_.kind == TokenKind::kEnd || token_.is('{') || token_.is('}'))
      fail("expected ';', found " + describe());
    if (!prototype && token_.kind == TokenKind::kWord) label.targets.push_back(token_.text);
    advance();
  }
  advance();
  f.labels.push_back(std::move(label));
}

// A label or an instruction.
void Parser::word_statement(Function& f) {
  const Token word = token_;
  const Mark start = mark();
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
  rewind(start);
  instruction(f, {});
}

void Parser::guarded_instruction(Function& f) {
  advance();
  Instruction in;
  in.guard_negated = accept('!');
  const std::string_view name = expect_word("a predicate");
  uint32_t reg = 0, width = 1;
  if (!find_register(name, &reg, &width)) fail("register '" + shown(name) + "' is not declared");
  if (f.registers[reg] != Type::kPred) fail("'" + shown(name) + "' is not a predicate");
  in.guard = static_cast<int>(reg);
  instruction(f, std::move(in));
}

// The opcode before us with its modifiers, between which there may be blanks.
std::string_view Parser::opcode() {
  if (token_.kind != TokenKind::kWord || is_directive())
    fail("expected an instruction, found " + describe());
  std::string_view whole = token_.text;
  std::string joined;
  for (advance(); is_directive(); advance()) {
    const std::string_view part = token_.text;
    if (joined.empty() && whole.data() + whole.size() == part.data()) {
      whole = {whole.data(), whole.size() + part.size()};
      continue;
    }
    if (joined.empty()) joined = whole;
    joined += part;
  }
  return joined.empty() ? whole : keep(std::move(joined));
}

void Parser::instruction(Function& f, Instruction in) {
  in.line = token_.line;
  in.location = location_;
  in.opcode = opcode();
  const std::string_view root = in.opcode.substr(0, in.opcode.find('.'));
  const bool call = root == "call";
  if (!token_.is(';')) {
    in.operands.push_back(operand(call));
    if (accept('|')) in.pair = operand(call);
    while (accept(',')) in.operands.push_back(operand(call));
  }
  expect(';');
  if (root == "ret") store_results(f, in);
  if (call) return pass_registers(f, std::move(in));
  f.code.push_back(std::move(in));
}

}  // namespace lockstep::emulator
