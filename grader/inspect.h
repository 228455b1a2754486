// SPDX-License-Identifier: Apache-2.0
// What the tools said of a submission, held against the homework's policy: the preprocessor's list
// of files, its output, and the survey of the PTX. C++ is never read here. Where a text could mean
// something that is not allowed, it is changed so that it would not compile if it did, and the
// compiler is asked (build.cc).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "grader/rubric.h"

namespace lockstep::grader {

struct Breach {
  int line = 0;  // of the student's file; 0: unknown
  std::string what;
};

// The files of a list in make's format, as gcc -MD writes it.
std::vector<std::string> parse_dependencies(const std::string& text);

// One place where a directive about lines (#line 7, # 7 "x.h") could stand.
struct LinePlace {
  int line = 0;
  std::vector<size_t> letters;  // where the bytes of its name are
};
// All of them, and more: comments and literals are not told apart from code.
std::vector<LinePlace> find_line_places(const std::string& source);
// The source with these places' names made the name of no directive. In a comment or a literal that
// is nothing to the preprocessor, in a directive an error.
std::string spoil_line_places(std::string source, const std::vector<LinePlace>& places);
// Whether a byte may be another one for that.
bool is_spoilt_byte(char before, char after);

// Whether a file's name, as a tool says it, is one of some.
using NameTest = std::function<bool(const std::string&)>;

// The preprocessor's output, to be handed to the compiler.
class Preprocessed {
 public:
  // `is_student`: the student's file, which begins at the first line marker that enters it. Throws
  // Error where there is none.
  Preprocessed(std::string text, NameTest is_student);
  const std::string& text() const { return text_; }

  // Whether a file of ours is entered again, after the student's text began.
  bool enters_again(const NameTest& is_ours) const;
  // Makes the words for assembly macros of the compiler's own preprocessor, just before the
  // student's text. Where the compiler heeds no such macros the text does not compile any more.
  void refuse_assembly();
  // Whether `spoilt`, the output for a source with its line places spoilt, is this one but for such
  // bytes, and for none of them in a marker of a file that `is_known`. Then all these markers are
  // what the preprocessor says without directives about lines.
  bool is_but_for_line_places(const std::string& spoilt, const NameTest& is_known) const;
  // The text with no directive left in the student's part, besides the preprocessor's own markers,
  // of files that `is_known`, and pragmas: where macros made one it is an error. Empty where
  // nothing looks like one.
  std::string spoil_directives(const NameTest& is_known) const;

 private:
  std::string text_;
  NameTest is_student_;
  size_t begin_ = 0;  // the line marker that enters the student's file
};

// What `lockstep-runner survey` prints.
struct Survey {
  struct Use {
    std::string name;
    std::vector<std::pair<std::string, int>> at;  // file and line, innermost first
  };
  std::string error;  // why the module cannot be read
  int64_t bytes = 0;
  std::vector<std::string> files;
  std::vector<Use> uses;
};
// Throws Error where it is none.
Survey parse_survey(const std::string& text);

std::vector<Breach> inspect_survey(const Survey& survey, const Policy& policy,
                                   const NameTest& is_student, const NameTest& is_known);

}  // namespace lockstep::grader
