// SPDX-License-Identifier: Apache-2.0
// What the element was made of, beside what the homework's own reference makes it of: see
// explainer.h.
#include <fmt/format.h>

#include <algorithm>
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
  tell_repeated(read);
  if (tell_losses()) return;
  say("It was made of the right elements of the input; what is done with them is wrong: " +
      lines(story_.lines) + ".");
}

// Elements that came in more often than the others: not one alone, which may well be needed by
// itself, too.
void Explainer::tell_repeated(const std::vector<Dependence::Element>& read) {
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

void Explainer::tell_idle(const SomeElements& idle) {
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
  const std::string exchange = lines(story_.exchange_lines);
  std::string why = "no thread reads that";
  const std::vector<uint32_t> threads =
      w_.backend.threads_reading(a->buffer, missing.all.front().second * size, size);
  const bool dropped = std::any_of(threads.begin(), threads.end(), [&](uint32_t thread) {
    return std::binary_search(story_.threads.begin(), story_.threads.end(), thread);
  });
  if (dropped) {
    why = "a thread reads that (" + lines(readers) +
          "), of which other values are in it: this one is overwritten or left out";
    if (!exchange.empty()) why += "; values of other threads are taken in " + exchange;
    if (!readers.empty()) look_at(readers.front());
  } else if (!readers.empty() && !exchange.empty()) {
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
  for (const Loss& loss : story_.losses) {
    if (innocent.count(loss.line) > 0 || !is_students(loss.line)) continue;
    const bool whole = loss.kind == Loss::Kind::kFraction || loss.kind == Loss::Kind::kRemainder;
    if (right == 0 && !(floating && whole)) continue;
    look_at(loss.line);
    say(fmt::format("In {} {}.{}", line_words(loss.line), words_of(loss),
                    right == 0 ? "" : " Elements that are right lose nothing there."));
    return true;
  }
  return false;
}

}  // namespace lockstep
