// SPDX-License-Identifier: Apache-2.0
// See explain.h: which element is explained, and what names there are for elements and lines.
#include "common/harness/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "common/base/quoted.h"
#include "common/harness/checker.h"
#include "common/harness/explainer.h"
#include "common/harness/index_set.h"

namespace lockstep {

using Line = ValueStory::Line;

bool is_students_line(const Assignment& assignment, const Line& line) {
  return line.file.substr(line.file.rfind('/') + 1) == assignment.student_file();
}

std::string thread_words(const FaultPlace& place) {
  const auto triple = [](const uint32_t v[3]) {
    return fmt::format("({},{},{})", v[0], v[1], v[2]);
  };
  return fmt::format("thread {} of block {}", triple(place.thread), triple(place.block));
}

std::string lines_of_student(const Assignment& assignment, const std::vector<Line>& all) {
  std::vector<int> own;
  for (const Line& line : all)
    if (line.line > 0 && is_students_line(assignment, line)) own.push_back(line.line);
  std::sort(own.begin(), own.end());
  own.erase(std::unique(own.begin(), own.end()), own.end());
  std::string out = own.size() > 1 ? "lines " : "line ";
  for (size_t i = 0; i < own.size(); i++)
    out += (i == 0 ? "" : i + 1 == own.size() ? " and " : ", ") + std::to_string(own[i]);
  return own.empty() ? "" : out;
}

namespace {

using Array = WrongResult::Array;

bool is_right_in(const WrongResult& w, const Array& a, const HostArray& got, int64_t i) {
  return is_right_at(w.expected[static_cast<size_t>(a.output)], got, static_cast<size_t>(i));
}

bool is_unwritten_in(const Array& a, const HostArray& got, int64_t i) {
  return a.poison && got.holds_pattern(static_cast<size_t>(i), *a.poison);
}

int64_t size_in(const WrongResult& w, const Array& a) {
  return static_cast<int64_t>(
      std::min(a.got->size(), w.expected[static_cast<size_t>(a.output)].values.size()));
}

}  // namespace

bool is_wrong_alike(const WrongResult& wrong, const std::vector<HostArray>& others) {
  for (size_t k = 0; k < wrong.arrays.size(); k++) {
    const Array& a = wrong.arrays[k];
    for (int64_t i = 0; a.output >= 0 && i < size_in(wrong, a); i++)
      if (is_right_in(wrong, a, *a.got, i) != is_right_in(wrong, a, others[k], i) ||
          is_unwritten_in(a, *a.got, i) != is_unwritten_in(a, others[k], i))
        return false;
  }
  return true;
}

Explanation Explainer::run() {
  for (const Array& array : w_.arrays)
    if (array.output >= 0) tell_which(array);
  for (const Array& array : w_.arrays)
    if (array.output >= 0 && pick(array)) break;
  if (array_ == nullptr) return result_;
  story_ = story(*array_, index_);
  pick_students();
  result_.whole = story_.whole;
  if (story_.stores == 0)
    tell_unwritten();
  else
    tell_written();
  return result_;
}

bool Explainer::is_right(const Array& a, int64_t i) const { return is_right_in(w_, a, *a.got, i); }

bool Explainer::is_unwritten(const Array& a, int64_t i) const {
  return is_unwritten_in(a, *a.got, i);
}

int64_t Explainer::size_of(const Array& a) const { return size_in(w_, a); }

std::string Explainer::name(const Array& a, int64_t i) const {
  const std::string meaning = w_.assignment.describe_index(w_.c, *a.spec, i);
  return fmt::format("{}[{}]", a.spec->name, i) + (meaning.empty() ? "" : " (" + meaning + ")");
}

ValueStory Explainer::story(const Array& a, int64_t i) const {
  const size_t size = element_bytes(a.spec->type);
  return w_.backend.story_of(a.buffer, static_cast<size_t>(i) * size, size);
}

void Explainer::look_at(const Line& line) {
  if (!is_students(line) || result_.line != 0) return;
  result_.file = line.file;
  result_.line = line.line;
}

std::string Explainer::lines(const std::vector<Line>& all) const {
  return lines_of_student(w_.assignment, all);
}

bool Explainer::is_students(const Line& line) const {
  return is_students_line(w_.assignment, line);
}

// "line 12", with its file where that is not the student's.
std::string Explainer::line_words(const Line& line) const {
  const std::string number = fmt::format("line {}", line.line);
  if (is_students(line) || line.file.empty()) return number;
  return number + " of " + shown_word(line.file.substr(line.file.rfind('/') + 1));
}

// "line 43, called in line 76".
std::string Explainer::place_words(const FaultPlace& place) const {
  return line_words({place.file, place.line}) +
         (place.caller == 0 ? "" : fmt::format(", called in line {}", place.caller));
}

// Which elements are wrong, where that is a pattern.
void Explainer::tell_which(const Array& a) {
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
bool Explainer::pick(const Array& a) {
  for (int64_t i = 0; i < size_of(a); i++) {
    if (is_right(a, i)) continue;
    if (array_ == nullptr) array_ = &a, index_ = i;
    if (is_unwritten(a, i)) continue;
    array_ = &a, index_ = i;
    return true;
  }
  return false;
}

// What a given kernel makes of another array that is wrong, too: then that one is explained.
void Explainer::pick_students() {
  if (story_.stores == 0 || is_students({story_.stored.file, story_.stored.line})) return;
  const Array* const array = array_;
  const int64_t index = index_;
  for (const Array& other : w_.arrays) {
    if (other.output < 0 || &other == array) continue;
    array_ = nullptr;
    pick(other);
    if (array_ == nullptr) continue;
    ValueStory story_there = story(other, index_);
    const FaultPlace& stored = story_there.stored;
    if (story_there.stores == 0 || is_students({stored.file, stored.line})) {
      story_ = std::move(story_there);
      return;
    }
  }
  array_ = array;
  index_ = index;
}

// What is below 0 and compared without a sign is a large number.
std::string number_words(const std::string& number) {
  constexpr uint64_t kHalf = uint64_t{1} << 31;
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (error != std::errc() || end != number.data() + number.size()) return number;
  const bool of_32 = value >= kHalf && value < 2 * kHalf;
  if (!of_32 && value < kHalf << 32) return number;
  const int64_t with_sign =
      of_32 ? int64_t{static_cast<int32_t>(value)} : static_cast<int64_t>(value);
  return fmt::format("{} ({} if it had a sign)", number, with_sign);
}

// Code that serves several lines stands in none.
std::string in_line(const ValueStory::Comparison& c) {
  return c.line.line > 0 ? fmt::format(", in line {}", c.line.line) : "";
}

std::string words_of_index(const Assignment& assignment, const std::vector<Line>& lines,
                           const std::optional<ValueStory::Comparison>& c) {
  const std::string own = lines_of_student(assignment, lines);
  std::string words = own.empty() ? "" : "Its address is made in " + own + ".";
  if (!c || !is_students_line(assignment, c->line)) return words;
  const std::string made = lines_of_student(assignment, c->made_of);
  return words + fmt::format("{}The thread's last comparison before that was {} {} {}{}{}.",
                             words.empty() ? "" : " ", number_words(c->a), c->how,
                             number_words(c->b), in_line(*c),
                             made.empty() ? "" : ", of what is made in " + made);
}

std::string words_of_end(const Assignment& assignment, const ValueStory::Comparison& c) {
  if (!is_students_line(assignment, c.line) || c.line.line < 1) return {};
  return fmt::format(
      "Threads ended before the last barrier, so they cannot have written it: the first of them "
      "compared {} {} {} last, in line {}. Let all threads come to the barriers.",
      c.a, c.how, c.b, c.line.line);
}

std::string words_of_late_store(const Assignment& assignment, const LateStore& late) {
  if (!late.seen) return {};
  if (late.by)
    return fmt::format(
        "Thread ({},{},{}) writes it later, in line {}: a barrier between the two is missing.",
        late.by->thread[0], late.by->thread[1], late.by->thread[2], late.by->line);
  if (late.beside && is_students_line(assignment, *late.beside))
    return fmt::format(
        "Nothing writes it later either, so no barrier helps. What lies beside it is written in "
        "line {}, to which not all threads come as often: where they do not, write what does no "
        "harm (0, say), or do not read it.",
        late.beside->line);
  return "No thread of the block writes it later, so no barrier helps: the index is wrong, or the "
         "condition by which it is read, or by which it is not written.";
}

std::string words_of_loop(const Assignment& assignment,
                          const std::optional<ValueStory::Comparison>& c) {
  if (!c || !is_students_line(assignment, c->line)) return {};
  const std::string made = lines_of_student(assignment, c->made_of);
  constexpr uint64_t kOften = 16;
  const bool often = c->same >= kOften;
  const std::string turns =
      often ? fmt::format(
                  " Both numbers have been the same {} times in a row: what in the loop "
                  "should change them?",
                  c->same)
      : c->a_before.empty()
          ? ""
          : fmt::format(" The time before it was {} with {}.", c->a_before, c->b_before);
  return fmt::format("A loop does not end: {} {} {} {}{}{}.{}",
                     often ? "a comparison in it is" : "the last comparison is", number_words(c->a),
                     c->how, number_words(c->b), in_line(*c),
                     made.empty() ? "" : ", of what is made in " + made, turns);
}

Explanation explain(const WrongResult& wrong) { return Explainer(wrong).run(); }

}  // namespace lockstep
