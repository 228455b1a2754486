// SPDX-License-Identifier: Apache-2.0
// Where #line or a line marker could stand in source text. Lines that end in a backslash are joined
// and comments passed over, as between the '#' and its name; in what state of C++ the '#' is is not
// asked, so that more is found than there is, and nothing is missed.
#include <algorithm>
#include <cctype>
#include <string_view>

#include "common/text.h"
#include "grader/inspect.h"

namespace lockstep::grader {
namespace {

constexpr char kNoDirective[] = "qzxj";

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\f' || c == '\v' || c == '\0'; }
bool is_end(char c) { return c == '\n' || c == '\r'; }

class Finder {
 public:
  explicit Finder(const std::string& source) : source_(source) { join(); }

  std::vector<LinePlace> run() {
    std::vector<LinePlace> places;
    char before = '\n';
    for (size_t i = 0; i < size(); ++i) {
      if ((before == '\n' || before == '/') && hash(i) > 0) take(i, i + hash(i), &places);
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

  void take(size_t hash_at, size_t i, std::vector<LinePlace>* places) {
    i = pass(i);
    const size_t letters = is(i, "line")                                     ? 4
                           : std::isdigit(static_cast<unsigned char>(at(i))) ? 1
                                                                             : 0;
    if (letters == 0 || i + letters > size()) return;
    LinePlace place;
    for (; counted_ < joined_[hash_at]; ++counted_)
      newlines_ += next_source_line(source_, counted_) == counted_ + 1;
    place.line = newlines_ + 1;
    for (size_t k = 0; k < letters; ++k) place.letters.push_back(joined_[i + k]);
    places->push_back(std::move(place));
  }

  const std::string& source_;
  std::vector<size_t> joined_, passed_, comment_ends_;
  size_t counted_ = 0;
  int newlines_ = 0;
};

}  // namespace

std::vector<LinePlace> find_line_places(const std::string& source) { return Finder(source).run(); }

std::string spoil_line_places(std::string source, const std::vector<LinePlace>& places) {
  for (const LinePlace& place : places)
    for (size_t i = 0; i < place.letters.size(); ++i) source[place.letters[i]] = kNoDirective[i];
  return source;
}

bool is_spoilt_byte(char before, char after) {
  const size_t letter = std::string_view("line").find(before);
  if (letter != std::string_view::npos) return after == kNoDirective[letter];
  return std::isdigit(static_cast<unsigned char>(before)) && after == kNoDirective[0];
}

}  // namespace lockstep::grader
