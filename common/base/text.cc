// SPDX-License-Identifier: Apache-2.0
// Widths, padding and cleaning of text. See text.h.
#include "common/base/text.h"

#include <sys/ioctl.h>
#include <unistd.h>
#include <utf8proc.h>

#include <cstdlib>
#include <sstream>

namespace lockstep {
namespace {

constexpr int kDefaultWidth = 80;
constexpr int kMaxWidth = 1000;
constexpr int kMostMarks = 3;  // on one letter; no language needs more

// Marks stand on the letter before them; a flood of them covers the lines around.
bool is_mark(utf8proc_category_t category) {
  return category == UTF8PROC_CATEGORY_MN || category == UTF8PROC_CATEGORY_MC ||
         category == UTF8PROC_CATEGORY_ME;
}

// Numbers and everything else that is written from right to left turns what stands around it.
bool turns_direction(const utf8proc_property_t& property) {
  switch (property.bidi_class) {
    case UTF8PROC_BIDI_CLASS_R:
    case UTF8PROC_BIDI_CLASS_AL:
    case UTF8PROC_BIDI_CLASS_AN:
      return true;
    default:
      return false;
  }
}

CharacterKind kind_of(utf8proc_int32_t code) {
  const utf8proc_property_t& property = *utf8proc_get_property(code);
  const auto category = static_cast<utf8proc_category_t>(property.category);
  if (code == ' ') return CharacterKind::kPlain;
  switch (category) {
    case UTF8PROC_CATEGORY_CN:
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_CO:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
    case UTF8PROC_CATEGORY_ZS:
      return CharacterKind::kUnfit;
    default:
      break;
  }
  if (property.ignorable || turns_direction(property)) return CharacterKind::kUnfit;
  return is_mark(category) ? CharacterKind::kMark : CharacterKind::kPlain;
}

}  // namespace

bool next_character(std::string_view text, size_t* at, Character* out) {
  if (*at >= text.size()) return false;
  utf8proc_int32_t code = 0;
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data()) + *at;
  const auto length =
      utf8proc_iterate(bytes, static_cast<utf8proc_ssize_t>(text.size() - *at), &code);
  const int marks = out->kind == CharacterKind::kMark ? out->marks : 0;
  const bool has_base = !out->bytes.empty() && out->kind != CharacterKind::kUnfit;
  out->bytes = text.substr(*at, length > 0 ? static_cast<size_t>(length) : 1);
  out->code = length > 0 ? static_cast<uint32_t>(code) : kNoCharacter;
  out->kind = length > 0 ? kind_of(code) : CharacterKind::kUnfit;
  out->marks = out->kind == CharacterKind::kMark ? marks + 1 : 0;
  if (out->kind == CharacterKind::kMark && (!has_base || out->marks > kMostMarks))
    out->kind = CharacterKind::kUnfit;
  out->width = out->kind == CharacterKind::kUnfit ? 1 : utf8proc_charwidth(code);
  *at += out->bytes.size();
  return true;
}

int display_width(std::string_view utf8) {
  int width = 0;
  Character c;
  for (size_t at = 0; next_character(utf8, &at, &c);) width += c.width;
  return width;
}

int widest_columns(const Character& c) {
  return c.kind == CharacterKind::kUnfit || c.code < 0x80 ? 1 : 2;
}

int widest_columns(std::string_view utf8) {
  int columns = 0;
  Character c;
  for (size_t at = 0; next_character(utf8, &at, &c);) columns += widest_columns(c);
  return columns;
}

std::string pad_left(std::string_view utf8, int width) {
  const int missing = width - display_width(utf8);
  return std::string(missing > 0 ? missing : 0, ' ') + std::string(utf8);
}

std::string pad_right(std::string_view utf8, int width) {
  const int missing = width - display_width(utf8);
  return std::string(utf8) + std::string(missing > 0 ? missing : 0, ' ');
}

std::string printable(std::string_view text, bool keep_newlines) {
  std::string out;
  Character c;
  for (size_t at = 0; next_character(text, &at, &c);) {
    const bool kept_control = keep_newlines && (c.code == '\n' || c.code == '\t');
    if (c.kind == CharacterKind::kUnfit && !kept_control)
      out += '?';
    else
      out += c.bytes;
  }
  return out;
}

int terminal_width(int file_descriptor) {
  winsize size{};
  if (ioctl(file_descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  const char* columns = std::getenv("COLUMNS");
  if (columns != nullptr && *columns != '\0') {
    char* end = nullptr;
    const long width = std::strtol(columns, &end, 10);
    if (*end == '\0' && width > 0 && width <= kMaxWidth) return static_cast<int>(width);
  }
  return kDefaultWidth;
}

bool is_terminal(int file_descriptor) { return isatty(file_descriptor) == 1; }

std::string shell_quoted(const std::string& word) {
  static constexpr char kSafe[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./:=,@%";
  if (!word.empty() && word.find_first_not_of(kSafe) == std::string::npos) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

size_t next_source_line(std::string_view source, size_t at) {
  const size_t end = source.find_first_of("\r\n", at);
  if (end == std::string_view::npos) return end;
  return end + (source.substr(end, 2) == "\r\n" ? 2 : 1);
}

std::string wrapped(const std::string& text, int width, int indent) {
  std::istringstream lines(text);
  std::string out;
  for (std::string line; std::getline(lines, line);) {
    if (display_width(line) <= width) {
      out += line + "\n";
      continue;
    }
    const size_t first = line.find_first_not_of(' ');
    std::string row = line.substr(0, first == std::string::npos ? 0 : first);
    const std::string next = row + std::string(static_cast<size_t>(indent), ' ');
    std::istringstream words(line);
    bool begun = false;
    for (std::string word; words >> word; begun = true) {
      if (begun && row.size() + 1 + word.size() > static_cast<size_t>(width)) {
        out += row + "\n";
        row = next + word;
      } else {
        row += (begun ? " " : "") + word;
      }
    }
    out += row + "\n";
  }
  return out;
}

std::string wrapped_command(const std::string& line, int width, int indent) {
  std::string out, row, word;
  bool quoted = false, begun = false;
  const std::string next(static_cast<size_t>(indent), ' ');
  const auto put = [&] {
    if (begun && display_width(row + " " + word) + 2 > width) {
      out += row + " \\\n";
      row = next + word;
    } else {
      row += (row.empty() ? "" : " ") + word;
    }
    begun |= !word.empty();
    word.clear();
  };
  if (display_width(line) <= width) return line + "\n";
  for (const char c : line) {
    if (c == '\'') quoted = !quoted;
    if (c == ' ' && !quoted && (begun || !word.empty()))
      put();
    else
      word += c;
  }
  put();
  return out + row + "\n";
}

}  // namespace lockstep
