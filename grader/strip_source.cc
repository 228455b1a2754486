// SPDX-License-Identifier: Apache-2.0
// Comments, literals and spliced lines, as the first phases of translation see them.
#include "grader/strip_source.h"

#include <cctype>
#include <string_view>

namespace lockstep::grader {
namespace {

// Source with comments and the contents of literals blanked and lines spliced, as the
// preprocessor sees directives. Newlines stay, so that line numbers hold.
class Stripper {
 public:
  explicit Stripper(const std::string& source) : s_(source) {}

  std::string run() {
    while (at_ < s_.size()) step();
    out_.append(pending_newlines_, '\n');
    return std::move(out_);
  }

 private:
  char peek(size_t ahead = 0) const { return at_ + ahead < s_.size() ? s_[at_ + ahead] : '\0'; }
  bool splice() {
    if (peek() != '\\') return false;
    size_t length = peek(1) == '\n' ? 2 : (peek(1) == '\r' && peek(2) == '\n') ? 3 : 0;
    if (length == 0) return false;
    at_ += length;
    ++pending_newlines_;
    return true;
  }
  void emit(char c) {
    if (c == '\n') {
      out_.append(pending_newlines_ + 1, '\n');
      pending_newlines_ = 0;
    } else {
      out_.push_back(c);
    }
  }
  void step() {
    if (splice()) return;
    if (peek() == '/' && peek(1) == '/') return line_comment();
    if (peek() == '/' && peek(1) == '*') return block_comment();
    if (peek() == '"' && follows_raw_prefix() && !directive()) return raw_string();
    if ((peek() == '"' || peek() == '\'') && !directive()) return literal(peek());
    emit(s_[at_++]);
  }
  // R, u8R, uR, UR or LR as a word of its own.
  bool follows_raw_prefix() const {
    size_t at = out_.size();
    while (at > 0 &&
           (std::isalnum(static_cast<unsigned char>(out_[at - 1])) || out_[at - 1] == '_'))
      --at;
    std::string_view word = std::string_view(out_).substr(at);
    return word == "R" || word == "u8R" || word == "uR" || word == "UR" || word == "LR";
  }
  // Within a directive quotes are kept: an #include's name is looked at.
  bool directive() const {
    size_t line = out_.rfind('\n');
    size_t first = out_.find_first_not_of(" \t\r", line + 1);
    return first != std::string::npos && (out_[first] == '#' || out_.compare(first, 2, "%:") == 0);
  }
  void line_comment() {
    while (at_ < s_.size() && s_[at_] != '\n')
      if (!splice()) ++at_;
  }
  void block_comment() {
    size_t end = s_.find("*/", at_ + 2);
    size_t stop = end == std::string::npos ? s_.size() : end + 2;
    for (; at_ < stop; ++at_)
      if (s_[at_] == '\n') ++pending_newlines_;
    emit(' ');
  }
  void raw_string() {
    size_t open = s_.find('(', at_);
    if (open == std::string::npos || open - at_ > 20) return literal('"');
    std::string close = ")" + s_.substr(at_ + 1, open - at_ - 1) + "\"";
    size_t end = s_.find(close, open);
    size_t stop = end == std::string::npos ? s_.size() : end + close.size();
    for (; at_ < stop; ++at_)
      if (s_[at_] == '\n') ++pending_newlines_;
    emit(' ');
  }
  void literal(char quote) {
    // 1'000'000 is no character.
    if (quote == '\'' && !out_.empty() && std::isalnum(static_cast<unsigned char>(out_.back()))) {
      ++at_;
      return;
    }
    ++at_;
    while (at_ < s_.size() && s_[at_] != quote && s_[at_] != '\n') {
      if (splice()) continue;
      at_ += s_[at_] == '\\' ? 2 : 1;
    }
    if (at_ < s_.size() && s_[at_] == quote) ++at_;
    emit(' ');
  }

  const std::string& s_;
  std::string out_;
  size_t at_ = 0;
  size_t pending_newlines_ = 0;
};

}  // namespace

std::string strip_source(const std::string& source) { return Stripper(source).run(); }

}  // namespace lockstep::grader
