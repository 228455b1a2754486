// SPDX-License-Identifier: Apache-2.0
// Text on a terminal: its width in columns, and text that cannot do harm. What a character is, is
// told by its general category in the Unicode Standard (libutf8proc), not by a list of ours.
// Text from outside that goes into a report: quoted.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lockstep {

// What of a character may be shown. Unfit are bytes that are no UTF-8, control and format
// characters, surrogates, private and unassigned ones, line and paragraph separators, spaces but
// the usual one, all that Unicode lets a reader ignore, what is written from right to left, and
// marks on nothing or on a letter that has three already.
enum class CharacterKind { kPlain, kMark, kUnfit };
inline constexpr uint32_t kNoCharacter = UINT32_MAX;  // a byte that is no UTF-8

struct Character {
  std::string_view bytes;
  uint32_t code = kNoCharacter;
  CharacterKind kind = CharacterKind::kUnfit;
  int width = 0;  // columns; of an unfit one, those of what stands in for it
  int marks = 0;  // that stand on the same letter, with this one
};

// Takes the character at *at and moves *at behind it; false at the end. *out is to be the one
// before, or a new one at the beginning.
bool next_character(std::string_view text, size_t* at, Character* out);

// Columns of UTF-8 text on most terminals; an unfit character counts as one.
int display_width(std::string_view utf8);

// Columns that no terminal exceeds: which characters are wide, and which take none, differs between
// terminals and versions of Unicode; beyond ASCII each may take two, a mark too.
int widest_columns(const Character& c);
int widest_columns(std::string_view utf8);

// Pads with spaces to a width in columns, on the left or the right.
std::string pad_left(std::string_view utf8, int width);
std::string pad_right(std::string_view utf8, int width);

// With '?' for unfit characters, but newline and tab if kept.
std::string printable(std::string_view text, bool keep_newlines = false);

// Where the line after `at` begins: behind the next "\n", "\r\n" or "\r", which end a line of
// source as gcc counts them; npos: there is none.
size_t next_source_line(std::string_view source, size_t at);

// Columns of the terminal behind a file descriptor; else COLUMNS of the environment; else 80.
int terminal_width(int file_descriptor);
bool is_terminal(int file_descriptor);

// "'f<8,8>'": in single quotes for a shell where it holds anything a shell could take amiss.
std::string shell_quoted(const std::string& word);

// The text's lines broken between words to `width` columns, those that are longer; what goes on is
// indented by `indent`.
std::string wrapped(const std::string& text, int width, int indent);

// A line that ends with a command, broken so that a shell takes it as it is: with a backslash at
// the ends, and not within single quotes.
std::string wrapped_command(const std::string& line, int width, int indent);

}  // namespace lockstep
