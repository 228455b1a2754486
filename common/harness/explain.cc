// SPDX-License-Identifier: Apache-2.0
// See explain.h.
#include "common/harness/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "common/base/quoted.h"
#include "common/harness/dependence.h"
#include "common/harness/index_set.h"

namespace lockstep {
namespace {

using Array = WrongResult::Array;
using Line = ValueStory::Line;

std::string triple(const uint32_t v[3]) { return fmt::format("({},{},{})", v[0], v[1], v[2]); }

bool is_students_line(const Assignment& assignment, const Line& line) {
  return line.file.substr(line.file.rfind('/') + 1) == assignment.student_file();
}

// "lines 85, 91 and 107"; "" where none is the student's.
std::string lines_of_student(const Assignment& assignment, const std::vector<Line>& all) {
  std::vector<int> own;
  for (const Line& line : all)
    if (is_students_line(assignment, line)) own.push_back(line.line);
  std::sort(own.begin(), own.end());
  own.erase(std::unique(own.begin(), own.end()), own.end());
  std::string out = own.size() > 1 ? "lines " : "line ";
  for (size_t i = 0; i < own.size(); i++)
    out += (i == 0 ? "" : i + 1 == own.size() ? " and " : ", ") + std::to_string(own[i]);
  return own.empty() ? "" : out;
}

class Explainer {
 public:
  explicit Explainer(const WrongResult& wrong) : w_(wrong) {}

  Explanation run() {
    for (const Array& array : w_.arrays)
      if (array.output >= 0) tell_which(array);
    for (const Array& array : w_.arrays)
      if (array.output >= 0 && pick(array)) break;
    if (array_ == nullptr) return result_;
    story_ = story(*array_, index_);
    if (story_.stores == 0)
      tell_unwritten();
    else
      tell_written();
    return result_;
  }

 private:
  bool is_right(const Array& a, int64_t i) const {
    const Assignment::Expected& e = w_.expected[static_cast<size_t>(a.output)];
    const auto at = static_cast<size_t>(i);
    return std::fabs(a.got->value(at) - e.values[at]) <= e.tolerance[at];  // false for NaN
  }
  bool is_unwritten(const Array& a, int64_t i) const {
    return a.poison && a.got->holds_pattern(static_cast<size_t>(i), *a.poison);
  }
  int64_t size_of(const Array& a) const {
    return static_cast<int64_t>(
        std::min(a.got->size(), w_.expected[static_cast<size_t>(a.output)].values.size()));
  }
  std::string name(const Array& a, int64_t i) const {
    const std::string meaning = w_.assignment.describe_index(w_.c, *a.spec, i);
    return fmt::format("{}[{}]", a.spec->name, i) + (meaning.empty() ? "" : " (" + meaning + ")");
  }
  ValueStory story(const Array& a, int64_t i) const {
    const size_t size = element_bytes(a.spec->type);
    return w_.backend.story_of(a.buffer, static_cast<size_t>(i) * size, size);
  }
  void say(const std::string& sentence) { result_.words += "\n  " + sentence; }

  std::string lines(const std::vector<Line>& all) const {
    return lines_of_student(w_.assignment, all);
  }
  bool is_students(const Line& line) const { return is_students_line(w_.assignment, line); }
  void look_at(const Line& line) {
    if (!is_students(line) || result_.line != 0) return;
    result_.file = line.file;
    result_.line = line.line;
  }
  static Line line_of(const FaultPlace& place) { return {place.file, place.line}; }
  // "line 12", with its file where that is not the student's.
  std::string line_words(const Line& line) const {
    const std::string number = fmt::format("line {}", line.line);
    if (is_students(line) || line.file.empty()) return number;
    return number + " of " + shown_word(line.file.substr(line.file.rfind('/') + 1));
  }

  // Which elements are wrong, where that is a pattern.
  void tell_which(const Array& a) {
    const int64_t n = size_of(a);
    if (n == 1) return;
    const auto named = [&](int64_t i) { return name(a, i); };
    const std::string unwritten = describe_indices(
        n, [&](int64_t i) { return !is_right(a, i) && is_unwritten(a, i); }, named);
    const std::string wrong = describe_indices(
        n, [&](int64_t i) { return !is_right(a, i) && !is_unwritten(a, i); }, named);
    if (!unwritten.empty()) say("Not written: " + unwritten + ".");
    if (!wrong.empty()) say("Written and wrong: " + wrong + ".");
  }

  // The first wrong element that was written, else the first that was not.
  bool pick(const Array& a) {
    for (int64_t i = 0; i < size_of(a); i++) {
      if (is_right(a, i)) continue;
      if (array_ == nullptr) array_ = &a, index_ = i;
      if (is_unwritten(a, i)) continue;
      array_ = &a, index_ = i;
      return true;
    }
    return false;
  }

  // The next element that was stored to (of a later turn of a loop, as a rule), else the last one.
  ValueStory next_stored(int64_t* index) const {
    ValueStory last;
    for (int64_t i = 0; i < size_of(*array_); i++) {
      if (is_unwritten(*array_, i)) continue;
      *index = i;
      if (i < index_) continue;
      last = story(*array_, i);
      if (last.stores > 0) return last;
    }
    return *index < 0 ? last : story(*array_, *index);
  }

  void tell_unwritten() {
    int64_t i = -1;
    const ValueStory other = next_stored(&i);
    if (other.stores == 0) {
      const std::string tests = lines(story_.test_lines);
      if (!story_.test_lines.empty()) look_at(story_.test_lines.back());
      return say(fmt::format("No thread stores anything to {}{}.", array_->spec->name,
                             tests.empty() ? "" : "; threads compare in " + tests));
    }
    look_at(line_of(other.stored));
    const std::string index = lines(other.index_lines), tests = lines(other.test_lines);
    say(fmt::format("{} is never stored to. {} is{}, in {}{}{}.", name(*array_, index_),
                    name(*array_, i), times(other.stores), line_words(line_of(other.stored)),
                    index.empty() ? "" : ", with an index that is made in " + index,
                    tests.empty() ? "" : ", by a thread that compares in " + tests));
  }
  static std::string times(int64_t stores) {
    return stores == 1 ? "" : stores == 2 ? ", twice" : fmt::format(", {} times", stores);
  }

  void tell_written() {
    if (story_.absent) tell_absent();
    const FaultPlace& by = story_.stored;
    std::string sentence =
        fmt::format("{} was stored by thread {} of block {} in {}", name(*array_, index_),
                    triple(by.thread), triple(by.block), line_words(line_of(by)));
    if (story_.stores > 1) sentence += fmt::format(", the last of {} stores to it", story_.stores);
    say(sentence + ".");
    if (story_.unset) tell_unset();
    if (story_.raced)
      say("Several threads store to it, and the last one's value stays: let one thread do so, or "
          "add by atomicAdd.");
    if (!story_.raced && tell_another_element()) return look_at(line_of(by));
    if (story_.whole && !story_.unset && !story_.absent) tell_sources();
    look_at(line_of(by));
    for (const Line& line : story_.lines)
      if (is_students(line)) result_.lines.push_back(line.line);
  }

  void tell_unset() {
    look_at(*story_.unset);
    say(
        fmt::format("It was made with a variable that nothing has set before, in {}: give it "
                    "a value first.",
                    line_words(*story_.unset)));
  }

  void tell_absent() {
    const FaultPlace& place = story_.absent->place;
    look_at(line_of(place));
    const std::string called =
        place.caller == 0 ? "" : fmt::format(", called in line {},", place.caller);
    say(
        fmt::format("In {}{} thread {} of block {} takes the value of lane {} by a shuffle in "
                    "which that lane takes no part (it has left, or is in another branch): what it "
                    "gets is undefined. Let all lanes that are read execute the shuffle.",
                    line_words(line_of(place)), called, triple(place.thread), triple(place.block),
                    story_.absent->lane));
  }

  // What it holds is what one other element should hold.
  bool tell_another_element() {
    const Assignment::Expected& e = w_.expected[static_cast<size_t>(array_->output)];
    const double got = array_->got->value(static_cast<size_t>(index_));
    int64_t found = -1;
    for (int64_t i = 0; i < size_of(*array_); i++) {
      const auto at = static_cast<size_t>(i);
      if (!(std::fabs(got - e.values[at]) <= e.tolerance[at])) continue;
      if (found >= 0) return false;
      found = i;
    }
    if (found < 0 || got == 0) return false;
    say(fmt::format("It holds what {} should hold; its index is made in {}.", name(*array_, found),
                    lines(story_.index_lines)));
    return true;
  }

  const Array* array_of_input(size_t input) const {
    for (const Array& a : w_.arrays)
      if (a.input == static_cast<int>(input)) return &a;
    return nullptr;
  }

  // "l_in[0] to l_in[7]"; of several arrays, one after the other.
  std::string elements(const SomeElements& some) const {
    std::map<size_t, std::set<int64_t>> indices;
    for (const auto& [input, i] : some.all) indices[input].insert(static_cast<int64_t>(i));
    if (some.others) {
      const auto& [input, i] = some.all.front();
      return name(*array_of_input(input), static_cast<int64_t>(i)) + " and others";
    }
    std::string words;
    for (const auto& [input, of_one] : indices)
      words += (words.empty() ? "" : " and ") + elements_of(*array_of_input(input), of_one);
    return words;
  }
  std::string elements_of(const Array& a, const std::set<int64_t>& indices) const {
    const auto named = [&](int64_t i) { return name(a, i); };
    const auto among = [&](int64_t i) { return indices.count(i) > 0; };
    const int64_t n = static_cast<int64_t>(w_.inputs[static_cast<size_t>(a.input)].size());
    if (n > 1 && static_cast<int64_t>(indices.size()) == n) return "all of " + a.spec->name;
    return describe_indices(std::max(n, *indices.rbegin() + 2), among, named);
  }

  const ValueStory::Read* read_of(const Dependence::Element& e) const {
    const Array* a = array_of_input(e.first);
    const size_t size = element_bytes(a->spec->type);
    for (const ValueStory::Read& read : story_.reads)
      if (read.buffer == a->buffer && read.offset / size == e.second) return &read;
    return nullptr;
  }

  // What it was made of, beside what it should be made of.
  void tell_sources() {
    Dependence reference(w_.assignment, w_.c, w_.seed, w_.inputs,
                         static_cast<size_t>(array_->output), static_cast<size_t>(index_));
    std::vector<Dependence::Element> read, unread;
    for (size_t input = 0; input < w_.inputs.size(); input++) {
      if (array_of_input(input)->spec->places) continue;
      for (size_t i = 0; i < w_.inputs[input].size(); i++) {
        const ValueStory::Read* found = read_of({input, i});
        if (found == nullptr) unread.push_back({input, i});
        if (found != nullptr && !found->compared) read.push_back({input, i});
      }
    }
    const std::optional<SomeElements> missing = some_needed(reference, unread);
    const std::optional<SomeElements> idle = some_idle(reference, read);
    if (!missing || !idle) return;
    if (!idle->all.empty()) tell_idle(*idle);
    if (!missing->all.empty()) tell_missing(*missing);
    if (!idle->all.empty() || !missing->all.empty()) return;
    tell_repeated(read);
    say("It was made of the right elements of the input; what is done with them is wrong: " +
        lines(story_.lines) + ".");
  }

  // Elements that came in more often than the others: not one alone, which may well be needed by
  // itself, too.
  void tell_repeated(const std::vector<Dependence::Element>& read) {
    int least = 0;
    for (const Dependence::Element& e : read) {
      const int times = read_of(e)->times;
      least = least == 0 ? times : std::min(least, times);
    }
    std::vector<Dependence::Element> more;
    for (const Dependence::Element& e : read)
      if (read_of(e)->times > least && e.first == read.front().first) more.push_back(e);
    if (more.size() < 2) return;
    const ValueStory::Read* again = read_of(more.back());
    look_at(again->again);
    say(fmt::format("Elements of the input came in {}, but more often {}, again in {}.",
                    least == 1 ? "once" : fmt::format("{} times", least), elements({more, false}),
                    line_words(again->again)));
  }

  void tell_idle(const SomeElements& idle) {
    const ValueStory::Read* read = read_of(idle.all.front());
    look_at(read->line);
    const std::string index = lines(read->index_lines);
    say(fmt::format(
        "It was made with {}, read in {}{}: the right result does not depend on "
        "that.",
        elements(idle), line_words(read->line), index.empty() ? "" : " (index: " + index + ")"));
  }

  void tell_missing(const SomeElements& missing) {
    const Array* a = array_of_input(missing.all.front().first);
    const size_t size = element_bytes(a->spec->type);
    const std::vector<Line> readers =
        w_.backend.readers_of(a->buffer, missing.all.front().second * size, size);
    const std::string exchange = lines(story_.exchange_lines);
    std::string why = "no thread reads that";
    if (!readers.empty() && !exchange.empty()) {
      why = "that is read (" + lines(readers) +
            ") but does not come to this thread, which takes "
            "values of others in " +
            exchange;
      look_at(story_.exchange_lines.front());
    } else if (!readers.empty()) {
      why = "that is read (" + lines(readers) + "), and nothing hands it on";
    } else if (!story_.reads.empty()) {
      look_at(story_.reads.front().line);
    }
    say(fmt::format("It was made without {}, on which the right result depends: {}.",
                    elements(missing), why));
  }

  const WrongResult& w_;
  Explanation result_;
  const Array* array_ = nullptr;
  int64_t index_ = 0;
  ValueStory story_;
};

}  // namespace

std::string words_of_index(const Assignment& assignment, const std::vector<Line>& lines) {
  const std::string own = lines_of_student(assignment, lines);
  return own.empty() ? "" : "Its address is made in " + own + ".";
}

std::string words_of_loop(const Assignment& assignment,
                          const std::optional<ValueStory::Comparison>& c) {
  if (!c || !is_students_line(assignment, c->line)) return {};
  return fmt::format("A loop does not end: the last comparison is {} {} {}, in line {}.", c->a,
                     c->how, c->b, c->line.line);
}

Explanation explain(const WrongResult& wrong) { return Explainer(wrong).run(); }

}  // namespace lockstep
