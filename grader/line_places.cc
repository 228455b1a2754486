// SPDX-License-Identifier: Apache-2.0
// Where #line or a line marker could stand in source text. Lines that end in a backslash are joined
// and comments passed over, as between the '#' and its name; in what state of C++ the '#' is is not
// asked, so that more is found than there is, and nothing is missed.
#include "grader/line_places.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace lockstep::grader {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\f' || c == '\v' || c == '\0'; }
bool is_end(char c) { return c == '\n' || c == '\r'; }

class Finder {
 public:
  explicit Finder(const std::string& source) : source_(source) { join(); }

  std::vector<size_t> run() {
    std::vector<size_t> places;
    char before = '\n';
    for (size_t i = 0; i < size(); ++i) {
      const bool first = before == '\n' || before == '/' || begins_line(i);
      if (first && hash(i) > 0 && is_name(pass(i + hash(i)))) places.push_back(joined_[i]);
      if (!is_blank(at(i))) before = is_end(at(i)) ? '\n' : at(i);
    }
    return places;
  }

 private:
  size_t size() const { return joined_.size(); }
  char at(size_t i) const { return i < size() ? source_[joined_[i]] : '\n'; }
  bool is(size_t i, std::string_view text) const {
    for (size_t k = 0; k < text.size(); ++k)
      if (i + k >= size() || at(i + k) != text[k]) return false;
    return true;
  }

  // Offsets of the bytes that are left where lines that end in a backslash, and perhaps blanks, are
  // joined, and a byte order mark is left out.
  void join() {
    std::vector<size_t> ends(source_.size() + 1);  // where the blanks from here on end
    ends[source_.size()] = source_.size();
    for (size_t i = source_.size(); i-- > 0;) ends[i] = is_blank(source_[i]) ? ends[i + 1] : i;
    for (size_t i = source_.rfind("\xef\xbb\xbf", 0) == 0 ? 3 : 0; i < source_.size(); ++i) {
      const size_t end = source_[i] == '\\' ? ends[i + 1] : source_.size();
      if (end == source_.size() || !is_end(source_[end]))
        joined_.push_back(i);
      else
        i = source_.compare(end, 2, "\r\n") == 0 ? end + 1 : end;
    }
    passed_.assign(size() + 1, 0);
  }

  // Of the text as it lies there: in a raw string lines are not joined.
  bool begins_line(size_t i) const { return joined_[i] > 0 && is_end(source_[joined_[i] - 1]); }

  // Length of a '#' in any spelling.
  size_t hash(size_t i) const { return at(i) == '#' ? 1 : is(i, "%:") ? 2 : is(i, "?\?=") ? 3 : 0; }

  // The first that is neither blank nor comment. Each comment is passed once only, whatever text.
  size_t pass(size_t i) {
    std::vector<size_t> begins;
    for (;;) {
      while (i < size() && is_blank(at(i))) ++i;
      if (!is(i, "/*")) break;
      if (passed_[i] != 0) {
        i = passed_[i];
        break;
      }
      begins.push_back(i);
      i = end_of_comment(i);
    }
    for (size_t begin : begins) passed_[begin] = i;
    return i;
  }

  size_t end_of_comment(size_t i) {
    if (comment_ends_.empty()) {
      comment_ends_.assign(size() + 1, size());
      for (size_t k = size(); k-- > 0;)
        comment_ends_[k] = is(k, "*/") ? k + 2 : comment_ends_[k + 1];
    }
    return comment_ends_[std::min(i + 2, size())];
  }

  // Of a directive about lines.
  bool is_name(size_t i) const {
    return is(i, "line") || std::isdigit(static_cast<unsigned char>(at(i)));
  }

  const std::string& source_;
  std::vector<size_t> joined_, passed_, comment_ends_;
};

}  // namespace

std::vector<size_t> find_line_places(const std::string& source) { return Finder(source).run(); }

std::string put_before(const std::string& source, const std::vector<size_t>& places,
                       const std::string& word) {
  std::string text;
  size_t done = 0;
  for (size_t place : places) {
    text.append(source, done, place - done).append(word);
    done = place;
  }
  return text.append(source, done);
}

}  // namespace lockstep::grader
