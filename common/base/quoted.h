// SPDX-License-Identifier: Apache-2.0
// Text from outside in a report: compilers' messages, assertions, faults as a runner tells them,
// lines of a source, names of files. A Quoted can be shown in one way only, with kQuoteMark before
// each of its lines; no line of a report's own begins so. A name inside of a sentence of ours
// comes from shown_name().
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/base/text.h"

namespace lockstep {

inline constexpr char kQuoteMark[] = "    | ";

class Quoted {
 public:
  Quoted() = default;
  explicit Quoted(std::string text) : text_(std::move(text)) {}

  bool empty() const { return text_.empty(); }
  // As it came: to be kept or sent, not to be shown.
  const std::string& raw() const { return text_; }
  // Its lines, ended by any of the characters that end one in Unicode, with '?' for what is unfit
  // (text.h). Tabs are spaces, blank lines at the end are left out, and beyond 400 lines there is
  // one that says how many are missing.
  std::vector<std::string> lines() const;
  // The lines with the mark, each broken (at blanks) so that no terminal of `width` columns breaks
  // it itself: what follows such a break would stand at the start of a line.
  std::string marked(int width = 80) const;

 private:
  std::string text_;
};

// A name on one line, of at most so many columns (what is left out is "..."): as it is where it
// is of letters, digits and signs; else with \\, \" and \x1b for what is unfit, and in double
// quotes where it holds a blank. Uncut, different bytes are never shown alike: bytes that are no
// text in Unicode's normal form NFKC are all escaped but for ASCII, and so is what `hide` picks.
std::string shown_name(std::string_view bytes, int most_columns = 60,
                       const std::function<bool(const Character&)>& hide = {});

// The same for a sentence that a terminal may break: blanks, and signs beyond ASCII, which may look
// like them, are \x20 and the like, so that nothing of it, wherever it comes to stand, is words of
// ours.
std::string shown_word(std::string_view bytes, int most_columns = 60);

}  // namespace lockstep
