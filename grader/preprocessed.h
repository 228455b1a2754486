// SPDX-License-Identifier: Apache-2.0
// The output of the first preprocessor (gcc's), which the compiler's own preprocessor reads next.
// What the first made of the text is told by its line markers; where the second could make
// something else of it, that one is asked what it makes of it (build.cc does).
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
  int stretch = 0;  // lines with the same number have no other file's text between them
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

  // The text with `word` before each '#' that could begin a directive in the student's part, but
  // for pragmas, and with `word` defined as nothing: so there is none, each word in code is gone in
  // the second preprocessor's output, and each in a literal is there. Empty where nothing looks
  // like a directive, besides markers and pragmas, or like a line that is joined to the next.
  struct Trial {
    std::string text;
    int line = 0;           // the first such line of the student's file; 0: unknown
    bool too_long = false;  // cut off
  };
  Trial without_directives(const std::string& word) const;
  // `output` is what the second preprocessor makes of that. Nothing where it reads each line as the
  // first one did: markers in code, all else that looks like a directive in literals, and the same
  // text in the same lines, but for blanks; else the line of the student's file where it does not
  // (0: unknown).
  std::optional<int> first_read_otherwise(const std::string& output, const std::string& word) const;

 private:
  struct ChangedLine {
    std::string changed, read_again;  // with words; what the second preprocessor should say
    bool is_handed_on = false;
    int number = 0;  // of the line after it
    int place = 0;   // its own, in the student's file; 0: it is of another
  };
  // A line with `word` where it could have a directive. `before`: what precedes, and then follows.
  static std::string line_with_words(std::string_view line, const std::string& word, char* before);
  // Calls `visit(changed line, line)` for each line of the student's part; it returns false to
  // stop.
  template <typename Visit>
  void each_changed_line(const std::string& word, Visit visit) const;

  std::string text_;
  NameTest is_student_, is_known_;
  size_t begin_ = 0;
};

}  // namespace lockstep::grader
