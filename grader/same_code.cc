// SPDX-License-Identifier: Apache-2.0
// See same_code.h.
#include "grader/same_code.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace lockstep::grader {
namespace {

bool is_of_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '%' ||
         c == '.';
}

// Instructions and types are what they are. Of numbers, registers and the compiler's own names,
// which hold hashes in hexadecimal, figures that stand together are one.
void append_word(std::string_view word, std::string* to) {
  if (std::islower(static_cast<unsigned char>(word[0])) != 0 || word[0] == '.') {
    *to += word;
    return;
  }
  if (std::isdigit(static_cast<unsigned char>(word[0])) != 0) {
    *to += '0';
    return;
  }
  bool before = false;
  for (const char c : word) {
    const bool figure = std::isxdigit(static_cast<unsigned char>(c)) != 0;
    if (!figure || !before) *to += figure ? '0' : c;
    before = figure;
  }
}

// The next line that says what is done.
bool next_line(std::string_view* rest, std::string* line) {
  while (!rest->empty()) {
    const size_t end = std::min(rest->find('\n'), rest->size());
    std::string_view text = rest->substr(0, end);
    rest->remove_prefix(std::min(end + 1, rest->size()));
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    if (text.empty() || text.starts_with("//") || text.starts_with(".loc") ||
        text.starts_with(".file"))
      continue;
    line->clear();
    for (size_t i = 0; i < text.size();) {
      size_t end_of_word = i;
      while (end_of_word < text.size() && is_of_word(text[end_of_word])) ++end_of_word;
      if (end_of_word == i)
        *line += text[i++];
      else
        append_word(text.substr(i, end_of_word - i), line);
      i = std::max(i, end_of_word);
    }
    return true;
  }
  return false;
}

}  // namespace

bool is_same_code(std::string_view ptx, std::string_view other) {
  std::string line, other_line;
  for (;;) {
    const bool more = next_line(&ptx, &line), other_more = next_line(&other, &other_line);
    if (!more || !other_more) return more == other_more;
    if (line != other_line) return false;
  }
}

}  // namespace lockstep::grader
