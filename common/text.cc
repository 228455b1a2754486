// SPDX-License-Identifier: Apache-2.0
// Widths, padding and cleaning of text. See text.h.
#include "common/text.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

namespace lockstep {
namespace {

constexpr int kDefaultWidth = 80;
constexpr int kMaxWidth = 1000;

bool is_continuation(unsigned char c) { return (c & 0xC0) == 0x80; }

// Length of the UTF-8 character that starts at `at`; 0 where there is none.
size_t character_length(std::string_view text, size_t at) {
  const unsigned char c = static_cast<unsigned char>(text[at]);
  size_t length = 0;
  if (c < 0x80) return 1;
  if (c >= 0xC2 && c <= 0xDF) length = 2;
  if (c >= 0xE0 && c <= 0xEF) length = 3;
  if (c >= 0xF0 && c <= 0xF4) length = 4;
  if (length == 0 || at + length > text.size()) return 0;
  for (size_t i = 1; i < length; i++)
    if (!is_continuation(static_cast<unsigned char>(text[at + i]))) return 0;
  const unsigned char second = static_cast<unsigned char>(text[at + 1]);
  if ((c == 0xE0 && second < 0xA0) || (c == 0xED && second > 0x9F)) return 0;
  if ((c == 0xF0 && second < 0x90) || (c == 0xF4 && second > 0x8F)) return 0;
  return length;
}

// C1 controls and the marks that turn the direction of text around.
bool is_hidden(std::string_view character) {
  if (character.size() == 2)
    return character[0] == '\xC2' && static_cast<unsigned char>(character[1]) < 0xA0;
  if (character.size() != 3 || character[0] != '\xE2') return false;
  const unsigned char second = static_cast<unsigned char>(character[1]);
  const unsigned char third = static_cast<unsigned char>(character[2]);
  return (second == 0x80 &&
          ((third >= 0x8B && third <= 0x8F) || (third >= 0xA8 && third <= 0xAE))) ||
         (second == 0x81 && third >= 0xA0 && third <= 0xAF);
}

}  // namespace

int display_width(std::string_view utf8) {
  int width = 0;
  for (const char c : utf8)
    if (!is_continuation(static_cast<unsigned char>(c))) width++;
  return width;
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
  for (size_t i = 0; i < text.size();) {
    const size_t length = character_length(text, i);
    const unsigned char c = static_cast<unsigned char>(text[i]);
    const bool kept_control = keep_newlines && (c == '\n' || c == '\t');
    const bool control = (c < 0x20 && !kept_control) || c == 0x7F;
    if (length == 0 || control || is_hidden(text.substr(i, length)))
      out += '?';
    else
      out += text.substr(i, length);
    i += length == 0 ? 1 : length;
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

}  // namespace lockstep
