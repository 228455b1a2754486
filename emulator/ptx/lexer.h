// SPDX-License-Identifier: Apache-2.0
// Cuts PTX text into tokens, as ptxas does. A name keeps its dots ("ld.global.v4.f32", "%tid.x"),
// since opcodes and special registers are read whole; a word that begins with a dot ends at the
// next one (".reg.u64" is two). Nothing is copied: tokens point into the text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace lockstep::emulator {

enum class TokenKind : uint8_t { kEnd, kWord, kInteger, kFloat32, kFloat64, kString, kPunct };

struct Token {
  TokenKind kind = TokenKind::kEnd;
  char punct = 0;            // kPunct
  bool is_unsigned = false;  // kInteger: 7U
  int line = 1;              // 1-based
  uint64_t bits = 0;         // kInteger: the value; kFloat32, kFloat64: IEEE bits
  std::string_view text;     // kWord, kString (without quotes)

  bool is(char c) const { return kind == TokenKind::kPunct && punct == c; }
  bool is(std::string_view word) const { return kind == TokenKind::kWord && text == word; }
};

class Lexer {
 public:
  // name stands before ":LINE:" in errors.
  Lexer(std::string_view text, std::string name);
  // Throws Error on a character that PTX does not have.
  Token next();
  // Where the lexer is, to come back to.
  struct Place {
    size_t at = 0;
    int line = 1;
  };
  Place place() const { return {at_, line_}; }
  void seek(const Place& place) { at_ = place.at, line_ = place.line; }
  [[noreturn]] void fail(int line, const std::string& what) const;

 private:
  void skip_blanks();
  void skip_comment();
  bool line_marker();
  Token word();
  Token number();
  static bool integer(std::string_view digits, bool bits, Token* token);
  Token string();

  std::string_view text_;
  std::string name_;
  size_t at_ = 0;
  int line_ = 1;
};

// At most 40 characters of a token or name, printable, for messages.
std::string shown(std::string_view text);

}  // namespace lockstep::emulator
