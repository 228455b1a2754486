// SPDX-License-Identifier: Apache-2.0
// Declarations of variables and their initial values.
#include <bit>

#include "emulator/ptx/parser_state.h"

namespace lockstep::emulator {

// What follows the state space: ".align 4 .b8 name[16]", ".u32 name", ".v4 .f32 name".
Variable Parser::variable(Space space) {
  Variable v;
  v.space = space;
  v.line = token_.line;
  uint64_t elements = 1;
  uint32_t alignment = 0;
  while (token_.kind == TokenKind::kWord && token_.text[0] == '.') {
    const std::string_view word = token_.text;
    advance();
    if (word == ".align") {
      const int64_t a = expect_integer("an alignment");
      if (a < 1 || a > (1 << 20) || (a & (a - 1)) != 0) fail("an alignment must be a power of two");
      alignment = static_cast<uint32_t>(a);
    } else if (word == ".v2" || word == ".v4" || word == ".v8") {
      elements = static_cast<uint64_t>(word[2] - '0');
    } else if (word == ".ptr" || word == ".global" || word == ".shared" || word == ".const" ||
               word == ".local" || word == ".attribute" || word == ".unified" ||
               word == ".managed") {
      // Says what a pointer points to; nothing depends on it.
    } else if (type_from_name(word.substr(1)) != Type::kNone) {
      v.type = type_from_name(word.substr(1));
    } else if (word == ".texref" || word == ".samplerref" || word == ".surfref") {
      fail("unsupported: textures and surfaces");
    } else {
      fail("unknown directive '" + shown(word) + "'");
    }
    if (word == ".attribute") {
      expect('(');
      while (!accept(')'))
        advance(), token_.kind == TokenKind::kEnd ? fail("')' is missing") : void();
    }
  }
  if (v.type == Type::kNone || v.type == Type::kPred) fail("a variable's type is missing");
  v.name = expect_word("a variable's name");
  v.bytes = elements * static_cast<uint64_t>(type_bytes(v.type));
  v.alignment = alignment != 0 ? alignment : static_cast<uint32_t>(v.bytes);
  dimensions(v);
  return v;
}

void Parser::dimensions(Variable& v) {
  while (accept('[')) {
    uint64_t count = 0;  // "[]": given at the launch
    if (!token_.is(']')) count = static_cast<uint64_t>(expect_integer("an array's size"));
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
  if (token_.kind == TokenKind::kWord) return symbol_initializer();
  Initializer value;
  const bool negative = accept('-');
  const Token number = token_;
  if (number.kind != TokenKind::kInteger && number.kind != TokenKind::kFloat32 &&
      number.kind != TokenKind::kFloat64)
    fail("expected an initial value, found " + describe());
  advance();
  if (number.kind == TokenKind::kInteger && token_.is('(')) {  // 0xFF00(symbol)
    advance();
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
  if (negative) {
    if (number.kind == TokenKind::kInteger)
      value.value = 0 - value.value;
    else
      value.value ^= uint64_t{1} << (type_bytes(v.type) * 8 - 1);
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
  if (accept('+'))
    value.value = static_cast<uint64_t>(expect_integer("an offset"));
  else if (token_.is('-'))
    value.value = static_cast<uint64_t>(expect_integer("an offset"));
  return value;
}

}  // namespace lockstep::emulator
