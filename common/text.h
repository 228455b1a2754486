// SPDX-License-Identifier: Apache-2.0
// Text on a terminal: its width in columns, what UTF-8 takes of it, and text that cannot do harm.
#pragma once

#include <string>
#include <string_view>

namespace lockstep {

// Characters of UTF-8 text, each taken to be one column wide.
int display_width(std::string_view utf8);

// Pads with spaces to a width in columns, on the left or the right.
std::string pad_left(std::string_view utf8, int width);
std::string pad_right(std::string_view utf8, int width);

// With '?' for control characters (but newline and tab if kept) and for bytes that are no UTF-8.
std::string printable(std::string_view text, bool keep_newlines = false);

// Columns of the terminal behind a file descriptor; else COLUMNS of the environment; else 80.
int terminal_width(int file_descriptor);
bool is_terminal(int file_descriptor);

// "'f<8,8>'": in single quotes for a shell where it holds anything a shell could take amiss.
std::string shell_quoted(const std::string& word);

}  // namespace lockstep
