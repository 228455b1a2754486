// SPDX-License-Identifier: Apache-2.0
// The first preprocessor's output, line by line. See preprocessed.h.
#include "grader/preprocessed.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "common/base/error.h"

namespace lockstep::grader {
namespace {

constexpr char kBegin[] = "begin_";  // and the word: where the student's part begins
constexpr size_t kMostTrialBytes = 64 << 20;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// # LINE "NAME" FLAGS, from the beginning of a line; a line that reads like one of a file that is
// not known is text, in a raw string for instance.
struct Marker {
  int number = 0;
  std::string name;
  std::string_view shown;  // the name in the text
  std::string_view kind;   // the flags, but for those that follow
  bool enters = false, leaves = false;
};

std::optional<Marker> read_marker(std::string_view line, const NameTest& is_known) {
  if (line.substr(0, 2) != "# ") return {};
  size_t at = 2;
  while (at < line.size() && is_digit(line[at])) ++at;
  if (at == 2 || line.substr(at, 2) != " \"") return {};
  const size_t close = line.find('"', at + 2);
  if (close == std::string_view::npos) return {};
  Marker marker;
  std::from_chars(line.data() + 2, line.data() + at, marker.number);
  marker.shown = line.substr(at + 2, close - at - 2);
  marker.name = marker.shown;
  marker.kind = line.substr(close + 1);
  for (at = close + 1; at < line.size(); at += 2)
    if (line[at] != ' ' || at + 1 == line.size() || !is_digit(line[at + 1])) return {};
  marker.enters = marker.kind.substr(0, 2) == " 1";
  marker.leaves = marker.kind.substr(0, 2) == " 2";
  if (marker.enters || marker.leaves) marker.kind.remove_prefix(2);
  if (!is_known(marker.name)) return {};
  return marker;
}

// Calls `visit(offset, line)` for each line from `from` on; it returns false to stop.
template <typename Visit>
void each_line(std::string_view text, size_t from, Visit visit) {
  for (size_t at = from; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    if (!visit(at, text.substr(at, end - at))) return;
    at = end + 1;
  }
}

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\f\v\r") == std::string_view::npos;
}

// Without a word, and without blanks if told so.
std::string without(std::string_view line, const std::string& word, bool blanks) {
  std::string out;
  for (size_t i = 0; i < line.size(); ++i) {
    if (!word.empty() && line.compare(i, word.size(), word) == 0)
      i += word.size() - 1;
    else if (!blanks || !is_blank(line.substr(i, 1)))
      out += line[i];
  }
  return out;
}

// What begins with '#' could be a marker for us and the compiler, so that each blank counts; a
// marker is as it is.
bool is_same_but_for(const std::string& word, std::string_view line, std::string_view other,
                     const NameTest& is_known) {
  for (std::string_view each : {line, other})
    if (read_marker(each, is_known)) return false;
  const bool blanks = line.substr(0, 1) != "#" && other.substr(0, 1) != "#";
  return without(line, word, blanks) == without(other, word, blanks);
}

// Whether the backslash at `i` joins its line to the next, as the second preprocessor sees it.
bool joins(std::string_view line, size_t i) {
  if (line[i] != '\\') return false;
  size_t end = i + 1;
  while (end < line.size() && line[end] >= '\0' && line[end] <= ' ' && line[end] != '\r') ++end;
  return end == line.size() || line[end] == '\r';
}

bool has_join(std::string_view line) {
  for (size_t i = line.find('\\'); i != line.npos; i = line.find('\\', i + 1))
    if (joins(line, i)) return true;
  return false;
}

// Whether a comment or a raw string could begin in the line, beside its literals, and so end in
// another one. Where it is not plain what is a literal, it could.
bool opens_what_may_go_on(std::string_view line) {
  if (line.find("/*") == std::string_view::npos && line.find("R\"") == std::string_view::npos)
    return false;
  if (line.find_first_of("\r\f\v") != std::string_view::npos) return true;
  for (size_t i = 0; i < line.size(); ++i) {
    const std::string_view pair = line.substr(i, 2);
    if (pair == "/*" || pair == "R\"" || std::string_view("'\\<").find(line[i]) != pair.npos)
      return true;
    if (line[i] != '"') continue;
    for (++i; i < line.size() && line[i] != '"'; ++i)
      if (line[i] == '\\') ++i;
    if (i >= line.size()) return true;
  }
  return false;
}

// gcc hands these directives on; it puts a blank before any other '#' at the start of a line. They
// stay what they are unless the second preprocessor could read on behind the line's end: in a
// comment, a raw string or a line that is joined.
bool is_handed_on(std::string_view line) {
  if (line.substr(0, 7) != "#pragma" && line.substr(0, 8) != "#ident \"") return false;
  return !has_join(line) && !opens_what_may_go_on(line);
}

}  // namespace

Preprocessed::Preprocessed(std::string text, NameTest is_student, NameTest is_known)
    : text_(std::move(text)), is_student_(std::move(is_student)), is_known_(std::move(is_known)) {
  bool found = false;
  each_line(text_, 0, [&](size_t at, std::string_view line) {
    const auto marker = read_marker(line, is_known_);
    found = marker && marker->enters && is_student_(marker->name);
    begin_ = at;
    return !found;
  });
  if (!found) throw Error("the preprocessor does not say where the submission begins");
}

std::vector<OutputLine> Preprocessed::lines(const NameTest& is_of) const {
  std::vector<OutputLine> lines;
  std::vector<bool> inside = {false};
  OutputLine next;
  each_line(text_, begin_, [&](size_t at, std::string_view line) {
    if (const auto marker = read_marker(line, is_known_)) {
      if (marker->enters) inside.push_back(inside.back() || is_of(marker->name));
      if (marker->leaves && inside.size() > 1) inside.pop_back();
      if (marker->enters || marker->leaves || marker->shown != next.file) ++next.stretch;
      next.file = marker->shown;
      next.kind = marker->kind;
      next.number = marker->number;
      return true;
    }
    next.text = line;
    next.at = at;
    if (inside.back() && !is_blank(line)) lines.push_back(next);
    ++next.number;
    return true;
  });
  return lines;
}

std::vector<std::string> Preprocessed::included() const {
  std::vector<std::string> files;
  bool of_student = false;
  each_line(text_, begin_, [&](size_t, std::string_view line) {
    const auto marker = read_marker(line, is_known_);
    if (!marker) return true;
    if (marker->enters && of_student) files.push_back(marker->name);
    of_student = is_student_(marker->name);
    return true;
  });
  return files;
}

bool Preprocessed::enters_again(const NameTest& is_ours) const {
  bool found = false;
  each_line(text_, text_.find('\n', begin_), [&](size_t, std::string_view line) {
    const auto marker = read_marker(line, is_known_);
    found = found || (marker && marker->enters && is_ours(marker->name));
    return !found;
  });
  return found;
}

std::optional<int> Preprocessed::first_difference(const std::string& trial,
                                                  const std::string& word) const {
  size_t at = 0;
  int number = 0;
  bool same = true, of_student = false;
  each_line(trial, 0, [&](size_t, std::string_view line) {
    const auto marker = read_marker(line, is_known_);
    if (marker) number = marker->number, of_student = is_student_(marker->name);
    const size_t end = std::min(text_.find('\n', at), text_.size());
    const bool more = same && at < text_.size();
    const std::string_view mine = more ? std::string_view(text_).substr(at, end - at) : "";
    at = end + 1;
    same = more && (line == mine || is_same_but_for(word, mine, line, is_known_));
    // The text that is one too much, where it is not the first line that differs.
    if (!same && !marker && !is_blank(line)) return false;
    if (!marker) ++number;
    return true;
  });
  if (same && at >= text_.size()) return {};
  return of_student ? number : 0;
}

// A literal ends where it did, as the second preprocessor sees it: what is changed stands at the
// start of a line as that one joins it, or behind a '/'. The end of a raw string has neither blanks
// nor lines; with "/#" it has the word where its beginning has it.
std::string Preprocessed::line_with_words(std::string_view line, const std::string& word,
                                          char* before) {
  std::string out;
  size_t end = line.size();  // of what is no blank
  while (end > 0 && line[end - 1] >= '\0' && line[end - 1] <= ' ') --end;
  for (size_t i = 0; i < line.size(); ++i) {
    // A directive's '#' is the first on its line, but for comments. What the compiler takes for an
    // end of line, or for a comment that the preprocessor took for none, is not gone into.
    const bool hash = line[i] == '#' || line.substr(i, 2) == "%:";
    if (hash && (*before == '\n' || *before == '/')) out += word;
    if (i + 1 == end && joins(line, i)) return out.append(line.substr(i));
    out += line[i];
    if (static_cast<unsigned char>(line[i]) > ' ')
      *before = line[i];
    else if (line[i] != ' ' && line[i] != '\t')
      *before = '\n';
  }
  *before = '\n';
  return out;
}

template <typename Visit>
void Preprocessed::each_changed_line(const std::string& word, Visit visit) const {
  char before = '\n';
  ChangedLine next;
  bool of_student = false;
  each_line(text_, begin_, [&](size_t, std::string_view line) {
    next.place = of_student ? next.number : 0;
    const auto marker = read_marker(line, is_known_);
    next.is_handed_on = !marker && is_handed_on(line);
    next.changed = next.read_again = std::string(line);
    if (marker) {
      next.number = marker->number - 1;
      of_student = is_student_(marker->name);
      next.changed = word + next.changed;
    } else if (!next.is_handed_on) {
      next.changed = next.read_again = line_with_words(line, word, &before);
    }
    if (marker || next.is_handed_on) before = '\n';
    ++next.number;
    return visit(next, line);
  });
}

Preprocessed::Trial Preprocessed::without_directives(const std::string& word) const {
  Trial trial;
  bool found = false;
  trial.text = "#define " + word + "\n" + text_.substr(0, begin_) + kBegin + word + "\n";
  each_changed_line(word, [&](const ChangedLine& next, std::string_view line) {
    trial.text.append(next.changed).append("\n");
    const bool is_marker = next.read_again != next.changed;
    if (!found && !is_marker && (next.changed != line || has_join(line))) {
      found = true;
      trial.line = next.place;
    }
    return trial.text.size() <= kMostTrialBytes;
  });
  trial.too_long = trial.text.size() > kMostTrialBytes;
  if (!found && !trial.too_long) trial.text.clear();
  return trial;
}

std::optional<int> Preprocessed::first_read_otherwise(const std::string& output,
                                                      const std::string& word) const {
  const std::string begin = "\n" + (kBegin + word) + "\n";
  size_t at = output.find(begin);
  if (at == std::string::npos) return 0;
  at += begin.size();
  // The next line there that is neither blank nor handed on.
  auto read_line = [&] {
    std::string_view found;
    each_line(output, at, [&](size_t, std::string_view line) {
      at += line.size() + 1;
      if (!is_blank(line) && !is_handed_on(line)) found = line;
      return found.empty();
    });
    return found;
  };
  std::optional<int> place;
  each_changed_line(word, [&](const ChangedLine& next, std::string_view) {
    if (!next.is_handed_on && !is_blank(next.read_again) &&
        without(next.read_again, "", true) != without(read_line(), "", true))
      place = next.place;
    return !place;
  });
  return place || read_line().empty() ? place : 0;
}

}  // namespace lockstep::grader
