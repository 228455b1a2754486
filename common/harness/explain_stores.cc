// SPDX-License-Identifier: Apache-2.0
// Who stored the element, and where: see explainer.h.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/harness/explainer.h"

namespace lockstep {
namespace {

ValueStory::Line line_of(const FaultPlace& place) { return {place.file, place.line}; }

std::string times(int64_t stores) {
  return stores == 1 ? "" : stores == 2 ? ", twice" : fmt::format(", {} times", stores);
}

}  // namespace

// The next element that was stored to (of a later turn of a loop, as a rule), else the last one.
ValueStory Explainer::next_stored(int64_t* index) const {
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

// "The first thread's last comparison is 0 >= 0, in line 22, of what is made in lines 21 and 22."
std::string Explainer::words_of_last_test() const {
  const std::optional<ValueStory::Comparison>& c = story_.compared;
  if (!c || !is_students(c->line)) return {};
  const std::string made = lines(c->made_of);
  return fmt::format(" The first thread's last comparison is {} {} {}, in {}{}.", c->a, c->how,
                     c->b, line_words(c->line), made.empty() ? "" : ", of what is made in " + made);
}

void Explainer::tell_unwritten() {
  int64_t i = -1;
  const ValueStory other = next_stored(&i);
  if (other.stores == 0) {
    const std::string tests = lines(story_.test_lines);
    if (!story_.test_lines.empty()) look_at(story_.test_lines.back());
    return say(fmt::format("No thread stores anything to {}{}.{}", array_->spec->name,
                           tests.empty() ? "" : "; threads compare in " + tests,
                           words_of_last_test()));
  }
  look_at(line_of(other.stored));
  const std::string index = lines(other.index_lines), tests = lines(other.test_lines);
  say(fmt::format("{} is never stored to. {} is{}, in {}{}{}.", name(*array_, index_),
                  name(*array_, i), times(other.stores), line_words(line_of(other.stored)),
                  index.empty() ? "" : ", with an index that is made in " + index,
                  tests.empty() ? "" : ", by a thread that compares in " + tests));
  tell_gap(i);
  tell_turns(i);
}

// What the threads store besides that have stored what lies before the first that is missing and
// behind the last of these.
void Explainer::tell_turns(int64_t behind) {
  if (index_ == 0 || behind < index_) return;
  const size_t size = element_bytes(array_->spec->type);
  std::string words;
  bool any = false;
  for (const int64_t i : {index_ - 1, behind}) {
    const auto next = w_.backend.next_store(array_->buffer, static_cast<size_t>(i) * size, size);
    any |= next.has_value();
    words +=
        fmt::format("{}{} is stored by {}, which stores {} behind it", words.empty() ? "" : "; ",
                    name(*array_, i), thread_words(story(*array_, i).stored),
                    next ? name(*array_, static_cast<int64_t>(*next / size)) : "nothing");
  }
  if (any) say(words + ".");
}

// Of the elements before the first that is missing and behind the last of these: in which lines
// their indices differ.
void Explainer::tell_gap(int64_t behind) {
  const size_t size = element_bytes(array_->spec->type);
  if (index_ == 0 || behind < index_) return;
  const auto of = [&](int64_t i) {
    return w_.backend.stores_of(array_->buffer, static_cast<size_t>(i) * size, size);
  };
  const std::vector<ValueStory::Store> one = of(index_ - 1), other = of(behind);
  if (one.empty() || other.empty()) return;
  Explanation before = result_;
  const std::string differ = between(one.front().index_lines, other.front().index_lines);
  result_ = std::move(before);  // the store's line stays the first
  if (!differ.empty())
    say(fmt::format("{} is, too, and the indices of these two differ by what is added in {}.",
                    name(*array_, index_ - 1), differ));
}

void Explainer::tell_written() {
  if (story_.absent) tell_absent();
  const FaultPlace& by = story_.stored;
  std::string sentence = fmt::format("{} was stored by {} in {}", name(*array_, index_),
                                     thread_words(by), place_words(by));
  if (story_.stores > 1) sentence += fmt::format(", the last of {} stores to it", story_.stores);
  say(sentence + ".");
  if (story_.unset) tell_unset();
  if (!story_.unset && !story_.absent && tell_store_index()) return look_at(line_of(by));
  if (story_.raced) tell_raced();
  if (!story_.raced && tell_another_element()) return look_at(line_of(by));
  if (story_.whole && !story_.unset && !story_.absent) tell_sources();
  look_at(line_of(by));
  for (const Line& line : story_.lines)
    if (is_students(line)) result_.lines.push_back(line.line);
}

// An addition by atomics is the remedy where the value is made of what stood in the element before
// (x += y), and where the right result is made of what all of them have, and not of what the last
// one has.
void Explainer::tell_raced() {
  const std::vector<Dependence::Element> unread = unread_of(story_.reads);
  const bool adds_up = story_.whole && needs_any(index_, unread) == true &&
                       needs_any(index_, unread_of(story_.reads_of_all)) == false;
  const size_t offset = static_cast<size_t>(index_) * element_bytes(array_->spec->type);
  const bool updates =
      std::any_of(story_.reads.begin(), story_.reads.end(), [&](const ValueStory::Read& read) {
        return read.buffer == array_->buffer && read.offset == offset && !read.compared;
      });
  say(std::string("Several threads store to it, and the last one's value stays: let one thread do "
                  "so") +
      (adds_up || updates ? ", or add by atomicAdd." : "."));
  if (!adds_up) tell_colliding();
}

// The last two threads that stored to it, and in which lines their indices came about in another
// number of steps.
void Explainer::tell_colliding() {
  const size_t size = element_bytes(array_->spec->type);
  const std::vector<ValueStory::Store> stores =
      w_.backend.stores_of(array_->buffer, static_cast<size_t>(index_) * size, size);
  if (stores.size() < 2) return;
  const auto& last = stores.back();
  const std::string thread = thread_words(last.by);
  const auto other = std::find_if(stores.rbegin(), stores.rend(), [&](const auto& store) {
    return thread_words(store.by) != thread && store.by.kernel == last.by.kernel;
  });
  if (other == stores.rend()) return;
  const std::string differ = between(last.index_lines, other->index_lines);
  say(fmt::format(
      "The store before that was by {}{}.", thread_words(other->by),
      differ.empty() ? "; their indices are made in the same steps, in " + lines(story_.index_lines)
                     : "; their indices differ by what is added in " + differ));
}

// "lines 21 and 22", which stand in one of the ways to an index more often than in the other.
std::string Explainer::between(const std::map<Line, int>& one, const std::map<Line, int>& other) {
  std::map<Line, int> more = one;
  for (const auto& [line, count] : other) more[line] -= count;
  std::vector<Line> differ;
  for (const auto& [line, count] : more)
    if (count != 0) differ.push_back(line);
  for (auto line = differ.rbegin(); line != differ.rend(); ++line) look_at(*line);
  return lines(differ);
}

void Explainer::tell_unset() {
  result_.settled = true;
  look_at(*story_.unset);
  say(
      fmt::format("It was made with a variable that nothing has set before, in {}: give it "
                  "a value first.",
                  line_words(*story_.unset)));
}

void Explainer::tell_absent() {
  result_.settled = true;
  const FaultPlace& place = story_.absent->place;
  const Line& compared = story_.absent->compared;
  look_at(compared);  // there the lane went another way
  look_at(line_of(place));
  say(fmt::format(
      "In {}{} {} takes the value of lane {} by a shuffle in "
      "which that lane takes no part (it has left, or is in another branch{}): what it "
      "gets is undefined. Let all lanes that are read execute the shuffle.",
      place_words(place), place.caller == 0 ? "" : ",", thread_words(place), story_.absent->lane,
      compared.line > 0 && is_students(compared)
          ? ", since what it compared in " + line_words(compared)
          : ""));
}

// What it holds is what one other element should hold.
bool Explainer::tell_another_element() {
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
  say(fmt::format(
      "It holds what {} should hold; its index is made in {}, and what was stored in {}.",
      name(*array_, found), lines(story_.index_lines), lines(story_.lines)));
  return true;
}

// Elements are stored more than once and others never, while all that these should be made of is
// read, and what was stored is made of what another element should be made of: then threads read
// the right elements and store to the wrong ones.
bool Explainer::tell_store_index() {
  const size_t size = element_bytes(array_->spec->type);
  const std::vector<Touched> touched =
      w_.backend.touched(array_->buffer, size, static_cast<size_t>(size_of(*array_)));
  int64_t never = -1, often = -1;
  for (size_t i = 0; i < touched.size(); i++) {
    const auto index = static_cast<int64_t>(i);
    if (touched[i].stores == 0 && never < 0 && !is_right(*array_, index)) never = index;
    if (touched[i].stores > 1 && (often < 0 || index == index_)) often = index;
  }
  if (never < 0 || often < 0 || !story_.whole) return false;
  if (!is_read_for(never) || !is_read_for(index_) || !is_made_for_another()) return false;
  const std::string index = lines(story_.index_lines), own = lines(only_of_store());
  say(fmt::format(
      "{} is stored to{}, and {} never, though what they should be made of is read: the "
      "index of this store is wrong.{}{}",
      name(*array_, often), times(touched[static_cast<size_t>(often)].stores).substr(1),
      name(*array_, never), index.empty() ? "" : " It is made in " + index + ".",
      own.empty() ? "" : " An index of what was read before has no part in " + own + "."));
  return true;
}

// Whether it was made of all that some other element depends on, and nothing else: but for what was
// read in the line of the store, with its index.
bool Explainer::is_made_for_another() {
  constexpr size_t kMostCandidates = 16;
  std::vector<ValueStory::Read> before;
  for (const ValueStory::Read& read : story_.reads)
    if (read.line != line_of(story_.stored)) before.push_back(read);
  const std::vector<ValueStory::Read>& reads = before.empty() ? story_.reads : before;
  const std::vector<Dependence::Element> made_of = read_of(reads), others = unread_of(reads);
  if (made_of.empty()) return false;
  for (const size_t i : reference_of(index_).dependent_on(made_of.front(), kMostCandidates)) {
    const auto candidate = static_cast<int64_t>(i);
    Dependence reference = reference_of(candidate);
    if (candidate != index_ && reference.idle(made_of, 1).empty() && !reference.gave_up() &&
        needs_any(candidate, others) == false)
      return true;
  }
  return false;
}

// Whether somebody reads all that the right result of an element depends on.
bool Explainer::is_read_for(int64_t index) {
  std::vector<Dependence::Element> unread;
  for (size_t input = 0; input < w_.inputs.size(); input++) {
    const Array* a = array_of_input(input);
    if (a->spec->places) continue;
    const std::vector<Touched> touched =
        w_.backend.touched(a->buffer, element_bytes(a->spec->type), w_.inputs[input].size());
    for (size_t i = 0; i < touched.size(); i++)
      if (touched[i].loads == 0) unread.push_back({input, i});
  }
  return needs_any(index, unread) == false;
}

// Lines in which the store's index is made, but no index of a load in another line.
std::vector<ValueStory::Line> Explainer::only_of_store() const {
  std::vector<Line> own = story_.index_lines;
  const auto drop = [&](const Line& line) { std::erase(own, line); };
  drop(line_of(story_.stored));
  for (const ValueStory::Read& read : story_.reads) {
    if (read.line == line_of(story_.stored)) continue;
    drop(read.line);
    for (const Line& line : read.index_lines) drop(line);
  }
  return own;
}

}  // namespace lockstep
