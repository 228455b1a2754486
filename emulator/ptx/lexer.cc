// SPDX-License-Identifier: Apache-2.0
// The lexer of PTX text.
#include "emulator/ptx/lexer.h"

#include <bit>
#include <charconv>

#include "common/error.h"

namespace lockstep::emulator {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '%';
}
bool is_word(char c) { return is_letter(c) || is_digit(c); }

}  // namespace

std::string shown(std::string_view text) {
  std::string out;
  for (char c : text.substr(0, 40)) out += c >= ' ' && c < 127 ? c : '?';
  if (text.size() > 40) out += "...";
  return out;
}

Lexer::Lexer(std::string_view text, std::string name) : text_(text), name_(std::move(name)) {}

void Lexer::fail(int line, const std::string& what) const {
  throw Error(name_ + ":" + std::to_string(line) + ": " + what);
}

void Lexer::skip_blanks() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    const char next = at_ + 1 < text_.size() ? text_[at_ + 1] : 0;
    if (c == '\n') {
      ++line_, ++at_;
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
      ++at_;
    } else if (c == '/' && next == '/') {
      while (at_ < text_.size() && text_[at_] != '\n') ++at_;
    } else if (c == '/' && next == '*') {
      const int start = line_;
      const size_t end = text_.find("*/", at_ + 2);
      if (end == std::string_view::npos) fail(start, "a comment is not closed");
      for (; at_ < end; ++at_) line_ += text_[at_] == '\n';
      at_ = end + 2;
    } else {
      return;
    }
  }
}

Token Lexer::next() {
  skip_blanks();
  Token token;
  token.line = line_;
  if (at_ >= text_.size()) return token;
  const char c = text_[at_];
  const char after = at_ + 1 < text_.size() ? text_[at_ + 1] : 0;
  if (is_digit(c)) return number();
  if (is_letter(c) || (c == '.' && is_word(after))) return word();
  if (c == '"') return string();
  if (c == 0 || c < ' ' || c > '~') fail(line_, "unexpected byte in the text; is this PTX?");
  token.kind = TokenKind::kPunct;
  token.punct = c;
  ++at_;
  return token;
}

// Dots and double colons stay in a word where a word character follows: ".shared::cta".
Token Lexer::word() {
  Token token;
  token.kind = TokenKind::kWord;
  token.line = line_;
  const size_t begin = at_;
  auto peek = [&](size_t k) { return at_ + k < text_.size() ? text_[at_ + k] : '\0'; };
  ++at_;
  for (;;) {
    if (is_word(peek(0))) {
      ++at_;
    } else if (peek(0) == '.' && is_word(peek(1))) {
      at_ += 2;
    } else if (peek(0) == ':' && peek(1) == ':' && is_word(peek(2))) {
      at_ += 3;
    } else {
      break;
    }
  }
  token.text = text_.substr(begin, at_ - begin);
  return token;
}

Token Lexer::number() {
  Token token;
  token.line = line_;
  const size_t begin = at_;
  while (at_ < text_.size() && is_word(text_[at_])) ++at_;
  std::string_view digits = text_.substr(begin, at_ - begin);
  auto hex = [&](std::string_view d) {
    const auto r = std::from_chars(d.data(), d.data() + d.size(), token.bits, 16);
    return r.ec == std::errc() && r.ptr == d.data() + d.size();
  };
  const char mark = digits.size() > 1 && digits[0] == '0' ? char(digits[1] | 0x20) : 0;
  if ((mark == 'f' && digits.size() == 10) || (mark == 'd' && digits.size() == 18)) {
    token.kind = mark == 'f' ? TokenKind::kFloat32 : TokenKind::kFloat64;
    if (!hex(digits.substr(2))) fail(line_, "bad number '" + shown(digits) + "'");
    return token;
  }
  const bool fraction = at_ + 1 < text_.size() && text_[at_] == '.' && is_digit(text_[at_ + 1]);
  const bool exponent = mark != 'x' && digits.find_first_of("eE") != std::string_view::npos;
  if (fraction || exponent) {
    double value = 0;
    const auto r = std::from_chars(text_.data() + begin, text_.data() + text_.size(), value);
    if (r.ec != std::errc()) fail(line_, "bad number '" + shown(digits) + "'");
    at_ = r.ptr - text_.data();
    token.kind = TokenKind::kFloat64;
    token.bits = std::bit_cast<uint64_t>(value);
    return token;
  }
  token.kind = TokenKind::kInteger;
  if (digits.back() == 'U' || digits.back() == 'u') digits.remove_suffix(1);
  int base = 10;
  if (mark == 'x')
    base = 16, digits.remove_prefix(2);
  else if (mark == 'b')
    base = 2, digits.remove_prefix(2);
  else if (digits.size() > 1 && digits[0] == '0')
    base = 8, digits.remove_prefix(1);
  const auto r = std::from_chars(digits.data(), digits.data() + digits.size(), token.bits, base);
  if (r.ec != std::errc() || r.ptr != digits.data() + digits.size())
    fail(line_, "bad number '" + shown(text_.substr(begin, at_ - begin)) + "'");
  return token;
}

Token Lexer::string() {
  Token token;
  token.kind = TokenKind::kString;
  token.line = line_;
  const size_t begin = ++at_;
  while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n')
    at_ += text_[at_] == '\\' && at_ + 1 < text_.size() && text_[at_ + 1] != '\n' ? 2 : 1;
  if (at_ >= text_.size() || text_[at_] != '"') fail(line_, "a string is not closed");
  token.text = text_.substr(begin, at_ - begin);
  ++at_;
  return token;
}

}  // namespace lockstep::emulator
