// SPDX-License-Identifier: Apache-2.0
// Marking and escaping. See quoted.h.
#include "common/base/quoted.h"

#include <fmt/format.h>
#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "common/base/text.h"

namespace lockstep {
namespace {

constexpr size_t kMostLines = 400;
constexpr int kTabStop = 8;
constexpr int kLeastWidth = 20;
constexpr int kIndent = 2;               // of what goes on
constexpr size_t kMostNameBytes = 1024;  // to bring many marks into order takes their square

// The characters that the Unicode Standard (5.8, newline guidelines) lets end a line.
bool ends_line(uint32_t code) {
  return (code >= '\n' && code <= '\r') || code == 0x85 || code == 0x2028 || code == 0x2029;
}

// A letter with its marks, and the columns that it takes at most.
struct Letter {
  std::string bytes;
  int columns = 0;
};

std::vector<Letter> letters_of(const std::string& line) {
  std::vector<Letter> letters;
  Character c;
  for (size_t at = 0; next_character(line, &at, &c);) {
    if (c.kind != CharacterKind::kMark || letters.empty()) letters.emplace_back();
    letters.back().bytes += c.bytes;
    letters.back().columns += widest_columns(c);
  }
  return letters;
}

// Where the piece of at most `room` columns that begins there ends: before the last word that does
// not fit, or within that where it is longer than a line.
size_t end_of_piece(const std::vector<Letter>& letters, size_t begin, int room) {
  size_t blank = begin;
  bool word = false;
  for (size_t i = begin; i < letters.size(); i++) {
    room -= letters[i].columns;
    if (letters[i].bytes == " " && word) blank = i;
    if (room < 0) return blank > begin ? blank : std::max(i, begin + 1);
    word |= letters[i].bytes != " ";
  }
  return letters.size();
}

// Broken at blanks into pieces of at most `room` columns on any terminal; those that go on are
// indented. Marks stay with their letter.
std::vector<std::string> broken(const std::string& line, int room) {
  const std::vector<Letter> letters = letters_of(line);
  std::vector<std::string> pieces;
  for (size_t begin = 0; begin < letters.size() || pieces.empty();) {
    const int indent = pieces.empty() ? 0 : kIndent;
    const size_t end = end_of_piece(letters, begin, room - indent);
    pieces.emplace_back(static_cast<size_t>(indent), ' ');
    for (size_t i = begin; i < end; i++) pieces.back() += letters[i].bytes;
    for (begin = end; begin < letters.size() && letters[begin].bytes == " ";) begin++;
  }
  return pieces;
}

// Text that no other bytes are equivalent to.
bool is_normal(std::string_view bytes) {
  utf8proc_uint8_t* mapped = nullptr;
  const auto length = utf8proc_map(
      reinterpret_cast<const utf8proc_uint8_t*>(bytes.data()),
      static_cast<utf8proc_ssize_t>(bytes.size()), &mapped,
      static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT));
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(mapped, std::free);
  return length >= 0 &&
         bytes == std::string_view(reinterpret_cast<const char*>(mapped), size_t(length));
}

std::string escaped(std::string_view bytes) {
  std::string out;
  for (const char c : bytes) out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  return out;
}

// Letters, marks and figures; a sign beyond ASCII may look like a blank, or like one of ours.
bool is_of_words(uint32_t code) {
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(code))) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_NO:
      return true;
    default:
      return false;
  }
}

// One character of a name.
std::string shown(const Character& c, bool normal,
                  const std::function<bool(const Character&)>& hide) {
  if (hide && hide(c)) return escaped(c.bytes);
  if (c.code == '"' || c.code == '\\') return "\\" + std::string(c.bytes);
  const bool fit = c.kind != CharacterKind::kUnfit && (c.code < 0x80 || normal);
  return fit ? std::string(c.bytes) : escaped(c.bytes);
}

}  // namespace

std::vector<std::string> Quoted::lines() const {
  std::vector<std::string> all(1);
  size_t line = 1, filled = 0;  // the last that is not blank
  int width = 0;
  Character c;
  for (size_t at = 0; next_character(text_, &at, &c);) {
    if (ends_line(c.code)) {
      if (c.code == '\r' && at < text_.size() && text_[at] == '\n') continue;
      if (++line <= kMostLines) all.emplace_back();
      width = 0;
      c = Character();
      continue;
    }
    const bool tab = c.code == '\t';
    const std::string piece = tab ? std::string(size_t(kTabStop - width % kTabStop), ' ')
                              : c.kind == CharacterKind::kUnfit ? "?"
                                                                : std::string(c.bytes);
    width += tab ? static_cast<int>(piece.size()) : c.width;
    if (line <= kMostLines) all.back() += piece;
    if (c.code != ' ' && !tab) filled = line;
  }
  all.resize(std::min(filled, kMostLines));
  if (filled > kMostLines) all.push_back(fmt::format("... and {} more lines", filled - kMostLines));
  return all;
}

std::string Quoted::marked(int width) const {
  const int room = std::max(width, kLeastWidth) - static_cast<int>(sizeof kQuoteMark - 1);
  std::string out;
  for (const std::string& line : lines())
    for (const std::string& piece : broken(line, room))
      out += kQuoteMark + piece.substr(0, piece.find_last_not_of(' ') + 1) + "\n";
  return out;
}

std::string shown_name(std::string_view bytes, int most_columns,
                       const std::function<bool(const Character&)>& hide) {
  const std::string_view whole = bytes.substr(0, kMostNameBytes);
  const bool normal = is_normal(whole);
  std::string out;
  int width = 0;
  bool blank = whole.empty(), cut = whole.size() < bytes.size();
  Character c;
  for (size_t at = 0; !cut && next_character(whole, &at, &c);) {
    const std::string piece = shown(c, normal, hide);
    const int columns = std::max(widest_columns(piece), widest_columns(c));
    cut = width + columns > most_columns;
    if (cut) break;
    blank = blank || piece == " ";
    out += piece;
    width += columns;
  }
  if (cut) out += "...";
  return blank ? "\"" + out + "\"" : out;
}

std::string shown_word(std::string_view bytes, int most_columns) {
  return shown_name(bytes, most_columns, [](const Character& c) {
    return c.code == ' ' || (c.code >= 0x80 && !is_of_words(c.code));
  });
}

}  // namespace lockstep
