// SPDX-License-Identifier: Apache-2.0
// The output of the first preprocessor (gcc's), which the compiler's own preprocessor reads next.
// What the first made of the text is told by its line markers; where the second could make
// something else of it, the text is changed so that it would not compile then (build.cc asks).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::grader {

// Whether a file's name, as a tool says it, is one of some.
using NameTest = std::function<bool(const std::string&)>;

// A line of the output that is no marker, and where the markers say that it is from.
struct OutputLine {
  std::string_view text;
  size_t at = 0;  // its offset in the output
  std::string_view file;
  std::string_view kind;  // of the file: what follows the name in its markers
  int number = 0;
};

class Preprocessed {
 public:
  // `is_student`: the student's file, which begins at the first line marker that enters it. Throws
  // Error where there is none. `is_known`: a file that the preprocessor read; markers of others are
  // none.
  Preprocessed(std::string text, NameTest is_student, NameTest is_known);
  const std::string& text() const { return text_; }
  // Where the marker that enters the student's file is.
  size_t begin() const { return begin_; }

  // The lines from there on of files for which `is_of` holds, and of what these include, but for
  // blank ones; they point into this text.
  std::vector<OutputLine> lines(const NameTest& is_of) const;
  // The files that the student's file itself includes, in order.
  std::vector<std::string> included() const;
  // Whether a file of ours is entered again, after the student's text began.
  bool enters_again(const NameTest& is_ours) const;

  // `trial` is the output for a source with `word`, an empty macro, in some places. Nothing where
  // it is this output but for that word and blanks, and for neither in any marker; else the line of
  // the student's file where it is not (0: unknown).
  std::optional<int> first_difference(const std::string& trial, const std::string& word) const;

  // The text with no directive left in the student's part, besides markers and pragmas, and with no
  // line that the second preprocessor joins to the next: what is neither in a raw string is an
  // error then. Empty where nothing looks like one.
  std::string spoil_directives() const;

 private:
  std::string text_;
  NameTest is_student_, is_known_;
  size_t begin_ = 0;
};

}  // namespace lockstep::grader
