// SPDX-License-Identifier: Apache-2.0
// Constant expressions: the operators of C on 64-bit integers and on doubles, casts (.s64) and
// (.u64). A value is a token: kInteger, kFloat32 (a number that stands alone) or kFloat64.
#include <bit>
#include <cmath>

#include "emulator/ptx/parser_state.h"

namespace lockstep::emulator {
namespace {

// By how tightly they bind, as in C.
struct Binary {
  std::string_view symbol;
  int level;
};
constexpr Binary kBinary[] = {
    {"||", 1}, {"&&", 2}, {"==", 6}, {"!=", 6}, {"<=", 7}, {">=", 7},
    {"<<", 8}, {">>", 8}, {"|", 3},  {"^", 4},  {"&", 5},  {"<", 7},
    {">", 7},  {"+", 9},  {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10},
};
constexpr int kAdditive = 9;

double real(const Token& t) {
  if (t.kind == TokenKind::kFloat64) return std::bit_cast<double>(t.bits);
  if (t.kind == TokenKind::kFloat32) return std::bit_cast<float>(static_cast<uint32_t>(t.bits));
  return t.is_unsigned ? static_cast<double>(t.bits) : static_cast<double>(int64_t(t.bits));
}

Token integer(uint64_t bits, bool is_unsigned = false) {
  Token t;
  t.kind = TokenKind::kInteger;
  t.bits = bits;
  t.is_unsigned = is_unsigned;
  return t;
}

Token real_token(double value) {
  Token t;
  t.kind = TokenKind::kFloat64;
  t.bits = std::bit_cast<uint64_t>(value);
  return t;
}

// What compares: a < b and so on; false where `symbol` is no comparison.
template <class T>
bool compare(std::string_view symbol, T a, T b, bool* result) {
  *result = symbol == "=="   ? a == b
            : symbol == "!=" ? a != b
            : symbol == "<"  ? a < b
            : symbol == ">"  ? a > b
            : symbol == "<=" ? a <= b
                             : a >= b;
  return symbol == "==" || symbol == "!=" || symbol == "<" || symbol == ">" || symbol == "<=" ||
         symbol == ">=";
}

}  // namespace

Token Parser::expression() { return conditional(0); }

// What follows a symbol: "+ 4 * 2"; the sign may have been read.
int64_t Parser::offset() {
  const Token value = binary(kAdditive, 0);
  if (value.kind != TokenKind::kInteger) fail("expected an integer");
  return static_cast<int64_t>(value.bits);
}

Token Parser::conditional(int depth) {
  if (depth > kMostDepth) fail("an expression is nested too deeply");
  const Token condition = binary(1, depth);
  if (!accept('?')) return condition;
  const Token yes = conditional(depth + 1);
  expect(':');
  const Token no = conditional(depth + 1);
  if (condition.kind != TokenKind::kInteger) fail("expected an integer");
  return condition.bits != 0 ? yes : no;
}

Token Parser::binary(int least, int depth) {
  if (depth > kMostDepth) fail("an expression is nested too deeply");
  Token left = unary(depth);
  for (;;) {
    const Mark before = mark();
    std::string_view symbol;
    const int level = binary_operator(&symbol);
    if (level < least) {
      rewind(before);
      return left;
    }
    left = apply(symbol, left, binary(level + 1, depth + 1));
  }
}

// Reads an operator of one or two characters; 0 where there is none.
int Parser::binary_operator(std::string_view* symbol) {
  if (token_.kind != TokenKind::kPunct) return 0;
  const char first = token_.punct;
  const Mark one = mark();
  for (const Binary& b : kBinary) {
    if (b.symbol[0] != first) continue;
    advance();
    *symbol = b.symbol;
    if (b.symbol.size() == 1) return b.level;
    if (accept(b.symbol[1])) return b.level;
    rewind(one);
  }
  return 0;
}

Token Parser::unary(int depth) {
  if (depth > kMostDepth) fail("an expression is nested too deeply");
  if (accept('+')) return unary(depth + 1);
  if (accept('-')) {
    Token t = unary(depth + 1);
    if (t.kind == TokenKind::kInteger) return integer(0 - t.bits, t.is_unsigned);
    t.bits ^= t.kind == TokenKind::kFloat32 ? 0x80000000u : uint64_t{1} << 63;
    return t;
  }
  const bool inverts = token_.is('~'), negates = token_.is('!');
  if (inverts || negates) {
    advance();
    const Token t = unary(depth + 1);
    if (t.kind != TokenKind::kInteger) fail("expected an integer");
    return inverts ? integer(~t.bits, t.is_unsigned) : integer(t.bits == 0);
  }
  if (accept('(')) {
    const bool to_unsigned = token_.is(".u64");
    if (to_unsigned || token_.is(".s64")) {
      advance();
      expect(')');
      const Token t = unary(depth + 1);
      if (t.kind != TokenKind::kInteger) fail("expected an integer");
      return integer(t.bits, to_unsigned);
    }
    const Token t = conditional(depth + 1);
    expect(')');
    return t;
  }
  if (accept("WARP_SZ")) return integer(32);
  const Token number = token_;
  if (number.kind != TokenKind::kInteger && number.kind != TokenKind::kFloat32 &&
      number.kind != TokenKind::kFloat64)
    fail("expected a value, found " + describe());
  advance();
  return number;
}

Token Parser::apply(std::string_view symbol, const Token& a, const Token& b) const {
  bool truth = false;
  if (a.kind != TokenKind::kInteger || b.kind != TokenKind::kInteger) {
    const double x = real(a), y = real(b);
    if (symbol == "+") return real_token(x + y);
    if (symbol == "-") return real_token(x - y);
    if (symbol == "*") return real_token(x * y);
    if (symbol == "/") return real_token(x / y);
    if (compare(symbol, x, y, &truth)) return integer(truth);
    fail("'" + std::string(symbol) + "' between numbers that are not integers");
  }
  const uint64_t x = a.bits, y = b.bits;
  const auto sx = static_cast<int64_t>(x), sy = static_cast<int64_t>(y);
  const bool u = a.is_unsigned || b.is_unsigned;
  if (u ? compare(symbol, x, y, &truth) : compare(symbol, sx, sy, &truth)) return integer(truth);
  if (symbol == "+") return integer(x + y, u);
  if (symbol == "-") return integer(x - y, u);
  if (symbol == "*") return integer(x * y, u);
  if (symbol == "&") return integer(x & y, u);
  if (symbol == "|") return integer(x | y, u);
  if (symbol == "^") return integer(x ^ y, u);
  if (symbol == "&&") return integer(x != 0 && y != 0);
  if (symbol == "||") return integer(x != 0 || y != 0);
  if (symbol == "<<" || symbol == ">>") {
    if (y > 63) fail("a shift by more than 63");
    if (symbol == "<<") return integer(x << y, a.is_unsigned);
    return a.is_unsigned ? integer(x >> y, true) : integer(static_cast<uint64_t>(sx >> y));
  }
  if (y == 0) fail("a division by zero");
  if (u) return integer(symbol == "/" ? x / y : x % y, true);
  if (sy == -1) return integer(symbol == "/" ? 0 - x : 0);
  return integer(static_cast<uint64_t>(symbol == "/" ? sx / sy : sx % sy));
}

}  // namespace lockstep::emulator
