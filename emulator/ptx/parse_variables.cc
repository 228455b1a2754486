// SPDX-License-Identifier: Apache-2.0
// Declarations of variables and their initial values.
#include <bit>

#include "emulator/ptx/parser_state.h"

namespace lockstep::emulator {

// What follows the state space, up to the names: ".align 4 .b8", ".u32", ".v4 .f32".
Variable Parser::declared_type(Space space) {
  Variable v;
  v.space = space;
  uint32_t elements = 1;
  bool pointed_to = false;  // what comes is what a pointer points to; nothing depends on it
  v.alignment = 0;
  while (is_directive()) {
    const std::string_view word = token_.text;
    advance();
    if (word == ".align") {
      const int64_t a = expect_integer("an alignment");
      if (a < 1 || a > (int64_t{1} << 31) || (a & (a - 1)) != 0)
        fail("an alignment must be a power of two");
      if (!pointed_to) v.alignment = static_cast<uint32_t>(a);
    } else if (word == ".v2" || word == ".v4" || word == ".v8") {
      elements = static_cast<uint32_t>(word[2] - '0');
    } else if (word == ".ptr") {
      pointed_to = true;
    } else if (word == ".attribute") {
      expect('(');
      while (!accept(')')) {
        if (token_.kind == TokenKind::kEnd) fail("')' is missing");
        advance();
      }
    } else if (type_from_name(word.substr(1)) != Type::kNone) {
      v.type = type_from_name(word.substr(1));
    } else if (word == ".texref" || word == ".samplerref" || word == ".surfref") {
      fail("textures and surfaces");
    } else if (!pointed_to || (word != ".global" && word != ".shared" && word != ".const" &&
                               word != ".local" && word != ".param")) {
      fail("unknown directive '" + shown(word) + "'");
    }
  }
  if (v.type == Type::kNone || v.type == Type::kPred) fail("a variable's type is missing");
  v.element_bytes = elements * static_cast<uint32_t>(type_bytes(v.type));
  if (v.alignment == 0) v.alignment = v.element_bytes;
  return v;
}

// "name", "name[16]", "name<100>": that many variables with a number each.
void Parser::declarator(Variable& v, uint64_t* numbered) {
  v.line = token_.line;
  v.name = expect_word("a variable's name");
  v.bytes = v.element_bytes;
  if (accept('<')) {
    *numbered = static_cast<uint64_t>(expect_integer("a number of variables"));
    expect('>');
    if (*numbered == 0 || *numbered > kMostNumbered || (numbered_ += *numbered) > kMostNumbered)
      fail("more than " + std::to_string(kMostNumbered) + " variables with a number");
  }
  dimensions(v);
}

// Declarations of one type: ".u32 a, b[3] = {1, 2}, c = 5;"
void Parser::declare(Space space, const std::function<void(Variable)>& add) {
  const Variable type = declared_type(space);
  do {
    Variable v = type;
    uint64_t numbered = 0;
    declarator(v, &numbered);
    initializers(v);
    if (numbered == 0) add(v);
    for (uint64_t i = 0; i < numbered; ++i) {
      Variable one = v;
      one.name = keep(std::string(v.name) + std::to_string(i));
      add(std::move(one));
    }
  } while (accept(','));
  expect(';');
}

void Parser::dimensions(Variable& v) {
  while (accept('[')) {
    uint64_t count = 0;  // "[]": given at the launch
    if (!token_.is(']')) count = static_cast<uint64_t>(offset());
    expect(']');
    if (count > kMostVariableBytes || v.bytes * count > kMostVariableBytes)
      fail("'" + shown(v.name) + "' is larger than 1 GiB");
    v.bytes *= count;
  }
}

// "= {1, {2, 3}}": nested braces only group.
void Parser::initializers(Variable& v) {
  if (!accept('=')) return;
  const uint64_t most = v.bytes / static_cast<uint64_t>(type_bytes(v.type));
  size_t depth = 0;
  do {
    while (accept('{')) ++depth;
    if (!token_.is('}')) {
      if (v.initial.size() >= most && v.bytes > 0)
        fail("'" + shown(v.name) + "' has more initial values than elements");
      v.initial.push_back(initializer(v));
    }
    while (depth > 0 && accept('}')) --depth;
  } while (depth > 0 && accept(','));
  if (depth > 0) fail("expected '}', found " + describe());
  if (v.bytes == 0) v.bytes = v.initial.size() * static_cast<uint64_t>(type_bytes(v.type));
}

Initializer Parser::initializer(const Variable& v) {
  if (token_.kind == TokenKind::kWord && !token_.is("WARP_SZ")) return symbol_initializer();
  Initializer value;
  const Token number = expression();
  if (number.kind == TokenKind::kInteger && accept('(')) {  // 0xFF00(symbol)
    value = symbol_initializer();
    expect(')');
    uint64_t mask = number.bits;
    if (mask == 0) fail("bad mask of an address");
    value.masked = true;
    for (; (mask & 0xff) == 0; mask >>= 8) value.shift += 8;
    return value;
  }
  value.value = number.bits;
  if (number.kind == TokenKind::kFloat64 && v.type == Type::kF32) {
    const float f = static_cast<float>(std::bit_cast<double>(number.bits));
    value.value = std::bit_cast<uint32_t>(f);
  }
  return value;
}

Initializer Parser::symbol_initializer() {
  Initializer value;
  value.symbol = expect_word("a symbol");
  if (value.symbol == "generic" && accept('(')) {
    value.generic = true;
    value.symbol = expect_word("a symbol");
    expect(')');
  }
  if (accept('+') || token_.is('-')) value.value = static_cast<uint64_t>(offset());
  return value;
}

}  // namespace lockstep::emulator
