// SPDX-License-Identifier: Apache-2.0
// What the element was made of, beside what the homework's own reference makes it of: see
// explainer.h.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "common/harness/explainer.h"
#include "common/harness/index_set.h"

namespace lockstep {
namespace {

using Loss = ValueStory::Loss;

std::string words_of(const Loss& loss) {
  switch (loss.kind) {
    case Loss::Kind::kFraction:
      return fmt::format("a number is made whole on its way: {} becomes {}", loss.from, loss.to);
    case Loss::Kind::kRemainder:
      return fmt::format("whole numbers are divided, and the remainder is lost: {} is {}",
                         loss.from, loss.to);
    case Loss::Kind::kShiftedOut:
      return fmt::format("bits are shifted out: {} is {}", loss.from, loss.to);
    case Loss::Kind::kCut:
      return fmt::format("a number is put into fewer bits than it has: {} becomes {}", loss.from,
                         loss.to);
    case Loss::Kind::kNarrowed:
      return fmt::format("a double is made a float: {} becomes {}", loss.from, loss.to);
    case Loss::Kind::kCancelled:
      return fmt::format(
          "numbers of nearly one size cancel: {} is {}, and beside that what rounding has taken "
          "from them before is large. Subtract before anything is rounded",
          loss.from, loss.to);
    case Loss::Kind::kRounded:
      return {};
  }
  return {};
}

}  // namespace

const WrongResult::Array* Explainer::array_of_input(size_t input) const {
  for (const Array& a : w_.arrays)
    if (a.input == static_cast<int>(input)) return &a;
  return nullptr;
}

// "l_in[0] to l_in[7]"; of several arrays, one after the other.
std::string Explainer::elements(const SomeElements& some) const {
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
std::string Explainer::elements_of(const Array& a, const std::set<int64_t>& indices) const {
  const auto named = [&](int64_t i) { return name(a, i); };
  const auto among = [&](int64_t i) { return indices.count(i) > 0; };
  const int64_t n = static_cast<int64_t>(w_.inputs[static_cast<size_t>(a.input)].size());
  if (n > 1 && static_cast<int64_t>(indices.size()) == n) return "all of " + a.spec->name;
  return describe_indices(std::max(n, *indices.rbegin() + 2), among, named);
}

const ValueStory::Read* Explainer::read_of(const Dependence::Element& e) const {
  const Array* a = array_of_input(e.first);
  const size_t size = element_bytes(a->spec->type);
  for (const ValueStory::Read& read : story_.reads)
    if (read.buffer == a->buffer && read.offset / size == e.second) return &read;
  return nullptr;
}

// What it was made of, beside what it should be made of.
void Explainer::tell_sources() {
  const Dependence reference = reference_of(index_);
  const std::vector<Dependence::Element> unread = unread_of(story_.reads);
  std::vector<Dependence::Element> read = read_of(story_.reads);
  std::sort(read.begin(), read.end());
  const std::optional<SomeElements> missing = some_needed(reference, unread);
  const std::optional<SomeElements> idle = some_idle(reference, read);
  if (!missing || !idle) return;
  if (!idle->all.empty()) tell_idle(*idle);
  if (!missing->all.empty()) tell_missing(*missing);
  if (!idle->all.empty() || !missing->all.empty()) return;
  if (tell_repeated(read)) return;
  if (tell_losses() || story_.raced || tell_multiple(read)) return;
  if (!tell_rounding())
    say("It was made of the right elements of the input; what is done with them is wrong: " +
        lines(story_.lines) + ".");
}

// Of what is off by no more than what rounding took from it on its way: where that was.
bool Explainer::tell_rounding() {
  constexpr double kTimes = 4;
  double taken = 0;
  std::vector<Line> rounded;
  for (const Loss& loss : story_.losses) {
    taken += loss.rounded;
    if (loss.rounded > 0) rounded.push_back(loss.line);
  }
  const std::string where = lines(rounded);
  if (!(off() <= kTimes * taken) || where.empty()) return false;
  for (const Line& line : rounded)
    if (is_students(line)) {
      look_at(line);
      break;
    }
  say(
      fmt::format("It was made of the right elements of the input, and is off by rounding alone: "
                  "something is rounded that need not be, in {}.",
                  where));
  return true;
}

// Elements that came in more often than the others, where the reference does not weigh them so: not
// one alone, which may well be needed by itself, too. Or all of them, each read several times.
bool Explainer::tell_repeated(const std::vector<Dependence::Element>& read) {
  constexpr double kMost = 1e6;  // ways, beyond which they say nothing
  if (read.empty()) return false;
  double least = 0, most = 0;
  bool again = true;
  for (const Dependence::Element& e : read) {
    const ValueStory::Read* r = read_of(e);
    least = least == 0 ? r->ways : std::min(least, r->ways);
    most = std::max(most, r->ways);
    again &= r->times > 1 && thread_words(r->by) != thread_words(r->again_by);
  }
  if (most > kMost) return false;
  std::vector<Dependence::Element> more, fewest;
  for (const Dependence::Element& e : read) {
    if (e.first != read.front().first) continue;
    (read_of(e)->ways > least ? more : fewest).push_back(e);
  }
  const bool all = most == least && least > 1 && again;
  if (all) more = fewest;
  if (!all && more.size() < 2) return false;
  const ValueStory::Read* one = read_of(more.back());
  if (!all && is_weighed(more.back(), fewest, one->ways / least)) return false;
  const auto times = [](double n) { return n == 1 ? "once" : fmt::format("{:.0f} times", n); };
  const std::string what = all ? fmt::format("Each element of the input came in {}", times(least))
                               : fmt::format("Elements of the input came in {}, but more often {}",
                                             times(least), elements({more, false}));
  if (one->times == 1) {
    say(what + ".");
    return tell_doubled(more.back());
  }
  look_at(one->again);
  const std::string index = lines(one->index_lines);
  say(fmt::format("{}, again in {}: {} is read by {}{}{}.", what, line_words(one->again),
                  elements({{more.back()}, false}), thread_words(one->by),
                  thread_words(one->by) == thread_words(one->again_by)
                      ? ", twice"
                      : " and by " + thread_words(one->again_by),
                  index.empty() ? "" : ", with an index that is made in " + index));
  return true;
}

// Of a result that is several times what is right: an element that was read as often.
bool Explainer::tell_multiple(const std::vector<Dependence::Element>& read) {
  constexpr double kNear = 1e-4, kMost = 1e6;
  const auto& expected = w_.expected[static_cast<size_t>(array_->output)].values;
  const double right = expected[static_cast<size_t>(index_)];
  const double times = array_->got->value(static_cast<size_t>(index_)) / right;
  const double whole = std::round(times);
  if (!(times > 1.5 && times < kMost) || std::fabs(times - whole) > kNear * times) return false;
  for (const Dependence::Element& e : read) {
    const ValueStory::Read* r = read_of(e);
    if (r->times != static_cast<int>(whole) || r->line == r->again) continue;
    look_at(r->again);
    say(fmt::format("It is {:.0f} times what is right: {} is read in {} by {}, and in {} by {}.",
                    whole, elements({{e}, false}), line_words(r->line), thread_words(r->by),
                    line_words(r->again), thread_words(r->again_by)));
    return true;
  }
  return false;
}

// Whether the reference makes that much more of an element than of one of the others.
bool Explainer::is_weighed(const Dependence::Element& e,
                           const std::vector<Dependence::Element>& others, double ratio) const {
  if (others.empty()) return false;
  const Dependence reference = reference_of(index_);
  const double one = reference.weight(e), other = reference.weight(others.front());
  return other != 0 && std::fabs(one / other - ratio) < 0.25 * ratio;
}

bool Explainer::tell_doubled(const Dependence::Element& e) {
  const Array* a = array_of_input(e.first);
  const size_t size = element_bytes(array_->spec->type);
  const std::optional<ValueStory::Doubled> doubled =
      w_.backend.doubled(array_->buffer, static_cast<size_t>(index_) * size, size,
                         {a->buffer, e.second * element_bytes(a->spec->type)});
  if (!doubled) return false;
  const FaultPlace& sum = doubled->sum;
  // A function that is given both has done nothing wrong.
  look_at({sum.file, doubled->before_call && sum.caller != 0 ? sum.caller : sum.line});
  std::string taken;
  for (const FaultPlace& place : doubled->taken)
    taken += fmt::format("{} {} takes it in {}", taken.empty() ? ";" : ", and", thread_words(place),
                         place_words(place));
  say(fmt::format("In {}, a value that {} is in is added to another that has it, too{}.",
                  place_words(sum), elements({{e}, false}), taken));
  return true;
}

// What is right for the thread that had it, and came to one that should not have it: then who took
// it did wrong, not who read it.
bool Explainer::tell_taken(const SomeElements& idle) {
  constexpr size_t kMostCandidates = 16;
  const size_t size = element_bytes(array_->spec->type);
  std::vector<BufferPlace> places;
  for (const auto& [input, i] : idle.all) {
    const Array* a = array_of_input(input);
    places.push_back({a->buffer, i * element_bytes(a->spec->type)});
  }
  const std::optional<ValueStory::Taken> taken =
      w_.backend.taken(array_->buffer, static_cast<size_t>(index_) * size, size, places);
  if (!taken || !is_students({taken->by.file, taken->by.line})) return false;
  bool has_a_use = false;
  for (const size_t i : reference_of(index_).dependent_on(idle.all.front(), kMostCandidates)) {
    const ValueStory other = story(*array_, static_cast<int64_t>(i));
    has_a_use |= other.stores > 0 && thread_words(other.stored) == thread_words(taken->from);
  }
  const std::string index = lines(taken->index_lines);
  const std::string way = fmt::format(
      "{} in {}{}{} {} got it from {}", taken->shuffle ? "By the shuffle" : "Through memory,",
      place_words(taken->by), index.empty() ? "" : " (index: " + index + ")",
      taken->by.caller == 0 && taken->shuffle ? "" : ",", thread_words(taken->by),
      thread_words(taken->from));
  if (has_a_use) look_at({taken->by.file, taken->by.line});
  const ValueStory::Read* read = read_of(idle.all.front());
  say(
      fmt::format("It was made with {}, read in {}: the right result does not depend on that. {}"
                  "{}.",
                  elements(idle), line_words(read->line), way,
                  has_a_use ? ", which rightly has it for another element" : ""));
  if (!has_a_use) look_at(read->line);
  return true;
}

void Explainer::tell_idle(const SomeElements& idle) {
  if (tell_taken(idle)) return;
  const ValueStory::Read* read = read_of(idle.all.front());
  look_at(read->line);
  const std::string index = lines(read->index_lines);
  say(fmt::format(
      "It was made with {}, read in {}{}: the right result does not depend on "
      "that.",
      elements(idle), line_words(read->line), index.empty() ? "" : " (index: " + index + ")"));
}

void Explainer::tell_missing(const SomeElements& missing) {
  const Array* a = array_of_input(missing.all.front().first);
  const size_t size = element_bytes(a->spec->type);
  const std::vector<Line> readers =
      w_.backend.readers_of(a->buffer, missing.all.front().second * size, size);
  const std::string exchange = lines(story_.exchange_lines),
                    own_exchange = lines(story_.own_exchange_lines);
  const std::optional<FaultPlace> end =
      w_.backend.dead_end(a->buffer, missing.all.front().second * size, size);
  const bool told = end && !readers.empty() && is_students({end->file, end->line});
  if (told) look_at({end->file, end->line});
  std::string why = "no thread reads that";
  const std::vector<uint64_t> threads =
      w_.backend.threads_reading(a->buffer, missing.all.front().second * size, size);
  const bool dropped = std::any_of(threads.begin(), threads.end(), [&](uint64_t thread) {
    return std::binary_search(story_.threads.begin(), story_.threads.end(), thread);
  });
  if (dropped) {
    why = "a thread reads that (" + lines(readers) +
          "), of which other values are in it: this one is overwritten or left out";
    if (!exchange.empty()) why += "; values of other threads are taken in " + exchange;
    if (!readers.empty()) look_at(readers.front());
  } else if (!readers.empty() && !own_exchange.empty()) {
    why = "that is read (" + lines(readers) +
          ") but does not come to this thread, which takes "
          "values of others in " +
          exchange;
    look_at(story_.own_exchange_lines.front());
  } else if (!readers.empty() && !exchange.empty()) {
    why = "that is read (" + lines(readers) +
          ") but does not come to the threads whose values are in it; these take values of others "
          "in " +
          exchange;
    look_at(story_.exchange_lines.front());
  } else if (!readers.empty()) {
    why = "that is read (" + lines(readers) + "), and nothing hands it on";
  } else if (!story_.reads.empty()) {
    look_at(story_.reads.front().line);
  } else if (const auto c = w_.backend.before_skipped_load(); c && is_students(c->line)) {
    why += fmt::format("; before it would, the first one compares {} {} {}, in {}", c->a, c->how,
                       c->b, line_words(c->line));
    look_at(c->line);
  }
  say(fmt::format("It was made without {}, on which the right result depends: {}.{}",
                  elements(missing), why,
                  told ? fmt::format(" Nothing uses what {} makes of it last, in {}.",
                                     thread_words(*end), place_words(*end))
                       : ""));
}

Dependence Explainer::reference_of(int64_t index) const {
  return Dependence(w_.assignment, w_.c, w_.seed, w_.inputs, static_cast<size_t>(array_->output),
                    static_cast<size_t>(index));
}

// Elements of the inputs that were read and not compared alone, but those of places.
std::vector<Dependence::Element> Explainer::read_of(
    const std::vector<ValueStory::Read>& reads) const {
  std::vector<Dependence::Element> all;
  for (const ValueStory::Read& read : reads)
    for (const Array& a : w_.arrays)
      if (a.buffer == read.buffer && a.input >= 0 && !a.spec->places && !read.compared)
        all.push_back({static_cast<size_t>(a.input), read.offset / element_bytes(a.spec->type)});
  return all;
}

// All elements of the inputs but these, and but those of inputs that are places.
std::vector<Dependence::Element> Explainer::unread_of(
    const std::vector<ValueStory::Read>& reads) const {
  std::set<std::pair<uint32_t, size_t>> seen;
  for (const ValueStory::Read& read : reads) seen.emplace(read.buffer, read.offset);
  std::vector<Dependence::Element> unread;
  for (size_t input = 0; input < w_.inputs.size(); input++) {
    const Array* a = array_of_input(input);
    if (a->spec->places) continue;
    const size_t size = element_bytes(a->spec->type);
    for (size_t i = 0; i < w_.inputs[input].size(); i++)
      if (seen.count({a->buffer, i * size}) == 0) unread.push_back({input, i});
  }
  return unread;
}

// Whether the right result depends on any of these; nullopt: it would take too long to know.
std::optional<bool> Explainer::needs_any(int64_t index,
                                         const std::vector<Dependence::Element>& among) const {
  Dependence reference = reference_of(index);
  if (!reference.needed(among, 1).empty()) return true;
  return reference.gave_up() ? std::nullopt : std::optional(false);
}

double Explainer::expected() const {
  return w_.expected.at(static_cast<size_t>(array_->output)).values.at(static_cast<size_t>(index_));
}
double Explainer::off() const {
  return std::abs(array_->got->value(static_cast<size_t>(index_)) - expected());
}

// Whether it is off by no more than what was rounded where sums cancel.
bool Explainer::explains(const Loss& loss) const {
  constexpr double kRoundings = 4;
  return off() <= kRoundings * loss.share * std::abs(expected());
}

// What was lost on this element's way and on that of no element that is right. Where no element is
// right, that a result which is no whole number came by way of one.
bool Explainer::tell_losses() {
  constexpr int kMostRight = 32;
  std::set<Line> innocent;
  int right = 0;
  for (int64_t i = 0; i < size_of(*array_) && right < kMostRight; i++) {
    if (!is_right(*array_, i)) continue;
    const ValueStory other = story(*array_, i);
    if (other.stores == 0) continue;
    right++;
    for (const Loss& loss : other.losses) innocent.insert(loss.line);
  }
  const bool floating = is_floating(array_->spec->type);
  const bool is_double = array_->spec->type == ElementType::kF64;
  for (const Loss& loss : story_.losses) {
    if (loss.kind == Loss::Kind::kRounded) continue;
    if (loss.kind == Loss::Kind::kCancelled) {
      if (!is_students(loss.line) || !explains(loss)) continue;
      look_at(loss.line);
      say(fmt::format("In {} {}.", line_words(loss.line), words_of(loss)));
      return true;
    }
    const bool narrowed = loss.kind == Loss::Kind::kNarrowed;
    if (narrowed && !is_double) continue;  // as its result is to be
    if ((!narrowed && innocent.count(loss.line) > 0) || !is_students(loss.line)) continue;
    const bool whole = loss.kind == Loss::Kind::kFraction || loss.kind == Loss::Kind::kRemainder;
    if (right == 0 && !(floating && whole) && !narrowed) continue;
    look_at(loss.line);
    say(fmt::format("In {} {}.{}", line_words(loss.line), words_of(loss),
                    right == 0 || narrowed ? "" : " Elements that are right lose nothing there."));
    return true;
  }
  return false;
}

}  // namespace lockstep
