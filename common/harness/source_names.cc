// SPDX-License-Identifier: Apache-2.0
// See source_names.h. No parser: what it takes for a name and is no variable, nobody finds.
#include "common/harness/source_names.h"

#include <algorithm>
#include <cctype>

namespace lockstep {
namespace {

constexpr int kMostContinued = 6;  // lines of a statement

bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)); }

// Behind a literal that begins at `at`, or at the end of its line.
size_t after_literal(std::string_view text, size_t at) {
  const char quote = text[at];
  for (++at; at < text.size() && text[at] != quote && text[at] != '\n'; ++at)
    if (text[at] == '\\') ++at;
  return std::min(at + (at < text.size() && text[at] == quote), text.size());
}

// With blanks for comments and literals; lines stay where they are.
std::string code_of(std::string_view source) {
  std::string code(source);
  const auto blank = [&](size_t from, size_t to) {
    for (size_t i = from; i < std::min(to, code.size()); ++i)
      if (code[i] != '\n') code[i] = ' ';
  };
  for (size_t at = 0; at < source.size();) {
    const std::string_view two = source.substr(at, 2);
    size_t end = at + 1;
    if (two == "//")
      blank(at, end = std::min(source.find('\n', at), source.size()));
    else if (two == "/*")
      blank(at, end = std::min(source.find("*/", at + 2), source.size() - 2) + 2);
    else if (source[at] == '"' || (source[at] == '\'' && (at == 0 || !is_letter(source[at - 1]))))
      blank(at, end = after_literal(source, at));
    at = end;
  }
  return code;
}

// npos: there is no such line.
size_t begin_of(std::string_view source, int line) {
  size_t begin = 0;
  for (int i = 1; i < line && begin != std::string_view::npos; ++i) {
    begin = source.find('\n', begin);
    if (begin != std::string_view::npos) ++begin;
  }
  return begin;
}

// The line and those in which its statement goes on.
std::string_view statement_at(std::string_view code, int line) {
  const size_t begin = begin_of(code, line);
  if (begin == std::string_view::npos) return {};
  size_t end = begin;
  for (int i = 0; i < kMostContinued && end < code.size(); ++i) {
    end = std::min(code.find('\n', end), code.size() - 1) + 1;
    if (code.substr(begin, end - begin).find_first_of(";{}") != std::string_view::npos) break;
  }
  return code.substr(begin, end - begin);
}

size_t skip_blanks(std::string_view text, size_t at) {
  while (at < text.size() && is_blank(text[at])) ++at;
  return at;
}
size_t skip_word(std::string_view text, size_t at) {
  while (at < text.size() && is_letter(text[at])) ++at;
  return at;
}

// Behind what is indexed or picked of the name that ends at `at`.
size_t after_parts(std::string_view text, size_t at) {
  for (;;) {
    const size_t next = skip_blanks(text, at);
    const std::string_view rest = text.substr(std::min(next, text.size()));
    if (rest.starts_with("[")) {
      int depth = 0;
      size_t end = next;
      for (; end < text.size(); ++end) {
        depth += text[end] == '[';
        depth -= text[end] == ']';
        if (depth == 0) break;
      }
      if (end >= text.size()) return at;
      at = end + 1;
    } else if (rest.starts_with("->") || rest.starts_with(".")) {
      const size_t begin = skip_blanks(text, next + (rest[0] == '.' ? 1 : 2));
      const size_t end = skip_word(text, begin);
      const size_t after = skip_blanks(text, end);
      if (begin == end || (after < text.size() && text[after] == '(')) return at;
      at = end;
    } else {
      return at;
    }
  }
}

// With one blank for several.
std::string squeezed(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (!is_blank(c))
      out += c;
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  return out;
}

bool is_member(std::string_view text, size_t at) {
  while (at > 0 && is_blank(text[at - 1])) --at;
  const std::string_view before = text.substr(0, at);
  return before.ends_with("->") || before.ends_with(".") || before.ends_with("::");
}

}  // namespace

std::vector<std::string> names_of_line(std::string_view source, int line) {
  const std::string code = code_of(source);
  const std::string_view text = statement_at(code, line);
  std::vector<std::string> names;
  for (size_t at = 0; at < text.size();) {
    const size_t end = skip_word(text, at);
    if (end == at) {
      ++at;
      continue;
    }
    const size_t next = skip_blanks(text, end);
    const bool called = next < text.size() && text[next] == '(';
    const bool number = std::isdigit(static_cast<unsigned char>(text[at])) != 0;
    if (!called && !number && !is_member(text, at)) {
      std::string name = squeezed(text.substr(at, after_parts(text, end) - at));
      if (std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(std::move(name));
    }
    at = end;
  }
  return names;
}

std::string source_line(std::string_view source, int line) {
  const size_t begin = begin_of(source, line);
  if (begin == std::string_view::npos) return {};
  return std::string(source.substr(begin, source.find('\n', begin) - begin));
}

int count_lines(std::string_view source) {
  const auto ends = std::count(source.begin(), source.end(), '\n');
  return static_cast<int>(ends) + (!source.empty() && source.back() != '\n');
}

}  // namespace lockstep
