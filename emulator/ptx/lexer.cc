// SPDX-License-Identifier: Apache-2.0
// The lexer of PTX text.
#include "emulator/ptx/lexer.h"

#include <bit>
#include <charconv>

#include "common/base/error.h"

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
      skip_comment();
    } else if (c != '#' || !line_marker()) {
      return;
    }
  }
}

void Lexer::skip_comment() {
  const int start = line_;
  const size_t end = text_.find("*/", at_ + 2);
  if (end == std::string_view::npos) fail(start, "a comment is not closed");
  for (; at_ < end; ++at_) line_ += text_[at_] == '\n';
  at_ = end + 2;
}

// '# 100 "x"' numbers the lines that follow, as in ptxas's line table.
bool Lexer::line_marker() {
  constexpr int kMostLines = 1 << 28;
  const auto blank = [&](size_t i) {
    return i < text_.size() && (text_[i] == ' ' || text_[i] == '\t');
  };
  size_t at = at_ + 1;
  while (blank(at)) ++at;
  if (at >= text_.size() || !is_digit(text_[at])) return false;
  int64_t number = 0;
  for (; at < text_.size() && is_digit(text_[at]); ++at)
    if ((number = number * 10 + (text_[at] - '0')) > kMostLines)
      fail(line_, "a line number is too large");
  while (at < text_.size() && text_[at] != '\n') ++at;
  at_ = at;
  line_ = static_cast<int>(number) - 1;  // until the end of the line
  return true;
}

Token Lexer::next() {
  skip_blanks();
  Token token;
  token.line = line_;
  if (at_ >= text_.size()) return token;
  const char c = text_[at_];
  const char after = at_ + 1 < text_.size() ? text_[at_ + 1] : 0;
  if (is_digit(c) || (c == '.' && is_digit(after))) return number();
  if (is_letter(c) || (c == '.' && is_word(after))) return word();
  if (c == '"') return string();
  if (c == 0 || c < ' ' || c > '~') fail(line_, "unexpected byte in the text; is this PTX?");
  token.kind = TokenKind::kPunct;
  token.punct = c;
  ++at_;
  return token;
}

// Dots stay in a name, double colons in any word, where a word character follows: ".shared::cta".
Token Lexer::word() {
  Token token;
  token.kind = TokenKind::kWord;
  token.line = line_;
  const size_t begin = at_;
  const bool directive = text_[at_] == '.';
  auto peek = [&](size_t k) { return at_ + k < text_.size() ? text_[at_ + k] : '\0'; };
  ++at_;
  for (;;) {
    if (is_word(peek(0))) {
      ++at_;
    } else if (!directive && peek(0) == '.' && is_word(peek(1))) {
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

// What begins like a number and is none stays a word, which nothing declares.
Token Lexer::number() {
  Token token;
  token.line = line_;
  const size_t begin = at_;
  while (at_ < text_.size() && is_word(text_[at_])) ++at_;
  const std::string_view digits = text_.substr(begin, at_ - begin);
  const char mark = digits.size() > 1 && digits[0] == '0' ? char(digits[1] | 0x20) : 0;
  const bool bits = (mark == 'f' && digits.size() == 10) || (mark == 'd' && digits.size() == 18);
  const bool prefixed = bits || mark == 'x' || mark == 'b';
  const bool fraction = at_ < text_.size() && text_[at_] == '.' && !prefixed;
  bool good = false;
  if (fraction || (!prefixed && digits.find_first_of("eE") != std::string_view::npos)) {
    double value = 0;
    const char* const end = text_.data() + text_.size();
    const auto r = std::from_chars(text_.data() + begin, end, value);
    good = r.ec == std::errc() && (r.ptr == end || !is_word(*r.ptr));
    token.kind = TokenKind::kFloat64;
    token.bits = std::bit_cast<uint64_t>(value);
    if (good) at_ = static_cast<size_t>(r.ptr - text_.data());
  } else {
    token.kind = !bits         ? TokenKind::kInteger
                 : mark == 'f' ? TokenKind::kFloat32
                               : TokenKind::kFloat64;
    good = integer(digits, bits, &token);
  }
  if (good) return token;
  at_ = begin;
  return word();
}

bool Lexer::integer(std::string_view digits, bool bits, Token* token) {
  const char mark = digits.size() > 1 && digits[0] == '0' ? char(digits[1] | 0x20) : 0;
  if (!bits && (digits.back() == 'U' || digits.back() == 'u')) {
    digits.remove_suffix(1);
    token->is_unsigned = true;
  }
  const bool octal = digits.size() > 1 && digits[0] == '0';
  const int base = bits || mark == 'x' ? 16 : mark == 'b' ? 2 : octal ? 8 : 10;
  if (base == 16 || base == 2) digits.remove_prefix(2);
  const char* const end = digits.data() + digits.size();
  const auto r = std::from_chars(digits.data(), end, token->bits, base);
  return r.ec == std::errc() && r.ptr == end;
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
